import { issuedAsset } from '../port/asset-definition.ts';
import type { ConnectedNetwork } from '../port/registered-network.ts';
import { createLightningConnector, type LightningSettings, lightning } from './lightning.ts';
import { rewindLightningCursor } from './lightning-cursor.ts';
import { lightningSettings } from './lightning-settings.ts';

export const lightningNetwork: ConnectedNetwork<LightningSettings> = {
  identity: lightning,
  assets: [
    // Lightning counts in millisatoshi, but invoices are written and credited in whole satoshi: the 8 places of BTC.
    // Wallets show and pay satoshi, accounts hold BTCLN, and charges are written in BTC.
    issuedAsset('BTCLN', 'Bitcoin on Lightning', {
      group: 'BTC',
      currencyCode: 'BTC',
      hexColor: '#9333ea',
      ledgerScale: 8,
      coin: { decimals: 8, isBilled: false },
    }),
  ],
  images: new URL('./images/', import.meta.url),
  settings: lightningSettings,
  connect: createLightningConnector,
  rewind: rewindLightningCursor,
};
