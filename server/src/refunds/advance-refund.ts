/** When a refund's payout has ended, or came back, the refund's state, the books, the checkout and the event follow. */

import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { isAlive } from '../checkouts/checkout-state.ts';
import { lockDossier } from '../checkouts/checkout-store.ts';
import { type LinkKey, refuseLink } from '../checkouts/claim-link-store.ts';
import { heldUnits, type Refund } from '../checkouts/refund.ts';
import { refundStates } from '../checkouts/refund-state.ts';
import { type FoundRefund, findRefund, hasWhatItGivesBack, saveRefunds } from '../checkouts/refund-store.ts';
import { addToTimeline } from '../checkouts/timeline-store.ts';
import type { Db } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import type { Begin } from '../http/effect.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { present } from '../lib/assert.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { chargedCost } from '../sending/charged-cost.ts';
import { sumOfComebacks, takeComebacks } from '../sending/comeback-store.ts';
import { findPayout, withdrawPayout } from '../sending/payout-store.ts';
import { type AdvanceDeps, advanceLocked } from '../settlements/advance-checkout.ts';
import { cannotCancelRefund, notAwaitingApproval, refundNotFound } from './refund-errors.ts';

export async function advanceRefund(
  deps: AdvanceDeps & { readonly db: Db },
  { merchantId, transferId }: JobCatalog['refund.advance'],
): Promise<void> {
  const found = await findRefund(deps.db, merchantId, transferId);
  if (!found) return;
  await endRefund(deps, deps.db.begin, found, async (refund, tx, dossier) => {
    const payout = await findPayout(tx, transferId);
    // A reorganisation may have put another version of the transaction into the chain than the one that we announced.
    if (refund.state === 'COMPLETED' && payout?.state === 'DONE')
      await saveRefunds(tx, [{ ...refund, txHash: payout.txHash }]);
    // Or it has undone the refund together with the payment. Then the customer has the money back already, and nothing
    // is sent again.
    const isUndone =
      refund.state === 'COMPLETED' && payout?.state === 'QUEUED' && isWhatItGivesBackGone(refund, dossier);
    if (isUndone && (await withdrawPayout(tx, transferId, deps.clock.now())))
      return { move: 'undo', txHash: null, failure: 'The payment that it gave back was spent otherwise.' };
    // A bank has taken back what it gives back: what others pay then is not for the one who has had that.
    const isTakenBack =
      refund.state === 'SENDING' &&
      payout?.state === 'QUEUED' &&
      (takesWhatIsTakenBack(refund, dossier) || !(await hasWhatItGivesBack(tx, merchantId, transferId)));
    if (isTakenBack && (await withdrawPayout(tx, transferId, deps.clock.now())))
      return { move: 'fail', txHash: null, failure: 'The bank took back the payment that it gives back.' };
    if (refund.state !== 'SENDING') return undefined; // This job ran before and only its acknowledgement was lost.
    if (payout?.state === 'DONE') return { move: 'complete', txHash: payout.txHash };
    if (payout?.state === 'FAILED') {
      const held = { feeUnits: refund.feeUnits, totalUnits: heldUnits(refund) };
      const { failure, txHash } = payout;
      return { move: 'fail', failure, txHash, costUnits: chargedCost(payout, held) };
    }
    return undefined;
  });
  await bringBack(deps, found);
}

/** What came back after the refund had arrived is booked, and the checkout follows. */
async function bringBack(
  deps: AdvanceDeps & { readonly db: Db },
  { merchantId, checkoutId, refund: { id } }: FoundRefund,
): Promise<void> {
  await deps.db.begin(async (tx) => {
    const dossier = present(await lockDossier(tx, merchantId, checkoutId), 'checkout of a refund');
    const comingBack = sumOfComebacks(await takeComebacks(tx, id, deps.clock.now()));
    if (comingBack.units === 0n) return;
    const refunds = dossier.refunds.map((each) => (each.id === id ? { ...each, comingBack } : each));
    await advanceLocked(deps, tx, { ...dossier, refunds });
  });
}

/**
 * Whether something that it gives back is gone. A payment that waits to be confirmed again, or another one in its place,
 * is not gone: then the refund is sent once more.
 */
const isWhatItGivesBackGone = ({ takes, covers }: Refund, { payments }: CheckoutDossier): boolean => {
  const alive = payments.filter(isAlive);
  return (
    takes.some(({ paymentId }) => !alive.some(({ id }) => id === paymentId)) ||
    covers.some((cover) => !alive.some(({ commitmentId }) => commitmentId === cover.commitmentId))
  );
};

