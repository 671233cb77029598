/** The merchant's node over HTTP, in the form of LND's REST interface; and the owner's commands, as on every chain. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decimal, toUnits } from '@quittance/server/money/decimal';
import { type ChannelDetails, Option_u64Z_Some } from 'lightningdevkit';
import { startLocalServer } from '../local-server.ts';
import type { BookedInvoice, InvoiceBook } from './invoice-book.ts';
import type { NewInvoice } from './ldk-invoice.ts';
import { slotsOfChannel } from './ldk-node.ts';
import { LndFailure, notFound } from './lnd-failure.ts';
import { answerRouter, estimateRouteFee, type Router } from './lnd-router.ts';

type Served = {
  readonly macaroon: string;
  readonly password: string;
  readonly port: number | undefined;
  readonly nodeId: string;
  readonly book: InvoiceBook;
  readonly channels: () => readonly ChannelDetails[];
  readonly heldSat?: () => bigint;
  /** Left out: the node under it counts whole satoshis. */
  readonly heldMsat?: () => bigint;
  readonly addInvoice: (invoice: NewInvoice) => BookedInvoice;
  readonly pay: (payment: { address: string; units?: bigint }) => Promise<string>;
  /** Makes an invoice of somebody else, for those who want to send. */
  readonly requestInvoice?: (sat: bigint | null) => string;
  /** Left out: a node that only receives. */
  readonly router?: Router;
};

export async function serveLnd(served: Served) {
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://node');
    const text = await textOf(request);
    if (url.pathname === '/') {
      const isOwner = request.headers.authorization === basic('sandbox', served.password);
      if (!isOwner) return void response.writeHead(401).end();
      return answer(response, 200, await obey(served, JSON.parse(text) as OwnerRequest));
    }
    if (request.headers['grpc-metadata-macaroon'] !== served.macaroon)
      throw new LndFailure('verification failed: signature mismatch after caveat verification');
    if (url.pathname === '/v1/invoices/subscribe') return subscribe(served, url, response);
    const route = `${request.method} ${url.pathname}`;
    if (served.router && url.pathname.startsWith('/v2/router/')) {
      try {
        if (answerRouter(served.router, route, url, text, response)) return;
      } catch (error) {
        // If a stream was asked for, the refusal is inside `error`.
        return answer(response, failureOf(error).status, { error: described(error) });
      }
    }
    answer(response, 200, await answerNode(served, route, url, text));
  }

  const server = await startLocalServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      answer(response, failureOf(error).status, described(error));
    });
  }, served.port);
  return {
    ...server,
    restUrl: `http://127.0.0.1:${server.port}`,
    ownerUrl: `http://sandbox:${encodeURIComponent(served.password)}@127.0.0.1:${server.port}`,
  };
}

const failureOf = (error: unknown): LndFailure =>
  error instanceof LndFailure ? error : new LndFailure((error as Error).message);
const described = (error: unknown) => ({ code: failureOf(error).code, message: failureOf(error).message, details: [] });

async function answerNode(served: Served, route: string, url: URL, text: string): Promise<unknown> {
  const { book } = served;
  const number = (name: string): number => Number(url.searchParams.get(name) ?? '0');
  switch (route) {
    case 'GET /v1/getinfo':
      return {
        identity_pubkey: served.nodeId,
        alias: 'quittance-sandbox',
        version: '0.19.0-beta',
        synced_to_chain: true,
        synced_to_graph: true,
        chains: [{ chain: 'bitcoin', network: 'regtest' }],
      };
    case 'GET /v1/balance/channels':
      return { local_balance: balanceOf(served) };
    case 'GET /v1/channels':
      return {
        channels: served
          .channels()
          .filter((channel) => channel.get_is_usable())
          .map(describeChannel),
      };
    case 'POST /v2/router/route/estimatefee':
      if (!served.router) throw notFound('Not Found');
      return estimateRouteFee(served.router, JSON.parse(text) as { dest?: string; amt_sat?: string });
    case 'POST /v1/invoices':
      return createInvoice(served, JSON.parse(text) as Record<string, string>);
    case 'GET /v1/invoices': {
      const count = number('num_max_invoices') || 100;
      const offset = number('index_offset');
      const isReversed = url.searchParams.get('reversed') === 'true';
      const end = isReversed && offset > 0 ? offset - 1 : book.invoices.length;
      const page = isReversed
        ? book.invoices.slice(Math.max(0, end - count), end)
        : book.invoices.slice(offset, offset + count);
      return {
        invoices: page.map((invoice) => describeInvoice(book, invoice)),
        first_index_offset: String(page.at(0)?.addIndex ?? 0),
        last_index_offset: String(page.at(-1)?.addIndex ?? 0),
      };
    }
    default: {
      const hash = /^GET \/v1\/invoice\/([0-9a-f]{64})$/.exec(route)?.[1];
      if (hash === undefined) throw notFound('Not Found');
      const invoice = book.byHash.get(hash);
      if (!invoice) throw notFound('unable to locate invoice');
      return describeInvoice(book, invoice);
    }
  }
}

