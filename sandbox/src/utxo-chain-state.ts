/**
 * A chain in memory: blocks, coins and the mempool, with the rules that matter to a payment. Inputs must exist, be
 * unspent and be signed; nothing comes from nowhere; a higher fee replaces. There is no proof of work and one miner.
 *
 * Every change is an event, and the state is what the events say: replaying the journal gives the same chain.
 */
import { CompactSize } from '@scure/btc-signer/script.js';
import type { UtxoCoin } from './utxo-coin.ts';
import {
  type ChainOutput,
  type ChainTransaction,
  displayHash,
  doubleSha256,
  InvalidTransaction,
  readCoinbase,
  readTransaction,
  verifySignatures,
} from './utxo-transaction.ts';

type Coin = ChainOutput & { readonly height: number; readonly isCoinbase: boolean };

export type ChainBlock = {
  readonly hash: string;
  readonly height: number;
  readonly time: number;
  readonly previousHash: string;
  readonly merkleRoot: string;
  readonly transactions: readonly ChainTransaction[];
  /** What its transactions spent, to give it back in a reorganisation. */
  readonly spentCoins: readonly (readonly [outpoint: string, coin: Coin])[];
};

type BlockEvent = { readonly time: number; readonly coinbase: string; readonly txids: readonly string[] };

export type ChainEvent =
  | { readonly transaction: string }
  | { readonly drop: string }
  | { readonly block: BlockEvent }
  // One event: if the process is killed, the journal has the old branch or the new one, and never a part of them.
  | { readonly reorganise: { depth: number; keepTransactions: boolean; blocks: readonly BlockEvent[] } };

export const coinbaseMaturity = 100;
const noHash = '0'.repeat(64);

export type ChainState = ReturnType<typeof createChainState>;

