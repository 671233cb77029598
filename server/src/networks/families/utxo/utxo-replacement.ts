/**
 * The same payouts once more with a higher fee, by the rules of BIP125: the same coins and perhaps more, a higher rate,
 * and a higher fee than all transactions together that have to leave the mempool for it. First the change gets smaller;
 * if that is not enough, coins are added.
 */
import { hex } from '@scure/base';
import type { Coin, OutgoingTransaction, SendContext, SignedTransaction } from '../../port/sending.ts';
import { unspentAmong } from './arrival-fate.ts';
import { livingCoins } from './living-coins.ts';
import { unitsOf } from './utxo-block.ts';
import { bySizeThenName, outpointOf, type Spending, spend } from './utxo-coin-selection.ts';
import { readFeeRates, spendingTerms } from './utxo-fee-rate.ts';
import type { UtxoParameters } from './utxo-parameters.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { readTrace, type SigningKeys, type SpendingTrace, signSpending, toSignedTransaction } from './utxo-signing.ts';
import { feeFor } from './utxo-transaction-size.ts';

const stuckAfterMs = 30 * 60_000;
/** It has waited long enough: the new fee is for one of the next two blocks. */
const targetBlocks = 2;
const coinsMax = 200;
/** A replacement pays at least a quarter more, or it would soon be stuck again. */
const raised = (rate: bigint): bigint => (rate * 5n + 3n) / 4n;

type Replacing = {
  readonly rpc: UtxoRpc;
  readonly coin: Pick<UtxoParameters, 'addressKind' | 'spendingRules'>;
  readonly keys: SigningKeys;
  readonly assetCode: string;
};

export function createReplacer({ rpc, coin, keys, assetCode }: Replacing) {
  const { spendingRules: rules } = coin;
  return async (transaction: OutgoingTransaction, context: SendContext): Promise<SignedTransaction | null> => {
    const isStuck = context.now.getTime() - transaction.signedAt.getTime() >= stuckAfterMs;
    if (transaction.block !== null || !isStuck) return null;
    // If a coin is spent, this transaction or another one was mined, and `observe` will say which.
    const unspent = await unspentAmong(rpc, transaction.uses, false);
    if (unspent.size < transaction.uses.length) return null;

    const trace = readTrace(transaction.trace);
    const rates = await readFeeRates(rpc, rules, targetBlocks);
    const oldFee = BigInt(trace.fee);
    const oldRate = (oldFee * 1_000n) / BigInt(trace.vsize);
    const rate = max(rates.rate, raised(oldRate));
    const terms = spendingTerms({ ...rates, rate }, coin);
    const evicted = max(oldFee, await feesOfDescendants(transaction.txHash));
    const feeMin = (vsize: number): bigint => evicted + feeFor(vsize, rates.incremental);

    const outputs = trace.outputs.map(({ script, units }) => ({ script: hex.decode(script), units: BigInt(units) }));
    const own = coinsOf(trace);
    let spending = spend(own, outputs, terms, feeMin);
    if (!spending) {
      const further = await context.unspent({ assetCode, limit: coinsMax, order: 'largest' });
      const living = await livingCoins(rpc, further.map(outpointOf));
      const coins = [...own];
      for (const coin of further.filter((free) => living.has(outpointOf(free))).sort(bySizeThenName)) {
        coins.push(coin);
        spending = spend(coins, outputs, terms, feeMin);
        if (spending) break;
      }
    }
    if (!spending || !isAffordable(spending, terms.changeMin)) return null;
    // Recipients can make a replacement more expensive. We do not pay for that: the transaction then waits as it is.
    const { heldFeeUnits } = transaction;
    if (heldFeeUnits !== undefined && spending.fee > heldFeeUnits + terms.changeMin) return null;
    const change = spending.changeUnits === 0n ? null : (trace.change ?? (await context.changeTarget()));
    const signed = signSpending(spending, outputs, change, keys);
    const { transferIds: payoutIds, height } = trace;
    return toSignedTransaction(signed, { spending, outputs, change, payoutIds, height, assetCode });
  };

  /** `fee` may contain what was too little for change: this much more is allowed. */
  function isAffordable({ fee, vsize }: Spending, changeMin: bigint): boolean {
    return fee <= feeFor(vsize, rules.feeRateMax) + changeMin;
  }

  /** Recipients may have spent our outputs already. Their transactions would leave the mempool too, so fees count. */
  async function feesOfDescendants(txHash: string): Promise<bigint> {
    try {
      const entry = await rpc.call<MempoolEntry>('getmempoolentry', txHash);
      return 'fees' in entry ? unitsOf(entry.fees.descendant) : BigInt(entry.descendantfees);
    } catch (error) {
      if (error instanceof RpcRefusal) return 0n; // The node no longer has it, but other nodes may.
      throw error;
    }
  }
}

/** Nodes made from Core before 0.17 give the sum in units, and not inside `fees`. */
type MempoolEntry = { readonly fees: { readonly descendant: number } } | { readonly descendantfees: number };

const coinsOf = ({ coins }: SpendingTrace): Coin[] =>
  coins.map(({ txHash, index, units, targetKey, targetIndex, madeFrom = [] }) => ({
    txHash,
    index,
    units: BigInt(units),
    targetKey,
    targetIndex,
    trace: { inputs: madeFrom },
  }));

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
