/**
 * Two Lightning nodes and a channel between them, on a chain with Bitcoin Core's RPC. At first all money of the channel
 * is the payer's, unless told otherwise, so that the merchant can receive as much as the channel holds less the
 * reserve. On request there is a third node, which the merchant reaches only through the payer, for a fee.
 *
 * The channels are opened once. Before anybody is told how a payment ended, both ends of it are on the disk: so a crash
 * loses only what nobody was told.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@quittance/server/lib/free-port';
import type { UtxoRpc } from '@quittance/server/networks/families/utxo/utxo-rpc';
import { hex } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer';
import * as ldk from 'lightningdevkit';
import type { UtxoCoin } from '../utxo-coin.ts';
import { openKeptNodes } from './kept-nodes.ts';
import { beginPayment, readInvoice } from './ldk-invoice.ts';
import { createLdkNode, type LdkNode, loadLdk } from './ldk-node.ts';

/** The chain under the channel, with coins to pay and someone who mines. */
export type FundingChain = {
  readonly coin: UtxoCoin;
  readonly rpc: UtxoRpc;
  pay(payment: { address: string; units: bigint }): Promise<string>;
  mine(count: number): Promise<void>;
};

export type ChannelPair = {
  readonly merchant: LdkNode;
  readonly payer: LdkNode;
  readonly distant: LdkNode | undefined;
  /** Lets the nodes talk without pauses while something is going on. */
  whilePumping<T>(work: () => Promise<T>): Promise<T>;
  /** Pays the invoice, or fails with the reason the payer's node gives. More than is asked for is allowed. */
  pay(invoice: string, msat?: bigint): Promise<string>;
  /** Finds so many blocks on the chain under the channels. */
  mine(blocks: number): Promise<void>;
  stop(): void;
};

export type ChannelPairOptions = {
  readonly chain: FundingChain;
  readonly seed: Uint8Array;
  /** Where the nodes are kept between starts; the chain is kept elsewhere. Left out: they are new. */
  readonly folder?: string | undefined;
  readonly channelSat: bigint;
  /** How much of the channel is the merchant's from the beginning. */
  readonly pushSat?: bigint;
  /** The size of the channel between the payer and a third node. Left out: there is none. */
  readonly distantSat?: bigint | undefined;
  readonly onMerchantEvent: (event: ldk.Event, merchant: LdkNode) => void;
  readonly onPayerEvent?: (event: ldk.Event, payer: LdkNode) => void;
  readonly onDistantEvent?: (event: ldk.Event, distant: LdkNode) => void;
};

const pumpMs = 5;
/** In which both ends of a channel have said all that follows from a block. */
const roundsOfBlock = 10;
const idlePumpMs = 250;
/** LDK must be called every minute to forget old requests. Its clock is the newest block, so one is mined too. */
const tickMs = 60_000;
/** Even on a busy machine, nodes that take longer than this will never succeed. */
const patienceMs = 300_000;

