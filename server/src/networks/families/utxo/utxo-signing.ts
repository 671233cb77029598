/** Makes a signed transaction of chosen coins and outputs, and the trace that is stored with it. */
import { hex } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import { assert } from '../../../lib/assert.ts';
import type { Coin, SignedTransaction } from '../../port/sending.ts';
import { inputsOf } from './arrival-fate.ts';
import type { DerivedAddress } from './utxo-address.ts';
import { type Output, outpointOf, type Spending } from './utxo-coin-selection.ts';

/** `keyAt` derives from the private key of an account, `addressAt` from the public key of the same account. */
export type SigningKeys = {
  readonly keyAt: (index: number) => Uint8Array;
  readonly addressAt: (index: number) => DerivedAddress;
};

export type ChangeTarget = { readonly address: string; readonly index: number };

type TracedCoin = Omit<Coin, 'units' | 'trace'> & {
  readonly units: string;
  readonly madeFrom?: readonly string[]; // the outpoints that its own transaction has spent; transactions of old do not say
};

/** What is needed to replace a transaction or to find it again. JSON, so amounts are texts and scripts hex. */
export type SpendingTrace = {
  readonly fee: string;
  readonly vsize: number;
  /** The node's height when it was signed: only a reorganisation can put it into an earlier block. */
  readonly height: number;
  readonly coins: readonly TracedCoin[];
  readonly outputs: readonly { readonly script: string; readonly units: string }[];
  readonly change: (ChangeTarget & { readonly units: string }) | null;
  readonly transferIds: readonly string[]; // of payouts; stored under this name
};

/** Signals BIP125: if the fee turns out too low, a replacement may follow. */
const replaceableSequence = 0xfffffffd;

export function signSpending(
  spending: Spending,
  outputs: readonly Output[],
  change: ChangeTarget | null,
  keys: SigningKeys,
): { txHash: string; raw: string } {
  const changeOutputs: Output[] = [];
  if (change) {
    const { address, script } = keys.addressAt(change.index);
    assert(address === change.address, 'change would go to an address that is not ours');
    changeOutputs.push({ script, units: spending.changeUnits });
  }
  // Without segwit a signature does not cover the value of a coin. Only the transaction that made the coin would prove
  // the value, and we do not store it: we trust the value that our node gave us with the block.
  const tx = new Transaction({ allowUnknownOutputs: true, allowLegacyWitnessUtxo: true });
  // In the order of BIP69, so that nobody can tell from the order which output is the change.
  const coins = [...spending.coins].sort(byOutpoint);
  for (const coin of coins) {
    const { address, script } = keys.addressAt(coin.targetIndex);
    assert(address === coin.targetKey, `the coin at ${coin.targetKey} is not at the address of its index`);
    tx.addInput({
      txid: coin.txHash,
      index: Number(coin.index),
      sequence: replaceableSequence,
      witnessUtxo: { script, amount: coin.units },
    });
  }
  for (const { script, units } of [...outputs, ...changeOutputs].sort(byAmountThenScript)) {
    tx.addOutput({ script, amount: units });
  }
  coins.forEach((coin, at) => tx.signIdx(keys.keyAt(coin.targetIndex), at));
  tx.finalize();
  assert(tx.fee === spending.fee && tx.vsize <= spending.vsize, 'the transaction is not the one that was planned');
  return { txHash: tx.id, raw: tx.hex };
}

export function toSignedTransaction(
  signed: { txHash: string; raw: string },
  plan: {
    readonly spending: Spending;
    readonly outputs: readonly Output[];
    readonly change: ChangeTarget | null;
    readonly payoutIds: readonly string[];
    readonly height: number;
    readonly assetCode: string;
  },
): SignedTransaction {
  const { spending, outputs, change, payoutIds, height, assetCode } = plan;
  const trace: SpendingTrace = {
    fee: String(spending.fee),
    vsize: spending.vsize,
    height,
    coins: spending.coins.map(({ trace: brought = {}, ...coin }) => ({
      ...coin,
      units: String(coin.units),
      madeFrom: inputsOf(brought),
    })),
    outputs: outputs.map(({ script, units }) => ({ script: hex.encode(script), units: String(units) })),
    change: change && { address: change.address, index: change.index, units: String(spending.changeUnits) },
    transferIds: payoutIds,
  };
  const fee = { assetCode, units: spending.fee };
  return { ...signed, uses: spending.coins.map(outpointOf), payoutIds, fee, trace };
}

export const readTrace = (trace: { readonly [key: string]: unknown }): SpendingTrace => {
  assert(Array.isArray(trace['coins']) && Array.isArray(trace['outputs']), 'the trace is of another network');
  return trace as unknown as SpendingTrace;
};

function byOutpoint(a: Coin, b: Coin): number {
  if (a.txHash !== b.txHash) return a.txHash < b.txHash ? -1 : 1;
  return Number(a.index) - Number(b.index);
}

function byAmountThenScript(a: Output, b: Output): number {
  if (a.units !== b.units) return a.units < b.units ? -1 : 1;
  return Buffer.compare(a.script, b.script);
}
