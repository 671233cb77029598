import type { ConnectedNetwork } from '../port/registered-network.ts';
import { createStellarNetworkConnector, type StellarSettings, stellarIdentity } from './stellar.ts';
import { stellarAssets } from './stellar-assets.ts';
import { rewindStellarCursor } from './stellar-connector.ts';
import { stellarSettings } from './stellar-settings.ts';

export const stellarNetwork: ConnectedNetwork<StellarSettings> = {
  identity: stellarIdentity,
  assets: stellarAssets,
  images: new URL('./images/', import.meta.url),
  settings: stellarSettings,
  connect: createStellarNetworkConnector,
  rewind: rewindStellarCursor,
};
