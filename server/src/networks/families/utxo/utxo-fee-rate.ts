/** The fee rate that the node estimates, within limits: an estimate that is far too high must not cost a fortune. */
import { NetworkError } from '../../port/connector.ts';
import { unitsOf } from './utxo-block.ts';
import type { SpendingTerms } from './utxo-coin-selection.ts';
import type { UtxoParameters } from './utxo-parameters.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { type DustRules, type FeeRate, feeFor, inputVsize, leastOwnOutput } from './utxo-transaction-size.ts';

/** What a coin's nodes demand of a transaction, and limits of our own. */
export type SpendingRules = DustRules & {
  /** We never pay more, whatever the node says. */
  readonly feeRateMax: FeeRate;
  /** Used when the node has seen too few blocks for an estimate. */
  readonly feeRateFallback: FeeRate;
  /** How many units there will ever be. */
  readonly moneyMax: bigint;
  /** Nodes made from Core before 0.15 have only one kind of estimate, and refuse a call that names a kind. */
  readonly hasOneEstimate?: boolean;
};

export type FeeRates = {
  readonly rate: FeeRate;
  /** The lowest rate that the node accepts. */
  readonly floor: FeeRate;
  /** What a replacement must pay beyond what it replaces (BIP125). */
  readonly incremental: FeeRate;
};

type Estimate = { readonly feerate?: number };
type MempoolInfo = { readonly mempoolminfee?: number; readonly minrelaytxfee?: number };
type NetworkInfo = { readonly incrementalfee?: number; readonly relayfee?: number };

/** Core's own default, where a node does not say. */
const incrementalDefault = 1_000n;

export async function readFeeRates(rpc: UtxoRpc, rules: SpendingRules, targetBlocks: number): Promise<FeeRates> {
  const replies = await rpc.batch<Estimate & MempoolInfo & NetworkInfo>([
    // Economical: if the fee is too low, we replace the transaction, and only then pay more.
    { method: 'estimatesmartfee', params: rules.hasOneEstimate ? [targetBlocks] : [targetBlocks, 'ECONOMICAL'] },
    { method: 'getmempoolinfo', params: [] },
    { method: 'getnetworkinfo', params: [] },
  ]);
  const refusal = replies.find((reply) => reply instanceof RpcRefusal);
  if (refusal) throw refusal;
  const [{ feerate }, { mempoolminfee = 0, minrelaytxfee = 0 }, { incrementalfee, relayfee = 0 }] = replies as [
    Estimate,
    MempoolInfo,
    NetworkInfo,
  ];
  const floor = unitsOf(Math.max(mempoolminfee, minrelaytxfee, relayfee));
  if (floor > rules.feeRateMax) {
    throw new NetworkError(
      `The node takes no transaction below ${floor} units per 1,000 vbytes, and we pay at most ${rules.feeRateMax}.`,
      { isRetryable: true },
    );
  }
  // With too few blocks for an estimate, new nodes leave it out and old ones say -1.
  const estimate = feerate === undefined || feerate < 0 ? rules.feeRateFallback : unitsOf(feerate);
  const capped = estimate > rules.feeRateMax ? rules.feeRateMax : estimate;
  return {
    rate: capped > floor ? capped : floor,
    floor,
    incremental: incrementalfee === undefined ? incrementalDefault : unitsOf(incrementalfee),
  };
}

/** Up to so many times the lowest rate, it is cheap enough to collect small coins. */
const lowFactor = 2n;

export function spendingTerms(
  rates: FeeRates,
  { addressKind, spendingRules }: Pick<UtxoParameters, 'addressKind' | 'spendingRules'>,
): SpendingTerms {
  const dust = leastOwnOutput(addressKind, spendingRules);
  const spendingIt = feeFor(inputVsize(addressKind), rates.rate);
  const changeMin = dust > spendingIt ? dust : spendingIt;
  return { addressKind, rate: rates.rate, lowRate: rates.floor * lowFactor, changeMin };
}
