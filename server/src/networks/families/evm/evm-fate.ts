/**
 * What becomes of transfers that are in no block: they wait, are mined, or are replaced by another transaction of the
 * same sender with the same number (nonce). A chain takes only one transaction with a number.
 */
import { hexToNumber, toHex } from 'viem';
import type { VanishedArrival } from '../../port/receiving.ts';
import { nonceOf, type RpcBlock, type RpcTransaction } from './evm-block.ts';
import type { EvmCursor } from './evm-cursor.ts';
import type { EvmRpc } from './evm-rpc.ts';

export type Unconfirmed = { readonly txHash: string; readonly from: string; readonly nonce: number };

/** If we did not see a replacement being mined, it came with a reorganisation, so it is in one of the newest blocks. */
const searchedBlocksMax = 20;

export const traceOf = (transaction: RpcTransaction) => ({ from: transaction.from, nonce: nonceOf(transaction) });

/** Leaves out arrivals that a balance showed: they have no sender, and vanish only with their block. */
export function toUnconfirmed(
  stored: readonly { readonly txHash: string; readonly trace: { readonly [key: string]: unknown } }[],
): Unconfirmed[] {
  return stored.flatMap(({ txHash, trace: { from, nonce } }) =>
    typeof from === 'string' && typeof nonce === 'number' ? [{ txHash, from, nonce }] : [],
  );
}

const seat = (from: string, nonce: number): string => `${from}/${nonce}`;

/** Transfers whose number (nonce) another one of these transactions of the same sender has. */
export function replacedBy(
  unconfirmed: readonly Unconfirmed[],
  transactions: readonly RpcTransaction[],
): VanishedArrival[] {
  if (unconfirmed.length === 0) return [];
  // On a rollup, a deposit from the chain below may have no number: it replaces nothing, not even another deposit.
  const numbered = transactions.filter(({ nonce }) => nonce !== undefined);
  const taken = new Map(numbered.map((other) => [seat(other.from, nonceOf(other)), other.hash]));
  return unconfirmed.flatMap(({ txHash, from, nonce }) => {
    const other = taken.get(seat(from, nonce));
    return other === undefined || other === txHash ? [] : [{ txHash, replacedBy: other }];
  });
}

/** What became of transfers that are neither among the waiting transactions nor in the blocks just read. */
export async function fateOfMissing(
  rpc: EvmRpc,
  missing: readonly Unconfirmed[],
  cursor: EvmCursor,
): Promise<VanishedArrival[]> {
  const known = await Promise.all(
    missing.map(({ txHash }) => rpc.call<RpcTransaction | null>('eth_getTransactionByHash', txHash)),
  );
  const isInReadBlock = (at: number): boolean => {
    const height = known[at]?.blockNumber;
    return height !== null && height !== undefined && hexToNumber(height) <= cursor.height;
  };
  // It is in a block that we have read, and still unconfirmed: it was mined, but did not make the transfer.
  const idle = missing.filter((_, at) => isInReadBlock(at)).map(({ txHash }) => ({ txHash, replacedBy: null }));
  const unknown = missing.filter((_, at) => known[at] === null);
  return [...idle, ...(await searchReplacements(rpc, unknown, cursor))];
}

async function searchReplacements(
  rpc: EvmRpc,
  gone: readonly Unconfirmed[],
  cursor: EvmCursor,
): Promise<VanishedArrival[]> {
  const counts = await Promise.all(
    gone.map(({ from }) => rpc.call<`0x${string}`>('eth_getTransactionCount', from, 'latest')),
  );
  let sought = gone.filter(({ nonce }, at) => hexToNumber(counts[at] as `0x${string}`) > nonce);
  const found: VanishedArrival[] = [];
  for (const [height] of cursor.recent.slice(-searchedBlocksMax).toReversed()) {
    if (sought.length === 0) break;
    const block = await rpc.call<RpcBlock | null>('eth_getBlockByNumber', toHex(height), true);
    const here = replacedBy(sought, block?.transactions ?? []);
    found.push(...here);
    sought = sought.filter(({ txHash }) => !here.some((transfer) => transfer.txHash === txHash));
  }
  const replaced = new Set(found.map(({ txHash }) => txHash));
  const dropped = gone
    .filter(({ txHash }) => !replaced.has(txHash))
    .map(({ txHash }) => ({ txHash, replacedBy: null }));
  return [...found, ...dropped];
}
