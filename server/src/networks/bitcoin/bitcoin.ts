import { utxoNetwork } from '../families/utxo/utxo-network.ts';
import type { UtxoParameters } from '../families/utxo/utxo-parameters.ts';
import { utxoInstructions } from '../families/utxo/utxo-payer.ts';
import { issuedAsset, rateSymbols } from '../port/asset-definition.ts';
import type { NetworkDefinition } from '../port/definition.ts';

export const bitcoin: NetworkDefinition = {
  id: 'BITCOIN',
  name: 'Bitcoin',
  wayName: {
    en: 'Bitcoin network',
    de: 'Bitcoin-Netzwerk',
    pt: 'rede Bitcoin',
    es: 'red Bitcoin',
    it: 'rete Bitcoin',
    tr: 'Bitcoin ağı',
    pl: 'sieć Bitcoin',
    fr: 'réseau Bitcoin',
    ar: 'شبكة Bitcoin',
  },
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/bitcoin.svg',
  bridged: true,
  // 5,000 sat: spending an output takes 68 vB, which at a busy 50 sat/vB costs 3,400.
  assets: [{ assetCode: 'BTC', paymentCode: 'BTC', scale: 8, minimumUnits: 5_000n }],
  // Who undoes one block gives up its reward, over 3 BTC, and for two blocks twice that. So below 1 BTC an attack is
  // not worth it, and further blocks protect only against accidents. From 1 BTC on, several payments in one block
  // together could be worth an attack.
  confirmationTiers: [
    { belowUnits: 1_000_000n, confirmations: 1 }, // 0.01 BTC
    { belowUnits: 10_000_000n, confirmations: 2 }, // 0.1 BTC
    { belowUnits: 100_000_000n, confirmations: 3 }, // 1 BTC
    { confirmations: 6 },
  ],
  finalityDepth: 100,
  averageBlockSeconds: 600,
  jointWith: 'LIGHTNING', // One code then works in both kinds of wallets (BIP-321).
  payerInstructions: utxoInstructions('bitcoin', ['BlueWallet', 'Electrum', 'Muun', 'Trust Wallet']),
};

export const bitcoinChain = {
  addressKind: 'p2wpkh',
  bech32Prefixes: { main: 'bc', test: 'tb', regtest: 'bcrt' },
  base58Forms: {
    main: { pubKeyHash: 0x00, scriptHash: 0x05, beginnings: '1 or 3' },
    test: { pubKeyHash: 0x6f, scriptHash: 0xc4, beginnings: 'm, n or 2' },
    regtest: { pubKeyHash: 0x6f, scriptHash: 0xc4, beginnings: 'm, n or 2' },
  },
  spendingRules: {
    feeRateMax: 500_000n, // 500 sat/vB: a higher rate does not last, or the node is wrong
    feeRateFallback: 20_000n,
    dustRate: 3_000n,
    moneyMax: 2_100_000_000_000_000n,
  },
  coinbaseMaturity: 100,
  explorers: {
    main: 'https://mempool.space/tx/',
    test: 'https://mempool.space/testnet/tx/',
    testnet4: 'https://mempool.space/testnet4/tx/',
    signet: 'https://mempool.space/signet/tx/',
  },
  mainGenesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
} satisfies UtxoParameters;

export const bitcoinNetwork = utxoNetwork(bitcoin, bitcoinChain, {
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
  testChains: ['testnet4', 'signet'],
});

export const { connect: createBitcoinConnector } = bitcoinNetwork;
