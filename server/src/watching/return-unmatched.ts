/**
 * The operator sends back money that named no checkout. It stays in suspense until it has left. The row says that it is
 * on its way, so that it is neither assigned nor sent a second time.
 */
import type { Db } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry } from '../ledger/entry.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidRequest, notFound } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import type { Destination } from '../networks/port/sending.ts';
import { findPayout, insertPayouts } from '../sending/payout-store.ts';
import {
  lockReturn,
  lockUnmatched,
  markReturned,
  markReturnFailed,
  markReturning,
  type UnmatchedPayment,
} from './unmatched-store.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

export type ReturnOrder = {
  /** Null: back to the sender, where the network says who that was. */
  readonly destination: Destination | null;
  /** What is kept back for the network's fee. */
  readonly feeUnits: bigint;
};

export type ReturnedPayment = UnmatchedPayment & { readonly returnAddress: string };

export async function returnUnmatched(
  { db, clock }: Deps,
  id: string,
  { destination, feeUnits }: ReturnOrder,
  { actor, begin }: { readonly actor: Actor; readonly begin: Begin<ReturnedPayment> } = {
    actor: 'operator',
    begin: (work) => db.begin(work),
  },
): Promise<ReturnedPayment> {
  const now = clock.now();
  return begin(async (tx) => {
    const unmatched = await lockUnmatched(tx, id);
    if (!unmatched) throw notFound('unmatched payment', id);
    const problem = whyNotFree(unmatched);
    if (problem !== null) throw invalidRequest(problem);
    const { network, asset, sender } = unmatched;
    const payTo = destination ?? (sender === null ? null : { address: sender, memo: null, memoType: null });
    if (payTo === null) throw invalidRequest(`The sender of payment ${id} is not known: give an address.`);
    const units = unmatched.units - feeUnits;
    if (feeUnits < 0n || units <= 0n) throw invalidRequest('The fee must be less than the payment.');

    const payout = { ...payTo, id: newId(), network, asset, units, purpose: 'return' as const };
    await markReturning(tx, id, { id: payout.id, address: payTo.address, units, feeUnits });
    await insertPayouts(tx, [{ ...payout, merchantId: operatorId }], now);
    const detail = { id, address: payTo.address, units: units.toString() };
    const action = 'unmatched.returned';
    await insertAudit(tx, { merchantId: operatorId, at: now, actor, action, detail });
    return { ...unmatched, returnId: payout.id, returnAddress: payTo.address };
  });
}

export function whyNotFree({ id, assignedCheckoutId, returnId, returnedTx }: UnmatchedPayment): string | null {
  if (assignedCheckoutId !== null) return `The payment ${id} was assigned to checkout ${assignedCheckoutId} before.`;
  if (returnedTx !== null) return `The payment ${id} was sent back before, by transaction ${returnedTx}.`;
  if (returnId !== null) return `The payment ${id} is already on its way back.`;
  return null;
}

/** The payout has ended: the money has left, or never will. */
export async function advanceReturn({ db, clock }: Deps, { transferId }: JobCatalog['return.advance']): Promise<void> {
  await db.begin(async (tx) => {
    const unmatched = await lockReturn(tx, transferId);
    const payout = await findPayout(tx, transferId);
    if (!unmatched || unmatched.returnedTx !== null) return;
    if (payout?.state === 'FAILED') await markReturnFailed(tx, unmatched.id, payout.failure ?? 'It was refused.');
    if (payout?.state !== 'DONE') return;
    await markReturned(tx, unmatched.id, payout.txHash ?? transferId, clock.now());
    await postEntries(tx, [returnEntry(unmatched, payout.units)], clock.now());
  });
}

const returnEntry = ({ id, network, asset, units }: UnmatchedPayment, sentUnits: bigint): Entry => ({
  reference: `unmatched/${id}/returned`,
  kind: 'unmatched_returned',
  merchantId: null,
  subject: { kind: 'unmatched_payment', id },
  lines: [
    { account: operatorAccount('suspense', asset), units: -units },
    { account: chainWallet(network, asset), units: sentUnits },
    { account: operatorAccount('costs', asset), units: units - sentUnits },
  ],
});
