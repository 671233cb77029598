/** By which of the ways that were chosen a rest is paid after the time: an invoice that is over takes nothing. */

import { findNetwork } from '../catalog/network-catalog.ts';
import type { CheckoutDossier, Commitment } from '../checkouts/checkout.ts';
import { isAlive } from '../checkouts/checkout-state.ts';

/** What has come in part has come to an address, which takes the rest too. Of the whole there is another invoice. */
export function payableLate(
  { commitments, payments }: Pick<CheckoutDossier, 'commitments' | 'payments'>,
  wished: Commitment | undefined,
  now: Date,
): Commitment | undefined {
  const hasInvoice = ({ network }: Commitment): boolean => findNetwork(network)?.hasInvoices === true;
  if (!wished || !hasInvoice(wished) || now < wished.expiresAt || !payments.some(isAlive)) return wished;
  return commitments.findLast((each) => !hasInvoice(each)) ?? wished;
}
