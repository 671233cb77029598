/**
 * The same payments once more with a higher fee, as BIP125 wants it: the same coins, perhaps more, a higher rate, and
 * more in total than everything that has to leave the mempool for it. The change shrinks first; then coins are added.
 */
import { hex } from '@scure/base';
import type { Coin, OutgoingTransaction, SendContext, SignedTransaction } from '../../port/sending.ts';
import { livingCoins } from './living-coins.ts';
import { unspentAmong } from './transfer-fate.ts';
import { unitsOf } from './utxo-block.ts';
import { bySizeThenName, outpointOf, type Spending, spend } from './utxo-coin-selection.ts';
import { readFeeRates, type SpendingRules, spendingTerms } from './utxo-fee-rate.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { readTrace, type SigningKeys, type SpendingTrace, signSpending, toSignedTransaction } from './utxo-signing.ts';
import { feeFor } from './utxo-transaction-size.ts';

const stuckAfterMs = 30 * 60_000;
/** It has waited long enough: what helps into one of the next two blocks. */
const targetBlocks = 2;
const coinsMax = 200;
/** A replacement pays at least a quarter more, or it would be stuck behind the same others again. */
const raised = (rate: bigint): bigint => (rate * 5n + 3n) / 4n;

type Replacing = {
  readonly rpc: UtxoRpc;
  readonly rules: SpendingRules;
  readonly keys: SigningKeys;
  readonly assetCode: string;
};

export function createReplacer({ rpc, rules, keys, assetCode }: Replacing) {
  return async (transaction: OutgoingTransaction, context: SendContext): Promise<SignedTransaction | null> => {
    const isStuck = context.now.getTime() - transaction.signedAt.getTime() >= stuckAfterMs;
    if (transaction.block !== null || !isStuck) return null;
    // A coin that the chain no longer has: this or a rival was mined, and observe will say which.
    const unspent = await unspentAmong(rpc, transaction.claims, false);
    if (unspent.size < transaction.claims.length) return null;

    const trace = readTrace(transaction.trace);
    const rates = await readFeeRates(rpc, rules, targetBlocks);
    const oldFee = BigInt(trace.fee);
    const oldRate = (oldFee * 1_000n) / BigInt(trace.vsize);
    const rate = max(rates.rate, raised(oldRate));
    const terms = spendingTerms({ ...rates, rate }, rules);
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
    // Recipients can make it dearer to outbid them. Not at our cost: then it waits for the miners as it is.
    const { heldFeeUnits } = transaction;
    if (heldFeeUnits !== undefined && spending.fee > heldFeeUnits + terms.changeMin) return null;
    const change = spending.changeUnits === 0n ? null : (trace.change ?? (await context.changeTarget()));
    const signed = signSpending(spending, outputs, change, keys);
    const { transferIds, height } = trace;
    return toSignedTransaction(signed, { spending, outputs, change, transferIds, height, assetCode });
  };

  /** What was left over below the least change is not the fee's fault. */
  function isAffordable({ fee, vsize }: Spending, changeMin: bigint): boolean {
    return fee <= feeFor(vsize, rules.feeRateMax) + changeMin;
  }

  /** Recipients may have spent what they have not yet got; that would leave the mempool too, and must be outbid. */
  async function feesOfDescendants(txHash: string): Promise<bigint> {
    try {
      const { fees } = await rpc.call<{ fees: { descendant: number } }>('getmempoolentry', txHash);
      return unitsOf(fees.descendant);
    } catch (error) {
      if (error instanceof RpcRefusal) return 0n; // The node has forgotten it; others may not have.
      throw error;
    }
  }
}

const coinsOf = ({ coins }: SpendingTrace): Coin[] =>
  coins.map(({ txHash, index, units, targetKey, targetIndex, madeFrom = [] }) => ({
    ...{ txHash, index, units: BigInt(units), targetKey, targetIndex, trace: { inputs: madeFrom } },
  }));

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);
