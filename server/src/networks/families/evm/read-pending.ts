/** Called when every block is read: what waits to be mined, and which transfers no longer wait. */
import type { ObserveContext, VanishedArrival } from '../../port/receiving.ts';
import { type Candidate, callCandidates, etherCandidates, type RpcBlock, type RpcTransaction } from './evm-block.ts';
import type { EvmCursor } from './evm-cursor.ts';
import { fateOfMissing, replacedBy, type Unconfirmed } from './evm-fate.ts';
import { EvmRefusal, type EvmRpc } from './evm-rpc.ts';
import { headerAt } from './follow-evm-chain.ts';

export type WaitingTransfer = Candidate & { readonly transaction: RpcTransaction };

export type Pending = {
  /** Transfers to targets of ours. */
  readonly ours: readonly WaitingTransfer[];
  readonly vanished: readonly VanishedArrival[];
  /** False when the chain changed while we looked: then we should look again at once. */
  readonly isSettled: boolean;
};

export async function readPending(
  rpc: EvmRpc,
  context: ObserveContext,
  position: { readonly unconfirmed: readonly Unconfirmed[]; readonly cursor: EvmCursor },
): Promise<Pending> {
  const { unconfirmed, cursor } = position;
  const transactions = await pendingTransactions(rpc, cursor);
  const byHash = new Map(transactions.map((transaction) => [transaction.hash, transaction]));
  const candidates = [...etherCandidates(transactions), ...callCandidates(transactions)];
  const known =
    candidates.length === 0
      ? new Set<string>()
      : await context.knownTargets([...new Set(candidates.map(({ to }) => to))]);
  const ours = candidates.flatMap((candidate) => {
    const transaction = byHash.get(candidate.txHash);
    return transaction && known.has(candidate.to) ? [{ ...candidate, transaction }] : [];
  });

  const replaced = replacedBy(unconfirmed, transactions);
  const decided = new Set([...byHash.keys(), ...replaced.map(({ txHash }) => txHash)]);
  const missing = unconfirmed.filter(({ txHash }) => !decided.has(txHash));
  const fates = missing.length === 0 ? [] : await fateOfMissing(rpc, missing, cursor);

  // A transaction also stops waiting when it is mined. Only if the tip is still the block that we have read does a
  // missing transaction mean that it is gone.
  if ((await headerAt(rpc, 'latest'))?.hash !== cursor.hash) return { ours, vanished: [], isSettled: false };
  return { ours, vanished: [...replaced, ...fates], isSettled: true };
}

/**
 * The block that the node would make next. Some nodes have none, some give the latest block instead: then transfers
 * are seen when they are mined.
 */
async function pendingTransactions(rpc: EvmRpc, cursor: EvmCursor): Promise<readonly RpcTransaction[]> {
  try {
    const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', 'pending', true);
    return block?.parentHash === cursor.hash ? block.transactions : [];
  } catch (error) {
    if (error instanceof EvmRefusal) return [];
    throw error;
  }
}
