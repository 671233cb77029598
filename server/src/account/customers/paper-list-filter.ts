/** Which papers a page shows, as its address says it. */
import type { Query } from '../../db/database.ts';
import type { PageContext } from '../../http/route.ts';
import { addMs, hours } from '../../lib/clock.ts';
import { matchPapers, type PaperFilter, type PaperPage } from '../../papers/list-papers.ts';
import type { PaperKind } from '../../papers/paper-facts.ts';
import { periods } from '../checkouts/checkout-list-filter.ts';

export const papersPath = '/account/papers';

export const paperTabs = ['all', 'invoice', 'receipt', 'creditNote'] as const;
export type PaperTab = (typeof paperTabs)[number];

/** As asked for; empty: nothing is asked. */
export type AskedPapers = {
  readonly tab: PaperTab;
  /** Days up to now. */
  readonly period: string;
  readonly customer: string;
  readonly search: string;
  readonly cursor: string;
};

export const paperFilterNames = ['period', 'customer', 'search'] as const;

/** What makes no sense is as if it were not there. So is a customer to who may not see them. */
export function readAskedPapers(
  { query }: Pick<PageContext, 'query'>,
  { mayReadCustomers }: { readonly mayReadCustomers: boolean },
): AskedPapers {
  const text = (name: string): string =>
    String(query[name] ?? '')
      .trim()
      .slice(0, 200);
  return {
    tab: paperTabs.find((each) => each === text('tab')) ?? 'all',
    period: periods.find((each) => each === text('period')) ?? '',
    customer: mayReadCustomers ? text('customer') : '',
    search: text('search'),
    cursor: text('cursor'),
  };
}

/** The address of the same list with something else. */
export const paperListPath = (asked: AskedPapers, change: Partial<AskedPapers> = {}, path = papersPath): string => {
  const wanted = Object.entries({ ...asked, cursor: '', ...change });
  const pairs = wanted.filter(([name, value]) => value !== '' && !(name === 'tab' && value === 'all'));
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs).toString()}` : path;
};

export const isPaperFiltered = (asked: AskedPapers): boolean =>
  asked.tab !== 'all' || paperFilterNames.some((name) => asked[name] !== '');

type FoundFilter = { readonly filter: PaperFilter; readonly isCut: boolean };

/** `most`: so many fits of a search at most; left out: as many as a page goes by. */
export async function readPaperFilter(
  query: Query,
  merchantId: string,
  { tab, customer, search }: AskedPapers,
  how: { readonly mayReadCustomers: boolean; readonly most?: number },
): Promise<FoundFilter> {
  const matches = search === '' ? null : await matchPapers(query, merchantId, search, how);
  const kind: PaperKind | null = tab === 'all' ? null : tab;
  const filter = { kind, customerId: customer || null, checkoutId: null, matches };
  return { filter, isCut: matches !== null && matches.isCut };
}

/** From when on. */
export const paperPeriod = ({ period }: AskedPapers, now: Date): Pick<PaperPage, 'from'> =>
  period === '' ? {} : { from: addMs(now, -hours(24 * Number(period))).toISOString() };
