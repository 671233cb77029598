/**
 * Bitcoin and everything built like it. The node needs no wallet and no transaction index and may be pruned: addresses
 * are derived here, blocks are read whole, and whose an output is costs one look-up per block however many targets
 * there are.
 */
import type { Secret } from '../../../lib/secret.ts';
import { type Connector, NetworkError } from '../../port/connector.ts';
import type { NetworkDefinition } from '../../port/definition.ts';
import type { Observation, ObserveContext, Observed, VanishedTransfer } from '../../port/receiving.ts';
import { cursorAtTip, earlierBlocks, type NodeTip, nextBlocks, stepBack } from './follow-chain.ts';
import { createOutgoingFollower, type OutgoingView } from './follow-outgoing.ts';
import { createMempoolReader, knownAmong } from './read-mempool.ts';
import { readWaiting } from './read-waiting.ts';
import { conflictsWith, inputsOf, watchOutpoints } from './transfer-fate.ts';
import { createKeyDeriver } from './utxo-account-key.ts';
import { type Bech32Prefixes, createAddressDeriver, type UtxoChain } from './utxo-address.ts';
import { type Candidate, candidatesOf, isCoinbase, type RpcBlock, spentOutpoints, unitsOf } from './utxo-block.ts';
import { advance, blockRef, type ImmatureOutput, readCursor, type UtxoCursor } from './utxo-cursor.ts';
import { type AddressForm, type Base58Form, destinationProblem } from './utxo-destination.ts';
import type { SpendingRules } from './utxo-fee-rate.ts';
import { utxoHoldings } from './utxo-holdings.ts';
import { createUtxoRpc } from './utxo-rpc.ts';
import { createUtxoSender } from './utxo-sender.ts';

export type UtxoSettings = {
  readonly rpcUrl: string;
  readonly xpub: string;
  /** Of the same account. Left out: this installation only receives. */
  readonly xprv?: Secret;
  readonly chain: UtxoChain;
  /** As the node calls it, where there are several of the kind: testnet4, signet. Left out: as the kind. */
  readonly chainName?: string;
};

export type UtxoOptions = UtxoSettings & {
  readonly bech32Prefixes: Bech32Prefixes;
  readonly base58Forms: Readonly<Record<UtxoChain, Base58Form>>;
  readonly spendingRules: SpendingRules;
  /** By the name of the chain: see `NetworkDefinition.explorer`. */
  readonly explorers: Readonly<Record<string, string>>;
  /** Of the main chain: a connector on the wrong coin's node would wait for ever without a word. */
  readonly mainGenesisHash: string;
  readonly timeoutMs?: number;
};

/** Enough to catch up quickly, few enough that what was read is stored every few seconds. */
const blocksPerRound = 16;
/** Consensus: a coinbase cannot be spent before 100 further blocks. */
const coinbaseMaturity = 100;

type ChainInfo = { chain: string; blocks: number; bestblockhash: string; initialblockdownload?: boolean };

