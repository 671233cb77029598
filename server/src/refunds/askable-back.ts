import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { isCredited } from '../checkouts/checkout-state.ts';
import { type InSuspense, refundableInSuspense } from '../settlements/refundable.ts';

/**
 * What the payer may ask for back, also what comes after everything was sent back. While more is expected, or it is
 * being decided what to do with it, nothing. Pure.
 */
export function askableBack(dossier: CheckoutDossier, now: Date): InSuspense[] {
  const { state } = dossier.checkout;
  return ['UNDERPAID', 'REFUNDED'].includes(state) || isCredited(state) ? refundableInSuspense(dossier, now) : [];
}
