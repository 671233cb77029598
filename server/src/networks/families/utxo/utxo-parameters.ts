/** What differs between the coins that are built like Bitcoin. */
import type { Base58Form } from './utxo-destination.ts';
import type { SpendingRules } from './utxo-fee-rate.ts';

export type UtxoChain = 'main' | 'test' | 'regtest';

/** Both pay to the hash of one key: p2wpkh in native segwit (BIP141, BIP84), p2pkh where a coin has none (BIP44). */
export type AddressKind = 'p2wpkh' | 'p2pkh';

/** How wallets mark the keys of an account (SLIP-132). The marks differ, the keys behind them do not. */
export type KeyMark = {
  readonly isMain: boolean;
  readonly public: { readonly name: string; readonly version: number };
  readonly private: { readonly name: string; readonly version: number };
};

export type UtxoParameters = {
  /** Of our own addresses. Addresses of other people may be of any kind that the coin has. */
  readonly addressKind: AddressKind;
  /** The human-readable part of native segwit addresses (BIP173). Left out: the coin has no segwit. */
  readonly bech32Prefixes?: Readonly<Record<UtxoChain, string>>;
  readonly base58Forms: Readonly<Record<UtxoChain, Base58Form>>;
  /** Marks that only wallets of this coin use, besides the marks that all coins share. */
  readonly keyMarks?: readonly KeyMark[];
  readonly spendingRules: SpendingRules;
  /** A rule of the chain: a coinbase can be spent after so many further blocks. */
  readonly coinbaseMaturity: number;
  /** By the name of the chain: see `NetworkDefinition.explorer`. */
  readonly explorers: Readonly<Record<string, string>>;
  /** Of the main chain. Checked, because with the node of another coin we would wait for payments for ever. */
  readonly mainGenesisHash: string;
};
