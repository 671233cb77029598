/**
 * Which part of the price is still missing, after everything that has arrived by any method. A payment counts as its
 * share of the full price of its own commitment, as it does for the state of the checkout, so parts on two networks add
 * up exactly. What came late counts by its worth as soon as that is known.
 */
import { addWorth, missingOf, nothing } from '../pricing/share-of-price.ts';
import type { CheckoutDossier } from './checkout.ts';
import { isAlive } from './checkout-state.ts';
import { partOf, portionsOf } from './payment-portions.ts';

export type Paid = Pick<CheckoutDossier, 'commitments' | 'payments'> & {
  readonly checkout: Pick<CheckoutDossier['checkout'], 'canceledAt' | 'lateTolerance'>;
};

/** That part of `fullUnits`, rounded up; 0 when nothing is missing. */
export function missingUnits({ checkout, commitments, payments }: Paid, fullUnits: bigint, now: Date): bigint {
  const facts = { ...checkout, commitments };
  const share = payments
    .filter((payment) => isAlive(payment) && payment.commitmentId !== null)
    .flatMap((payment) => portionsOf(facts, payment, now))
    .reduce((sum, portion) => addWorth(sum, partOf(portion)), nothing);
  return missingOf(fullUnits, share);
}
