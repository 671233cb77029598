import { createUtxoConnector, type UtxoSettings } from '../families/utxo/utxo-connector.ts';
import { rewindUtxoCursor } from '../families/utxo/utxo-cursor.ts';
import { utxoInstructions } from '../families/utxo/utxo-payer.ts';
import { utxoSettings } from '../families/utxo/utxo-settings.ts';
import { issuedAsset, rateSymbols } from '../port/asset-definition.ts';
import type { Connector } from '../port/connector.ts';
import type { NetworkDefinition } from '../port/definition.ts';
import type { ConnectedNetwork } from '../port/registered-network.ts';

export const bitcoin: NetworkDefinition = {
  id: 'BITCOIN',
  name: 'Bitcoin',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/bitcoin.svg',
  bridged: true,
  // 5,000 sat: spending an output takes 68 vB, which at a busy 50 sat/vB costs 3,400.
  assets: [{ assetCode: 'BTC', paymentCode: 'BTC', scale: 8, minimumUnits: 5_000n }],
  // Undoing one block forfeits its reward, over 3 BTC, and two blocks twice that: below 1 BTC each further block is
  // there for accidents, not attackers. From 1 BTC on, several payments in one block could be worth an attack.
  confirmationTiers: [
    { belowUnits: 1_000_000n, confirmations: 1 }, // 0.01 BTC
    { belowUnits: 10_000_000n, confirmations: 2 }, // 0.1 BTC
    { belowUnits: 100_000_000n, confirmations: 3 }, // 1 BTC
    { confirmations: 6 },
  ],
  finalityDepth: 100,
  averageBlockSeconds: 600,
  jointWith: 'LIGHTNING', // One code then serves both kinds of wallets (BIP-321).
  payerInstructions: utxoInstructions('bitcoin'),
};

export const bitcoinChain = {
  bech32Prefixes: { main: 'bc', test: 'tb', regtest: 'bcrt' },
  base58Forms: {
    main: { pubKeyHash: 0x00, scriptHash: 0x05, beginnings: '1 or 3' },
    test: { pubKeyHash: 0x6f, scriptHash: 0xc4, beginnings: 'm, n or 2' },
    regtest: { pubKeyHash: 0x6f, scriptHash: 0xc4, beginnings: 'm, n or 2' },
  },
  spendingRules: {
    feeRateMax: 500_000n, // 500 sat/vB: what lies above is a rush that passes, or a node that is wrong
    feeRateFallback: 20_000n,
    dustRate: 3_000n,
    moneyMax: 2_100_000_000_000_000n,
  },
  explorers: {
    main: 'https://mempool.space/tx/',
    test: 'https://mempool.space/testnet/tx/',
    testnet4: 'https://mempool.space/testnet4/tx/',
    signet: 'https://mempool.space/signet/tx/',
  },
  mainGenesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
};

export const createBitcoinConnector = (settings: UtxoSettings): Connector =>
  createUtxoConnector(bitcoin, { ...settings, ...bitcoinChain });

export const bitcoinNetwork: ConnectedNetwork<UtxoSettings> = {
  identity: bitcoin,
  assets: [
    issuedAsset('BTC', 'Bitcoin', {
      hexColor: '#f7931a',
      ledgerScale: 8,
      coin: { decimals: 8, isBilled: true },
      sandboxUsd: '60000',
      rateSymbols: rateSymbols('BTC', { coingecko: 'bitcoin', kraken: { asked: 'XBTUSD', answered: 'XXBTZUSD' } }),
    }),
  ],
  images: new URL('./images/', import.meta.url),
  settings: utxoSettings(bitcoin.id, ['testnet4', 'signet']),
  connect: createBitcoinConnector,
  rewind: rewindUtxoCursor,
};
