import { findNetwork } from '../catalog/network-catalog.ts';
import type { Query } from '../db/database.ts';
import { type LikelyCheckout, likelyCheckouts, takingStates } from './likely-checkout.ts';
import { waitingCheckouts } from './likely-checkout-store.ts';
import type { UnmatchedPayment } from './unmatched-store.ts';

/** For whom money may have been meant that named nobody, the likeliest first. */
export async function findLikelyCheckouts(query: Query, payment: UnmatchedPayment): Promise<readonly LikelyCheckout[]> {
  const booking = findNetwork(payment.network)?.knownAs?.booking(payment.trace);
  const arrived = { units: payment.units, payerName: booking?.payer.name ?? null };
  return likelyCheckouts(arrived, await waitingCheckouts(query, payment, takingStates));
}
