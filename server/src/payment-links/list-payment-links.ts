/** Links with what came of them, and the checkouts of one. */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { isCredited } from '../checkouts/checkout-state.ts';
import { findDossiers } from '../checkouts/checkout-store.ts';
import { weighCheckouts } from '../checkouts/list-checkouts.ts';
import type { Query } from '../db/database.ts';
import { listPage } from '../http/page-cursor.ts';
import { sum } from '../money/decimal.ts';
import { checkoutsIn, type LinkTally, type PaymentLink, type PaymentLinkSums } from './payment-link.ts';
import { paymentLinkNotFound } from './payment-link-errors.ts';
import {
  findPaymentLink,
  findPaymentLinks,
  listLinkCheckoutKeys,
  listPaymentLinkKeys,
  type PaymentLinkKey,
  talliesOfPaymentLinks,
} from './payment-link-store.ts';

export type ShownLink = { readonly link: PaymentLink; readonly sums: PaymentLinkSums };

type Page<Item> = { readonly items: Item[]; readonly next: string | null };
type PageWish = { readonly limit: number; readonly cursor?: string; readonly from?: string; readonly to?: string };

export function listPaymentLinks(
  db: Query,
  merchantId: string,
  { state, ...query }: PageWish & { readonly state?: 'ACTIVE' | 'CLOSED' },
): Promise<Page<ShownLink>> {
  const isClosed = state === undefined ? null : state === 'CLOSED';
  return listPage(
    query,
    (range) => listPaymentLinkKeys(db, merchantId, { ...range, isClosed }),
    async (keys) => {
      const links = await findPaymentLinks(
        db,
        merchantId,
        keys.map(({ id }) => id),
      );
      return withSums(
        db,
        merchantId,
        links.filter((link) => link !== undefined),
      );
    },
  );
}

async function withSums(db: Query, merchantId: string, links: readonly PaymentLink[]): Promise<ShownLink[]> {
  const ids = links.map(({ id }) => id);
  const tallies = await talliesOfPaymentLinks(db, merchantId, ids);
  return links.map((link) => ({ link, sums: sumsOf(tallies.get(link.id) ?? []) }));
}

function sumsOf(tallies: readonly LinkTally[]): PaymentLinkSums {
  const credited = tallies.filter(({ state }) => state !== 'SWEPT' && isCredited(state));
  return { made: checkoutsIn(tallies), paid: checkoutsIn(credited), amountPaid: sum(credited, ({ amount }) => amount) };
}

export async function showPaymentLink(db: Query, key: PaymentLinkKey): Promise<ShownLink> {
  const link = await findPaymentLink(db, key);
  if (!link) throw paymentLinkNotFound(key.id);
  const tallies = await talliesOfPaymentLinks(db, key.merchantId, [key.id]);
  return { link, sums: sumsOf(tallies.get(key.id) ?? []) };
}

export async function listLinkCheckouts(
  db: Query,
  key: PaymentLinkKey,
  query: PageWish,
): Promise<Page<CheckoutDossier>> {
  if (!(await findPaymentLink(db, key))) throw paymentLinkNotFound(key.id);
  const { merchantId } = key;
  return listPage(
    query,
    (range) => listLinkCheckoutKeys(db, key, range).then((keys) => weighCheckouts(db, merchantId, keys)),
    (keys) =>
      findDossiers(
        db,
        keys.map(({ id }) => ({ merchantId, id })),
        { hasQuotes: false },
      ),
  );
}
