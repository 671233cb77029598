/**
 * Which lists can be taken along, and how each is read for that: from the moment it was asked for backwards, or the closed days
 * of a report. A row has a place that never changes, so what happens meanwhile neither doubles one nor loses it.
 */
import { type AssetCatalog, findAsset } from '../../catalog/asset-catalog.ts';
import { findDossiers } from '../../checkouts/checkout-store.ts';
import { findPage, findReadablePage, lookedAtMost } from '../../checkouts/list-checkouts.ts';
import { findCustomers } from '../../counterparties/customer-store.ts';
import { listCustomers } from '../../counterparties/list-customers.ts';
import type { Query } from '../../db/database.ts';
import { writePageCursor } from '../../http/page-cursor.ts';
import { writeEntryCursor } from '../../ledger/entry-cursor.ts';
import { addMs } from '../../lib/clock.ts';
import { notFound } from '../../lib/errors.ts';
import { addDays, type Day, isDay } from '../../lib/local-day.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { listPapers } from '../../papers/list-papers.ts';
import { coveredDays } from '../../reports/covered-days.ts';
import { coveredAgain, type ExportFrame, type KeptCovered, keptCovered } from '../../reports/export.ts';
import { countEntriesOf, listEntries } from '../../wallets/list-entries.ts';
import { listTransfersIn } from '../../wallets/list-transfers.ts';
import {
  type AskedFilters,
  filterNames,
  matchAsked,
  readAsked,
  readCut,
  readFilter,
} from '../checkouts/checkout-list-filter.ts';
import { paperFilterNames, paperPeriod, readAskedPapers, readPaperFilter } from '../customers/paper-list-filter.ts';
import type { FileLook } from '../frame/account-look.ts';
import type { ExportAction } from '../frame/file-reply.ts';
import { actorNames } from '../frame/money-words.ts';
import { transferGroups } from '../money/transfers-page.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';
import {
  type CheckoutRow,
  type Column,
  checkoutColumns,
  customerColumns,
  entryColumns,
  paperColumns,
  transferColumns,
} from './export-columns.ts';
import { csvListFile, type ListFile, type ListRows } from './list-file.ts';

/** So many rows are in memory at once. */
const rowsOfPart = 500;
/** Of a list that is only counted. */
const rowsOfCount = 5_000;
/** A file has all that a search finds, up to this. */
const papersOfSearch = 100_000;

export type ListDeps = { readonly db: Query; readonly assets: AssetCatalog };

export type ListContext = { readonly merchant: Merchant; readonly look: FileLook; readonly frame: ExportFrame };

/** As an address says it. */
export type Asked = Readonly<Record<string, string>>;

export type ExportedList = {
  /** In the audit log. */
  readonly action: ExportAction;
  /** In the name of the file, and where exports are listed. */
  readonly title: AccountTextKey;
  /** Of what was asked, what makes sense. */
  readonly clean: (asked: Asked) => Asked;
  /** The closed days of the period that was asked for; null: it is no list of one. */
  readonly days: (merchant: Merchant, asked: Asked) => Promise<KeptCovered | null>;
  /** The days that it is about, or the one on which it is made. */
  readonly names: (asked: Asked, today: Day) => string[];
  readonly file: (context: ListContext, asked: Asked) => Promise<ListFile>;
};

export const plainLists = ['checkouts', 'customers', 'entries', 'papers', 'transfers'] as const;
export type PlainList = (typeof plainLists)[number];

