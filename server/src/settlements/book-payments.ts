/** Payments come into the books when they are confirmed, and leave them when they are no longer. */
import { firstIdOf, type KeptRate, type Payment } from '../checkouts/checkout.ts';
import { standingSettlement } from '../checkouts/checkout-facts.ts';
import { isConfirmed } from '../checkouts/checkout-state.ts';
import { leftUnits } from '../checkouts/refund.ts';
import { type Draft, derive, forgetUnusedAcceptance, rebookPayments, withCheckout } from './advance-draft.ts';
import type { MerchantPurse } from './merchant-purse.ts';
import { movedLines, receiptLines, vanishedLines } from './settlement-entries.ts';

export function bookConfirmed(draft: Draft): Draft {
  const { dossier } = draft;
  return rebookPayments(draft, (payment) => {
    if (!isConfirmed(payment) || payment.place !== 'none') return null;
    const linesOf = (purse: MerchantPurse) => receiptLines(dossier, payment, purse);
    return { place: 'pending', kind: 'payment_received', linesOf };
  });
}

type Waiting = Payment & { readonly place: 'pending' | 'suspense' };

const isWaiting = (payment: Payment): payment is Waiting => payment.place === 'pending' || payment.place === 'suspense';

export function unbookVanished(draft: Draft): Draft {
  const { dossier } = draft;
  const vanished = dossier.payments.filter((payment) => isWaiting(payment) && !isConfirmed(payment));
  const wasCounted = vanished.some(({ commitmentId }) => commitmentId !== null);
  const reopened = wasCounted ? forgetUnusedAcceptance(draft, 'an accepted payment is no longer confirmed') : draft;
  const unbooked = rebookPayments(reopened, (payment) => {
    if (!isWaiting(payment) || isConfirmed(payment)) return null;
    const linesOf = (purse: MerchantPurse) => vanishedLines(dossier, payment, payment.place, purse);
    return { place: 'none', kind: 'payment_reversed', linesOf };
  });
  return forgetRates(unbooked);
}

/**
 * Forgets the kept rates of payments that vanished, and of an acceptance that is void. When they are back, they get the
 * rate of that day.
 */
function forgetRates(draft: Draft): Draft {
  const { checkout, payments } = draft.dossier;
  const { acceptedAt, keptRates } = checkout;
  if (keptRates.length === 0) return draft;
  const confirmed = new Set(payments.filter(isConfirmed).map(firstIdOf));
  const isValid = ({ paymentId, basis }: KeptRate): boolean =>
    confirmed.has(paymentId) && (basis === 'RATE_OF_ARRIVAL' || acceptedAt !== null);
  return keptRates.every(isValid) ? draft : withCheckout(draft, { keptRates: keptRates.filter(isValid) });
}

/** Money that nobody is credited for: too little, too much, or the wrong asset. It waits until a person decides. */
export function parkTheRest(draft: Draft): Draft {
  const { dossier } = draft;
  const { merchantId } = dossier.checkout;
  const { state, lookAgainAt } = derive(draft);
  const isSettled = standingSettlement(dossier) !== undefined;
  const isOdd = ({ place, commitmentId }: Payment): boolean =>
    place === 'pending' && (commitmentId === null || isSettled || state === 'UNDERPAID' || state === 'REFUNDED');
  const parked = rebookPayments(draft, (payment) => {
    if (!isOdd(payment) || leftUnits(payment) === 0n) return null;
    const linesOf = () => movedLines(merchantId, payment, 'pending', 'suspense');
    return { place: 'suspense', kind: 'moved_to_suspense', linesOf };
  });
  // A payment of which nothing is left has nothing to post.
  const payments = parked.dossier.payments.map((payment) =>
    isOdd(payment) ? { ...payment, place: 'suspense' as const } : payment,
  );
  return {
    ...parked,
    dossier: { ...parked.dossier, payments },
    lookAgainAt: draft.lookAgainAt ?? lookAgainAt,
  };
}
