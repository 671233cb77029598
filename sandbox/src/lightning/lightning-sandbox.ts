/**
 * The sandbox's Lightning: a merchant's node that answers like LND, and a payer's node with a funded channel to it.
 * Invoices, payments and refusals are real.
 *
 * Channels begin anew at every start, on a chain of their own: to keep a channel one must keep every one of its states,
 * and a stale one would be punished. What the service must find again is kept in a journal, the invoices and the order
 * in which they were settled; the nodes' keys come from the seed, so old invoices can still be paid.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createUtxoRpc } from '@quittance/server/networks/utxo/utxo-rpc';
import * as ldk from 'lightningdevkit';
import { startUtxoChain } from '../utxo-chain.ts';
import { utxoCoins } from '../utxo-coin.ts';
import { type ChannelPair, type FundingChain, openChannelPair } from './channel-pair.ts';
import { type BookedInvoice, openInvoiceBook } from './invoice-book.ts';
import { serveLnd } from './lnd-facade.ts';

export type LightningSandboxOptions = {
  readonly seed: Uint8Array;
  /** Of the owner, who pays; the macaroon, which the service uses, follows from it. */
  readonly password: string;
  /** Where invoices are kept between starts. Left out: they are gone with the process. */
  readonly folder?: string;
  readonly port?: number;
  readonly now?: () => Date;
  readonly channelSat?: bigint;
  /** The chain under the channel. Left out: one of our own, in memory. */
  readonly chain?: FundingChain;
};

export type LightningSandbox = {
  readonly restUrl: string;
  readonly macaroon: string;
  /** Takes the owner's orders: with user and password, like those of the other chains. */
  readonly url: string;
  readonly port: number;
  /** Pays an invoice, what it asks for or more; gives the payment hash. */
  pay(payment: { address: string; units?: bigint }): Promise<string>;
  /** Asks the merchant's node for an invoice, past the service: someone else's. */
  createInvoice(sat: bigint): string;
  stop(): Promise<void>;
};

export type NewInvoice = {
  readonly valueSat: bigint;
  readonly memo: string;
  readonly expirySeconds: number;
  readonly preimage: Uint8Array;
};

/** Ten coins: more than a sandbox's checkouts need before its next start. */
const defaultChannelSat = 1_000_000_000n;

export async function startLightningSandbox(options: LightningSandboxOptions): Promise<LightningSandbox> {
  const own = options.chain ? undefined : await startOwnChain();
  const book = openInvoiceBook({ folder: options.folder, now: options.now ?? (() => new Date()) });

  const pair: ChannelPair = await openChannelPair({
    chain: options.chain ?? (own?.chain as FundingChain),
    seed: options.seed,
    channelSat: options.channelSat ?? defaultChannelSat,
    onMerchantEvent(event, { channels }) {
      if (event instanceof ldk.Event_PaymentClaimable) {
        const invoice = book.byHash.get(toHex(event.payment_hash));
        if (invoice && isPayable(invoice, event.amount_msat)) channels.claim_funds(fromHex(invoice.preimage));
        else channels.fail_htlc_backwards(event.payment_hash);
      } else if (event instanceof ldk.Event_PaymentClaimed) {
        book.settle(toHex(event.payment_hash), event.amount_msat);
      }
    },
  });
  const { channels } = pair.merchant;

  /** As LND decides it: once, in time, and not for less. */
  function isPayable(invoice: BookedInvoice, msat: bigint): boolean {
    const isPaid = book.settlementOf.has(invoice.hash);
    return !isPaid && !book.isExpired(invoice) && msat >= 1_000n * BigInt(invoice.valueSat);
  }

  function addInvoice({ valueSat, memo, expirySeconds, preimage }: NewInvoice): BookedInvoice {
    const hash = createHash('sha256').update(preimage).digest();
    if (book.byHash.has(toHex(hash))) throw new Error('invoice with payment hash already exists');
    const description = ldk.Description.constructor_new(memo);
    if (!(description instanceof ldk.Result_DescriptionCreationErrorZ_OK)) throw new Error('memo too large');
    const made = channels.create_bolt11_invoice(
      ldk.Option_u64Z.constructor_some(1_000n * valueSat),
      ldk.Bolt11InvoiceDescription.constructor_direct(description.res),
      ldk.Option_u32Z.constructor_some(expirySeconds),
      ldk.Option_u16Z.constructor_none(),
      ldk.Option_ThirtyTwoBytesZ.constructor_some(hash),
    );
    if (!(made instanceof ldk.Result_Bolt11InvoiceSignOrCreationErrorZ_OK)) throw new Error('invalid invoice');
    const paymentRequest = made.res.to_str();
    const kept = { hash: toHex(hash), preimage: toHex(preimage), memo, valueSat: String(valueSat), expirySeconds };
    return book.add({ ...kept, paymentRequest });
  }

  const pay: LightningSandbox['pay'] = ({ address, units }) =>
    pair.pay(address, units === undefined ? undefined : 1_000n * units);
  const macaroon = createHash('sha256').update(`macaroon ${options.password}`).digest('hex');
  const server = await serveLnd({
    ...{ macaroon, password: options.password, port: options.port, book, addInvoice, pay },
    nodeId: toHex(pair.merchant.id),
    channels: () => channels.list_channels(),
  });

  return {
    restUrl: server.restUrl,
    url: server.ownerUrl,
    port: server.port,
    macaroon,
    pay,
    createInvoice: (sat) =>
      addInvoice({ valueSat: sat, memo: '', expirySeconds: 3_600, preimage: randomBytes(32) }).paymentRequest,
    async stop() {
      await server.close();
      pair.stop();
      book.close();
      await own?.stop();
    },
  };
}

async function startOwnChain(): Promise<{ chain: FundingChain; stop(): Promise<void> }> {
  const chain = await startUtxoChain({ coin: 'bitcoin', user: 'lightning', password: 'lightning' });
  return {
    chain: {
      coin: utxoCoins.bitcoin,
      rpc: createUtxoRpc(chain.url, 10_000),
      pay: async (payment) => chain.pay(payment),
      mine: async (count) => void chain.mine(count),
    },
    stop: () => chain.stop(),
  };
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
