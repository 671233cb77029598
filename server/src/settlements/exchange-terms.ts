/** What `plan-exchange` needs to know, from the configuration, the rates and the networks. */
import { type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import type { Query } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import { present } from '../lib/assert.ts';
import type { Decimal } from '../money/decimal.ts';
import { convertUnits, isConversion, worthRate } from '../pricing/conversion.ts';
import type { RateBook } from '../pricing/rate-book.ts';
import { spareUnits } from '../sending/spare-units.ts';
import { ableVenues, type VenueDeps } from '../venues/able-venues.ts';
import { assetHome } from '../venues/asset-home.ts';
import { type ExchangeDeps, exchangeableUnits, isTokenOf, marketConnector } from '../venues/exchange-on-stellar.ts';
import type { VenueOrder } from '../venues/venue-order.ts';
import { withSlippage } from '../wallets/swap-price.ts';
import type { ExchangeTerms } from './plan-exchange.ts';

export type ExchangeTermsDeps = VenueDeps &
  ExchangeDeps & { readonly rates: RateBook; readonly venueSlippagePercent: Decimal };

/**
 * How much the market's ledger has, and nobody asked to send, of each asset that these checkouts were paid with on
 * other networks.
 */
export async function marketStock(
  deps: ExchangeDeps & { readonly health: NetworkHealth },
  query: Query,
  dossiers: readonly CheckoutDossier[],
): Promise<ReadonlyMap<string, bigint>> {
  const stock = new Map<string, bigint>();
  const market = marketConnector(deps);
  if (!market) return stock;
  const payments = dossiers.flatMap((dossier) => dossier.payments);
  const paidElsewhere = payments.filter(({ network }) => network !== market.network.id);
  for (const id of new Set(paidElsewhere.map(({ asset }) => asset))) {
    const asset = present(findAsset(deps.assets, id), `asset ${id}`);
    const units = isTokenOf(deps, asset) ? null : await spareUnits({ ...deps, db: query }, market, asset);
    if (units !== null) stock.set(id, units);
  }
  return stock;
}

/** The orders made for a checkout before, and what `marketStock` and `treasury-supply` say. */
export type ExchangeFacts = Pick<ExchangeTerms, 'treasuryUnits'> & {
  readonly orders: readonly VenueOrder[];
  readonly stock: ReadonlyMap<string, bigint>;
};

export function exchangeTerms(deps: ExchangeTermsDeps, { orders, stock, treasuryUnits }: ExchangeFacts): ExchangeTerms {
  const assetOf = (id: string): CatalogAsset => present(findAsset(deps.assets, id), `asset ${id}`);
  return {
    orders,
    venuesOf: (paidAsset, creditedAsset) => ableVenues(deps, assetOf(paidAsset), assetOf(creditedAsset)),
    isTooFine: (paidAsset, units) => exchangeableUnits(deps, paidAsset, units) === 0n,
    orderOf(paidAsset, creditedAsset, units) {
      const sourceUnits = exchangeableUnits(deps, paidAsset, units);
      const [paid, credited] = [assetOf(paidAsset), assetOf(creditedAsset)];
      const worth = worthRate(deps.rates.rate, paid.currencyCode, credited.currencyCode);
      if (!isConversion(worth)) return null;
      const scales = { from: paid.ledgerScale, to: credited.ledgerScale };
      const least = withSlippage(convertUnits(worth, sourceUnits, scales, 'down'), deps.venueSlippagePercent);
      // At least one unit: the ledger refuses a path payment that may give nothing.
      return { sourceUnits, leastUnits: least > 0n ? least : 1n };
    },
    needsBridge: (paidAsset) => isTokenOf(deps, assetOf(paidAsset)),
    stockOf: (paidAsset) => stock.get(paidAsset) ?? null,
    treasuryUnits,
    homeOf: (part) => assetHome(deps, part),
  };
}
