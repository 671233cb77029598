/** Which checkouts a page shows, as its address says it. Everything is in the address, so it can be sent to somebody. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { CheckoutFilter } from '../checkouts/list-checkouts.ts';
import { readCheckoutFilter } from '../checkouts/read-checkout-filter.ts';
import type { Query } from '../db/database.ts';
import { type PageRange, readPageCursor } from '../http/page-cursor.ts';
import type { PageContext } from '../http/route.ts';
import { addMs, hours } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';

export const tabs = ['all', 'paid', 'open', 'odd', 'refunded'] as const;
export type Tab = (typeof tabs)[number];

export const periods = ['7', '30', '365'] as const;

const statesOf: Readonly<Record<Tab, string | undefined>> = {
  all: undefined,
  paid: 'COMPLETED,DELAYED_COMPLETED,RESOLVED',
  open: 'CREATED,PENDING,PROCESSING',
  odd: undefined,
  refunded: 'REFUNDED',
};

/** As asked for; empty: nothing is asked. */
export const filterNames = ['period', 'network', 'asset', 'amount', 'customer', 'search'] as const;
export type FilterName = (typeof filterNames)[number];

export type AskedFilters = { readonly tab: Tab; readonly cursor: string } & Readonly<Record<FilterName, string>>;

const pageSize = 50;
const charactersMax = 200;

/** What makes no sense is as if it were not there: a link may be old, or typed by hand. */
export function readAsked({ query }: Pick<PageContext, 'query'>, assets: AssetCatalog): AskedFilters {
  const text = (name: string): string =>
    String(query[name] ?? '')
      .trim()
      .slice(0, charactersMax);
  const only = (value: string, isGood: boolean): string => (isGood ? value : '');
  const [period, network, asset] = [text('period'), text('network'), text('asset')];
  return {
    tab: tabs.find((each) => each === text('tab')) ?? 'all',
    period: only(period, (periods as readonly string[]).includes(period)),
    network: only(network, findNetwork(network) !== undefined),
    asset: only(asset, findAsset(assets, asset) !== undefined),
    amount: text('amount').replace(',', '.'),
    customer: text('customer'),
    search: text('search'),
    cursor: text('cursor'),
  };
}

/** The address of the same list with something else. */
export function listPath(asked: AskedFilters, change: Partial<AskedFilters> = {}): string {
  const wanted = { ...asked, cursor: '', ...change };
  const pairs = Object.entries(wanted).filter(([name, value]) => value !== '' && !(name === 'tab' && value === 'all'));
  return `/account/checkouts${pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : ''}`;
}

export const isFiltered = (asked: AskedFilters): boolean =>
  asked.tab !== 'all' || filterNames.some((name) => asked[name] !== '');

/** Null: what is asked for cannot exist, such as an amount that is no number. */
export async function readFilter(
  deps: { readonly db: Query; readonly assets: AssetCatalog },
  merchantId: string,
  asked: AskedFilters,
  mayReadCustomers: boolean,
): Promise<CheckoutFilter | null> {
  const { tab, network, asset, amount, customer, search } = asked;
  const given = Object.entries({ network, asset, amount, search }).filter(([, value]) => value !== '');
  const states = statesOf[tab];
  try {
    return await readCheckoutFilter(
      deps,
      merchantId,
      {
        ...Object.fromEntries(given),
        ...(states !== undefined && { state: states }),
        ...(tab === 'odd' && { exception: 'ANY' }),
        ...(customer !== '' && mayReadCustomers && { customerId: customer }),
      },
      { mayReadCustomers },
    );
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return null;
    throw error;
  }
}

export function readCut({ period, cursor }: AskedFilters, now: Date): PageRange {
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