export async function openChannelPair(options: ChannelPairOptions): Promise<ChannelPair> {
  const { chain } = options;
  const { rpc } = chain;
  await loadLdk();
  const kept = openKeptNodes(options.folder);
  const tip = await rpc.call<number>('getblockcount');
  const bestBlock = { height: tip, hash: await rpc.call<string>('getblockhash', tip) };
  const payerEvents = new Set<(event: ldk.Event) => void>();
  const sent = new Set<string>();
  const broadcast = (rawHex: string): void => void sent.add(rawHex);
  const seedOf = (who: string) => createHash('sha256').update(options.seed).update(who).digest();
  const named = new Map<string, LdkNode>();

  const createNode = (who: string, onEvent: (event: ldk.Event, node: LdkNode) => void): LdkNode => {
    const node: LdkNode = createLdkNode({
      seed: seedOf(who),
      state: kept.states?.get(who),
      bestBlock,
      broadcast,
      onEvent(event) {
        // LDK gives it again if we die before it is stored.
        if (isOutcome(event)) kept.keep(named);
        onEvent(event, node);
      },
    });
    named.set(who, node);
    return node;
  };
  const merchant = createNode('merchant', options.onMerchantEvent);
  const payer = createNode('payer', (event, node) => {
    payerEvents.forEach((listener) => listener(event));
    options.onPayerEvent?.(event, node);
  });
  const distant =
    options.distantSat === undefined
      ? undefined
      : createNode('distant', (event, node) => options.onDistantEvent?.(event, node));
  const nodes = [...named.values()];
  let height = Math.min(...nodes.map(({ knownHeight }) => knownHeight));
  let isStopped = false;
  const pump = (): void => {
    if (!isStopped) nodes.forEach((node) => node.pump());
  };
  const pumpAndKeep = (): void => {
    pump();
    // Every node must be asked: asking also clears its wish to be stored.
    if (nodes.filter(({ channels }) => channels.get_and_clear_needs_persistence()).length > 0) kept.keep(named);
  };
  const timers = [setInterval(() => void tick(), tickMs)];
  const stop = (): void => {
    isStopped = true;
    timers.forEach((timer) => clearInterval(timer));
    nodes.forEach(({ net }) => net.stop());
  };

  /** A payment needs many messages: while something is going on we do not wait for the slow timer. */
  async function whilePumping<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(pump, pumpMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  async function tick(): Promise<void> {
    try {
      await chain.mine(1);
      await readBlocks();
    } catch {
      // The chain is being stopped, or will be back in a minute.
    }
    if (!isStopped) nodes.forEach(({ channels }) => channels.timer_tick_occurred());
  }

  async function readBlocks(): Promise<void> {
    const tip = await rpc.call<number>('getblockcount');
    for (; height < tip; height += 1) {
      const hash = await rpc.call<string>('getblockhash', height + 1);
      const raw = Buffer.from(await rpc.call<string>('getblock', hash, 0), 'hex');
      for (const node of nodes) node.connectBlock(raw, height + 1);
    }
  }

  /** The first event of this kind that the payer's node reports. */
  function payerEvent<T extends ldk.Event>(find: (event: ldk.Event) => T | undefined): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const late = setTimeout(() => reject(new Error('The Lightning node takes too long.')), patienceMs);
    const listener = (event: ldk.Event): void => {
      const found = find(event);
      if (found) resolve(found);
    };
    payerEvents.add(listener);
    return promise.finally(() => {
      clearTimeout(late);
      payerEvents.delete(listener);
    });
  }

  async function connect(to: LdkNode): Promise<void> {
    const port = await freePort('127.0.0.1');
    await to.net.bind_listener('127.0.0.1', port);
    await payer.net.connect_peer('127.0.0.1', port, to.id);
    await until(() => to.peers.list_peers().length > 0);
    const isConnected = (): boolean =>
      payer.peers.list_peers().some((peer) => Buffer.from(peer.get_counterparty_node_id()).equals(to.id));
    await until(isConnected);
  }

  /** The payer opens it, because the payer has the coins. */
  async function openChannel(to: LdkNode, sat: bigint, pushSat: bigint): Promise<void> {
    const ready = payerEvent((event) => (event instanceof ldk.Event_FundingGenerationReady ? event : undefined));
    if (!payer.channels.create_channel(to.id, sat, 1_000n * pushSat, 1n, null, null).is_ok())
      throw new Error('The payer cannot open a channel.');
    const { output_script: script, channel_value_satoshis: units, ...funding } = await ready;
    const address = Address(chain.coin.network).encode(OutScript.decode(script));
    // Paid before the other side has signed how we get the money back. That is a risk, but it is only test money.
    const txid = await chain.pay({ address, units });
    const raw = hex.decode(await rpc.call<string>('getrawtransaction', txid));
    const { temporary_channel_id: channelId, counterparty_node_id: peer } = funding;
    const known = sent.size;
    if (!payer.channels.funding_transaction_generated(channelId, peer, raw).is_ok())
      throw new Error('The payer does not take the funding transaction.');
    await until(() => sent.size > known);
    await chain.mine(6);
    await readBlocks();
    await allUsable();
  }

  const allUsable = (): Promise<void> =>
    until(() => nodes.flatMap(({ channels }) => channels.list_channels()).every((each) => each.get_is_usable()));

  try {
    await readBlocks();
    await whilePumping(async () => {
      for (const to of distant ? [merchant, distant] : [merchant]) await connect(to);
      if (kept.states === null) {
        await openChannel(merchant, options.channelSat, options.pushSat ?? 0n);
        if (distant) await openChannel(distant, options.distantSat ?? 0n, 0n);
      }
      await allUsable();
    });
    kept.keep(named);
    timers.push(setInterval(pumpAndKeep, idlePumpMs));
  } catch (error) {
    stop();
    throw error;
  }

  return {
    merchant,
    payer,
    distant,
    whilePumping,
    stop,
    mine: (blocks) =>
      whilePumping(async () => {
        await chain.mine(blocks);
        await readBlocks();
        // What a block ends must be said to the other end before the next one comes, or both go to the chain.
        for (let round = 0; round < roundsOfBlock; round += 1) await sleep(pumpMs);
      }),
    async pay(invoice, msat) {
      const read = readInvoice(invoice);
      const paymentId = randomBytes(32);
      const isOurs = (id: Uint8Array): boolean => paymentId.equals(id);
      if (beginPayment(payer, read, { msat, paymentId }) !== 'begun')
        throw new Error('The payer finds no way to pay this invoice.');
      // This is not too late to listen: nothing is reported before the next pump.
      const outcome = payerEvent((event) => {
        if (event instanceof ldk.Event_PaymentFailed) return isOurs(event.payment_id) ? event : undefined;
        if (!(event instanceof ldk.Event_PaymentSent)) return undefined;
        const { payment_id: id } = event;
        return id instanceof ldk.Option_ThirtyTwoBytesZ_Some && isOurs(id.some) ? event : undefined;
      });
      if ((await whilePumping(() => outcome)) instanceof ldk.Event_PaymentFailed)
        throw new Error('The payment was refused on its way.');
      return read.hash;
    },
  };
}

/** Events that are told to others, and so must not be lost. */
const isOutcome = (event: ldk.Event): boolean =>
  event instanceof ldk.Event_PaymentClaimed ||
  event instanceof ldk.Event_PaymentSent ||
  event instanceof ldk.Event_PaymentFailed;

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('The Lightning nodes take too long.');
    await sleep(pumpMs);
  }
}
