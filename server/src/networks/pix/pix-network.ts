import { issuedAsset } from '../port/asset-definition.ts';
import type { ConnectedNetwork } from '../port/registered-network.ts';
import { createPixConnector, type PixSettings, pix } from './pix.ts';
import { rewindPixCursor } from './pix-cursor.ts';
import { pixSettings } from './pix-settings.ts';

export const pixNetwork: ConnectedNetwork<PixSettings> = {
  identity: pix,
  assets: [issuedAsset('BRL', 'Brazilian Real', { hexColor: '#b7860b', ledgerScale: 7 })],
  images: new URL('./images/', import.meta.url),
  settings: pixSettings,
  connect: createPixConnector,
  rewind: rewindPixCursor,
};
