/** Keeps a cursor on the node's best chain: where to start, how far to step back, what to read next. */
import { NetworkError } from '../../port/connector.ts';
import type { RpcBlock } from './utxo-block.ts';
import type { UtxoCursor } from './utxo-cursor.ts';
import { miscErrorCode, RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';

export type NodeTip = { readonly height: number; readonly hash: string };

type BlockHeader = { readonly hash: string; readonly height: number; readonly time: number };

/** The node's tip, with the blocks below it, so that a reorganisation right after the start is recognised too. */
export async function cursorAtTip(rpc: UtxoRpc, tip: NodeTip, finalityDepth: number): Promise<UtxoCursor> {
  const header = await rpc.call<BlockHeader>('getblockheader', tip.hash);
  const first = Math.max(0, header.height - finalityDepth + 1);
  const below = await blockHashes(rpc, range(first, header.height - 1));
  const recent = [...below, [header.height, header.hash] as const];
  return { height: header.height, hash: header.hash, time: header.time, recent, immature: [] };
}

/** Steps back to the newest block that the cursor and the node's chain share. */
export async function stepBack(
  rpc: UtxoRpc,
  cursor: UtxoCursor,
  tip: NodeTip,
): Promise<{ cursor: UtxoCursor; vanishedBlocks: readonly string[] }> {
  if (tip.hash === cursor.hash) return { cursor, vanishedBlocks: [] };
  if (tip.height >= cursor.height && (await rpc.call<string>('getblockhash', cursor.height)) === cursor.hash) {
    return { cursor, vanishedBlocks: [] };
  }

  const reachable = cursor.recent.map(([height]) => height).filter((height) => height <= tip.height);
  const hashByHeight = new Map(await blockHashes(rpc, reachable));
  const common = cursor.recent.findLast(([height, hash]) => hashByHeight.get(height) === hash);
  if (!common) {
    throw new NetworkError(
      `None of the ${cursor.recent.length} newest blocks we read is on the node's chain: it is another chain, or a ` +
        'reorganisation deeper than what we take as final. Check the node before clearing the cursor.',
      { isRetryable: false },
    );
  }
  const [height, hash] = common;
  // A chain gives up blocks only for other blocks. A node that only lacks our newest blocks (restored, re-indexing, one
  // of several behind a load balancer) proves nothing: payments that were credited must stay confirmed.
  if (height === tip.height) {
    throw new NetworkError(
      `The node is at block ${tip.height}, behind block ${cursor.height} that it gave us before.`,
      {
        isRetryable: true,
      },
    );
  }
  const { time } = await rpc.call<BlockHeader>('getblockheader', hash);
  const vanishedBlocks = cursor.recent.filter(([above]) => above > height).map(([, vanished]) => vanished);
  const vanished = new Set(vanishedBlocks);
  return {
    cursor: {
      height,
      hash,
      time,
      recent: cursor.recent.filter(([known]) => known <= height),
      immature: cursor.immature.filter(({ block }) => !vanished.has(block.hash)),
      ...(cursor.rereadAbove !== undefined && { rereadAbove: Math.min(cursor.rereadAbove, height) }),
    },
    vanishedBlocks,
  };
}

/** The next blocks after `cursor`, each a child of the one before. Ends early when the chain changes while we read. */
export async function* nextBlocks(
  rpc: UtxoRpc,
  cursor: UtxoCursor,
  tip: NodeTip,
  blocksMax: number,
): AsyncGenerator<RpcBlock> {
  const heights = range(cursor.height + 1, Math.min(tip.height, cursor.height + blocksMax));
  let parent = cursor.hash;
  for (const [height, hash] of await blockHashes(rpc, heights)) {
    const block = await readBlock(rpc, height, hash);
    if (block.previousblockhash !== parent) return;
    yield block;
    parent = block.hash;
  }
}

/**
 * Blocks that were read before, for an operator who wants them read again. Only blocks of the branch that we follow: a
 * payment from another branch could vanish with it, and nobody would notice.
 */
export async function* earlierBlocks(rpc: UtxoRpc, cursor: UtxoCursor, blocksMax: number): AsyncGenerator<RpcBlock> {
  const above = cursor.rereadAbove ?? cursor.height;
  const ours = new Map(cursor.recent);
  for (const [height, hash] of await blockHashes(rpc, range(above + 1, Math.min(cursor.height, above + blocksMax)))) {
    if (ours.has(height) && ours.get(height) !== hash) return;
    yield await readBlock(rpc, height, hash);
  }
}

async function readBlock(rpc: UtxoRpc, height: number, hash: string): Promise<RpcBlock> {
  try {
    return await rpc.call<RpcBlock>('getblock', hash, 2);
  } catch (error) {
    if (!(error instanceof RpcRefusal && error.code === miscErrorCode)) throw error;
    throw new NetworkError(
      `The node no longer has block ${height}, which we have not read yet. Let it keep more blocks, or point us to one that has it.`,
      { isRetryable: false, cause: error },
    );
  }
}

async function blockHashes(rpc: UtxoRpc, heights: readonly number[]): Promise<(readonly [number, string])[]> {
  const hashes = await rpc.batch<string>(heights.map((height) => ({ method: 'getblockhash', params: [height] })));
  // The node had a block at this height a moment ago. If it refuses now, the chain is changing; the next round sees how
  // it has changed.
  return hashes.flatMap((hash, at) => (hash instanceof RpcRefusal ? [] : [[heights[at] as number, hash] as const]));
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, offset) => first + offset);
