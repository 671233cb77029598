/**
 * Which part of the price is still missing, after everything that has arrived by any method. A payment counts as its
 * share of the full price of its own commitment, as in the state of the checkout, so parts on two networks add up
 * exactly.
 */
import { missingOf, shareOfPrice } from '../pricing/share-of-price.ts';
import type { CheckoutDossier } from './checkout.ts';
import { isAlive } from './checkout-state.ts';
import { leftUnits } from './refund.ts';

/** That part of `fullUnits`, rounded up; 0 when nothing is missing. */
export function missingUnits(
  { commitments, payments }: Pick<CheckoutDossier, 'commitments' | 'payments'>,
  fullUnits: bigint,
): bigint {
  const due = new Map(commitments.map(({ id, dueUnits }) => [id, dueUnits]));
  const parts = payments.filter(isAlive).flatMap((payment) => {
    const dueUnits = due.get(payment.commitmentId ?? '');
    return dueUnits === undefined ? [] : [{ receivedUnits: leftUnits(payment), dueUnits }];
  });
  return missingOf(fullUnits, shareOfPrice(parts));
}