/**
 * What a network took back never returns. While such a payment is still in the books, what is left of it may yet stand in for
 * it (`follow-vanished.ts`).
 */
const takesWhatIsTakenBack = ({ takes }: Refund, { payments }: CheckoutDossier): boolean => {
  const gone = payments.filter(({ state, place }) => state === 'REVERSED' && place === 'none');
  return takes.some(({ paymentId }) => gone.some(({ id }) => id === paymentId));
};

type Canceler = { readonly merchantId: string; readonly actor: Actor; readonly begin: Begin<FoundRefund> };
type CancelDeps = AdvanceDeps & { readonly db: Db };

/** Takes back a refund that nobody has signed yet. */
export const cancelRefund = (deps: CancelDeps, by: Canceler, id: string): Promise<FoundRefund> =>
  cancel(deps, by, id, 'cancel');

/** Only while it waits for approval: what another has just approved stays approved. Decided under the lock. */
export const refuseRefund = (deps: CancelDeps, by: Canceler, id: string): Promise<FoundRefund> =>
  cancel(deps, by, id, 'refuse');

async function cancel(
  deps: CancelDeps,
  { merchantId, actor, begin }: Canceler,
  id: string,
  wish: 'cancel' | 'refuse',
): Promise<FoundRefund> {
  const found = await findRefund(deps.db, merchantId, id);
  if (!found) throw refundNotFound(id);
  return endRefund(deps, begin, found, async ({ state }, tx) => {
    if (wish === 'refuse' && state !== 'AWAITING_APPROVAL') throw notAwaitingApproval(state);
    if (state === 'CANCELED') return undefined; // A client retries.
    const isTakenBack = state === 'SENDING' && (await withdrawPayout(tx, id, deps.clock.now()));
    const isUnsent = state === 'CLAIMABLE' || state === 'AWAITING_APPROVAL';
    if (!isUnsent && !isTakenBack) throw cannotCancelRefund(state);
    const at = deps.clock.now();
    await insertAudit(tx, { merchantId, at, actor, action: 'refund.canceled', detail: { id } });
    return { move: 'cancel' };
  });
}

/** Nobody can be told where the claim is: the money is held again, and nobody else need take the refund back first. */
export async function withdrawClaim(
  deps: AdvanceDeps & { readonly db: Db },
  { merchantId, refundId }: LinkKey,
): Promise<void> {
  const found = await findRefund(deps.db, merchantId, refundId);
  if (!found) return;
  await endRefund(deps, deps.db.begin, found, async ({ state }, tx, { checkout }) => {
    const now = deps.clock.now();
    await refuseLink(tx, { merchantId, refundId }, now);
    await addToTimeline(tx, checkout, [{ what: 'claim_link_refused', why: { refund: refundId } }], now);
    return state === 'CLAIMABLE' ? { move: 'cancel' } : undefined;
  });
}

type Outcome = Partial<Pick<Refund, 'txHash' | 'failure' | 'costUnits'>> & {
  readonly move: 'undo' | 'complete' | 'fail' | 'cancel';
};
type Tx = Parameters<typeof lockDossier>[0];

async function endRefund(
  deps: AdvanceDeps,
  begin: Begin<FoundRefund>,
  found: FoundRefund,
  decide: (refund: Refund, tx: Tx, dossier: CheckoutDossier) => Promise<Outcome | undefined>,
): Promise<FoundRefund> {
  const { merchantId, checkoutId } = found;
  const { id } = found.refund;
  return begin(async (tx) => {
    const dossier = present(await lockDossier(tx, merchantId, checkoutId), 'checkout of a refund');
    const refundOf = ({ refunds }: typeof dossier): Refund =>
      present(
        refunds.find((refund) => refund.id === id),
        `refund ${id}`,
      );
    const refund = refundOf(dossier);
    const outcome = await decide(refund, tx, dossier);
    if (!outcome) return { ...found, refund };
    const { move, ...facts } = outcome;
    const state = refundStates.moved(refund.state, move);
    const ended = { ...refund, ...facts, state, endedAt: deps.clock.now() };
    const refunds = dossier.refunds.map((each) => (each.id === id ? ended : each));
    return { ...found, refund: refundOf(await advanceLocked(deps, tx, { ...dossier, refunds })) };
  });
}
