/** The networks as clients see them: all that the API names, usable if a connector is configured. */
import type { Network } from '@quittance/contract/catalog';
import { present } from '../lib/assert.ts';
import type { NetworkIdentity } from '../networks/port/definition.ts';
import { type AssetCatalog, type ConfiguredNetworks, findAsset, isAvailable, isOn } from './asset-catalog.ts';
import { knownNetworks } from './known-networks.ts';

const byId: ReadonlyMap<string, NetworkIdentity> = new Map(knownNetworks.map((network) => [network.id, network]));

/** The network of the operator's tokens: coins of any other network are bridged to it. */
export const homeNetwork: NetworkIdentity = present(
  knownNetworks.find(({ bridged }) => !bridged),
  'a network that needs no bridge',
);

export const findNetwork = (id: string): NetworkIdentity | undefined => byId.get(id);

/** As people read where money goes: an account at a bank in groups of four. */
export const printedAddress = (network: string, address: string): string =>
  findNetwork(network)?.accountNumbers?.printed(address) ?? address;

export function listNetworks(
  catalog: AssetCatalog,
  configured: ConfiguredNetworks,
  enabledHighRisk: ReadonlySet<string> = new Set(),
): Network[] {
  return knownNetworks.map(({ id, name, type, imageSrc, bridged, assets }) => ({
    id,
    name,
    type,
    imageSrc,
    deposits: configured.has(id),
    transfers: configured.get(id)?.canSend === true,
    bridged,
    assets: assets
      .filter(({ assetCode }) => isOn(id, assetCode, configured))
      .map(({ assetCode }) => present(findAsset(catalog, assetCode), `asset ${assetCode} of ${id}`))
      .filter((asset) => isAvailable(asset, enabledHighRisk))
      .map((asset) => asset.id),
  }));
}
