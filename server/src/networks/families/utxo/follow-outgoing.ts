/**
 * What becomes of our own transactions. Normally we find them in the blocks that we read, with one look-up per
 * transaction of a block. The rest is for the rare case that one was mined in a block that we did not read. We find it
 * with the node's unspent outputs and its newest blocks: so the node needs no index of all transactions and may be
 * pruned.
 *
 * We recognise a transaction by its coins and its recipients, because its hash may have changed on the way
 * (`same-transaction.ts`).
 *
 * Of several transactions that use the same coin only one can happen. The others are called expired when that one is
 * so deep that no reorganisation takes it back: until then another one may still win on another branch.
 */
import type { BlockRef } from '../../port/receiving.ts';
import type { OutgoingTransaction, SentUpdate } from '../../port/sending.ts';
import { unspentAmong } from './arrival-fate.ts';
import { isSameTransaction, paidBy } from './same-transaction.ts';
import { type RpcBlock, type RpcTransaction, spentOutpoints } from './utxo-block.ts';
import { blockRef, type UtxoCursor } from './utxo-cursor.ts';
import { RpcRefusal, type UtxoRpc } from './utxo-rpc.ts';
import { readTrace } from './utxo-signing.ts';

/** A week of blocks on Bitcoin. A transaction that was mined earlier and not noticed is left to the operator. */
const searchedBlocksMax = 1_000;
const searchedAtOnce = 20;

/** The block that a transaction of ours is in, and the hash that it has there. */
type Place = { readonly block: BlockRef; readonly txid: string };

type BlockIds = Omit<RpcBlock, 'tx'> & { readonly tx: readonly string[] };

export type OutgoingView = {
  /** The hash that this transaction of the chain had when we signed it. Undefined: it is not ours. */
  signedAs(tx: RpcTransaction): string | undefined;
  /** Remembers which of our transactions are in a block. */
  note(block: RpcBlock): void;
  /** `waiting`: the mempool. Undefined: the chain is not read to its end, so no transaction counts as missing yet. */
  updates(cursor: UtxoCursor, waiting: ReadonlySet<string> | undefined): Promise<SentUpdate[]>;
};

export type OutgoingFollower = {
  follow(outgoing: readonly OutgoingTransaction[], vanishedBlocks: readonly string[]): OutgoingView;
};

