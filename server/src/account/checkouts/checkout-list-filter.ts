/** Which checkouts a page shows, as its address says it. Everything is in the address, so it can be sent to somebody. */
import { type AssetCatalog, findAsset } from '../../catalog/asset-catalog.ts';
import { findNetwork } from '../../catalog/network-catalog.ts';
import type { CheckoutFilter } from '../../checkouts/list-checkouts.ts';
import { type Matches, matchCheckouts } from '../../checkouts/match-checkouts.ts';
import { everyRail, readCheckoutFilter } from '../../checkouts/read-checkout-filter.ts';
import { searchForm } from '../../checkouts/search-form.ts';
import type { Query } from '../../db/database.ts';
import { type PageRange, readPageCursor } from '../../http/page-cursor.ts';
import type { PageContext } from '../../http/route.ts';
import { addMs, hours } from '../../lib/clock.ts';
import { GatewayError } from '../../lib/errors.ts';
import { addDays, isDay, startOfDay } from '../../lib/local-day.ts';
import { creditedCheckouts } from '../../reports/count-days.ts';

/** `paying`: those that are open and being paid; shown only to who comes for them. */
export const tabs = ['all', 'paid', 'open', 'paying', 'odd', 'refunded'] as const;
export type Tab = (typeof tabs)[number];

/** Days up to now. A period can also be one day of the account, as 2026-11-17. */
export const periods = ['7', '30', '365'] as const;

/** Whichever network was chosen: nobody knows it before. */
export const anyNetwork = 'ANY';

const statesOf: Readonly<Record<Tab, string | undefined>> = {
  all: undefined,
  paid: 'COMPLETED,DELAYED_COMPLETED,RESOLVED',
  open: 'CREATED,PENDING,PROCESSING',
  paying: 'PENDING,PROCESSING',
  odd: undefined,
  refunded: 'REFUNDED',
};

/** As asked for; empty: nothing is asked. */
/** `credited`: on this day. */
export const filterNames = ['period', 'credited', 'network', 'asset', 'amount', 'customer', 'search'] as const;
export type FilterName = (typeof filterNames)[number];

export type AskedFilters = { readonly tab: Tab; readonly cursor: string } & Readonly<Record<FilterName, string>>;

const pageSize = 50;
const charactersMax = 200;

/**
 * What makes no sense is as if it were not there: a link may be old, or typed by hand. So is a customer to who may not see
 * them: the link of a colleague shows the list, and says nothing of whose it would be.
 */
export function readAsked(
  { query }: Pick<PageContext, 'query'>,
  assets: AssetCatalog,
  { mayReadCustomers }: { readonly mayReadCustomers: boolean },
): AskedFilters {
  const text = (name: string): string =>
    String(query[name] ?? '')
      .trim()
      .slice(0, charactersMax);
  const only = (value: string, isGood: boolean): string => (isGood ? value : '');
  const [period, credited, network, asset] = [text('period'), text('credited'), text('network'), text('asset')];
  return {
    tab: tabs.find((each) => each === text('tab')) ?? 'all',
    period: only(period, (periods as readonly string[]).includes(period) || isDay(period)),
    credited: only(credited, isDay(credited)),
    network: only(network, network === anyNetwork || findNetwork(network) !== undefined),
    asset: only(asset, findAsset(assets, asset) !== undefined),
    amount: text('amount').replace(',', '.'),
    customer: only(text('customer'), mayReadCustomers),
    search: text('search'),
    cursor: text('cursor'),
  };
}

/** The address of the same list with something else. */
export const listPath = (asked: AskedFilters, change: Partial<AskedFilters> = {}): string =>
  `/account/checkouts${queryOf({ ...asked, cursor: '', ...change })}`;

/** The whole list as a file. */
export const exportPath = (asked: AskedFilters): string =>
  `/account/checkouts/export${queryOf({ ...asked, cursor: '' })}`;

function queryOf(wanted: AskedFilters): string {
  const pairs = Object.entries(wanted).filter(([name, value]) => value !== '' && !(name === 'tab' && value === 'all'));
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
}

export const isFiltered = (asked: AskedFilters): boolean =>
  asked.tab !== 'all' || filterNames.some((name) => asked[name] !== '');

/** What the search finds, which goes into the filter as its `ids`; null: nothing is searched for. */
export const matchAsked = async (
  { db }: { readonly db: Query },
  merchantId: string,
  { search }: AskedFilters,
  how: Parameters<typeof matchCheckouts>[3],
): Promise<Matches | null> => (search === '' ? null : matchCheckouts(db, merchantId, searchForm(search), how));

/** All but the search. Null: what is asked for cannot exist, such as an amount that is no number. */
export async function readFilter(
  deps: { readonly db: Query; readonly assets: AssetCatalog },
  merchantId: string,
  asked: AskedFilters,
  { mayReadCustomers, timeZone }: { readonly mayReadCustomers: boolean; readonly timeZone: string },
): Promise<CheckoutFilter | null> {
  const { tab, asset, amount, customer, credited } = asked;
  const network = asked.network === anyNetwork ? '' : asked.network;
  const given = Object.entries({ network, asset, amount }).filter(([, value]) => value !== '');
  const states = statesOf[tab];
  try {
    const filter = await readCheckoutFilter(
      deps,
      merchantId,
      {
        ...Object.fromEntries(given),
        ...(states !== undefined && { state: states }),
        ...(tab === 'odd' && { exception: 'ANY' }),
        ...(customer !== '' && { customerId: customer }),
      },
      { mayReadCustomers },
    );
    const rails = asked.network === anyNetwork ? (filter.rails ?? everyRail(deps.assets)) : filter.rails;
    if (credited === '') return { ...filter, rails };
    const among = new Set(await creditedCheckouts(deps.db, deps, merchantId, dayRange(timeZone, credited)));
    return { ...filter, rails, among };
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return null;
    throw error;
  }
}

const dayRange = (timeZone: string, day: string): { from: Date; to: Date } => ({
  from: startOfDay(timeZone, day),
  to: startOfDay(timeZone, addDays(day, 1)),
});

export function readCut({ period, cursor }: AskedFilters, now: Date, timeZone: string): PageRange {
  if (isDay(period)) return { ...dayRange(timeZone, period), before: readCursor(cursor), limit: pageSize };
  const from = period === '' ? null : addMs(now, -hours(24 * Number(period)));
  return { from, to: null, before: readCursor(cursor), limit: pageSize };
}

function readCursor(cursor: string): PageRange['before'] {
  try {
    return readPageCursor(cursor || undefined);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
