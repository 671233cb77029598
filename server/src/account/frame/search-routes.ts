/** The search of the account, on a page of its own; the palette takes its results from there. */
import { findDossiers } from '../../checkouts/checkout-store.ts';
import { findCustomers } from '../../counterparties/customer-store.ts';
import { searchCustomers } from '../../counterparties/list-customers.ts';
import { type Hit, search } from '../../finding/search.ts';
import { findPapers, papersNumbered } from '../../papers/paper-list-store.ts';
import { findTransfers } from '../../wallets/transfer-store.ts';
import type { CheckoutPageDeps } from '../checkouts/one-checkout-replies.ts';
import { accountReply } from './account-layout.ts';
import type { AccountLook } from './account-look.ts';
import { searchPath } from './account-overlays.ts';
import { type AccountRoute, createAccountRoutes } from './account-route.ts';
import { askedText } from './money-words.ts';
import { checkoutsShown, type Found, mayOpen, searchPage } from './search-page.ts';

const customersShown = 5;
const papersShown = 5;

export const searchRoutes = (deps: CheckoutPageDeps): AccountRoute[] => [
  createAccountRoutes(deps)({
    method: 'GET',
    path: searchPath,
    access: { may: 'seeCheckouts' },
    async handle({ look, merchant, request }) {
      const text = askedText(request, 'q').slice(0, 200);
      return accountReply(200, look, searchPage(deps, look, await find(deps, look, merchant.id, text)));
    },
  }),
];

async function find({ db }: CheckoutPageDeps, look: AccountLook, merchantId: string, text: string): Promise<Found> {
  const sees = look.may('seeCustomers');
  const [named, begun, numbered] = await Promise.all([
    text === ''
      ? []
      : search(db, merchantId, text, {
          may: (permission) => permission !== 'readCustomers' || sees,
          limit: checkoutsShown,
        }),
    sees ? searchCustomers(db, merchantId, text, customersShown) : [],
    text.trim() === '' ? [] : papersNumbered(db, merchantId, text.trim().toLowerCase(), papersShown),
  ]);
  const known = new Set(named.map(({ id }) => id));
  const people = begun.filter(({ id }) => !known.has(id)).map(({ id }): Hit => ({ kind: 'customer', id }));
  const hits = [...named, ...people].filter((hit) => mayOpen(look, hit));
  const ids = (kind: Hit['kind']): string[] => hits.filter((hit) => hit.kind === kind).map(({ id }) => id);
  const [checkouts, customers, transfers, papers] = await Promise.all([
    findDossiers(
      db,
      ids('checkout').map((id) => ({ merchantId, id })),
      { hasQuotes: false },
    ),
    findCustomers(db, merchantId, ids('customer')),
    findTransfers(db, merchantId, ids('transfer')),
    findPapers(db, merchantId, numbered),
  ]);
  return {
    text,
    hits,
    checkouts: byId(checkouts.map((dossier) => dossier && { ...dossier, id: dossier.checkout.id })),
    customers: byId(customers),
    transfers: byId(transfers),
    papers: papers.filter((paper) => paper !== undefined),
  };
}

const byId = <Item extends { readonly id: string }>(items: readonly (Item | undefined)[]): Map<string, Item> =>
  new Map(items.flatMap((item) => (item ? [[item.id, item] as const] : [])));
