/**
 * What becomes of transfers that are in no block: they wait, are mined, or make room for another transaction of the
 * same sender with the same number (nonce), of which a chain takes only one.
 */
import { hexToNumber, toHex } from 'viem';
import type { VanishedTransfer } from '../../port/receiving.ts';
import type { RpcBlock, RpcTransaction } from './evm-block.ts';
import type { EvmCursor } from './evm-cursor.ts';
import type { EvmRpc } from './evm-rpc.ts';

export type Unconfirmed = { readonly txHash: string; readonly from: string; readonly nonce: number };

/** A replacement mined while we were not watching came with a reorganisation, so it is among the newest blocks. */
const searchedBlocksMax = 20;

export const traceOf = ({ from, nonce }: RpcTransaction) => ({ from, nonce: hexToNumber(nonce) });

/** What a balance told has no sender; its block alone decides about it. */
export function toUnconfirmed(
  stored: readonly { readonly txHash: string; readonly trace: { readonly [key: string]: unknown } }[],
): Unconfirmed[] {
  return stored.flatMap(({ txHash, trace: { from, nonce } }) =>
    typeof from === 'string' && typeof nonce === 'number' ? [{ txHash, from, nonce }] : [],
  );
}

const seat = (from: string, nonce: number): string => `${from}/${nonce}`;

/** Transfers whose place in the sender's order another of these transactions has taken. */
export function replacedBy(
  unconfirmed: readonly Unconfirmed[],
  transactions: readonly RpcTransaction[],
): VanishedTransfer[] {
  if (unconfirmed.length === 0) return [];
  const taken = new Map(transactions.map(({ from, nonce, hash }) => [seat(from, hexToNumber(nonce)), hash]));
  return unconfirmed.flatMap(({ txHash, from, nonce }) => {
    const other = taken.get(seat(from, nonce));
    return other === undefined || other === txHash ? [] : [{ txHash, replacedBy: other }];
  });
}

/** The fate of transfers that are neither among the waiting transactions nor in the blocks just read. */
export async function fateOfMissing(
  rpc: EvmRpc,
  missing: readonly Unconfirmed[],
  cursor: EvmCursor,
): Promise<VanishedTransfer[]> {
  const known = await Promise.all(
    missing.map(({ txHash }) => rpc.call<RpcTransaction | null>('eth_getTransactionByHash', txHash)),
  );
  const isInReadBlock = (at: number): boolean => {
    const height = known[at]?.blockNumber;
    return height !== null && height !== undefined && hexToNumber(height) <= cursor.height;
  };
  // In a block that we have read, and still unconfirmed: it was mined, but did not do what it had promised.
  const idle = missing.filter((_, at) => isInReadBlock(at)).map(({ txHash }) => ({ txHash, replacedBy: null }));
  const unknown = missing.filter((_, at) => known[at] === null);
  return [...idle, ...(await searchReplacements(rpc, unknown, cursor))];
}

async function searchReplacements(
  rpc: EvmRpc,
  gone: readonly Unconfirmed[],
  cursor: EvmCursor,
): Promise<VanishedTransfer[]> {
  const counts = await Promise.all(
    gone.map(({ from }) => rpc.call<`0x${string}`>('eth_getTransactionCount', from, 'latest')),
  );
  let sought = gone.filter(({ nonce }, at) => hexToNumber(counts[at] as `0x${string}`) > nonce);
  const found: VanishedTransfer[] = [];
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