function balanceOf({ heldSat, heldMsat }: Served) {
  const msat = heldMsat?.();
  return msat === undefined ? { sat: String(heldSat?.() ?? 0n) } : { sat: String(msat / 1_000n), msat: String(msat) };
}

function createInvoice({ addInvoice }: Served, body: Record<string, string>) {
  const { value = '0', memo = '', expiry = '86400', r_preimage: preimage } = body;
  const invoice = addInvoice({
    memo,
    valueSat: value === '0' ? null : BigInt(value),
    expirySeconds: Number(expiry),
    preimage: preimage === undefined ? randomBytes(32) : Buffer.from(preimage, 'base64'),
  });
  return {
    r_hash: base64(invoice.hash),
    payment_request: invoice.paymentRequest,
    add_index: String(invoice.addIndex),
  };
}

function describeInvoice(book: InvoiceBook, invoice: BookedInvoice) {
  const settlement = book.settlementOf.get(invoice.hash);
  return {
    memo: invoice.memo,
    r_preimage: base64(invoice.preimage),
    r_hash: base64(invoice.hash),
    value: invoice.valueSat,
    creation_date: String(invoice.createdAt),
    expiry: String(invoice.expirySeconds),
    payment_request: invoice.paymentRequest,
    add_index: String(invoice.addIndex),
    state: settlement ? 'SETTLED' : book.isExpired(invoice) ? 'CANCELED' : 'OPEN',
    settle_index: String(settlement?.settleIndex ?? 0),
    settle_date: String(settlement?.settledAt ?? 0),
    amt_paid_sat: String(BigInt(settlement?.paidMsat ?? '0') / 1_000n),
    amt_paid_msat: settlement?.paidMsat ?? '0',
  };
}

const satText = (htlc: { get_amount_msat(): bigint }): string => String(htlc.get_amount_msat() / 1_000n);

/** LDK counts what can be sent, LND what each side has; the reserve is the difference. */
function describeChannel(channel: ChannelDetails) {
  const [local, remote] = [channel.get_outbound_capacity_msat(), channel.get_inbound_capacity_msat()];
  const ownReserve = channel.get_unspendable_punishment_reserve();
  const localReserve = ownReserve instanceof Option_u64Z_Some ? ownReserve.some : 0n;
  const remoteReserve = channel.get_counterparty().get_unspendable_punishment_reserve();
  const [localSat, remoteSat] = [local / 1_000n + localReserve, remote / 1_000n + remoteReserve];
  return {
    active: true,
    capacity: String(channel.get_channel_value_satoshis()),
    local_balance: String(localSat),
    remote_balance: String(remoteSat),
    local_constraints: { chan_reserve_sat: String(localReserve), max_accepted_htlcs: slotsOfChannel },
    remote_constraints: { chan_reserve_sat: String(remoteReserve), max_accepted_htlcs: slotsOfChannel },
    pending_htlcs: [
      ...channel.get_pending_outbound_htlcs().map((htlc) => ({ incoming: false, amount: satText(htlc) })),
      ...channel.get_pending_inbound_htlcs().map((htlc) => ({ incoming: true, amount: satText(htlc) })),
    ],
  };
}

/**
 * What was settled after the index, unless the index is 0; then everything that is added or settled, until the client
 * hangs up.
 */
function subscribe({ book }: Served, url: URL, response: ServerResponse): void {
  const since = Number(url.searchParams.get('settle_index') ?? '0');
  const send = (invoice: BookedInvoice): void =>
    void response.write(`${JSON.stringify({ result: describeInvoice(book, invoice) })}\n`);
  response.writeHead(200, { 'content-type': 'application/json' });
  if (since > 0) book.settledSince(since).forEach(send);
  book.listeners.add(send);
  response.on('close', () => void book.listeners.delete(send));
}

type OwnerRequest = { readonly method: string; readonly params?: readonly unknown[] };

async function obey(served: Served, request: OwnerRequest): Promise<unknown> {
  try {
    return { result: await obeyed(served, request), error: null };
  } catch (error) {
    return { result: null, error: { message: (error as Error).message } };
  }
}

async function obeyed({ pay, requestInvoice }: Served, { method, params = [] }: OwnerRequest): Promise<unknown> {
  if (['sandbox_invoice', 'sandbox_address'].includes(method) && requestInvoice) {
    const { amount } = params[0] as { amount: string | null };
    return requestInvoice(amount === null ? null : toUnits(decimal(amount), 8, 'down'));
  }
  if (method !== 'sandbox_pay') throw new Error('Lightning has no blocks and no waiting transactions');
  const { address, amount } = params[0] as { address: string; amount: string };
  return pay({ address, units: toUnits(decimal(amount), 8, 'down') });
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64');
const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
