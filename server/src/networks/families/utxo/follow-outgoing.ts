/**
 * What becomes of transactions of our own. Normally a block that we read has them, which costs one look-up per
 * transaction in it. The rest is for the rare case that one was mined where we did not look: the node's unspent outputs
 * and its newest blocks tell, so that it needs no index of all transactions and may be pruned.
 *
 * Of several transactions that claim the same coin only one can happen. The others are called expired when that one is
 * so deep that no reorganisation takes it back: until then a rival may still win on another branch.
 */
import type { BlockRef } from '../../port/receiving.ts';
import type { OutgoingTransaction, SentUpdate } from '../../port/sending.ts';
import { unspentAmong } from './transfer-fate.ts';
import { type RpcBlock, type RpcTransaction, spentOutpoints, unitsOf } from './utxo-block.ts';
import { blockRef, type UtxoCursor } from './utxo-cursor.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { readTrace } from './utxo-signing.ts';

/** A week of blocks on Bitcoin. What was mined earlier and not noticed is left for people to look at. */
const searchedBlocksMax = 1_000;
const searchedAtOnce = 20;

type BlockIds = Omit<RpcBlock, 'tx'> & { readonly tx: readonly string[] };

export type OutgoingView = {
  /** Notes which of ours a block holds. */
  note(block: RpcBlock): void;
  /** `waiting`: what is in the mempool. Undefined: the chain is not read to its end, so that nothing can be missing. */
  updates(cursor: UtxoCursor, waiting: ReadonlySet<string> | undefined): Promise<SentUpdate[]>;
};

export type OutgoingFollower = {
  follow(outgoing: readonly OutgoingTransaction[], vanishedBlocks: readonly string[]): OutgoingView;
};

