/**
 * The operator sends back money that named no checkout. It stays in suspense until it has left. Where two of the staff are
 * needed, the order waits for the second one (`approve-return`). The row of the payment says that it is on its way, so that
 * it is neither assigned nor sent a second time.
 */
import type { Db, Tx } from '../db/database.ts';
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
import { needsSecondHand } from '../people/staff-approvers.ts';
import { tellHandsOfOrder } from '../people/tell-hands.ts';
import { takeComebacks } from '../sending/comeback-store.ts';
import { findPayout, insertPayouts } from '../sending/payout-store.ts';
import { demandReturnable, type ReturnableDeps } from './demand-returnable.ts';
import { unmatchedOf } from './keep-comebacks.ts';
import { bookUnmatched } from './keep-unmatched.ts';
import { type HoldFee, releasedFee } from './return-fee.ts';
import { findWaitingAdoption } from './unmatched-adoption-store.ts';
import { findWaitingReturn, insertReturn, type UnmatchedReturn } from './unmatched-return-store.ts';
import {
  lockReturn,
  lockUnmatched,
  markReturned,
  markReturnFailed,
  markReturning,
  type UnmatchedPayment,
} from './unmatched-store.ts';

type Deps = { readonly db: Db; readonly clock: Clock };

export type ReturnDeps = Deps & ReturnableDeps;

export type ReturnOrder = {
  /** Null: back to the sender, where the network says who that was. */
  readonly destination: Destination | null;
  /** What is kept back for the network's fee. */
  readonly feeUnits: bigint;
  /** From `read-return`, which asks the network what it takes. Left out: nothing beyond what is kept back. */
  readonly holdFee?: HoldFee;
};

const setsNothingAside: HoldFee = async () => undefined;

/** `returnId`: null while it waits for a second signature. */
export type ReturnedPayment = UnmatchedPayment & { readonly returnAddress: string };

type Asking = { readonly actor: Actor; readonly begin: Begin<ReturnedPayment>; readonly returnId?: string };

export const byCommand = (db: Db): Asking => ({ actor: 'operator', begin: (work) => db.begin(work) });

export async function returnUnmatched(
  deps: ReturnDeps,
  id: string,
  { destination, feeUnits, holdFee = setsNothingAside }: ReturnOrder,
  { actor, begin, returnId = newId() }: Asking = byCommand(deps.db),
): Promise<ReturnedPayment> {
  const now = deps.clock.now();
  return begin(async (tx) => {
    const unmatched = await lockFree(tx, id);
    const payTo =
      destination ??
      (unmatched.sender === null ? null : { address: unmatched.sender, memo: null, memoType: null, holder: null });
    if (payTo === null) throw invalidRequest(`The sender of payment ${id} is not known: give an address.`);
    const units = unmatched.units - feeUnits;
    if (feeUnits < 0n || units <= 0n) throw invalidRequest('The fee must be less than the payment.');
    // Before the locks of payouts, as everybody else who asks for one.
    const isToApprove = await needsSecondHand(tx, now);
    await demandReturnable(deps, tx, unmatched, { ...payTo, units });

    const order: UnmatchedReturn = {
      ...payTo,
      id: returnId,
      unmatchedId: id,
      units,
      feeUnits,
      state: isToApprove ? 'AWAITING_APPROVAL' : 'APPROVED',
      requestedBy: actor,
      requestedAt: now,
      decidedAt: isToApprove ? null : now,
    };
    await insertReturn(tx, order);
    if (isToApprove) await noteReturn(tx, order, 'unmatched.return_requested', { actor, at: now });
    else await letReturnGo(tx, unmatched, order, { actor, at: now, holdFee });
    if (isToApprove) await tellHandsOfOrder(tx, { what: 'return-asked', orderId: order.id }, { actor, now });
    return { ...unmatched, returnId: isToApprove ? null : order.id, returnAddress: payTo.address };
  });
}

/** The payment, locked, if nothing has become of it and nobody is asked to send it back, or to take it as the operator's own. */
export async function lockFree(tx: Tx, id: string): Promise<UnmatchedPayment> {
  const unmatched = await lockUnmatched(tx, id);
  if (!unmatched) throw notFound('unmatched payment', id);
  const problem =
    whyNotFree(unmatched) ??
    ((await findWaitingReturn(tx, id)) ? waitsToReturn(id) : null) ??
    ((await findWaitingAdoption(tx, id)) ? waitsToBeOwn(id) : null);
  if (problem !== null) throw invalidRequest(problem);
  return unmatched;
}

