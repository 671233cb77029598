/** Lists as files, for who may export: each is the list of its page with the filters of its address, from first to last. */
import { findDossiers } from '../checkouts/checkout-store.ts';
import { findPage, lookedAtMost } from '../checkouts/list-checkouts.ts';
import { findCustomers } from '../counterparties/customer-store.ts';
import { listCustomers } from '../counterparties/list-customers.ts';
import { writePageCursor } from '../http/page-cursor.ts';
import { addDays, dayOf, isDay } from '../lib/local-day.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { readDays } from '../reports/read-days.ts';
import { listEntries } from '../wallets/list-entries.ts';
import { listTransfersIn } from '../wallets/list-transfers.ts';
import { readWallet } from '../wallets/read-wallets.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from './account-route.ts';
import { balancesPath } from './balances-page.ts';
import { askedDays, betweenOf } from './balances-routes.ts';
import { type AskedFilters, filterNames, matchAsked, readAsked, readCut, readFilter } from './checkout-list-filter.ts';
import { csvReply, pagesOf } from './csv-reply.ts';
import { customersPath } from './customers-page.ts';
import {
  type CheckoutRow,
  checkoutColumns,
  customerColumns,
  dayColumns,
  entryColumns,
  transferColumns,
} from './export-columns.ts';
import { type HomeDeps, shownDays } from './home-facts.ts';
import type { MoneyDeps } from './money-deps.ts';
import { actorNames, askedText } from './money-words.ts';
import { transferGroups, transfersPath } from './transfers-page.ts';

/** So many rows are in memory at once. */
const batchSize = 500;

export function exportRoutes(deps: HomeDeps & MoneyDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const { db } = deps;
  const route = (path: string, handle: (context: MemberContext) => ReturnType<typeof csvReply>): AccountRoute =>
    accountRoute({ method: 'GET', path, access: { may: 'exportReports' }, cost: 'document', handle });
  const today = ({ now, merchant }: MemberContext): string => dayOf(timeZoneOf(merchant.pageSettings), now);

  async function* checkoutsAsked({ look, merchant, now }: MemberContext, asked: AskedFilters) {
    const timeZone = timeZoneOf(merchant.pageSettings);
    const sees = look.may('seeCustomers');
    const filter = await readFilter(deps, merchant.id, asked, { mayReadCustomers: sees, timeZone });
    if (!filter) return;
    yield* pagesOf(async (cursor = '') => {
      const cut = { ...readCut({ ...asked, cursor }, now, timeZone), limit: batchSize };
      // A page shows only the newest that a search finds; a file has all of them, each part found where the last ended.
      const below = { ...cut, limit: lookedAtMost };
      const matches = await matchAsked(deps, merchant.id, asked, { mayReadCustomers: sees, below });
      const { keys, next } = await findPage(db, merchant.id, { ...filter, ids: matches && matches.ids }, cut);
      const read = await findDossiers(db, keys, { hasQuotes: false });
      const dossiers = read.filter((dossier) => dossier !== undefined);
      const named = sees ? dossiers.flatMap(({ checkout }) => checkout.customerId ?? []) : [];
      const customers = new Map((await findCustomers(db, merchant.id, named)).map((each) => [each.id, each]));
      const rows = dossiers.map(
        (dossier): CheckoutRow => ({ dossier, customer: customers.get(dossier.checkout.customerId ?? '') }),
      );
      return { rows, next: next && writePageCursor(next) };
    });
  }

  return [
    route('/account/days/export', async (context) => {
      const { look, merchant, now } = context;
      const days = async function* () {
        yield await readDays(deps, merchant, { now, count: shownDays });
      };
      return csvReply(deps, context, {
        action: 'export.days',
        asked: {},
        name: 'columnDays',
        days: [addDays(today(context), 1 - shownDays), today(context)],
        columns: dayColumns(look, merchant.accountCurrency),
        batches: days(),
      });
    }),
    route('/account/checkouts/export', (context) => {
      const asked = readAsked(context.request, deps.assets);
      const given = ['tab', ...filterNames] as const;
      return csvReply(deps, context, {
        action: 'export.checkouts',
        asked: Object.fromEntries(given.map((name) => [name, asked[name]]).filter(([, value]) => value !== '')),
        name: 'checkouts',
        days: daysAsked(asked, today(context)),
        columns: checkoutColumns(deps, context.look, context.now),
        batches: checkoutsAsked(context, asked),
      });
    }),
    route(`${customersPath}/export`, (context) => {
      const search = askedText(context.request, 'search').slice(0, 200);
      const { merchant, look } = context;
      return csvReply(deps, context, {
        action: 'export.customers',
        asked: search === '' ? {} : { search },
        name: 'customers',
        days: [today(context)],
        columns: customerColumns(look),
        batches: pagesOf(async (cursor) => {
          const { customers, next } = await listCustomers(db, merchant.id, { limit: batchSize, cursor, search });
          return { rows: customers, next };
        }),
      });
    }),
    route(`${balancesPath}/asset/:asset/export`, async (context) => {
      const { merchant, look, request } = context;
      const { assetId, assetCode } = await readWallet(deps, merchant, request.params['asset'] ?? '');
      const covered = await askedDays(deps, merchant, request);
      return csvReply(deps, context, {
        action: 'export.entries',
        asked: { asset: assetCode, ...(covered && { period: covered.period.name }) },
        name: 'columnEntries',
        days: [assetCode, covered?.period.name ?? today(context)],
        columns: entryColumns(look),
        batches: pagesOf(async (cursor) => {
          const page = {
            asset: assetId,
            limit: batchSize,
            ...(cursor !== undefined && { cursor }),
            ...(covered && betweenOf(covered)),
          };
          const { entries, next } = await listEntries(deps, merchant.id, page);
          return { rows: entries, next };
        }),
      });
    }),
    route(`${transfersPath}/export`, async (context) => {
      const { merchant, look, request } = context;
      const group = transferGroups.find((each) => each === request.query['tab']) ?? 'over';
      return csvReply(deps, context, {
        action: 'export.transfers',
        asked: { tab: group },
        name: 'transfers',
        days: [today(context)],
        columns: transferColumns(deps, look, await actorNames(db, merchant.id)),
        batches: pagesOf(async (cursor) => {
          const page = { limit: batchSize, ...(cursor !== undefined && { cursor }) };
          const { items, next } = await listTransfersIn(db, merchant.id, group, page);
          return { rows: items, next };
        }),
      });
    }),
  ];
}

/** The period that was asked for; of everything, the day on which it was. */
function daysAsked({ period, credited }: AskedFilters, today: string): string[] {
  if (credited !== '') return [credited];
  if (isDay(period)) return [period];
  return period === '' ? [today] : [addDays(today, -Number(period)), today];
}
