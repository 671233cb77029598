/** Names of an account's wallets: two issuers may have an asset with one code, and then the beginning of the issuer tells. */
import type { CatalogAsset } from '../catalog/asset-catalog.ts';

const issuerLetters = 8;

const issuerOf = ({ id }: CatalogAsset): string => (id.split(':')[1] ?? '').slice(0, issuerLetters);

/** The same for ever, whatever other wallets there are. */
export const walletId = (asset: CatalogAsset): string =>
  [asset.assetCode, issuerOf(asset)].filter((part) => part !== '').join('-');

/** The code, with the issuer where another one of these has the same. */
export function walletNames(assets: readonly CatalogAsset[]): (asset: CatalogAsset) => string {
  const isAmbiguous = ({ id, assetCode }: CatalogAsset): boolean =>
    assets.some((other) => other.assetCode === assetCode && other.id !== id);
  return (asset) => (isAmbiguous(asset) ? `${asset.assetCode} ${issuerOf(asset)}…` : asset.assetCode);
}
