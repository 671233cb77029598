/**
 * Bitcoin and everything built like it. The node needs no wallet and no transaction index and may be pruned: addresses
 * are derived here and blocks are read whole. One look-up per block finds the outputs that are ours, however many
 * targets there are.
 */
import type { Secret } from '../../../lib/secret.ts';
import { type Connector, NetworkError } from '../../port/connector.ts';
import type { NetworkDefinition } from '../../port/definition.ts';
import type { Observation, ObserveContext, Observed, VanishedArrival } from '../../port/receiving.ts';
import { conflictsWith, inputsOf, watchOutpoints } from './arrival-fate.ts';
import { cursorAtTip, earlierBlocks, type NodeTip, nextBlocks, stepBack } from './follow-chain.ts';
import { createOutgoingFollower, type OutgoingView } from './follow-outgoing.ts';
import { createMempoolReader, knownAmong } from './read-mempool.ts';
import { readWaiting } from './read-waiting.ts';
import { createKeyDeriver } from './utxo-account-key.ts';
import { createAddressDeriver } from './utxo-address.ts';
import { type Candidate, candidatesOf, isCoinbase, type RpcBlock, spentOutpoints, unitsOf } from './utxo-block.ts';
import { advance, blockRef, type ImmatureOutput, readCursor, type UtxoCursor } from './utxo-cursor.ts';
import { type AddressForm, destinationProblem } from './utxo-destination.ts';
import { utxoHoldings } from './utxo-holdings.ts';
import type { UtxoChain, UtxoParameters } from './utxo-parameters.ts';
import { createPayerCost } from './utxo-payer-cost.ts';
import { createUtxoRpc } from './utxo-rpc.ts';
import { createUtxoSender } from './utxo-sender.ts';

export type UtxoSettings = {
  readonly rpcUrl: Secret;
  readonly xpub: string;
  /** Of the same account. Left out: this installation only receives. */
  readonly xprv?: Secret;
  readonly chain: UtxoChain;
  /** The node's name for it, where a kind has several chains: testnet4, signet. Left out: the same as `chain`. */
  readonly chainName?: string;
};

export type UtxoOptions = UtxoSettings & UtxoParameters & { readonly timeoutMs?: number };

/** Many enough to catch up quickly, and few enough that the cursor is stored every few seconds. */
const blocksPerRound = 16;

type ChainInfo = { chain: string; blocks: number; bestblockhash: string; initialblockdownload?: boolean };

export function createUtxoConnector(definition: NetworkDefinition, options: UtxoOptions): Connector {
  const rpc = createUtxoRpc(options.rpcUrl.reveal(), options.timeoutMs ?? 30_000);
  const addressAt = createAddressDeriver(options.xpub, options.chain, options);
  const form: AddressForm = {
    coinName: definition.name,
    chain: options.chain,
    bech32Prefix: options.bech32Prefixes?.[options.chain],
    base58: options.base58Forms[options.chain],
  };
  const mempool = createMempoolReader(rpc, options.addressKind);
  const assetCode = definition.assets[0]?.assetCode ?? definition.id;
  const follower = createOutgoingFollower(rpc, assetCode, definition.finalityDepth);
  const payerCost = createPayerCost(rpc, assetCode, options.addressKind);
  const chainName = options.chainName ?? options.chain;
  const explorer = options.explorers[chainName];
  let isNodeChecked = false;

  async function nodeTip(): Promise<NodeTip> {
    const info = await rpc.call<ChainInfo>('getblockchaininfo');
    if (!isNodeChecked) {
      await assertRightChain(info);
      isNodeChecked = true;
    }
    // A regtest node whose last block is old says that it is synchronising, but it has nobody to synchronise with.
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

  function toObservation(
    { tx, address, n, value }: Candidate,
    block: RpcBlock | null,
    sent: Pick<OutgoingView, 'signedAs'>,
  ): Observation {
    const signedAs = sent.signedAs(tx);
    return {
      targetKey: address,
      txHash: tx.txid,
      index: String(n),
      assetCode,
      units: unitsOf(value),
      block: block && blockRef(block),
      ...(signedAs !== undefined && signedAs !== tx.txid && { signedAs }),
      trace: { inputs: spentOutpoints(tx) },
    };
  }

  /** The arrivals in one block. Those from a coinbase are kept apart, because they cannot be spent yet. */
  async function readBlock(block: RpcBlock, context: ObserveContext, sent: OutgoingView) {
    const candidates = block.tx.flatMap((tx) => candidatesOf(tx, options.addressKind));
    const known = await knownAmong(context, candidates);
    const ours = candidates.filter(({ address }) => known.has(address));
    const immature = ours
      .filter(({ tx }) => isCoinbase(tx))
      .map((candidate): ImmatureOutput => {
        const { targetKey, txHash, index, units } = toObservation(candidate, block, sent);
        const { hash, height, time } = block;
        return { targetKey, txHash, index, units: String(units), block: { hash, height, time } };
      });
    return {
      observations: ours.filter(({ tx }) => !isCoinbase(tx)).map((candidate) => toObservation(candidate, block, sent)),
      immature,
    };
  }

  /** The next few of the blocks that an operator wants read again. To report a known arrival again does no harm. */
  async function readAgain(before: UtxoCursor, context: ObserveContext, sent: OutgoingView) {
    const observations: Observation[] = [];
    if (before.rereadAbove === undefined) return { cursor: before, observations };
    let cursor = before;
    for await (const block of earlierBlocks(rpc, before, blocksPerRound)) {
      const found = await readBlock(block, context, sent);
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

  /** An output of a coinbase is reported when it can be spent, with its own block, which is final by then. */
  function releaseMature(cursor: UtxoCursor): { cursor: UtxoCursor; observations: Observation[] } {
    const isMature = ({ block }: ImmatureOutput) => cursor.height - block.height >= options.coinbaseMaturity;
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
        rpc,
        network: definition,
        form,
        coin: options,
        keys: { addressAt, keyAt: createKeyDeriver(options.xprv, options.xpub, options.chain, options) },
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
      // Asked after the tip. A transaction is stored before it is broadcast, so all that are in blocks are in the list.
      const sent = follower.follow(await context.outgoing(), vanishedBlocks);
      const unconfirmed = (await context.unconfirmed()).map(({ txHash, trace }) => ({
        txHash,
        inputs: inputsOf(trace),
      }));
      const watched = watchOutpoints(unconfirmed);
      const observations: Observation[] = [];
      const vanished = new Map<string, VanishedArrival>();
      const mined = new Set<string>();

      let cursor = common;
      for await (const block of nextBlocks(rpc, common, tip, blocksPerRound)) {
        const found = await readBlock(block, context, sent);
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
        // What the caller has stored is not reported again. What it did not store is not in its list, and is reported.
        const known = new Set([...mined, ...unconfirmed.map(({ txHash }) => txHash)]);
        const fresh = waiting.ours.filter(({ tx }) => !known.has(tx.txid));
        observations.push(...fresh.map((candidate) => toObservation(candidate, null, sent)));
        for (const arrival of waiting.vanished) vanished.set(arrival.txHash, arrival);
        isCaughtUp = waiting.isSettled && cursor.rereadAbove === undefined;
      }

      const cost = await payerCost(tip.hash);
      return {
        observations,
        vanishedBlocks,
        vanishedArrivals: [...vanished.values()],
        ...(cost && { facts: { payerCost: cost } }),
        tip: blockRef(cursor),
        cursor,
        sent: await sent.updates(cursor, txids),
        isCaughtUp,
        blocksBehind: Math.max(0, tip.height - cursor.height),
      };
    },
  };
}
