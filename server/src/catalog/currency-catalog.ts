/** Which currencies can be billed, credited and paid with. The last two follow from assets and configured networks. */
import type { Currency } from '@quittance/contract/catalog';
import { type AssetCatalog, type CatalogView, findAsset, isAvailable } from './asset-catalog.ts';
import { type KnownCurrency, knownCurrencies } from './known-currencies.ts';
import { knownNetworks } from './known-networks.ts';

const byCode: ReadonlyMap<string, KnownCurrency> = new Map(
  knownCurrencies.map((currency) => [currency.code, currency]),
);

export const findCurrency = (code: string): KnownCurrency | undefined => byCode.get(code);

export function listCurrencies(catalog: AssetCatalog, view: CatalogView): Currency[] {
  const isHeld = (assetCode: string): boolean => {
    const asset = findAsset(catalog, assetCode);
    return asset !== undefined && isAvailable(asset, view.enabledHighRisk);
  };
  // By the name of the payer's wallet: on Lightning that is SAT, not BTCLN (spec §2.5).
  const paidWith = new Set(
    knownNetworks
      .filter((network) => view.configured.has(network.id))
      .flatMap((network) => network.assets.filter(({ assetCode }) => isHeld(assetCode)))
      .map(({ paymentCode }) => paymentCode),
  );
  return knownCurrencies.map(({ code, name, type, isBilled }) => ({
    assetCode: code,
    name,
    type,
    billing: isBilled,
    settlement: isHeld(code),
    payment: paidWith.has(code),
  }));
}