export const waitsToReturn = (id: string): string =>
  `To send the payment ${id} back waits for a second signature: refuse that first.`;

export const waitsToBeOwn = (id: string): string =>
  `To take the payment ${id} as the operator's own waits for a second signature: refuse that first.`;

export function whyNotFree(payment: UnmatchedPayment): string | null {
  const { id, assignedCheckoutId, returnId, returnedTx, reversedAt, ownAt } = payment;
  if (assignedCheckoutId !== null) return `The payment ${id} was assigned to checkout ${assignedCheckoutId} before.`;
  if (returnedTx !== null) return `The payment ${id} was sent back before, by transaction ${returnedTx}.`;
  if (returnId !== null) return `The payment ${id} is already on its way back.`;
  if (reversedAt !== null) return `The network took the payment ${id} back.`;
  if (ownAt !== null) return `The payment ${id} was taken as the operator's own before.`;
  return null;
}

type By = { readonly actor: Actor; readonly at: Date };

/** Sets its fee aside and asks for the payout of an order that needs nobody any more. */
export async function letReturnGo(
  tx: Tx,
  { network, asset }: UnmatchedPayment,
  order: UnmatchedReturn,
  by: By & { readonly holdFee: HoldFee },
): Promise<void> {
  await by.holdFee(tx, order, by.at);
  const { id, unmatchedId, address, memo, memoType, holder, units, feeUnits } = order;
  await markReturning(tx, unmatchedId, { id, address, units, feeUnits });
  const payout = { id, network, asset, units, address, memo, memoType, holder, purpose: 'return' as const };
  await insertPayouts(tx, [{ ...payout, merchantId: operatorId }], by.at);
  await noteReturn(tx, order, 'unmatched.returned', by);
  await tellHandsOfOrder(tx, { what: 'return-let-go', orderId: id }, { actor: by.actor, now: by.at });
}

export async function noteReturn(
  tx: Tx,
  { unmatchedId, address, memo, units, requestedBy }: UnmatchedReturn,
  action: string,
  { actor, at }: By,
): Promise<void> {
  const asked = actor === requestedBy ? {} : { requestedBy };
  const detail = { id: unmatchedId, address, ...(memo !== null && { memo }), units: units.toString(), ...asked };
  await insertAudit(tx, { merchantId: operatorId, at, actor, action, detail });
}

/** The payout has ended: the money has left, or never will. Or it has left, and came back. */
export async function advanceReturn({ db, clock }: Deps, { transferId }: JobCatalog['return.advance']): Promise<void> {
  await db.begin(async (tx) => {
    await endReturn(tx, transferId, clock.now());
    await keepReturned(tx, transferId, clock.now());
  });
}

async function endReturn(tx: Tx, transferId: string, now: Date): Promise<void> {
  const unmatched = await lockReturn(tx, transferId);
  const payout = await findPayout(tx, transferId);
  if (!unmatched || unmatched.returnedTx !== null) return;
  if (payout?.state !== 'DONE' && payout?.state !== 'FAILED') return;
  const entries = await releasedFee(tx, { id: transferId, unmatchedId: unmatched.id });
  if (payout.state === 'FAILED') await markReturnFailed(tx, unmatched.id, payout.failure ?? 'It was refused.');
  else {
    await markReturned(tx, unmatched.id, payout.txHash ?? transferId, now);
    entries.push(returnEntry(unmatched, payout.units));
  }
  await postEntries(tx, entries, now);
}

/**
 * What came back after it was sent back is money that names nobody once more, beside the payment that it once was: that one was
 * sent back, and what is decided about this one is decided anew.
 */
async function keepReturned(tx: Tx, transferId: string, now: Date): Promise<void> {
  const back = await takeComebacks(tx, transferId, now);
  const sender = back.length === 0 ? null : ((await findPayout(tx, transferId))?.address ?? null);
  await bookUnmatched(
    tx,
    back.flatMap((comeback) => unmatchedOf(comeback, comeback.takenUnits, { sender, part: '1' })),
    now,
  );
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
