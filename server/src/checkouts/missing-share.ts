/**
 * Which part of the price is still missing, after everything that has arrived by any method. A payment counts as its
 * share of the full price of its own commitment, as in the state of the checkout, so parts on two networks add up
 * exactly.
 */
import { proportion } from '../money/amount.ts';
import type { CheckoutDossier } from './checkout.ts';
import { isAlive } from './checkout-state.ts';
import { leftUnits } from './refund.ts';

/** That part of `fullUnits`, rounded up; 0 when nothing is missing. */
export function missingUnits(
  { commitments, payments }: Pick<CheckoutDossier, 'commitments' | 'payments'>,
  fullUnits: bigint,
): bigint {
  const due = new Map(commitments.map(({ id, dueUnits }) => [id, dueUnits]));
  let numerator = 1n;
  let denominator = 1n;
  for (const payment of payments.filter(isAlive)) {
    const full = due.get(payment.commitmentId ?? '');
    if (full === undefined) continue;
    numerator = numerator * full - leftUnits(payment) * denominator;
    denominator *= full;
  }
  return numerator <= 0n ? 0n : proportion(fullUnits, numerator, denominator, 'up');
}
