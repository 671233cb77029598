/**
 * On which network a credited asset is, as the record of a settlement says (spec §2.7). Not simply where the customer
 * paid: if a customer pays in bitcoin and the merchant is credited in lumens, the credit is on Stellar.
 */
import { type CatalogAsset, findAsset, isOfAnchor } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { carriedAsset } from '../networks/port/definition.ts';
import { type ExchangeDeps, isTokenOf, marketConnector } from './exchange-on-stellar.ts';

export type CreditedPlace = {
  /** Where the customer paid. */
  readonly network: string;
  readonly paidAsset: string;
  readonly creditedAsset: string;
  /** The exchange on Stellar that was needed, if any. */
  readonly tx?: string;
};

const stellar = 'STELLAR';

export function assetHome(deps: ExchangeDeps, { network, paidAsset, creditedAsset, tx }: CreditedPlace): string {
  const asset = present(findAsset(deps.assets, creditedAsset), `asset ${creditedAsset}`);
  // An anchor's asset is a token of that anchor on Stellar, whatever is configured here.
  if (tx !== undefined || isOfAnchor(asset) || isTokenOf(deps, asset)) return stellar;
  // The same coins, and no bridge moves them: also of an asset that is on several networks.
  if (creditedAsset === paidAsset) return network;
  const market = marketConnector(deps);
  if (market && carriedAsset(market.network, asset.assetCode)) return stellar;
  return ownNetwork(deps, asset, network);
}

/**
 * Of the networks that have it: the one it was paid on, otherwise the first that is configured here, otherwise the
 * first.
 */
function ownNetwork({ connectors }: ExchangeDeps, { networks }: CatalogAsset, paidOn: string): string {
  if (networks.includes(paidOn)) return paidOn;
  return networks.find((network) => connectors.has(network)) ?? networks[0] ?? stellar;
}
