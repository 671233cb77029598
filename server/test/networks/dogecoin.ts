/**
 * Dogecoin by its parameters, to hold the family to what differs: addresses by the hash of a key and no segwit, so that
 * anybody can rename a transaction on its way. It is not in the registry and nobody is offered it: its node cannot
 * say what an account holds (`scantxoutset`), so that its books could not be reconciled.
 *
 * The numbers are those of Dogecoin Core 1.14 (chainparams.cpp, policy.h, doc/fee-recommendation.md).
 */
import { createUtxoConnector, type UtxoSettings } from '@quittance/server/networks/families/utxo/utxo-connector';
import type { UtxoParameters } from '@quittance/server/networks/families/utxo/utxo-parameters';
import { utxoInstructions } from '@quittance/server/networks/families/utxo/utxo-payer';
import { litecoinChain } from '@quittance/server/networks/litecoin/litecoin';
import type { Connector } from '@quittance/server/networks/port/connector';
import type { NetworkDefinition } from '@quittance/server/networks/port/definition';

export const dogecoin: NetworkDefinition = {
  id: 'DOGECOIN',
  name: 'Dogecoin',
  type: 'BLOCKCHAIN',
  imageSrc: '/images/networks/dogecoin.svg',
  bridged: true,
  // 1 DOGE: spending an output takes 148 bytes, which costs 0.00148 DOGE.
  assets: [{ assetCode: 'DOGE', paymentCode: 'DOGE', scale: 8, minimumUnits: 100_000_000n }],
  confirmationTiers: [{ belowUnits: 100_000_000_000n, confirmations: 6 }, { confirmations: 60 }],
  finalityDepth: 120,
  averageBlockSeconds: 60,
  payerInstructions: utxoInstructions('dogecoin', []),
};

export const dogecoinChain = {
  addressKind: 'p2pkh',
  base58Forms: {
    main: { pubKeyHash: 0x1e, scriptHash: 0x16, beginnings: 'D, 9 or A' },
    test: { pubKeyHash: 0x71, scriptHash: 0xc4, beginnings: 'n or 2' },
    regtest: { pubKeyHash: 0x6f, scriptHash: 0xc4, beginnings: 'm, n or 2' },
  },
  keyMarks: [
    {
      isMain: true,
      public: { name: 'dgub', version: 0x02facafd },
      private: { name: 'dgpv', version: 0x02fac398 },
    },
  ],
  spendingRules: {
    feeRateMax: 100_000_000n, // 1 DOGE per 1,000 bytes was the rule until 2021
    feeRateFallback: 1_000_000n, // what its developers recommend
    dustRate: 0n,
    outputMin: 1_000_000n, // carried below that too, for a fee of as much again
    moneyMax: 1_000_000_000_000_000_000n, // the most that one transaction can move: there will ever be more
    hasOneEstimate: true,
  },
  coinbaseMaturity: 240,
  explorers: { main: 'https://dogechain.info/tx/' },
  mainGenesisHash: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
} satisfies UtxoParameters;

export const createDogecoinConnector = (settings: UtxoSettings): Connector =>
  createUtxoConnector(dogecoin, { ...settings, ...dogecoinChain });

/** By Dogecoin's rules on a chain of Litecoin Core's, which takes outputs without segwit under version bytes of its own. */
export const dogecoinOnLitecoindChain = { ...dogecoinChain, base58Forms: litecoinChain.base58Forms };
export const connectDogecoinOnLitecoind = (settings: UtxoSettings): Connector =>
  createUtxoConnector(dogecoin, { ...settings, ...dogecoinOnLitecoindChain });
