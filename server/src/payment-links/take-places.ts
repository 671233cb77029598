/**
 * How often a link may be paid is counted in places. A checkout has one from when a way to pay is chosen for it until its
 * window ends without money, and for good once it is paid: so nobody takes one by only looking. Of two who want the last
 * one at the same moment, one gets it: it is counted under the lock of the link.
 *
 * At a bank a window is days long. Without money a place is kept for one day of it (docs/decisions/0110): then it is free
 * for others, and whoever comes back and chooses again asks for one again.
 */
import type { Checkout } from '../checkouts/checkout.ts';
import { placeKeptMs, placesKeptSince } from '../checkouts/kept-place.ts';
import type { TakePlaces } from '../checkouts/store-choices.ts';
import type { Query } from '../db/database.ts';
import { addMs } from '../lib/clock.ts';
import type { GatewayError } from '../lib/errors.ts';
import { checkoutsIn } from './payment-link.ts';
import { paymentLinkUsedUp } from './payment-link-errors.ts';
import {
  findLapsed,
  findLimitOf,
  lockLimitedLinks,
  type PaymentLinkKey,
  talliesOfPaymentLinks,
} from './payment-link-store.ts';

const without: ReadonlySet<string> = new Set(['CREATED', 'EXPIRED', 'CANCELED', 'SWEPT']);

export async function countPlaces(query: Query, { merchantId, id }: PaymentLinkKey, now: Date): Promise<number> {
  const tallies = (await talliesOfPaymentLinks(query, merchantId, [id])).get(id) ?? [];
  const lapsed = await findLapsed(query, { merchantId, id }, placesKeptSince(now));
  return checkoutsIn(tallies.filter(({ state }) => !without.has(state))) - lapsed.size;
}

const mayWantPlace = ({ origin, state }: Checkout): boolean =>
  origin === 'PAYMENT_LINK' && (without.has(state) || state === 'PENDING');

export const takePlaces: TakePlaces = async (tx, checkouts, now) => {
  const refused = new Map<string, GatewayError>();
  const asking = checkouts.filter(mayWantPlace);
  if (asking.length === 0) return refused;
  const pending = new Set(asking.filter(({ state }) => state === 'PENDING').map(({ id }) => id));
  for (const [linkId, ofLink] of Map.groupBy(await lockLimitedLinks(tx, asking), ({ id }) => id)) {
    const [{ merchantId, max } = { merchantId: '', max: 0 }] = ofLink;
    const lapsed = await findLapsed(tx, { merchantId, id: linkId }, placesKeptSince(now));
    const wanting = ofLink.filter(({ checkoutId }) => !pending.has(checkoutId) || lapsed.has(checkoutId));
    const free = max - (await countPlaces(tx, { merchantId, id: linkId }, now));
    for (const { checkoutId } of wanting.slice(Math.max(0, free)))
      refused.set(`${merchantId}/${checkoutId}`, paymentLinkUsedUp());
  }
  return refused;
};

/** Until when a place is kept for a checkout without money, and whether others have all of them by now. */
export type KeptPlace = { readonly until: Date; readonly isGone: boolean };

/** Null: nothing is kept, or for as long as the checkout can be paid. */
export async function findKeptPlace(
  query: Query,
  checkout: Pick<Checkout, 'merchantId' | 'id' | 'origin' | 'state' | 'windowEndsAt'>,
  chosenAt: Date | undefined,
  now: Date,
): Promise<KeptPlace | null> {
  const { merchantId, id: checkoutId, windowEndsAt } = checkout;
  if (checkout.origin !== 'PAYMENT_LINK' || checkout.state !== 'PENDING' || !chosenAt) return null;
  const until = addMs(chosenAt, placeKeptMs);
  if (windowEndsAt === null || windowEndsAt <= until) return null;
  const limited = await findLimitOf(query, { merchantId, id: checkoutId });
  if (!limited) return null;
  const link = { merchantId, id: limited.id };
  const isLapsed = (await findLapsed(query, link, placesKeptSince(now))).has(checkoutId);
  return { until, isGone: isLapsed && (await countPlaces(query, link, now)) >= limited.max };
}
