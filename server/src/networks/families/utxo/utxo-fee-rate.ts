/** What the node thinks a transaction must pay, within bounds: a node that is wrong must not cost a fortune. */
import { NetworkError } from '../../port/connector.ts';
import { unitsOf } from './utxo-block.ts';
import type { SpendingTerms } from './utxo-coin-selection.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { dustLimit, type FeeRate, feeFor, inputVsize, ownScriptLength } from './utxo-transaction-size.ts';

/** What a coin's nodes and our own caution ask of a transaction. */
export type SpendingRules = {
  /** We never pay more, whatever the node says. */
  readonly feeRateMax: FeeRate;
  /** For a node that has seen too few blocks to tell. */
  readonly feeRateFallback: FeeRate;
  /** The rate at which nodes of this coin decide what is dust. */
  readonly dustRate: FeeRate;
  /** Units that there will ever be. */
  readonly moneyMax: bigint;
};

export type FeeRates = {
  readonly rate: FeeRate;
  /** The least that the node takes at all. */
  readonly floor: FeeRate;
  /** What a replacement must pay beyond what it replaces (BIP125). */
  readonly incremental: FeeRate;
};

type Estimate = { readonly feerate?: number };
type MempoolInfo = { readonly mempoolminfee?: number; readonly minrelaytxfee?: number };
type NetworkInfo = { readonly incrementalfee?: number };

/** Core's own default, where a node does not say. */
const incrementalDefault = 1_000n;

export async function readFeeRates(rpc: UtxoRpc, rules: SpendingRules, targetBlocks: number): Promise<FeeRates> {
  const replies = await rpc.batch<Estimate & MempoolInfo & NetworkInfo>([
    // Economical: what turns out too low is replaced, and only then costs more.
    { method: 'estimatesmartfee', params: [targetBlocks, 'ECONOMICAL'] },
    { method: 'getmempoolinfo', params: [] },
    { method: 'getnetworkinfo', params: [] },
  ]);
  const refusal = replies.find((reply) => reply instanceof RpcRefusal);
  if (refusal) throw refusal;
  const [{ feerate }, { mempoolminfee = 0, minrelaytxfee = 0 }, { incrementalfee }] = replies as [
    Estimate,
    MempoolInfo,
    NetworkInfo,
  ];
  const floor = unitsOf(Math.max(mempoolminfee, minrelaytxfee));
  if (floor > rules.feeRateMax) {
    throw new NetworkError(
      `The node takes no transaction below ${floor} units per 1,000 vbytes, and we pay at most ${rules.feeRateMax}.`,
      { isRetryable: true },
    );
  }
  const estimate = feerate === undefined ? rules.feeRateFallback : unitsOf(feerate);
  const capped = estimate > rules.feeRateMax ? rules.feeRateMax : estimate;
  return {
    rate: capped > floor ? capped : floor,
    floor,
    incremental: incrementalfee === undefined ? incrementalDefault : unitsOf(incrementalfee),
  };
}

/** So many times the least fee is still a good price for clearing small coins away. */
const lowFactor = 2n;

export function spendingTerms(rates: FeeRates, rules: SpendingRules): SpendingTerms {
  const ownScript = Uint8Array.of(0, ownScriptLength - 2, ...new Uint8Array(ownScriptLength - 2));
  const dust = dustLimit(ownScript, rules.dustRate);
  const spendingIt = feeFor(inputVsize, rates.rate);
  return { rate: rates.rate, lowRate: rates.floor * lowFactor, changeMin: dust > spendingIt ? dust : spendingIt };
}