export function exportedLists(deps: ListDeps): Record<PlainList, ExportedList> {
  const { db, assets } = deps;
  const filtersOf = (asked: Asked, mayReadCustomers = true): AskedFilters =>
    readAsked({ query: asked }, assets, { mayReadCustomers });

  async function checkoutRows({ merchant, frame }: ListContext, asked: Asked): Promise<ListRows<CheckoutRow>> {
    const { asOf, timeZone, hasCustomers } = frame;
    const mayReadCustomers = hasCustomers;
    const filters = filtersOf(asked, mayReadCustomers);
    const filter = await readFilter(deps, merchant.id, filters, { mayReadCustomers, timeZone });
    async function keysFrom(find: typeof findReadablePage, position: string | null, limit: number) {
      if (!filter) return { keys: [], next: null };
      const cut = { ...readCut({ ...filters, cursor: position ?? asOfThen(asOf) }, asOf, timeZone), limit };
      // A page shows only the newest that a search finds; a file has all of them, each part found where the last ended.
      const below = { ...cut, limit: lookedAtMost };
      const matches = await matchAsked(deps, merchant.id, filters, { mayReadCustomers, below });
      const { keys, next } = await find(db, merchant.id, { ...filter, ids: matches && matches.ids }, cut);
      return { keys, next: next && writePageCursor(next) };
    }
    return {
      async read(position) {
        const { keys, next } = await keysFrom(findReadablePage, position, rowsOfPart);
        const read = await findDossiers(db, keys, { hasQuotes: false });
        const dossiers = read.filter((dossier) => dossier !== undefined);
        const named = hasCustomers ? dossiers.flatMap(({ checkout }) => checkout.customerId ?? []) : [];
        const customers = new Map((await findCustomers(db, merchant.id, named)).map((each) => [each.id, each]));
        const rows = dossiers.map(
          (dossier): CheckoutRow => ({ dossier, customer: customers.get(dossier.checkout.customerId ?? '') }),
        );
        return { rows, next };
      },
      // A search finds so many at once and no more.
      count: countedBy(async (position) => {
        const { keys, next } = await keysFrom(findPage, position, filters.search === '' ? rowsOfCount : rowsOfPart);
        return { count: keys.length, next };
      }),
    };
  }

  return {
    checkouts: {
      action: 'export.checkouts',
      title: 'checkouts',
      clean: (asked) => given(filtersOf(asked), ['tab', ...filterNames]),
      days: noDays,
      names: (asked, today) => daysAsked(filtersOf(asked), today),
      file: async (context, asked) =>
        columnFile(context, checkoutColumns(deps, context.look, context.frame), await checkoutRows(context, asked)),
    },
    customers: {
      action: 'export.customers',
      title: 'customers',
      clean: (asked) => given({ search: asked['search']?.trim().slice(0, 200) ?? '' }, ['search']),
      days: noDays,
      names: (_, today) => [today],
      async file(context, { search = '' }) {
        const list = async (position: string | null, limit: number) => {
          const cursor = position ?? asOfThen(context.frame.asOf);
          const { customers, next } = await listCustomers(db, context.merchant.id, { limit, cursor, search });
          return { rows: customers, next };
        };
        return columnFile(context, customerColumns(context.frame), rowsBy(list));
      },
    },
    entries: {
      action: 'export.entries',
      title: 'columnEntries',
      clean: (asked) => given(asked, ['asset', 'period']),
      days: async (merchant, { period = '' }) =>
        period === '' ? null : keptCovered(await coveredDays(db, merchant, period)),
      names: ({ asset = '', period }, today) => [findAsset(assets, asset)?.assetCode ?? asset, period ?? today],
      async file(context, asked) {
        const asset = findAsset(assets, asked['asset'] ?? '');
        if (!asset) throw notFound('wallet', asked['asset'] ?? '');
        const merchantId = context.merchant.id;
        const { covered } = context.frame;
        const span = covered && coveredAgain(covered).span;
        const between = span && { from: span.from.toISOString(), to: span.to.toISOString() };
        const begins = writeEntryCursor({ postedAt: addMs(context.frame.asOf, 1), reference: lowest });
        return columnFile(context, entryColumns(context.look, context.frame), {
          async read(position) {
            const page = { asset: asset.id, limit: rowsOfPart, cursor: position ?? begins, ...between };
            const { entries, next } = await listEntries(deps, merchantId, page);
            return { rows: entries, next };
          },
          count: (max) => countEntriesOf(db, merchantId, { asset: asset.id, span }, max),
        });
      },
    },
    papers: {
      action: 'export.papers',
      title: 'papers',
      clean: (asked) =>
        given(readAskedPapers({ query: asked }, { mayReadCustomers: true }), ['tab', ...paperFilterNames]),
      days: noDays,
      names: (_, today) => [today],
      async file(context, asked) {
        const { merchant, frame } = context;
        const mayReadCustomers = frame.hasCustomers;
        const wanted = readAskedPapers({ query: asked }, { mayReadCustomers });
        const { filter } = await readPaperFilter(db, merchant.id, wanted, { mayReadCustomers, most: papersOfSearch });
        const list = async (position: string | null, limit: number) => {
          const page = { limit, cursor: position ?? asOfThen(frame.asOf), ...paperPeriod(wanted, frame.asOf) };
          const { items, next } = await listPapers(db, merchant.id, filter, page);
          return { rows: items, next };
        };
        return columnFile(context, paperColumns(context.look, frame), rowsBy(list));
      },
    },
    transfers: {
      action: 'export.transfers',
      title: 'transfers',
      clean: ({ tab }) => ({ tab: transferGroups.find((each) => each === tab) ?? 'over' }),
      days: noDays,
      names: (_, today) => [today],
      async file(context, { tab }) {
        const { merchant, look, frame } = context;
        const group = transferGroups.find((each) => each === tab) ?? 'over';
        const list = async (position: string | null, limit: number) => {
          const cursor = position ?? asOfThen(frame.asOf);
          const { items, next } = await listTransfersIn(db, merchant.id, group, { limit, cursor });
          return { rows: items, next };
        };
        const names = await actorNames(db, merchant.id);
        return columnFile(context, transferColumns(deps, look, frame, names), rowsBy(list));
      },
    },
  };
}