export function createOutgoingFollower(rpc: UtxoRpc, assetCode: string, finalityDepth: number): OutgoingFollower {
  /**
   * Transactions whose coins are no longer unspent, though they were found in no block, and the height at which we
   * searched. Only in memory: after a restart we search once more.
   */
  const lost = new Map<string, number>();

  const included = ({ txHash, trace }: OutgoingTransaction, { block, txid }: Place): SentUpdate => ({
    txHash,
    outcome: 'included',
    block,
    fee: { assetCode, units: BigInt(readTrace(trace).fee) },
    ...(txid !== txHash && { happenedAs: txid }),
  });
  const expired = ({ txHash }: OutgoingTransaction): SentUpdate => ({
    txHash,
    outcome: 'expired',
    block: null,
    fee: { assetCode, units: 0n },
    reason: 'Another transaction has spent the same coins for good.',
  });

  /** Looks for transactions that are neither waiting nor in a block that we have read. */
  async function searchMissing(missing: readonly OutgoingTransaction[], cursor: UtxoCursor): Promise<SentUpdate[]> {
    const unspent = await unspentAmong(
      rpc,
      missing.flatMap(({ uses }) => uses),
      false,
    );
    const updates: SentUpdate[] = [];
    for (const transaction of missing.filter(({ uses }) => uses.some((use) => !unspent.has(use)))) {
      const before = lost.get(transaction.txHash);
      // We search now, and again when the transaction that spent the coins may be final. New blocks are read anyway.
      if (before !== undefined && cursor.height - before < finalityDepth) continue;
      const block = await searchChain(transaction, cursor);
      const place =
        typeof block === 'object'
          ? { block, txid: transaction.txHash }
          : block === 'nowhere' && (await searchRivals(transaction, unspent, cursor));
      if (typeof place === 'object') updates.push(included(transaction, place));
      else if (place === 'lost for good') updates.push(expired(transaction));
      else lost.set(transaction.txHash, cursor.height);
    }
    // The results are true only of the chain that the cursor is on.
    const isTipStill = updates.length === 0 || (await rpc.call<string>('getbestblockhash')) === cursor.hash;
    return isTipStill ? updates : [];
  }

  const goneCoins = ({ trace }: OutgoingTransaction, unspent: ReadonlySet<string>) =>
    readTrace(trace).coins.filter(({ txHash, index }) => !unspent.has(`${txHash}:${index}`));

  /**
   * Finds what has taken its coins: the transaction itself under another hash, or another transaction. Another one
   * means that somebody else has our key and has spent a coin, or that the block that made a coin was given up and the
   * payer has used the money for something else.
   *
   * We call ours lost only when we have found the other transaction, in a block that is final, and it is no version of
   * ours: the payouts of a lost transaction are sent again. The first search may already say so, because it may be the
   * first after a restart.
   */
  async function searchRivals(
    transaction: OutgoingTransaction,
    unspent: ReadonlySet<string>,
    cursor: UtxoCursor,
  ): Promise<Place | 'lost for good' | 'undecided'> {
    const gone = goneCoins(transaction, unspent);
    const makers = new Map(
      gone.flatMap(({ txHash, madeFrom = [] }) => madeFrom.map((outpoint): [string, string] => [outpoint, txHash])),
    );
    const sources = await unspentAmong(rpc, [...makers.keys()], false);
    if (makers.size > 0 && sources.size === makers.size) return 'undecided'; // The missing coins may still be made.
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
      if (!block || block instanceof RpcRefusal) return 'undecided';
      const rivals = block.tx.filter(isRival);
      const renamed = rivals.find((rival) => isOwnSpending(rival) && isSameTransaction(transaction.raw, rival));
      if (renamed) return { block: blockRef(block), txid: renamed.txid };
      if (rivals.some((rival) => isOwnSpending(rival) && paysTheSame(transaction, rival))) return 'undecided';
      isLost ||= rivals.length > 0 && cursor.height - height + 1 >= finalityDepth;
    }
    return isLost ? 'lost for good' : 'undecided';
  }

  /**
   * The rival uses the same coins and pays one of the same recipients: it is another version of our transaction, with
   * another fee. We do not know it because the database was restored from a backup.
   */
  function paysTheSame({ trace }: OutgoingTransaction, rival: RpcTransaction): boolean {
    const paid = new Set(rival.vout.map(paidBy));
    return readTrace(trace).outputs.some(({ script, units }) => paid.has(`${script} ${units}`));
  }

  async function searchChain(
    transaction: OutgoingTransaction,
    cursor: UtxoCursor,
  ): Promise<BlockRef | 'nowhere' | 'unknown'> {
    const height = await heightByOutputs(transaction);
    if (height !== undefined) return blockAt(height);
    // From some blocks before it was signed: after a reorganisation it may be in a lower block than the tip was then.
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

  /** The node says of an unspent output how many confirmations its transaction has. */
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

  /** Undefined: the node no longer has one of these blocks. */
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
      const found = new Map<string, Place>();
      const usersOf = new Map<string, OutgoingTransaction[]>();
      for (const transaction of outgoing)
        for (const use of transaction.uses) usersOf.set(use, [...(usersOf.get(use) ?? []), transaction]);

      /** Which of our transactions this is, if it is one. Only one that takes a coin of ours is compared in full. */
      function recognise(tx: RpcTransaction): OutgoingTransaction | undefined {
        const named = byHash.get(tx.txid);
        if (named) return named;
        const rivals = new Set(spentOutpoints(tx).flatMap((outpoint) => usersOf.get(outpoint) ?? []));
        return [...rivals].find(({ raw }) => isSameTransaction(raw, tx));
      }

      /** The block that it is in, as far as we know now. */
      function blockOf({ txHash, block }: OutgoingTransaction, cursor: UtxoCursor): { height: number } | null {
        const read = found.get(txHash)?.block;
        if (read || !block || vanished.has(block.hash)) return read ?? null;
        const ours = cursor.recent.find(([height]) => height === block.height);
        return ours && ours[1] !== block.hash ? null : block;
      }

      return {
        signedAs: (tx) => recognise(tx)?.txHash,

        note(block) {
          if (byHash.size === 0) return;
          for (const tx of block.tx) {
            const transaction = recognise(tx);
            if (transaction) found.set(transaction.txHash, { block: blockRef(block), txid: tx.txid });
          }
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
            for (const use of transaction.uses) winnerHeights.set(use, block.height);
          }
          const missing: OutgoingTransaction[] = [];
          for (const transaction of outgoing.filter((each) => !blockOf(each, cursor))) {
            const heights = transaction.uses.flatMap((use) => winnerHeights.get(use) ?? []);
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
