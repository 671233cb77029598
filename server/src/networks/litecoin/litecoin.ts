import { createUtxoConnector, type UtxoSettings } from '../families/utxo/utxo-connector.ts';
import { rewindUtxoCursor } from '../families/utxo/utxo-cursor.ts';
import { utxoInstructions } from '../families/utxo/utxo-payer.ts';
import { utxoSettings } from '../families/utxo/utxo-settings.ts';
import { issuedAsset, rateSymbols } from '../port/asset-definition.ts';
import type { Connector } from '../port/connector.ts';
import type { NetworkDefinition } from '../port/definition.ts';
import type { ConnectedNetwork } from '../port/registered-network.ts';

export const litecoin: NetworkDefinition = {
  id: 'LITECOIN',
  name: 'Litecoin',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/litecoin.svg',
  bridged: true,
  // 0.0001 LTC: spending an output takes 68 vB, which costs 680 to 6,800 litoshi.
  assets: [{ assetCode: 'LTC', paymentCode: 'LTC', scale: 8, minimumUnits: 10_000n }],
  // A block's reward is about 6 LTC and blocks come four times as fast as Bitcoin's, so stale ones are more common:
  // never one confirmation alone, and twice Bitcoin's depth for what would be worth an attack.
  confirmationTiers: [
    { belowUnits: 100_000_000n, confirmations: 2 }, // 1 LTC
    { belowUnits: 1_000_000_000n, confirmations: 4 }, // 10 LTC
    { belowUnits: 10_000_000_000n, confirmations: 6 }, // 100 LTC
    { confirmations: 12 },
  ],
  finalityDepth: 100,
  averageBlockSeconds: 150,
  payerInstructions: utxoInstructions('litecoin'),
};

export const litecoinChain = {
  bech32Prefixes: { main: 'ltc', test: 'tltc', regtest: 'rltc' },
  // Old addresses of scripts begin with 3 like Bitcoin's, and nobody can tell the two apart: only the newer form is taken.
  base58Forms: {
    main: { pubKeyHash: 0x30, scriptHash: 0x32, beginnings: 'L or M' },
    test: { pubKeyHash: 0x6f, scriptHash: 0x3a, beginnings: 'm, n or Q' },
    regtest: { pubKeyHash: 0x6f, scriptHash: 0x3a, beginnings: 'm, n or Q' },
  },
  spendingRules: {
    feeRateMax: 500_000n,
    feeRateFallback: 20_000n,
    dustRate: 30_000n, // ten times Bitcoin's
    moneyMax: 8_400_000_000_000_000n,
  },
  explorers: { main: 'https://litecoinspace.org/tx/', test: 'https://litecoinspace.org/testnet/tx/' },
  mainGenesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
};

export const createLitecoinConnector = (settings: UtxoSettings): Connector =>
  createUtxoConnector(litecoin, { ...settings, ...litecoinChain });

export const litecoinNetwork: ConnectedNetwork<UtxoSettings> = {
  identity: litecoin,
  assets: [
    issuedAsset('LTC', 'Litecoin', {
      hexColor: '#7b8794',
      ledgerScale: 8,
      coin: { decimals: 8, isBilled: true },
      sandboxUsd: '80',
      rateSymbols: rateSymbols('LTC', { coingecko: 'litecoin', kraken: { asked: 'LTCUSD', answered: 'XLTCZUSD' } }),
    }),
  ],
  images: new URL('./images/', import.meta.url),
  settings: utxoSettings(litecoin.id),
  connect: createLitecoinConnector,
  rewind: rewindUtxoCursor,
};
