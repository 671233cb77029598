/** The filters of a list as they arrive in a query, with sentences about what makes no sense. */
import type { CheckoutsQuery } from '@quittance/contract/checkout';
import { checkoutExceptions, checkoutStates } from '@quittance/contract/checkout';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { findNetwork } from '../catalog/network-catalog.ts';
import type { Query } from '../db/database.ts';
import { readWords } from '../http/page-cursor.ts';
import { invalidRequest } from '../lib/errors.ts';
import { formatDecimal, parseDecimal } from '../money/decimal.ts';
import type { Rail } from './checkout-list-store.ts';
import type { CheckoutFilter } from './list-checkouts.ts';
import { matchCheckouts, networkIds } from './match-checkouts.ts';
import { searchForm } from './search-form.ts';

type Filters = Pick<
  CheckoutsQuery,
  'state' | 'exception' | 'network' | 'asset' | 'amount' | 'currency' | 'customerId' | 'search'
>;

export async function readCheckoutFilter(
  deps: { readonly db: Query; readonly assets: AssetCatalog },
  merchantId: string,
  query: Filters,
  permissions: { readonly mayReadCustomers: boolean },
): Promise<CheckoutFilter> {
  const { search } = query;
  const form = search === undefined ? null : searchForm(search);
  const exceptions = query.exception === undefined ? null : readWords('exception', query.exception, anyException);
  return {
    states: query.state === undefined ? null : readWords('state', query.state, checkoutStates),
    exceptions: exceptions?.includes('ANY') ? [] : exceptions,
    customerId: query.customerId ?? null,
    price: query.amount === undefined ? null : readAmount(query.amount),
    currency: query.currency === undefined ? null : readCurrency(query.currency),
    rails: readRails(deps.assets, query),
    among: null,
    ids: form && (await matchCheckouts(deps.db, merchantId, form, permissions)).ids,
  };
}

const anyException = ['ANY', ...checkoutExceptions];

function readAmount(text: string): string {
  const parsed = parseDecimal(text);
  if (!parsed) throw invalidRequest(`amount must be a number such as 12.50, but is ${JSON.stringify(text)}.`);
  return formatDecimal(parsed);
}

function readCurrency(text: string): string {
  const code = text.toUpperCase();
  if (findCurrency(code)) return code;
  throw invalidRequest(`currency must be a code from GET /currencies, but is ${JSON.stringify(text)}.`);
}

/** All pairs of network and asset that can be chosen. */
export const everyRail = ({ assets }: AssetCatalog): Rail[] =>
  assets.flatMap(({ id, networks }) => networks.map((network) => ({ network, asset: id })));

/** The pairs of network and asset that are meant; null: none is named. */
function readRails(assets: AssetCatalog, { network, asset }: Filters): Rail[] | null {
  if (network === undefined && asset === undefined) return null;
  if (network !== undefined && !findNetwork(network))
    throw invalidRequest(`network must be one of ${networkIds.join(', ')}, but is ${JSON.stringify(network)}.`);
  const wanted = asset === undefined ? undefined : findAsset(assets, asset);
  if (asset !== undefined && !wanted)
    throw invalidRequest(`asset must be the id or code of an asset, see GET /assets, but is ${JSON.stringify(asset)}.`);
  return (wanted ? [wanted] : assets.assets).flatMap(({ id, networks }) =>
    networks
      .filter((carrier) => network === undefined || carrier === network)
      .map((carrier) => ({ network: carrier, asset: id })),
  );
}