export function createOutgoingFollower(rpc: UtxoRpc, assetCode: string, finalityDepth: number): OutgoingFollower {
  /**
   * Transactions whose coins the chain no longer has though no block has them, and the height at which that was
   * searched. Losing this costs a search.
   */
  const lost = new Map<string, number>();

  const included = ({ txHash, trace }: OutgoingTransaction, block: BlockRef): SentUpdate => ({
    ...{ txHash, outcome: 'included', block },
    fee: { assetCode, units: BigInt(readTrace(trace).fee) },
  });
  const expired = ({ txHash }: OutgoingTransaction): SentUpdate => ({
    ...{ txHash, outcome: 'expired', block: null, fee: { assetCode, units: 0n } },
    reason: 'Another transaction has spent the same coins for good.',
  });

  /** Looks for what is neither waiting nor in a block that we have read. */
  async function searchMissing(missing: readonly OutgoingTransaction[], cursor: UtxoCursor): Promise<SentUpdate[]> {
    const unspent = await unspentAmong(
      rpc,
      missing.flatMap(({ claims }) => claims),
      false,
    );
    const updates: SentUpdate[] = [];
    for (const transaction of missing.filter(({ claims }) => claims.some((claim) => !unspent.has(claim)))) {
      const before = lost.get(transaction.txHash);
      // Searched once now and once more when what has spent the coins may be final: later blocks are read anyway.
      if (before !== undefined && cursor.height - before < finalityDepth) continue;
      const block = await searchChain(transaction, cursor);
      if (typeof block === 'object') updates.push(included(transaction, block));
      else if (block === 'nowhere' && (await hasLostForGood(transaction, unspent, cursor)))
        updates.push(expired(transaction));
      else lost.set(transaction.txHash, cursor.height);
    }
    // What was found is true only of the chain that the cursor is on.
    const isTipStill = updates.length === 0 || (await rpc.call<string>('getbestblockhash')) === cursor.hash;
    return isTipStill ? updates : [];
  }

  const goneCoins = ({ trace }: OutgoingTransaction, unspent: ReadonlySet<string>) =>
    readTrace(trace).coins.filter(({ txHash, index }) => !unspent.has(`${txHash}:${index}`));

  /**
   * Somebody has our key and has spent a coin; or the block that made it was given up, and its payer has used the money
   * otherwise. Said only with that other transaction at hand, in a block that stays, and doing something else: what is
   * taken for unsent is sent again. Also at the first look, for it may be the first one after a restart.
   */
  async function hasLostForGood(
    transaction: OutgoingTransaction,
    unspent: ReadonlySet<string>,
    cursor: UtxoCursor,
  ): Promise<boolean> {
    const gone = goneCoins(transaction, unspent);
    const makers = new Map(
      gone.flatMap(({ txHash, madeFrom = [] }) => madeFrom.map((outpoint): [string, string] => [outpoint, txHash])),
    );
    const sources = await unspentAmong(rpc, [...makers.keys()], false);
    if (makers.size > 0 && sources.size === makers.size) return false; // It may still be made.
    const spenders = gone.map(({ txHash, index }): [string, string] => [`${txHash}:${index}`, transaction.txHash]);
    const rightful = new Map([...makers, ...spenders]);
    const isRival = (tx: RpcTransaction): boolean =>
      spentOutpoints(tx).some((outpoint) => (rightful.get(outpoint) ?? tx.txid) !== tx.txid);
    const own = new Set(spenders.map(([outpoint]) => outpoint));
    const isOwnSpending = (tx: RpcTransaction): boolean => spentOutpoints(tx).some((outpoint) => own.has(outpoint));
    const first = Math.max(0, readTrace(transaction.trace).height - finalityDepth, cursor.height - searchedBlocksMax);
    let isLost = false;
    for (let height = first; height <= cursor.height; height += 1) {
      const [block] = await rpc.batch<RpcBlock>([
        { method: 'getblock', params: [await rpc.call<string>('getblockhash', height), 2] },
      ]);
      if (!block || block instanceof RpcRefusal) return false;
      const rivals = block.tx.filter(isRival);
      if (rivals.some((rival) => isOwnSpending(rival) && paysTheSame(transaction, rival))) return false;
      isLost ||= rivals.length > 0 && cursor.height - height + 1 >= finalityDepth;
    }
    return isLost;
  }

  /**
   * With coins of ours it pays somebody whom this transaction pays: another version of it, with another fee, which we
   * have forgotten because the database was restored from a backup.
   */
  function paysTheSame({ trace }: OutgoingTransaction, rival: RpcTransaction): boolean {
    const paid = new Set(
      rival.vout.map(({ value, scriptPubKey }) => `${scriptPubKey?.hex} ${value === undefined ? '' : unitsOf(value)}`),
    );
    return readTrace(trace).outputs.some(({ script, units }) => paid.has(`${script} ${units}`));
  }

  async function searchChain(
    transaction: OutgoingTransaction,
    cursor: UtxoCursor,
  ): Promise<BlockRef | 'nowhere' | 'unknown'> {
    const height = await heightByOutputs(transaction);
    if (height !== undefined) return blockAt(height);
    // From before it was signed: a reorganisation may have put it lower than the chain was then.
    const first = Math.max(0, readTrace(transaction.trace).height - finalityDepth);
    const last = Math.max(first, cursor.height - searchedBlocksMax);
    for (let to = cursor.height; to >= last; to -= searchedAtOnce) {
      const blocks = await readIds(Math.max(last, to - searchedAtOnce + 1), to);
      if (!blocks) return 'unknown';
      const found = blocks.find(({ tx }) => tx.includes(transaction.txHash));
      if (found) return blockRef(found);
    }
    return last === first ? 'nowhere' : 'unknown';
  }

  /** An output that nobody has spent yet says how deep its transaction is. */
  async function heightByOutputs({ txHash, trace }: OutgoingTransaction): Promise<number | undefined> {
    const { outputs, change } = readTrace(trace);
    const count = outputs.length + (change ? 1 : 0);
    const calls = Array.from({ length: count }, (_, n) => ({ method: 'gettxout', params: [txHash, n, false] }));
    const found = await rpc.batch<{ bestblock: string; confirmations: number } | null>(calls);
    for (const output of found) {
      if (output === null || output instanceof RpcRefusal) continue;
      const best = await rpc.call<{ height: number }>('getblockheader', output.bestblock);
      return best.height - output.confirmations + 1;
    }
    return undefined;
  }

  async function blockAt(height: number): Promise<BlockRef> {
    const hash = await rpc.call<string>('getblockhash', height);
    return blockRef(await rpc.call<{ hash: string; height: number; time: number }>('getblockheader', hash));
  }

  /** Undefined: the node has thrown away one of these blocks. */
  async function readIds(from: number, to: number): Promise<BlockIds[] | undefined> {
    const heights = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    const hashes = await rpc.batch<string>(heights.map((height) => ({ method: 'getblockhash', params: [height] })));
    const blocks = await rpc.batch<BlockIds>(hashes.map((hash) => ({ method: 'getblock', params: [hash, 1] })));
    return blocks.some((block) => block instanceof RpcRefusal) ? undefined : (blocks as BlockIds[]);
  }

  return {
    follow(outgoing, vanishedBlocks) {
      // On another branch another transaction may have won.
      if (vanishedBlocks.length > 0) lost.clear();
      const byHash = new Map(outgoing.map((transaction) => [transaction.txHash, transaction]));
      for (const txHash of lost.keys()) if (!byHash.has(txHash)) lost.delete(txHash);
      const vanished = new Set(vanishedBlocks);
      const found = new Map<string, BlockRef>();

      /** Where it is as far as we know now. */
      function blockOf({ txHash, block }: OutgoingTransaction, cursor: UtxoCursor): { height: number } | null {
        const read = found.get(txHash);
        if (read || !block || vanished.has(block.hash)) return read ?? null;
        const ours = cursor.recent.find(([height]) => height === block.height);
        return ours && ours[1] !== block.hash ? null : block;
      }

      return {
        note(block) {
          if (byHash.size === 0) return;
          for (const { txid } of block.tx) if (byHash.has(txid)) found.set(txid, blockRef(block));
        },

        async updates(cursor, waiting) {
          const updates: SentUpdate[] = [];
          const winnerHeights = new Map<string, number>();
          for (const transaction of outgoing) {
            const read = found.get(transaction.txHash);
            if (read) updates.push(included(transaction, read));
            const block = blockOf(transaction, cursor);
            if (!block) continue;
            lost.delete(transaction.txHash);
            for (const claim of transaction.claims) winnerHeights.set(claim, block.height);
          }
          const missing: OutgoingTransaction[] = [];
          for (const transaction of outgoing.filter((each) => !blockOf(each, cursor))) {
            const heights = transaction.claims.flatMap((claim) => winnerHeights.get(claim) ?? []);
            if (heights.length === 0) missing.push(transaction);
            else if (cursor.height - Math.max(...heights) + 1 >= finalityDepth) updates.push(expired(transaction));
          }
          if (!waiting) return updates;
          const absent = missing.filter(({ txHash }) => !waiting.has(txHash));
          for (const { txHash } of missing) if (waiting.has(txHash)) lost.delete(txHash);
          return absent.length === 0 ? updates : [...updates, ...(await searchMissing(absent, cursor))];
        },
      };
    },
  };
}