const columnFile = <Row>({ look }: ListContext, columns: readonly Column<Row>[], rows: ListRows<Row>): ListFile =>
  csvListFile(
    columns.map(([name]) => look.say(name)),
    rows,
    (row) => columns.map(([, cell]) => cell(row)),
  );

/** Before every id and reference there is. */
const lowest = '0'.repeat(12);

/** Where a list begins in which nothing is newer than this moment. */
const asOfThen = (asOf: Date): string => writePageCursor({ createdAt: addMs(asOf, 1), id: lowest });

type Listing<Row> = (
  position: string | null,
  limit: number,
) => Promise<{ readonly rows: readonly Row[]; readonly next: string | null }>;

const rowsBy = <Row>(list: Listing<Row>): ListRows<Row> => ({
  read: (position) => list(position, rowsOfPart),
  count: countedBy(async (position) => {
    const { rows, next } = await list(position, rowsOfCount);
    return { count: rows.length, next };
  }),
});

/** By walking through it: no list here needs a statement of its own to be counted. */
const countedBy =
  (step: (position: string | null) => Promise<{ readonly count: number; readonly next: string | null }>) =>
  async (max: number): Promise<number> => {
    let [sum, position]: [number, string | null] = [0, null];
    do {
      const { count, next } = await step(position);
      sum += count;
      position = next;
    } while (position !== null && sum < max);
    return Math.min(sum, max);
  };

const noDays = async (): Promise<null> => null;

const given = (asked: Asked, names: readonly string[]): Asked =>
  Object.fromEntries(names.map((name) => [name, asked[name] ?? '']).filter(([, value]) => value !== ''));

/** The period that was asked for; of everything, the day on which it was. */
function daysAsked({ period, credited }: AskedFilters, today: Day): string[] {
  if (credited !== '') return [credited];
  if (isDay(period)) return [period];
  return period === '' ? [today] : [addDays(today, -Number(period)), today];
}
