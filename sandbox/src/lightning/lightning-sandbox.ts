/**
 * The sandbox's Lightning: a merchant's node that answers like LND, and a payer's node with a funded channel to it.
 * Invoices, payments and refusals are real.
 *
 * With a folder everything survives the process, and a crash at any moment: the chain under the channels, the nodes
 * with their channels, and what LND would keep beside them (invoices and payments) in journals of their own. Invoices
 * need only the node's keys, which come from the seed.
 */
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bitcoin, bitcoinChain } from '@quittance/server/networks/bitcoin/bitcoin';
import { createUtxoRpc } from '@quittance/server/networks/families/utxo/utxo-rpc';
import * as ldk from 'lightningdevkit';
import { startUtxoChain } from '../utxo-chain.ts';
import { utxoCoin } from '../utxo-coin.ts';
import { type ChannelPair, type FundingChain, openChannelPair } from './channel-pair.ts';
import { type BookedInvoice, openInvoiceBook } from './invoice-book.ts';
import { fromHex, hashOf, makeInvoice, type NewInvoice, toHex } from './ldk-invoice.ts';
import type { LdkNode } from './ldk-node.ts';
import { createLdkPayments } from './ldk-payments.ts';
import { createLdkWallet, type LdkWallet } from './ldk-wallet.ts';
import { serveLnd } from './lnd-facade.ts';
import { openPaymentBook } from './payment-book.ts';

export type LightningSandboxOptions = {
  readonly seed: Uint8Array;
  /** The password of the owner, who pays; the macaroon, which the service uses, is made from it. */
  readonly password: string;
  /** Where everything is kept between starts. Left out: it is gone with the process. */
  readonly folder?: string;
  readonly port?: number;
  readonly now?: () => Date;
  readonly channelSat?: bigint;
  /** How much of the channel is the merchant's from the beginning, so that it can send. */
  readonly pushSat?: bigint;
  /** The size of a channel from the payer to a third node. Left out: there is no such node. */
  readonly distantSat?: bigint;
  /** The chain under the channel, kept by whoever gives it. Left out: one of our own. */
  readonly chain?: FundingChain;
};

export type LightningSandbox = {
  readonly restUrl: string;
  readonly macaroon: string;
  /** Takes the owner's commands: with user and password, like the other chains. */
  readonly url: string;
  readonly port: number;
  /** Pays an invoice, what it asks for or more; returns the payment hash. */
  pay(payment: { address: string; units?: bigint }): Promise<string>;
  /** Asks the merchant's node for an invoice without the service, as somebody else would. */
  createInvoice(sat: bigint): string;
  /** Finds blocks. Whoever holds a payment can do so only for so many: near the end, one at a time, so that the nodes can talk. */
  mine(blocks: number): Promise<void>;
  /** How many payments of the merchant's node are on their way. */
  underWay(): number;
  /** The payer's, to which one can send too. */
  readonly wallet: LdkWallet;
  /** The third node's, which can be reached only through the payer. */
  readonly distantWallet: LdkWallet;
  /** The merchant's node answers nobody until it comes back. */
  goAway(): void;
  comeBack(): void;
  stop(): Promise<void>;
};

/** Ten coins: more than a sandbox's checkouts will ever need. */
const defaultChannelSat = 1_000_000_000n;

