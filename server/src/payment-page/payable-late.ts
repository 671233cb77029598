/** By which of the ways that were chosen a rest is paid after the time: an invoice that is over takes nothing. */

import { findNetwork } from '../catalog/network-catalog.ts';
import type { CheckoutDossier, Commitment } from '../checkouts/checkout.ts';
import { railOf } from '../checkouts/checkout-facts.ts';
import { isAlive, isCanceled } from '../checkouts/checkout-state.ts';
import { commitmentEnd } from '../checkouts/payment-portions.ts';

/**
 * An invoice asks for the whole, and a node may take it even after a cancel: once a part has come, only an address is
 * shown, best one where a part went. Undefined: nothing takes the rest. Of the whole there is another invoice.
 */
export function payableLate(
  { checkout, commitments, payments }: Pick<CheckoutDossier, 'checkout' | 'commitments' | 'payments'>,
  wished: Commitment | undefined,
  now: Date,
): Commitment | undefined {
  const hasInvoice = ({ network }: Commitment): boolean => findNetwork(network)?.hasInvoices === true;
  const parts = payments.filter((payment) => isAlive(payment) && payment.commitmentId !== null);
  if (!wished || !hasInvoice(wished) || parts.length === 0) return wished;
  // What was cancelled is over, though the clock of the machine that did it may be ahead of ours.
  const isOver = isCanceled({ commitments, canceledAt: checkout.canceledAt }) || now >= commitmentEnd(checkout, wished);
  if (!isOver) return wished;
  const addresses = commitments.filter((each) => !hasInvoice(each));
  const paidRails = new Set(parts.map(railOf));
  return addresses.findLast((each) => paidRails.has(railOf(each))) ?? addresses.at(-1);
}