export function createChainState({ dustUnits, leastRate }: Pick<UtxoCoin, 'dustUnits' | 'leastRate'>) {
  const active: ChainBlock[] = [];
  const blockByHash = new Map<string, ChainBlock>();
  const coins = new Map<string, Coin>();
  const mempool = new Map<string, ChainTransaction>();
  const mempoolSpender = new Map<string, string>();

  const tip = (): ChainBlock | undefined => active.at(-1);

  /** The output behind an outpoint, whether or not something in the mempool already spends it. */
  function outputAt(outpoint: string): ChainOutput | undefined {
    const [txid, index] = outpoint.split(':') as [string, string];
    return coins.get(outpoint) ?? mempool.get(txid)?.outputs[Number(index)];
  }

  function inputsOf(tx: ChainTransaction): ChainOutput[] {
    return tx.inputs.map(({ outpoint }) => {
      const output = outputAt(outpoint);
      if (!output) throw new InvalidTransaction('bad-txns-inputs-missingorspent');
      const coin = coins.get(outpoint);
      if (coin?.isCoinbase && active.length - coin.height < coinbaseMaturity) {
        throw new InvalidTransaction('bad-txns-premature-spend-of-coinbase');
      }
      return output;
    });
  }

  function feeOf(tx: ChainTransaction): bigint {
    return total(inputsOf(tx)) - total(tx.outputs);
  }

  function enter(tx: ChainTransaction): void {
    mempool.set(tx.txid, tx);
    for (const { outpoint } of tx.inputs) mempoolSpender.set(outpoint, tx.txid);
  }

  function leave(tx: ChainTransaction): void {
    mempool.delete(tx.txid);
    for (const { outpoint } of tx.inputs) mempoolSpender.delete(outpoint);
  }

  /** Removes a transaction and everything in the mempool that spends from it. */
  function evict(txid: string): void {
    const tx = mempool.get(txid);
    if (!tx) return;
    tx.outputs.forEach((_, index) => {
      const child = mempoolSpender.get(`${txid}:${index}`);
      if (child !== undefined) evict(child);
    });
    leave(tx);
  }

  /** A waiting transaction and all others that depend on it. */
  function withDescendants(txid: string): ChainTransaction[] {
    const tx = mempool.get(txid);
    if (!tx) return [];
    const children = tx.outputs.flatMap((_, index) => mempoolSpender.get(`${txid}:${index}`) ?? []);
    return [tx, ...[...new Set(children)].flatMap(withDescendants)];
  }

  /** BIP125: a higher fee rate than each that it replaces, and a fee that covers all that leave and its relaying. */
  function assertOutbids(tx: ChainTransaction, fee: bigint, conflicts: readonly string[]): void {
    if (conflicts.length === 0) return;
    const leaving = new Set(conflicts.flatMap(withDescendants));
    const evicted = [...leaving].reduce((sum, gone) => sum + feeOf(gone), 0n);
    const isRateHigher = conflicts.every((txid) => {
      const replaced = presentIn(mempool, txid);
      return fee * BigInt(replaced.vsize) > feeOf(replaced) * BigInt(tx.vsize);
    });
    if (!isRateHigher || fee < evicted + (BigInt(tx.vsize) * leastRate) / 1_000n)
      throw new InvalidTransaction('insufficient fee, rejecting replacement');
  }

  function accept(rawHex: string, isTrusted: boolean): ChainTransaction {
    const tx = readTransaction(rawHex);
    if (mempool.has(tx.txid)) throw new InvalidTransaction('txn-already-in-mempool');
    if (tx.outputs.some((_, index) => coins.has(`${tx.txid}:${index}`)))
      throw new InvalidTransaction('Transaction already in block chain');
    if (tx.inputs.length === 0 || tx.outputs.length === 0) throw new InvalidTransaction('bad-txns-vin-vout-empty');
    const outpoints = new Set(tx.inputs.map(({ outpoint }) => outpoint));
    if (outpoints.size < tx.inputs.length) throw new InvalidTransaction('bad-txns-inputs-duplicate');
    const spent = inputsOf(tx);
    const fee = total(spent) - total(tx.outputs);
    if (fee < 0n) throw new InvalidTransaction('bad-txns-in-belowout');
    if (tx.outputs.some(({ units, script }) => units < dustUnits && !script.startsWith('6a'))) {
      throw new InvalidTransaction('dust');
    }
    const conflicts = [...new Set([...outpoints].flatMap((outpoint) => mempoolSpender.get(outpoint) ?? []))];
    if (!isTrusted) {
      assertOutbids(tx, fee, conflicts);
      verifySignatures(tx, spent);
    }
    conflicts.forEach(evict);
    enter(tx);
    return tx;
  }

  function connect({ time, coinbase, txids }: BlockEvent): ChainBlock {
    const height = active.length;
    const transactions = [readCoinbase(coinbase), ...txids.map((txid) => presentIn(mempool, txid))];
    const spentCoins: (readonly [string, Coin])[] = [];
    for (const tx of transactions) {
      for (const { outpoint } of tx.inputs) {
        spentCoins.push([outpoint, presentIn(coins, outpoint)]);
        coins.delete(outpoint);
      }
      tx.outputs.forEach((output, index) =>
        coins.set(`${tx.txid}:${index}`, { ...output, height, isCoinbase: tx.isCoinbase }),
      );
      if (!tx.isCoinbase) leave(tx);
    }
    const previousHash = tip()?.hash ?? noHash;
    const merkleRoot = merkleRootOf(transactions.map(({ txid }) => txid));
    const hash = headerHash({ previousHash, merkleRoot, time });
    const block = { hash, height, time, previousHash, merkleRoot, transactions, spentCoins };
    active.push(block);
    blockByHash.set(hash, block);
    return block;
  }

  function disconnectTip(): ChainTransaction[] {
    const block = active.pop();
    if (!block) throw new Error('there is no block to give up');
    for (const tx of block.transactions) tx.outputs.forEach((_, index) => coins.delete(`${tx.txid}:${index}`));
    // A coin made and spent in the same block is not given back.
    const own = new Set(block.transactions.map(({ txid }) => txid));
    for (const [outpoint, coin] of block.spentCoins) {
      if (!own.has(outpoint.slice(0, 64))) coins.set(outpoint, coin);
    }
    return block.transactions.filter(({ isCoinbase }) => !isCoinbase);
  }

  function giveUpBlocks(depth: number, keepTransactions: boolean): void {
    const returned: ChainTransaction[] = [];
    for (let count = 0; count < depth; count += 1) returned.unshift(...disconnectTip());
    const waiting = [...mempool.values()];
    waiting.forEach(leave);
    for (const tx of keepTransactions ? [...returned, ...waiting] : waiting) {
      try {
        inputsOf(tx);
        enter(tx);
      } catch (error) {
        // What it spent was in the blocks that were given up.
        if (!(error instanceof InvalidTransaction)) throw error;
      }
    }
  }

  return {
    active,
    blockByHash,
    coins,
    mempool,
    mempoolSpender,
    tip,
    outputAt,
    feeOf,
    withDescendants,
    /** Applies one event. `isTrusted`: it comes from our own journal, and its signatures were checked before. */
    apply(event: ChainEvent, isTrusted = false): void {
      if ('transaction' in event) accept(event.transaction, isTrusted);
      else if ('drop' in event) evict(event.drop);
      else if ('block' in event) connect(event.block);
      else {
        giveUpBlocks(event.reorganise.depth, event.reorganise.keepTransactions);
        event.reorganise.blocks.forEach(connect);
      }
    },
  };
}

const total = (outputs: readonly ChainOutput[]): bigint => outputs.reduce((sum, { units }) => sum + units, 0n);

function presentIn<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new InvalidTransaction(`${key} is not there`);
  return value;
}

const internalBytes = (hash: string): Buffer => Buffer.from(hash, 'hex').reverse();

/** Hashes pairs of hashes until one is left; one without a partner is paired with itself. */
function merkleRootOf(txids: readonly string[]): string {
  let level = txids.map(internalBytes);
  while (level.length > 1) {
    const pairs = level.filter((_, at) => at % 2 === 0);
    level = pairs.map((left, at) => doubleSha256(Buffer.concat([left, level[at * 2 + 1] ?? left])));
  }
  return displayHash(level[0] ?? Buffer.alloc(32));
}

type Header = Pick<ChainBlock, 'previousHash' | 'merkleRoot' | 'time'>;

const headerHash = (header: Header): string => displayHash(doubleSha256(headerBytes(header)));

function headerBytes({ previousHash, merkleRoot, time }: Header): Buffer {
  const header = Buffer.alloc(80);
  header.writeUInt32LE(0x20000000, 0);
  internalBytes(previousHash).copy(header, 4);
  internalBytes(merkleRoot).copy(header, 36);
  header.writeUInt32LE(time, 68);
  header.writeUInt32LE(0x207fffff, 72);
  return header;
}

/** A block as nodes pass it on. */
export function rawBlock(block: ChainBlock): string {
  const transactions = block.transactions.map(({ hex }) => hex).join('');
  const count = CompactSize.encode(BigInt(block.transactions.length));
  return headerBytes(block).toString('hex') + Buffer.from(count).toString('hex') + transactions;
}
