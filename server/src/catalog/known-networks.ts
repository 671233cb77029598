/**
 * The networks that the API names (spec §2.1), whether or not a connector is configured. Only the networks themselves
 * say which asset is on which network: the asset catalogue reads it from here.
 */
import type { NetworkIdentity } from '../networks/port/definition.ts';
import { registeredNetworks } from '../networks/registry.ts';

export const knownNetworks: readonly NetworkIdentity[] = registeredNetworks.map(({ identity }) => identity);

export const networksCarrying = (assetCode: string): string[] =>
  knownNetworks
    .filter(({ assets }) => assets.some((carried) => carried.assetCode === assetCode))
    .map((network) => network.id);
