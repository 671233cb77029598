/** Transfers to targets of ours in one block. */
import type { Observation, ObserveContext, Stray } from '../../port/receiving.ts';
import {
  type Candidate,
  etherCandidates,
  headerOf,
  nameTransfers,
  type RpcBlock,
  type RpcLog,
  tokenCandidates,
  transferTopic,
} from './evm-block.ts';
import { traceOf } from './evm-fate.ts';
import type { EvmRpc } from './evm-rpc.ts';

export type ReadBlock = { readonly observations: readonly Observation[]; readonly strays: readonly Stray[] };

type Receipt = { readonly status: string; readonly blockHash: string };

/** Asked for by the block's hash (EIP-234), so that logs are never those of another block at the same height. */
export const transferLogs = (rpc: EvmRpc, blocks: readonly RpcBlock[]): Promise<RpcLog[][]> =>
  Promise.all(
    blocks.map(({ hash }) => rpc.call<RpcLog[]>('eth_getLogs', { blockHash: hash, topics: [transferTopic] })),
  );

export const toObservation = ({ txHash, to, units }: Candidate, assetCode: string, index: string) => ({
  targetKey: to,
  txHash,
  index,
  assetCode,
  units,
});

/** `assetOf` gives undefined for a token that is none of ours. Null when the chain changed while we read. */
export async function readEvmBlock(
  rpc: EvmRpc,
  block: RpcBlock,
  logs: readonly RpcLog[],
  context: ObserveContext,
  assetOf: (contract: string | null) => string | undefined,
): Promise<ReadBlock | null> {
  const candidates = [...etherCandidates(block.transactions), ...tokenCandidates(logs)];
  if (candidates.length === 0) return { observations: [], strays: [] };
  const known = await context.knownTargets([...new Set(candidates.map(({ to }) => to))]);
  const ours = candidates.filter(({ to }) => known.has(to));

  // A failed transaction is in a block too, with a value that it did not move: the receipt says whether it failed.
  const hashes = [...new Set(ours.filter(({ contract }) => contract === null).map(({ txHash }) => txHash))];
  const receipts = await Promise.all(hashes.map((hash) => rpc.call<Receipt | null>('eth_getTransactionReceipt', hash)));
  if (receipts.some((receipt) => receipt?.blockHash !== block.hash)) return null;
  const failed = new Set(hashes.filter((_, at) => receipts[at]?.status !== '0x1'));

  const { hash, height, time } = headerOf(block);
  const ref = { hash, height, time: new Date(time * 1000) };
  const byHash = new Map(block.transactions.map((transaction) => [transaction.hash, transaction]));
  const observations: Observation[] = [];
  const strays: Stray[] = [];
  for (const { transfer, index } of nameTransfers(ours)) {
    const { txHash, contract, to, units } = transfer;
    const assetCode = assetOf(contract);
    const transaction = byHash.get(txHash);
    if (contract !== null && assetCode === undefined) {
      strays.push({ targetKey: to, txHash, index, what: contract, units, block: ref });
    } else if (assetCode !== undefined && transaction && !(contract === null && failed.has(txHash))) {
      observations.push({ ...toObservation(transfer, assetCode, index), block: ref, trace: traceOf(transaction) });
    }
  }
  return { observations, strays };
}