export async function startLightningSandbox(options: LightningSandboxOptions): Promise<LightningSandbox> {
  const folder = options.folder === undefined ? undefined : join(options.folder, 'lightning');
  const own = options.chain ? undefined : await startOwnChain(folder);
  const book = openInvoiceBook({ folder: options.folder, now: options.now ?? (() => new Date()) });
  const payments = openPaymentBook({ folder: options.folder });
  const nodeOf = (find: (of: ChannelPair) => LdkNode | undefined) => (): LdkNode => {
    const node = find(pair);
    if (!node) throw new Error('This sandbox has no such node.');
    return node;
  };
  const wallet = createLdkWallet(nodeOf(({ payer }) => payer));
  const distantWallet = createLdkWallet(nodeOf(({ distant }) => distant));
  const outgoing = createLdkPayments(
    nodeOf(({ merchant }) => merchant),
    payments,
  );

  const pair: ChannelPair = await openChannelPair({
    chain: options.chain ?? (own?.chain as FundingChain),
    seed: options.seed,
    folder,
    channelSat: options.channelSat ?? defaultChannelSat,
    pushSat: options.pushSat ?? 0n,
    distantSat: options.distantSat,
    onPayerEvent: wallet.onEvent,
    onDistantEvent: distantWallet.onEvent,
    onMerchantEvent(event, { channels }) {
      outgoing.onEvent(event);
      if (event instanceof ldk.Event_PaymentClaimable) {
        const invoice = book.byHash.get(toHex(event.payment_hash));
        if (invoice && isPayable(invoice, event.amount_msat)) channels.claim_funds(fromHex(invoice.preimage));
        else channels.fail_htlc_backwards(event.payment_hash);
      } else if (event instanceof ldk.Event_PaymentClaimed) {
        const hash = toHex(event.payment_hash);
        if (!book.settlementOf.has(hash)) book.settle(hash, event.amount_msat); // After a crash LDK tells it again.
      }
    },
  });
  const { channels } = pair.merchant;
  outgoing.failForgotten();

  /** As LND decides it: once, in time, and not for less. */
  function isPayable(invoice: BookedInvoice, msat: bigint): boolean {
    const isPaid = book.settlementOf.has(invoice.hash);
    return !isPaid && !book.isExpired(invoice) && msat >= 1_000n * BigInt(invoice.valueSat);
  }

  function addInvoice({ valueSat, memo, expirySeconds, preimage }: NewInvoice): BookedInvoice {
    const hash = toHex(hashOf(preimage));
    if (book.byHash.has(hash)) throw new Error('invoice with payment hash already exists');
    const paymentRequest = makeInvoice(pair.merchant, { valueSat, memo, expirySeconds, preimage });
    const kept = { hash, preimage: toHex(preimage), memo, valueSat: String(valueSat ?? 0n), expirySeconds };
    return book.add({ ...kept, paymentRequest });
  }

  let isStopped = false;
  /** Waits until the payment ends, but not for ever: somebody may hold it. */
  async function end(hash: string): Promise<void> {
    const deadline = performance.now() + 5_000;
    const isUnderWay = (): boolean => payments.payments.get(hash)?.outcome === undefined;
    while (isUnderWay() && !isStopped && performance.now() < deadline) await sleep(10);
  }

  const pay: LightningSandbox['pay'] = ({ address, units }) =>
    pair.pay(address, units === undefined ? undefined : 1_000n * units);
  const macaroon = createHash('sha256').update(`macaroon ${options.password}`).digest('hex');
  const server = await serveLnd({
    macaroon,
    password: options.password,
    port: options.port,
    book,
    addInvoice,
    pay,
    nodeId: toHex(pair.merchant.id),
    channels: () => channels.list_channels(),
    heldSat: () => pair.merchant.heldSat(),
    requestInvoice: (sat) => wallet.request({ sat }).invoice,
    router: {
      nodeId: toHex(pair.merchant.id),
      book: payments,
      estimateFee: outgoing.estimateFee,
      send(invoice, payment) {
        outgoing.send(invoice, payment);
        void pair.whilePumping(() => end(invoice.hash));
      },
    },
  });

  return {
    restUrl: server.restUrl,
    url: server.ownerUrl,
    port: server.port,
    goAway: server.goAway,
    comeBack: server.comeBack,
    macaroon,
    pay,
    wallet,
    distantWallet,
    mine: (blocks) => pair.mine(blocks),
    underWay: () => payments.underWay().length,
    createInvoice: (sat) =>
      addInvoice({ valueSat: sat, memo: '', expirySeconds: 3_600, preimage: randomBytes(32) }).paymentRequest,
    async stop() {
      isStopped = true;
      await server.close();
      pair.stop();
      book.close();
      payments.close();
      await own?.stop();
    },
  };
}

async function startOwnChain(folder?: string): Promise<{ chain: FundingChain; stop(): Promise<void> }> {
  const kept = folder === undefined ? {} : { folder };
  const coin = utxoCoin(bitcoin, bitcoinChain);
  const chain = await startUtxoChain({ coin, user: 'lightning', password: 'lightning', ...kept });
  return {
    chain: {
      coin,
      rpc: createUtxoRpc(chain.url, 60_000),
      pay: async (payment) => chain.pay(payment),
      mine: async (count) => void chain.mine(count),
    },
    stop: () => chain.stop(),
  };
}
