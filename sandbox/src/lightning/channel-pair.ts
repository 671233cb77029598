/**
 * Two Lightning nodes and a channel between them, on a chain that speaks Bitcoin Core's RPC. All of the channel's
 * money is the payer's at first, so that the merchant can receive as much as the channel holds less the reserve.
 */
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@quittance/server/lib/free-port';
import type { UtxoRpc } from '@quittance/server/networks/utxo/utxo-rpc';
import { hex } from '@scure/base';
import { Address, OutScript } from '@scure/btc-signer';
import * as ldk from 'lightningdevkit';
import type { UtxoCoin } from '../utxo-coin.ts';
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
  /** Pays the invoice, or fails with the reason the payer's node gives. More than is asked for is allowed. */
  pay(invoice: string, msat?: bigint): Promise<string>;
  stop(): void;
};

export type ChannelPairOptions = {
  readonly chain: FundingChain;
  readonly seed: Uint8Array;
  readonly channelSat: bigint;
  readonly onMerchantEvent: (event: ldk.Event, merchant: LdkNode) => void;
};

const pumpMs = 5;
const idlePumpMs = 250;
/** LDK asks for it: stale requests are forgotten by the minute. */
const tickMs = 60_000;
const patienceMs = 15_000;

export async function openChannelPair(options: ChannelPairOptions): Promise<ChannelPair> {
  const { chain } = options;
  const { rpc } = chain;
  await loadLdk();
  let height = await rpc.call<number>('getblockcount');
  const bestBlock = { height, hash: await rpc.call<string>('getblockhash', height) };
  const payerEvents = new Set<(event: ldk.Event) => void>();
  const sent = new Set<string>();
  const broadcast = (rawHex: string): void => void sent.add(rawHex);
  const seedOf = (who: string) => createHash('sha256').update(options.seed).update(who).digest();

  const merchant: LdkNode = createLdkNode({
    seed: seedOf('merchant'),
    ...{ bestBlock, broadcast },
    onEvent: (event) => options.onMerchantEvent(event, merchant),
  });
  const payer = createLdkNode({
    seed: seedOf('payer'),
    ...{ bestBlock, broadcast },
    onEvent: (event) => payerEvents.forEach((listener) => listener(event)),
  });
  const pump = (): void => [merchant, payer].forEach((node) => node.pump());
  const timers = [
    setInterval(pump, idlePumpMs),
    setInterval(() => [merchant, payer].forEach(({ channels }) => channels.timer_tick_occurred()), tickMs),
  ];
  const stop = (): void => {
    timers.forEach((timer) => clearInterval(timer));
    [merchant, payer].forEach(({ net }) => net.stop());
  };

  /** Messages go to and fro many times in a payment: while something is under way nobody waits for the idle beat. */
  async function whilePumping<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(pump, pumpMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  async function readBlocks(): Promise<void> {
    const tip = await rpc.call<number>('getblockcount');
    for (; height < tip; height += 1) {
      const hash = await rpc.call<string>('getblockhash', height + 1);
      const raw = Buffer.from(await rpc.call<string>('getblock', hash, 0), 'hex');
      for (const node of [merchant, payer]) node.connectBlock(raw, height + 1);
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

  async function openChannel(): Promise<void> {
    const port = await freePort('127.0.0.1');
    await merchant.net.bind_listener('127.0.0.1', port);
    await payer.net.connect_peer('127.0.0.1', port, merchant.id);
    await until(() => payer.peers.list_peers().length > 0 && merchant.peers.list_peers().length > 0);
    const ready = payerEvent((event) => (event instanceof ldk.Event_FundingGenerationReady ? event : undefined));
    if (!payer.channels.create_channel(merchant.id, options.channelSat, 0n, 1n, null, null).is_ok())
      throw new Error('The payer cannot open a channel.');
    const { output_script: script, channel_value_satoshis: units, ...funding } = await ready;
    const address = Address(chain.coin.network).encode(OutScript.decode(script));
    // On the chain before the other side has signed the way out: nobody's money but the sandbox's.
    const txid = await chain.pay({ address, units });
    const raw = hex.decode(await rpc.call<string>('getrawtransaction', txid));
    const { temporary_channel_id: channelId, counterparty_node_id: peer } = funding;
    if (!payer.channels.funding_transaction_generated(channelId, peer, raw).is_ok())
      throw new Error('The payer does not take the funding transaction.');
    await until(() => sent.size > 0);
    await chain.mine(6);
    await readBlocks();
    await until(() =>
      [merchant, payer].every(({ channels }) => channels.list_channels().some((each) => each.get_is_usable())),
    );
  }

  try {
    await whilePumping(openChannel);
  } catch (error) {
    stop();
    throw error;
  }

  return {
    merchant,
    stop,
    async pay(invoice, msat) {
      const parsed = ldk.Bolt11Invoice.constructor_from_str(invoice);
      if (!(parsed instanceof ldk.Result_Bolt11InvoiceParseOrSemanticErrorZ_OK)) throw new Error('This is no invoice.');
      const parameters = ldk.UtilMethods.constructor_payment_parameters_from_invoice(parsed.res);
      if (!(parameters instanceof ldk.Result_C3Tuple_ThirtyTwoBytesRecipientOnionFieldsRouteParametersZNoneZ_OK))
        throw new Error('The invoice asks for no amount.');
      const [hash, onion, route] = [parameters.res.get_a(), parameters.res.get_b(), parameters.res.get_c()];
      if (msat !== undefined) route.set_final_value_msat(msat);
      const paymentId = randomBytes(32);
      const isOurs = (id: Uint8Array): boolean => paymentId.equals(id);
      const sending = payer.channels.send_payment(hash, onion, paymentId, route, ldk.Retry.constructor_attempts(0));
      if (!sending.is_ok()) throw new Error('The payer finds no way to pay this invoice.');
      // In time: nothing is reported before the next pump.
      const outcome = payerEvent((event) => {
        if (event instanceof ldk.Event_PaymentFailed) return isOurs(event.payment_id) ? event : undefined;
        if (!(event instanceof ldk.Event_PaymentSent)) return undefined;
        const { payment_id: id } = event;
        return id instanceof ldk.Option_ThirtyTwoBytesZ_Some && isOurs(id.some) ? event : undefined;
      });
      if ((await whilePumping(() => outcome)) instanceof ldk.Event_PaymentFailed)
        throw new Error('The payment was refused on its way.');
      return hex.encode(hash);
    },
  };
}

async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error('The Lightning nodes take too long.');
    await sleep(pumpMs);
  }
}
