/**
 * What a credit stands for. An asset of an anchor is on no network of ours: a merchant who is credited in it is owed
 * the coin itself, of which we have our own asset with the same code. Every other asset stands for itself.
 */
import { type AssetCatalog, type CatalogAsset, findAsset, isOfAnchor } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';

export const backingOf = (assets: AssetCatalog, asset: CatalogAsset): CatalogAsset =>
  isOfAnchor(asset) ? present(findAsset(assets, asset.assetCode), `our own ${asset.assetCode}`) : asset;

export const backedBy = (assets: AssetCatalog, backing: CatalogAsset): CatalogAsset[] =>
  assets.assets.filter((asset) => backingOf(assets, asset).id === backing.id);
