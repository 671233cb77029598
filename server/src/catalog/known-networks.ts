/**
 * The networks the API names (spec §2.1), whether or not a connector is configured for them. Which asset travels on
 * which network is said by the networks and nowhere else: the asset catalogue reads it from here.
 */
import type { NetworkIdentity } from '../networks/port/definition.ts';
import { registeredNetworks } from '../networks/registry.ts';

export const knownNetworks: readonly NetworkIdentity[] = registeredNetworks.map(({ identity }) => identity);

export const networksCarrying = (assetCode: string): string[] =>
  knownNetworks
    .filter(({ assets }) => assets.some((carried) => carried.assetCode === assetCode))
    .map((network) => network.id);
