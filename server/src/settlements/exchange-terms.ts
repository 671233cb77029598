/** What `plan-exchange` needs to know, from the configuration, the rates and the networks. */
import { type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { divideUnits, power10 } from '../money/decimal.ts';
import { isRate } from '../pricing/combine-rates.ts';
import { creditAtRate } from '../pricing/credit-for-payment.ts';
import { noFees } from '../pricing/settlement-fee.ts';
import { ableVenues } from '../venues/able-venues.ts';
import { exchangeableUnits, isTokenOf } from '../venues/exchange-on-stellar.ts';
import type { VenueOrder } from '../venues/venue-order.ts';
import type { AdvanceDeps } from './advance-checkout.ts';
import type { ExchangeTerms } from './plan-exchange.ts';

export function exchangeTerms(deps: AdvanceDeps, orders: readonly VenueOrder[]): ExchangeTerms {
  const assetOf = (id: string): CatalogAsset => present(findAsset(deps.assets, id), `asset ${id}`);
  return {
    orders,
    venuesOf: (paidAsset, creditedAsset) => ableVenues(deps, assetOf(paidAsset), assetOf(creditedAsset)),
    isTooFine: (paidAsset, units) => exchangeableUnits(deps, paidAsset, units) === 0n,
    orderOf(paidAsset, creditedAsset, units) {
      const sourceUnits = exchangeableUnits(deps, paidAsset, units);
      const [paid, credited] = [assetOf(paidAsset), assetOf(creditedAsset)];
      const [paidRate, creditedRate] = [deps.rates.rate(paid.currencyCode), deps.rates.rate(credited.currencyCode)];
      if (!isRate(paidRate) || !isRate(creditedRate)) return null;
      const { grossUnits } = creditAtRate(
        sourceUnits,
        { scale: paid.ledgerScale, usd: paidRate.usd },
        { ledgerScale: credited.ledgerScale, usd: creditedRate.usd },
        noFees,
      );
      const hundred = power10(deps.venueSlippagePercent.scale) * 100n;
      const least = divideUnits(grossUnits * (hundred - deps.venueSlippagePercent.digits), hundred, 'up');
      // At least something: a path payment that may give nothing is refused by the ledger.
      return { sourceUnits, leastUnits: least > 0n ? least : 1n };
    },
    needsBridge: (paidAsset) => isTokenOf(deps, assetOf(paidAsset)),
  };
}
