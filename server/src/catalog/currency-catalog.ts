/** Which currencies can be billed, credited and paid with. The last two follow from assets and configured networks. */
import type { Currency } from '@quittance/contract/catalog';
import { type AssetCatalog, type CatalogView, canSettle, findAsset, isAvailable } from './asset-catalog.ts';
import { type KnownCurrency, knownCurrencies } from './known-currencies.ts';
import { knownNetworks } from './known-networks.ts';

const byCode: ReadonlyMap<string, KnownCurrency> = new Map(
  knownCurrencies.map((currency) => [currency.code, currency]),
);

/** Their codes, in the order of the catalogue. */
export const billingCurrencies: readonly string[] = knownCurrencies
  .filter(({ isBilled }) => isBilled)
  .map(({ code }) => code);

export const findCurrency = (code: string): KnownCurrency | undefined => byCode.get(code);

export function listCurrencies(catalog: AssetCatalog, view: CatalogView): Currency[] {
  const isHeld = (assetCode: string): boolean => {
    const asset = findAsset(catalog, assetCode);
    return asset !== undefined && isAvailable(asset, view.enabledHighRisk);
  };
  const isSettled = (assetCode: string): boolean => {
    const asset = findAsset(catalog, assetCode);
    return asset !== undefined && isHeld(assetCode) && canSettle(catalog, view, asset);
  };
  // By its name in the payer's wallet: on Lightning that is SAT, not BTCLN (spec §2.5).
  const paidWith = new Set(
    knownNetworks
      .flatMap(({ id, assets }) =>
        assets.filter(({ assetCode }) => view.configured.get(id)?.assetCodes.has(assetCode) && isHeld(assetCode)),
      )
      .map(({ paymentCode }) => paymentCode),
  );
  return knownCurrencies.map(({ code, name, type, isBilled }) => ({
    assetCode: code,
    name,
    type,
    billing: isBilled,
    settlement: isSettled(code),
    payment: paidWith.has(code),
  }));
}
