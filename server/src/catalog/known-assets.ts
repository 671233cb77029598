/** The assets that accounts can hold: those of all networks. First what others have issued, then our own. */
import type { AssetDefinition } from '../networks/port/asset-definition.ts';
import { registeredNetworks } from '../networks/registry.ts';

const all = registeredNetworks.flatMap(({ assets }) => assets);

export const knownAssets: readonly AssetDefinition[] = [
  ...all.filter(({ issuer }) => issuer !== 'operator'),
  ...all.filter(({ issuer }) => issuer === 'operator'),
];
