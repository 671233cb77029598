/** The list of checkouts. */
import { findDossiers } from '../../checkouts/checkout-store.ts';
import { findReadablePage } from '../../checkouts/list-checkouts.ts';
import { type Customer, findCustomers } from '../../counterparties/customer-store.ts';
import { writePageCursor } from '../../http/page-cursor.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { accountReply } from '../frame/account-layout.ts';
import { type AccountRoute, createAccountRoutes } from '../frame/account-route.ts';
import { matchAsked, readAsked, readCut, readFilter } from './checkout-list-filter.ts';
import { checkoutListPage } from './checkout-list-page.ts';
import type { CheckoutPageDeps } from './one-checkout-replies.ts';

export const checkoutListRoutes = (deps: CheckoutPageDeps): AccountRoute[] => [
  createAccountRoutes(deps)({
    method: 'GET',
    path: '/account/checkouts',
    access: { may: 'seeCheckouts' },
    async handle({ look, merchant, request, now }) {
      const news = await deps.news.pageNews(merchant.id);
      const sees = look.may('seeCustomers');
      const asked = readAsked(request, deps.assets, { mayReadCustomers: sees });
      const timeZone = timeZoneOf(merchant.pageSettings);
      const filter = await readFilter(deps, merchant.id, asked, { mayReadCustomers: sees, timeZone });
      const matches = await matchAsked(deps, merchant.id, asked, { mayReadCustomers: sees });
      const { keys, next } = filter
        ? await findReadablePage(
            deps.db,
            merchant.id,
            { ...filter, ids: matches && matches.ids },
            readCut(asked, now, timeZone),
          )
        : { keys: [], next: null };
      const found = await findDossiers(deps.db, keys, { hasQuotes: false });
      const items = found.filter((dossier) => dossier !== undefined);
      const wanted = [asked.customer, ...items.map(({ checkout }) => checkout.customerId ?? '')];
      const customers: Customer[] = sees ? await findCustomers(deps.db, merchant.id, wanted) : [];
      const page = checkoutListPage(deps, look, {
        asked,
        items,
        customers: new Map(customers.map((customer) => [customer.id, customer])),
        next: next && writePageCursor(next),
        isCut: matches !== null && matches.isCut,
        networks: [...deps.connectors.keys()],
        now,
        news,
      });
      return accountReply(200, look, page);
    },
  }),
];
