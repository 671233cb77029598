/** Keeps a cursor on the node's chain: where to start, how far to step back, what to read next. */
import { toHex } from 'viem';
import { NetworkError } from '../../port/connector.ts';
import { type EvmHeader, headerOf, type RpcBlock } from './evm-block.ts';
import type { EvmCursor } from './evm-cursor.ts';
import type { EvmRpc } from './evm-rpc.ts';

export async function headerAt(rpc: EvmRpc, at: number | 'latest' | 'safe' | 'finalized'): Promise<EvmHeader | null> {
  const tag = typeof at === 'number' ? toHex(at) : at;
  const block = await rpc.call<RpcBlock<string> | null>('eth_getBlockByNumber', tag, false);
  return block && headerOf(block);
}

/** The node's tip, with the blocks below it, so that a reorganisation right after the start is recognised too. */
export async function evmCursorAtTip(rpc: EvmRpc, tip: EvmHeader, depth: number): Promise<EvmCursor> {
  const below = await headersAt(rpc, range(Math.max(0, tip.height - depth + 1), tip.height - 1));
  const recent = [...below, tip].map(({ height, hash }) => [height, hash] as const);
  return {
    height: tip.height,
    hash: tip.hash,
    time: tip.time,
    recent,
    balancesAt: '',
    balancesAfter: '',
    balancesRound: 0,
  };
}

/** Steps back to the newest block that the cursor and the node's chain share. */
export async function stepBackEvm(
  rpc: EvmRpc,
  cursor: EvmCursor,
  tip: EvmHeader,
): Promise<{ cursor: EvmCursor; vanishedBlocks: readonly string[] }> {
  const isStill = async () => tip.height >= cursor.height && (await headerAt(rpc, cursor.height))?.hash === cursor.hash;
  if (tip.hash === cursor.hash || (await isStill())) return { cursor, vanishedBlocks: [] };

  const reachable = cursor.recent.map(([height]) => height).filter((height) => height <= tip.height);
  const byHeight = new Map((await headersAt(rpc, reachable)).map((header) => [header.height, header]));
  const common = cursor.recent.findLast(([height, hash]) => byHeight.get(height)?.hash === hash);
  const header = common && byHeight.get(common[0]);
  if (!header) {
    throw new NetworkError(
      `None of the ${cursor.recent.length} newest blocks we read is on the node's chain: it is another chain, or a ` +
        'reorganisation deeper than what we take as final. Check the node before clearing the cursor.',
      { isRetryable: false },
    );
  }
  const { height, hash, time } = header;
  // A chain gives up blocks only for other blocks. A node that only lacks our newest blocks, such as one of several
  // behind a load balancer, proves nothing: payments that were credited must stay confirmed.
  if (height === tip.height) {
    throw new NetworkError(
      `The node is at block ${tip.height}, behind block ${cursor.height} that it gave us before.`,
      { isRetryable: true },
    );
  }
  const recent = cursor.recent.filter(([known]) => known <= height);
  const vanishedBlocks = cursor.recent.filter(([above]) => above > height).map(([, vanished]) => vanished);
  const rereadAbove = cursor.rereadAbove === undefined ? undefined : Math.min(cursor.rereadAbove, height);
  return {
    cursor: { ...cursor, height, hash, time, recent, ...(rereadAbove !== undefined && { rereadAbove }) },
    vanishedBlocks,
  };
}

/** The next blocks after `cursor`, each a child of the one before. Ends early when the chain changes while we read. */
export async function nextEvmBlocks(
  rpc: EvmRpc,
  cursor: EvmCursor,
  tip: EvmHeader,
  blocksMax: number,
): Promise<RpcBlock[]> {
  const heights = range(cursor.height + 1, Math.min(tip.height, cursor.height + blocksMax));
  const blocks = await Promise.all(
    heights.map((height) => rpc.call<RpcBlock | null>('eth_getBlockByNumber', toHex(height), true)),
  );
  const chained: RpcBlock[] = [];
  for (const block of blocks) {
    if (block?.parentHash !== (chained.at(-1)?.hash ?? cursor.hash)) break;
    chained.push(block);
  }
  return chained;
}

/**
 * Blocks that were read before, for an operator who wants them read again. Only blocks of the branch that we follow: a
 * payment from another branch could vanish with it, and nobody would notice.
 */
export async function earlierEvmBlocks(rpc: EvmRpc, cursor: EvmCursor, blocksMax: number): Promise<RpcBlock[]> {
  const above = cursor.rereadAbove ?? cursor.height;
  const ours = new Map(cursor.recent);
  const heights = range(above + 1, Math.min(cursor.height, above + blocksMax));
  const blocks = await Promise.all(
    heights.map((height) => rpc.call<RpcBlock | null>('eth_getBlockByNumber', toHex(height), true)),
  );
  const isOurs = (block: RpcBlock | null, at: number) =>
    block !== null && (ours.get(heights[at] as number) ?? block.hash) === block.hash;
  const firstStrange = blocks.findIndex((block, at) => !isOurs(block, at));
  return (firstStrange === -1 ? blocks : blocks.slice(0, firstStrange)).filter((block) => block !== null);
}

/** If the node lacks a height that it had a moment ago, the chain is changing: the next round sees how. */
async function headersAt(rpc: EvmRpc, heights: readonly number[]): Promise<EvmHeader[]> {
  const headers = await Promise.all(heights.map((height) => headerAt(rpc, height)));
  return headers.filter((header) => header !== null);
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
