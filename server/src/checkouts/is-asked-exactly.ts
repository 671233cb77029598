/** Money of a state, and what is worth the same as the money of the bill: there the payer knows every digit. */
import { type AssetCatalog, type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';

export const isAskedExactly = (
  assets: AssetCatalog,
  { currencyCode, group }: Pick<CatalogAsset, 'currencyCode' | 'group'>,
  billingCurrency: string,
): boolean => isMoney(currencyCode) || group === groupOf(assets, billingCurrency);

const isMoney = (code: string): boolean => findCurrency(code)?.type === 'FIAT';

const groupOf = (assets: AssetCatalog, currency: string): string => findAsset(assets, currency)?.group ?? currency;
