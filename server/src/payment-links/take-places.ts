/**
 * How often a link may be paid is counted in places. A checkout has one from when a way to pay is chosen for it until its
 * window ends without money, and for good once it is paid: so nobody takes one by only looking. Of two who want the last
 * one at the same moment, one gets it: it is counted under the lock of the link.
 */
import type { Checkout } from '../checkouts/checkout.ts';
import type { TakePlaces } from '../checkouts/store-choices.ts';
import type { Query } from '../db/database.ts';
import type { GatewayError } from '../lib/errors.ts';
import { checkoutsIn } from './payment-link.ts';
import { paymentLinkUsedUp } from './payment-link-errors.ts';
import { lockLimitedLinks, type PaymentLinkKey, talliesOfPaymentLinks } from './payment-link-store.ts';

const without: ReadonlySet<string> = new Set(['CREATED', 'EXPIRED', 'CANCELED', 'SWEPT']);

export async function countPlaces(query: Query, { merchantId, id }: PaymentLinkKey): Promise<number> {
  const tallies = (await talliesOfPaymentLinks(query, merchantId, [id])).get(id) ?? [];
  return checkoutsIn(tallies.filter(({ state }) => !without.has(state)));
}

const wantsPlace = ({ origin, state }: Checkout): boolean => origin === 'PAYMENT_LINK' && without.has(state);

export const takePlaces: TakePlaces = async (tx, checkouts) => {
  const refused = new Map<string, GatewayError>();
  const wanting = checkouts.filter(wantsPlace);
  if (wanting.length === 0) return refused;
  const askers = await lockLimitedLinks(tx, wanting);
  for (const [linkId, ofLink] of Map.groupBy(askers, ({ id }) => id)) {
    const [{ merchantId, max } = { merchantId: '', max: 0 }] = ofLink;
    const free = max - (await countPlaces(tx, { merchantId, id: linkId }));
    for (const { checkoutId } of ofLink.slice(Math.max(0, free)))
      refused.set(`${merchantId}/${checkoutId}`, paymentLinkUsedUp());
  }
  return refused;
};
