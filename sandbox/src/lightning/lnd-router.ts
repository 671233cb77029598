/** LND's router: the node pays an invoice, and tells what becomes of it in a stream of states. */
import type { ServerResponse } from 'node:http';
import { type ReadInvoice, readInvoice } from './ldk-invoice.ts';
import { alreadyExists, LndFailure, notFound } from './lnd-failure.ts';
import type { BookedPayment, PaymentBook } from './payment-book.ts';

export type OrderedPayment = {
  readonly msat: bigint;
  readonly feeLimitMsat: bigint;
  /** Into how many parts it may be cut. */
  readonly partsMax: number;
  /** For how many blocks it may be held on its way. */
  readonly blocksMax: number;
};

export type Router = {
  readonly nodeId: string;
  readonly book: PaymentBook;
  /** Begins the payment, which is in the book already; how it ends is stored there too. */
  readonly send: (invoice: ReadInvoice, payment: OrderedPayment) => void;
  /** In millisatoshis; null: no way is known. */
  readonly estimateFee: (payee: string, sat: bigint) => bigint | null;
};

type SendBody = {
  readonly payment_request?: string;
  readonly amt?: string;
  readonly fee_limit_sat?: string;
  readonly timeout_seconds?: number;
  readonly max_parts?: number;
  readonly cltv_limit?: number;
  readonly no_inflight_updates?: boolean;
};

/** Answers what belongs to the router, and returns whether it did. */
export function answerRouter(router: Router, route: string, url: URL, text: string, response: ServerResponse): boolean {
  if (route === 'POST /v2/router/send') {
    const body = JSON.parse(text) as SendBody;
    const hash = sendPayment(router, body);
    stream(router.book, hash, body.no_inflight_updates === true, response);
    return true;
  }
  const tracked = /^GET \/v2\/router\/track\/([\w=-]+)$/.exec(route)?.[1];
  if (tracked === undefined) return false;
  const hash = Buffer.from(tracked, 'base64url').toString('hex');
  // LND wants the padding complete.
  if (tracked.length !== 44 || hash.length !== 64) throw new LndFailure('type mismatch', 3, 400);
  stream(router.book, hash, url.searchParams.get('no_inflight_updates') === 'true', response);
  return true;
}

export function estimateRouteFee(router: Router, body: { dest?: string; amt_sat?: string }) {
  const payee = Buffer.from(body.dest ?? '', 'base64').toString('hex');
  const msat = router.estimateFee(payee, BigInt(body.amt_sat ?? '0'));
  if (msat === null) throw new LndFailure('unable to find a path to destination');
  return { routing_fee_msat: String(msat), time_lock_delay: '80', failure_reason: 'FAILURE_REASON_NONE' };
}

/** What LND enforces where nobody asks for less. */
const maxCltvExpiry = 2_016;

function sendPayment({ nodeId, book, send }: Router, body: SendBody): string {
  const invoice = readInvoice(body.payment_request ?? '');
  if (Date.now() >= invoice.expiresAt.getTime())
    throw new LndFailure(`invoice expired. Valid until ${invoice.expiresAt.toISOString()}`);
  const given = BigInt(body.amt ?? '0');
  if (invoice.msat === null && given === 0n)
    throw new LndFailure('amount must be specified when paying a zero amount invoice');
  if (invoice.msat !== null && given !== 0n)
    throw new LndFailure('amount must not be specified when paying a non-zero amount invoice');
  if (invoice.payee === nodeId) throw new LndFailure('self-payments not allowed');
  if ((body.cltv_limit ?? 0) > maxCltvExpiry)
    throw new LndFailure(`CLTV limit of ${body.cltv_limit} must not be greater than ${maxCltvExpiry}`);
  if (!body.timeout_seconds) throw new LndFailure('timeout_seconds must be specified');
  const known = book.payments.get(invoice.hash);
  if (known && !known.outcome) throw alreadyExists('payment is in transition');
  if (known?.outcome && 'preimage' in known.outcome) throw alreadyExists('invoice is already paid');

  const msat = invoice.msat ?? 1_000n * given;
  book.begin({ hash: invoice.hash, invoice: body.payment_request ?? '', msat: String(msat) });
  send(invoice, {
    msat,
    feeLimitMsat: 1_000n * BigInt(body.fee_limit_sat ?? '0'),
    partsMax: body.max_parts || 1,
    blocksMax: body.cltv_limit || maxCltvExpiry,
  });
  return invoice.hash;
}

/** Sends the state that the payment has now, and later how it ended. */
function stream(book: PaymentBook, hash: string, isEndOnly: boolean, response: ServerResponse): void {
  const payment = book.payments.get(hash);
  if (!payment) throw notFound("payment isn't initiated");
  const tell = (state: BookedPayment): void => {
    if (state.outcome || !isEndOnly) response.write(`${JSON.stringify({ result: describePayment(state) })}\n`);
    if (state.outcome) response.end();
  };
  const listener = (changed: BookedPayment): void => {
    if (changed.hash === hash) tell(changed);
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  tell(payment);
  book.listeners.add(listener);
  response.on('close', () => void book.listeners.delete(listener));
}

export function describePayment({ hash, invoice, msat, begunAt, outcome }: BookedPayment) {
  const nanoseconds = (milliseconds: number): string => String(BigInt(milliseconds) * 1_000_000n);
  const isDone = outcome !== undefined && 'preimage' in outcome;
  const feeMsat = isDone ? outcome.feeMsat : '0';
  return {
    payment_hash: hash,
    payment_request: invoice,
    payment_preimage: isDone ? outcome.preimage : '0'.repeat(64),
    value_sat: String(BigInt(msat) / 1_000n),
    value_msat: msat,
    fee_sat: String(BigInt(feeMsat) / 1_000n),
    fee_msat: feeMsat,
    creation_time_ns: nanoseconds(begunAt),
    status: outcome === undefined ? 'IN_FLIGHT' : isDone ? 'SUCCEEDED' : 'FAILED',
    failure_reason: outcome === undefined || isDone ? 'FAILURE_REASON_NONE' : outcome.failure,
    htlcs: isDone ? [{ status: 'SUCCEEDED', resolve_time_ns: nanoseconds(outcome.at) }] : [],
  };
}
