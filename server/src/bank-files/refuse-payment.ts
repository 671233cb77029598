/**
 * A payment that the bank's portal does not take, and that is in no file: whoever asked for it is told why, and has the money
 * back.
 */
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import { isStorable } from '../http/parse-json.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Clock } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { operatorId } from '../people/audit-sign-in.ts';
import { fileOfPayout } from '../sending/file-order-store.ts';
import { findPayout, refusePayout, type StoredPayout } from '../sending/payout-store.ts';
import { advanceJob } from '../sending/record-sent.ts';
import { orderAnnounced, orderEnded, orderInDoubt, orderInFile, reasonNeeded } from './payment-file-errors.ts';

export const reasonMost = 300;

export type RefusalAsked = {
  readonly payoutId: string;
  readonly why: string;
  readonly actor: Actor;
  readonly begin: Begin<StoredPayout>;
};

export async function refusePayment(
  { clock }: { readonly clock: Clock },
  { payoutId, why: given, actor, begin }: RefusalAsked,
): Promise<StoredPayout> {
  const why = given.trim();
  if (why === '' || why.length > reasonMost || !isStorable(why)) throw reasonNeeded(reasonMost);
  return begin(async (tx) => {
    const at = clock.now();
    const found = await findPayout(tx, payoutId);
    if (!found || !findNetwork(found.network)?.endOfBankingDays) throw notFound('payment at a bank', payoutId);
    const [refused] = await refusePayout(tx, payoutId, why, at);
    if (!refused) {
      if (found.state === 'QUEUED') throw orderInDoubt();
      const fileId = await fileOfPayout(tx, payoutId);
      throw fileId === null ? orderEnded() : orderInFile(fileId);
    }
    if (refused.state !== 'FAILED') throw orderAnnounced();
    await enqueue(tx, [advanceJob(refused, at)]);
    const { network, asset, units } = refused;
    const detail = { payout: payoutId, network, asset, units: String(units), why };
    await insertAudit(tx, { merchantId: operatorId, at, actor, action: 'bank.payment_refused', detail });
    return refused;
  });
}
