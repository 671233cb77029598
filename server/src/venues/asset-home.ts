/**
 * On which network a credited asset lives, as the record of a settlement says it (spec §2.7). Not simply where the
 * customer paid: whoever pays in bitcoin and has the merchant credited in lumens has credited something on Stellar.
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
  /** The exchange that it took on Stellar, if any. */
  readonly tx?: string;
};

const stellar = 'STELLAR';

export function assetHome(deps: ExchangeDeps, { network, paidAsset, creditedAsset, tx }: CreditedPlace): string {
  const asset = present(findAsset(deps.assets, creditedAsset), `asset ${creditedAsset}`);
  // An anchor's asset is a token of that anchor on Stellar, whatever is configured here.
  if (tx !== undefined || isOfAnchor(asset) || isTokenOf(deps, asset)) return stellar;
  // The same coins, and no bridge takes them anywhere: also of an asset that travels on several networks.
  if (creditedAsset === paidAsset) return network;
  const market = marketConnector(deps);
  if (market && carriedAsset(market.network, asset.assetCode)) return stellar;
  return ownNetwork(deps, asset, network);
}

/** Of those that carry it: the one it was paid on, else the first that is configured here, else the first there is. */
function ownNetwork({ connectors }: ExchangeDeps, { networks }: CatalogAsset, paidOn: string): string {
  if (networks.includes(paidOn)) return paidOn;
  return networks.find((network) => connectors.has(network)) ?? networks[0] ?? stellar;
}