export function createUtxoConnector(definition: NetworkDefinition, options: UtxoOptions): Connector {
  const rpc = createUtxoRpc(options.rpcUrl, options.timeoutMs ?? 30_000);
  const addressAt = createAddressDeriver(options.xpub, options.chain, options.bech32Prefixes[options.chain]);
  const form: AddressForm = {
    coinName: definition.name,
    chain: options.chain,
    bech32Prefix: options.bech32Prefixes[options.chain],
    base58: options.base58Forms[options.chain],
  };
  const mempool = createMempoolReader(rpc);
  const assetCode = definition.assets[0]?.assetCode ?? definition.id;
  const follower = createOutgoingFollower(rpc, assetCode, definition.finalityDepth);
  const chainName = options.chainName ?? options.chain;
  const explorer = options.explorers[chainName];
  let isNodeChecked = false;

  async function nodeTip(): Promise<NodeTip> {
    const info = await rpc.call<ChainInfo>('getblockchaininfo');
    if (!isNodeChecked) {
      await assertRightChain(info);
      isNodeChecked = true;
    }
    // A regtest chain whose last block is old calls itself unsynchronised; there is nobody to synchronise with.
    if (info.initialblockdownload && options.chain !== 'regtest') {
      throw new NetworkError(`The ${definition.name} node is still synchronising (block ${info.blocks}).`, {
        isRetryable: true,
      });
    }
    return { height: info.blocks, hash: info.bestblockhash };
  }

  async function assertRightChain(info: ChainInfo): Promise<void> {
    if (info.chain !== chainName) {
      throw new NetworkError(
        `The ${definition.name} node is on the chain ${info.chain}, but ${chainName} is configured.`,
        {
          isRetryable: false,
        },
      );
    }
    if (chainName === 'main' && (await rpc.call<string>('getblockhash', 0)) !== options.mainGenesisHash) {
      throw new NetworkError(`The node configured for ${definition.name} follows another coin's chain.`, {
        isRetryable: false,
      });
    }
  }

  function toObservation({ tx, address, n, value }: Candidate, block: RpcBlock | null): Observation {
    return {
      targetKey: address,
      txHash: tx.txid,
      index: String(n),
      assetCode,
      units: unitsOf(value),
      block: block && blockRef(block),
      trace: { inputs: spentOutpoints(tx) },
    };
  }

  /** Transfers to us in one block; those of a coinbase apart, because they cannot be spent yet. */
  async function readBlock(block: RpcBlock, context: ObserveContext) {
    const candidates = block.tx.flatMap(candidatesOf);
    const known = await knownAmong(context, candidates);
    const ours = candidates.filter(({ address }) => known.has(address));
    const immature = ours
      .filter(({ tx }) => isCoinbase(tx))
      .map((candidate): ImmatureOutput => {
        const { targetKey, txHash, index, units } = toObservation(candidate, block);
        const { hash, height, time } = block;
        return { targetKey, txHash, index, units: String(units), block: { hash, height, time } };
      });
    return {
      observations: ours.filter(({ tx }) => !isCoinbase(tx)).map((candidate) => toObservation(candidate, block)),
      immature,
    };
  }

  /** A further part of the blocks that an operator wants read again. What they show may be known: that is harmless. */
  async function readAgain(before: UtxoCursor, context: ObserveContext, sent: OutgoingView) {
    const observations: Observation[] = [];
    if (before.rereadAbove === undefined) return { cursor: before, observations };
    let cursor = before;
    for await (const block of earlierBlocks(rpc, before, blocksPerRound)) {
      const found = await readBlock(block, context);
      sent.note(block);
      observations.push(...found.observations);
      const known = new Set(cursor.immature.map(({ txHash, index }) => `${txHash}:${index}`));
      const immature = found.immature.filter(({ txHash, index }) => !known.has(`${txHash}:${index}`));
      cursor = { ...cursor, rereadAbove: block.height, immature: [...cursor.immature, ...immature] };
    }
    if (cursor.rereadAbove !== cursor.height) return { cursor, observations };
    const { rereadAbove: _, ...done } = cursor;
    return { cursor: done, observations };
  }

  /** Coinbases are money too, once they can be spent: reported with their own block, by then deep enough to be final. */
  function releaseMature(cursor: UtxoCursor): { cursor: UtxoCursor; observations: Observation[] } {
    const isMature = ({ block }: ImmatureOutput) => cursor.height - block.height >= coinbaseMaturity;
    const observations = cursor.immature.filter(isMature).map(({ units, block, ...output }) => ({
      ...output,
      assetCode,
      units: BigInt(units),
      block: blockRef(block),
      trace: { inputs: [] },
    }));
    return { cursor: { ...cursor, immature: cursor.immature.filter((output) => !isMature(output)) }, observations };
  }

  return {
    network: explorer === undefined ? definition : { ...definition, explorer },
    addressProblem: (destination) => destinationProblem(destination, form),
    holdings: (context) => utxoHoldings(rpc, { ...options, assetCode }, context),
    ...(options.xprv && {
      sender: createUtxoSender({
        ...{ rpc, network: definition, form, rules: options.spendingRules },
        keys: { addressAt, keyAt: createKeyDeriver(options.xprv, options.xpub, options.chain) },
      }),
    }),

    async createTarget({ index }) {
      const { address } = addressAt(index);
      return { key: address, address, memo: null, memoType: null };
    },

    async observe(stored, context): Promise<Observed> {
      const tip = await nodeTip();
      const start = stored ? readCursor(stored) : await cursorAtTip(rpc, tip, definition.finalityDepth);
      const { cursor: common, vanishedBlocks } = await stepBack(rpc, start, tip);
      // Asked after the tip: what is in a block up to there was stored before it was broadcast, so it is in the list.
      const sent = follower.follow(await context.outgoing(), vanishedBlocks);
      const unconfirmed = (await context.unconfirmed()).map(({ txHash, trace }) => ({
        txHash,
        inputs: inputsOf(trace),
      }));
      const watched = watchOutpoints(unconfirmed);
      const observations: Observation[] = [];
      const vanished = new Map<string, VanishedTransfer>();
      const mined = new Set<string>();

      let cursor = common;
      for await (const block of nextBlocks(rpc, common, tip, blocksPerRound)) {
        const found = await readBlock(block, context);
        observations.push(...found.observations);
        for (const tx of block.tx) mined.add(tx.txid);
        sent.note(block);
        for (const conflict of conflictsWith(block, watched)) vanished.set(conflict.txHash, conflict);
        cursor = advance(cursor, block, definition.finalityDepth);
        cursor = { ...cursor, immature: [...cursor.immature, ...found.immature] };
      }
      const reread = await readAgain(cursor, context, sent);
      cursor = reread.cursor;
      observations.push(...reread.observations);
      const released = releaseMature(cursor);
      cursor = released.cursor;
      observations.push(...released.observations);

      let isCaughtUp = cursor.hash === tip.hash;
      let txids: ReadonlySet<string> | undefined;
      if (isCaughtUp) {
        const undecided = unconfirmed.filter(({ txHash }) => !mined.has(txHash) && !vanished.has(txHash));
        const waiting = await readWaiting(rpc, mempool, context, { undecided, watched, cursor });
        txids = waiting.txids;
        // What the caller has stored needs no repeating; what it lost on the way is said again.
        const known = new Set([...mined, ...unconfirmed.map(({ txHash }) => txHash)]);
        const fresh = waiting.ours.filter(({ tx }) => !known.has(tx.txid));
        observations.push(...fresh.map((candidate) => toObservation(candidate, null)));
        for (const transfer of waiting.vanished) vanished.set(transfer.txHash, transfer);
        isCaughtUp = waiting.isSettled && cursor.rereadAbove === undefined;
      }

      return {
        observations,
        vanishedBlocks,
        vanishedTransfers: [...vanished.values()],
        tip: blockRef(cursor),
        cursor,
        sent: await sent.updates(cursor, txids),
        isCaughtUp,
        blocksBehind: Math.max(0, tip.height - cursor.height),
      };
    },
  };
}
