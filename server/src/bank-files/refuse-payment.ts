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
import {
  orderAnnounced,
  orderBooked,
  orderEnded,
  orderInDoubt,
  orderInFile,
  reasonNeeded,
} from './payment-file-errors.ts';

export const reasonMost = 300;

export type RefusalAsked = {
  readonly payoutId: string;
  readonly why: string;
  readonly actor: Actor;
  readonly begin: Begin<StoredPayout>;
};

/** People copy it from the bank's portal too, where it is the first part of the end-to-end reference, in capital letters. */
const payoutNamed = (text: string): string => text.trim().toLowerCase().split('-', 1)[0] ?? '';

export async function refusePayment(
  { clock }: { readonly clock: Clock },
  { payoutId: given, why: said, actor, begin }: RefusalAsked,
): Promise<StoredPayout> {
  const payoutId = payoutNamed(given);
  const why = said.trim();
  if (why === '' || why.length > reasonMost || !isStorable(why)) throw reasonNeeded(reasonMost);
  return begin(async (tx) => {
    const at = clock.now();
    const found = await findPayout(tx, payoutId);
    if (!found || !findNetwork(found.network)?.endOfBankingDays) throw notFound('payment at a bank', given);
    const [refused] = await refusePayout(tx, payoutId, why, at);
    if (!refused) {
      if (found.state === 'QUEUED') throw orderInDoubt();
      const file = await fileOfPayout(tx, payoutId);
      if (file === null) throw orderEnded();
      throw file.isBooked ? orderBooked(file.id) : orderInFile(file.id);
    }
    if (refused.state !== 'FAILED') throw orderAnnounced();
    await enqueue(tx, [advanceJob(refused, at)]);
    const { network, asset, units } = refused;
    const detail = { payout: payoutId, network, asset, units: String(units), why };
    await insertAudit(tx, { merchantId: operatorId, at, actor, action: 'bank.payment_refused', detail });
    return refused;
  });
}
