import { utxoNetwork } from '../families/utxo/utxo-network.ts';
import type { UtxoParameters } from '../families/utxo/utxo-parameters.ts';
import { utxoInstructions } from '../families/utxo/utxo-payer.ts';
import { issuedAsset, rateSymbols } from '../port/asset-definition.ts';
import type { NetworkDefinition } from '../port/definition.ts';

export const litecoin: NetworkDefinition = {
  id: 'LITECOIN',
  name: 'Litecoin',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/litecoin.svg',
  bridged: true,
  // 0.0001 LTC: spending an output takes 68 vB, which costs 680 to 6,800 litoshi.
  assets: [{ assetCode: 'LTC', paymentCode: 'LTC', scale: 8, minimumUnits: 10_000n }],
  // A block's reward is about 6 LTC. Blocks come four times as fast as Bitcoin's, so the chain gives up blocks more
  // often: always two confirmations or more, and twice Bitcoin's depth for amounts that would be worth an attack.
  confirmationTiers: [
    { belowUnits: 100_000_000n, confirmations: 2 }, // 1 LTC
    { belowUnits: 1_000_000_000n, confirmations: 4 }, // 10 LTC
    { belowUnits: 10_000_000_000n, confirmations: 6 }, // 100 LTC
    { confirmations: 12 },
  ],
  finalityDepth: 100,
  averageBlockSeconds: 150,
  payerInstructions: utxoInstructions('litecoin', ['Litewallet', 'Cake Wallet', 'Trust Wallet']),
};

export const litecoinChain = {
  addressKind: 'p2wpkh',
  bech32Prefixes: { main: 'ltc', test: 'tltc', regtest: 'rltc' },
  // Old addresses of scripts begin with 3, and nobody can tell them from Bitcoin's: so only the newer form is accepted.
  base58Forms: {
    main: { pubKeyHash: 0x30, scriptHash: 0x32, beginnings: 'L or M' },
    test: { pubKeyHash: 0x6f, scriptHash: 0x3a, beginnings: 'm, n or Q' },
    regtest: { pubKeyHash: 0x6f, scriptHash: 0x3a, beginnings: 'm, n or Q' },
  },
  keyMarks: [
    {
      isMain: true,
      public: { name: 'Ltub', version: 0x019da462 },
      private: { name: 'Ltpv', version: 0x019d9cfe },
    },
    {
      isMain: false,
      public: { name: 'ttub', version: 0x0436f6e1 },
      private: { name: 'ttpv', version: 0x0436ef7d },
    },
  ],
  spendingRules: {
    feeRateMax: 500_000n,
    feeRateFallback: 20_000n,
    dustRate: 30_000n, // ten times Bitcoin's
    moneyMax: 8_400_000_000_000_000n,
  },
  coinbaseMaturity: 100,
  explorers: { main: 'https://litecoinspace.org/tx/', test: 'https://litecoinspace.org/testnet/tx/' },
  mainGenesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
} satisfies UtxoParameters;

export const litecoinNetwork = utxoNetwork(litecoin, litecoinChain, {
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
});

export const { connect: createLitecoinConnector } = litecoinNetwork;
