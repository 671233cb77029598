/** Lists as files, for who may export: each is the list of its page with the filters of its address, from first to last. */
import { findAsset } from '../../catalog/asset-catalog.ts';
import type { PageReply } from '../../http/route.ts';
import { addDays, dayOf } from '../../lib/local-day.ts';
import { timeZoneOf } from '../../merchants/time-zone.ts';
import { readDays } from '../../reports/read-days.ts';
import { readWallet } from '../../wallets/read-wallets.ts';
import { customersPath } from '../customers/customers-page.ts';
import { papersPath } from '../customers/paper-list-filter.ts';
import { type AccountRoute, createAccountRoutes, type MemberContext } from '../frame/account-route.ts';
import { fileReply } from '../frame/file-reply.ts';
import { type HomeDeps, shownDays } from '../home/home-facts.ts';
import { balancesPath } from '../money/balances-page.ts';
import type { MoneyDeps } from '../money/money-deps.ts';
import { transfersPath } from '../money/transfers-page.ts';
import { dayColumns } from './export-columns.ts';
import { type Asked, exportedLists, type PlainList } from './exported-lists.ts';
import { csvListFile, listStream } from './list-file.ts';
import { listReply } from './list-reply.ts';

export function exportRoutes(deps: HomeDeps & MoneyDeps): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const lists = exportedLists(deps);
  const route = (path: string, handle: (context: MemberContext) => Promise<PageReply>): AccountRoute =>
    accountRoute({ method: 'GET', path, access: { may: 'exportReports' }, cost: 'document', handle });
  const today = ({ now, merchant }: MemberContext): string => dayOf(timeZoneOf(merchant.pageSettings), now);

  /** What is on the screen, as of now and for these eyes. */
  async function replyWith(context: MemberContext, list: PlainList, asked: Asked): Promise<PageReply> {
    const { action, title, clean, days, names, file } = lists[list];
    const { merchant, look, now } = context;
    const query = clean(asked);
    const timeZone = timeZoneOf(merchant.pageSettings);
    const hasCustomers = look.may('seeCustomers');
    const covered = await days(merchant, query);
    const frame = { asOf: now, language: look.language, timeZone, hasCustomers, covered };
    return listReply(deps, context, {
      action,
      list,
      query,
      asked: query,
      format: 'csv',
      names: [look.say(title), ...names(query, today(context))],
      file: await file({ merchant, look, frame }, query),
    });
  }

  return [
    route('/account/days/export', async (context) => {
      const { look, merchant, now } = context;
      const columns = dayColumns(look, merchant.accountCurrency);
      const days = await readDays(deps, merchant, { now, count: shownDays });
      const file = csvListFile(
        columns.map(([name]) => look.say(name)),
        { read: async () => ({ rows: days, next: null }), count: async () => days.length },
        (day) => columns.map(([, cell]) => cell(day)),
      );
      return fileReply(deps, context, {
        action: 'export.days',
        asked: {},
        type: file.type,
        extension: file.extension,
        names: [look.say('columnDays'), addDays(today(context), 1 - shownDays), today(context)],
        body: await listStream(file, () => undefined),
      });
    }),
    route('/account/checkouts/export', (context) => replyWith(context, 'checkouts', textsOf(context))),
    route(`${customersPath}/export`, (context) => replyWith(context, 'customers', textsOf(context))),
    route(`${papersPath}/export`, (context) => replyWith(context, 'papers', textsOf(context))),
    route(`${transfersPath}/export`, (context) => replyWith(context, 'transfers', textsOf(context))),
    route(`${balancesPath}/asset/:asset/export`, async (context) => {
      const { merchant, request } = context;
      const { assetId, assetCode } = await readWallet(deps, merchant, request.params['asset'] ?? '');
      const asset = findAsset(deps.assets, assetCode)?.id === assetId ? assetCode : assetId; // Another may have the same code.
      return replyWith(context, 'entries', { ...textsOf(context), asset });
    }),
  ];
}

/** What the address says, each name once. */
const textsOf = ({ request }: MemberContext): Asked =>
  Object.fromEntries(
    Object.entries(request.query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
