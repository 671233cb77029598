/**
 * For how long a choice without money keeps a place of a payment link (docs/decisions/0110). Whether the link has a limit,
 * and how many places are left, is known further up (`payment-links/take-places.ts`).
 */
import { isAlive } from '../deposits/payment-state.ts';
import { addMs, hours } from '../lib/clock.ts';
import type { CheckoutDossier } from './checkout.ts';

export const placeKeptMs = hours(24);

/** A choice that is older keeps no place, unless something has come. */
export const placesKeptSince = (now: Date): Date => addMs(now, -placeKeptMs);

/** Who chooses the same way again then asks for a place again: the choice that stands is not good for one any more. */
export function hasPlaceLapsed({ checkout, commitments, payments }: CheckoutDossier, now: Date): boolean {
  const { origin, state } = checkout;
  const since = placesKeptSince(now);
  return (
    origin === 'PAYMENT_LINK' &&
    state === 'PENDING' &&
    commitments.every(({ committedAt }) => committedAt <= since) &&
    !payments.some(isAlive)
  );
}
