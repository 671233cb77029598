/**
 * Whether the treasury still keeps for a checkout what it promised. Pure.
 *
 * A checkout is open as long as one of the ways that were chosen is, and a transfer between banks has days. What was
 * promised to whoever chose a coin is kept only as long as the price of that coin: otherwise a choice that costs
 * nothing would hold the stock for days.
 */
import type { CheckoutDossier } from './checkout.ts';
import { isAlive } from './checkout-state.ts';
import { commitmentEnd } from './payment-portions.ts';

export function isPromiseKept({ checkout, commitments, payments }: CheckoutDossier, now: Date): boolean {
  if (checkout.state === 'PROCESSING') return true;
  if (checkout.state !== 'PENDING') return false;
  const converted = commitments.filter(({ asset, quote }) => quote.settlement.assetId !== asset);
  const paid = new Set(payments.filter(isAlive).map(({ commitmentId }) => commitmentId));
  return converted.some((commitment) => now < commitmentEnd(checkout, commitment) || paid.has(commitment.id));
}
