/** All SQL of checkouts. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import { parseJson } from '../http/parse-json.ts';
import { decimal, formatDecimal } from '../money/decimal.ts';
import type { Checkout, CheckoutDossier, Commitment, Payment, Settlement } from './checkout.ts';
import type { CheckoutException, CheckoutState, PaymentPlace, PaymentState } from './checkout-state.ts';

export type TimelineNote = { readonly what: string; readonly why?: Readonly<Record<string, unknown>> };

/** One statement, one round trip, one commit: this is the busiest write of the service. */
export async function insertCheckout(query: Query, checkout: Checkout, payloadText: string): Promise<void> {
  await query`
    with created as (
      insert into checkout (merchant_id, id, api_key, type, origin, state, billing_currency, total, settlement_asset,
                            language, webhook, customer_id, tolerance, extra_confirmations, payload, quotes, quoted_at,
                            created_at, updated_at)
      values (${checkout.merchantId}, ${checkout.id}, ${checkout.apiKey}, ${checkout.type}, ${checkout.origin},
              ${checkout.state}, ${checkout.billingCurrency}, ${formatDecimal(checkout.total)}::numeric,
              ${checkout.settlementAsset}, ${checkout.language}, ${checkout.webhook}, ${checkout.customerId},
              ${formatDecimal(checkout.tolerance)}::numeric, ${checkout.extraConfirmations}, ${payloadText}::json,
              ${JSON.stringify(checkout.quotes)}::jsonb, ${checkout.quotedAt}, ${checkout.createdAt},
              ${checkout.createdAt}::timestamptz)
      returning merchant_id, id, created_at
    )
    insert into timeline (merchant_id, checkout_id, at, what) select merchant_id, id, created_at, 'created' from created`;
}

export async function findCheckout(query: Query, merchantId: string, id: string): Promise<Checkout | undefined> {
  const [row] = await query<CheckoutRow>`select * from checkout where merchant_id = ${merchantId} and id = ${id}`;
  return row && toCheckout(row);
}

/** For the hosted page, which knows no merchant: the id in its URL is the capability. */
export async function findPublicCheckout(query: Query, id: string): Promise<Checkout | undefined> {
  const [row] = await query<CheckoutRow>`select * from checkout where id = ${id}`;
  return row && toCheckout(row);
}

/** Locks the checkout until the transaction ends and reads everything about it. The lock comes before any ledger lock. */
export async function lockDossier(tx: Tx, merchantId: string, id: string): Promise<CheckoutDossier | undefined> {
  // Pipelined behind the lock: each statement takes a fresh snapshot, so it sees what the lock waited for.
  const [rows, parts] = await Promise.all([
    tx<CheckoutRow>`select * from checkout where merchant_id = ${merchantId} and id = ${id} for update`,
    loadParts(tx, merchantId, [id]),
  ]);
  const [row] = rows;
  return row && parts(toCheckout(row));
}

export async function findDossier(query: Query, merchantId: string, id: string): Promise<CheckoutDossier | undefined> {
  const [checkout, parts] = await Promise.all([
    findCheckout(query, merchantId, id),
    loadParts(query, merchantId, [id]),
  ]);
  return checkout && parts(checkout);
}

export async function dossiersOf(
  query: Query,
  merchantId: string,
  checkouts: readonly Checkout[],
): Promise<CheckoutDossier[]> {
  const ids = checkouts.map((checkout) => checkout.id);
  return checkouts.map(await loadParts(query, merchantId, ids));
}

async function loadParts(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<(checkout: Checkout) => CheckoutDossier> {
  const [commitments, payments, settlements] = await Promise.all([
    query<CommitmentRow>`
      select * from commitment where merchant_id = ${merchantId} and checkout_id = any(${ids})
       order by committed_at, id`,
    query<PaymentRow>`
      select * from payment where merchant_id = ${merchantId} and checkout_id = any(${ids})
       order by first_seen_at, id`,
    query<SettlementRow>`
      select * from settlement where merchant_id = ${merchantId} and checkout_id = any(${ids})
       order by generation`,
  ]);
  const of = (id: string) => (row: { checkout_id: string }) => row.checkout_id === id;
  return (checkout) => ({
    checkout,
    commitments: commitments.filter(of(checkout.id)).map(toCommitment),
    payments: payments.filter(of(checkout.id)).map(toPayment),
    settlements: settlements.filter(of(checkout.id)).map(toSettlement),
  });
}

export async function insertCommitment(tx: Tx, checkout: Checkout, commitment: Commitment): Promise<void> {
  await tx`
    insert into commitment (merchant_id, checkout_id, id, network, asset, due_units, quote, target_key, address, memo,
                            memo_type, committed_at, expires_at)
    values (${checkout.merchantId}, ${checkout.id}, ${commitment.id}, ${commitment.network}, ${commitment.asset},
            ${commitment.dueUnits.toString()}, ${JSON.stringify(commitment.quote)}::jsonb, ${commitment.targetKey},
            ${commitment.address}, ${commitment.memo}, ${commitment.memoType}, ${commitment.committedAt},
            ${commitment.expiresAt})`;
}

export async function saveQuotes(tx: Tx, checkout: Checkout, at: Date): Promise<void> {
  await tx`
    update checkout set quotes = ${JSON.stringify(checkout.quotes)}::jsonb, quoted_at = ${at}
     where merchant_id = ${checkout.merchantId} and id = ${checkout.id}`;
}

export type CheckoutChange = {
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  readonly windowEndsAt: Date | null;
  readonly canceledAt: Date | null;
  readonly acceptedAt: Date | null;
  readonly settlements: number;
};

/** Stores the outcome of a decision made under the lock. The state we saw is part of the condition all the same. */
export async function saveCheckout(tx: Tx, before: Checkout, after: CheckoutChange, at: Date): Promise<void> {
  const rows = await tx`
    update checkout
       set state = ${after.state}, exceptions = ${after.exceptions}, window_ends_at = ${after.windowEndsAt},
           canceled_at = ${after.canceledAt}, accepted_at = ${after.acceptedAt}, settlements = ${after.settlements},
           updated_at = ${at}
     where merchant_id = ${before.merchantId} and id = ${before.id} and state = ${before.state}
    returning id`;
  if (rows.length === 0) throw new Error(`checkout ${before.id} was not ${before.state} any more`);
}

export async function placePayments(
  tx: Tx,
  checkout: Checkout,
  payments: readonly { id: string; place: PaymentPlace; generation: number }[],
): Promise<void> {
  if (payments.length === 0) return;
  await tx`
    update payment set place = placed.place, generation = placed.generation
      from unnest(${payments.map((payment) => payment.id)}::text[], ${payments.map((payment) => payment.place)}::text[],
                  ${payments.map((payment) => payment.generation)}::integer[]) as placed (id, place, generation)
     where payment.merchant_id = ${checkout.merchantId} and payment.checkout_id = ${checkout.id}
       and payment.id = placed.id`;
}

export async function insertSettlement(tx: Tx, checkout: Checkout, settlement: Settlement): Promise<void> {
  await tx`
    insert into settlement (merchant_id, checkout_id, generation, reference, parts, settled_at)
    values (${checkout.merchantId}, ${checkout.id}, ${settlement.generation}, ${settlement.reference},
            ${JSON.stringify(settlement.parts)}::jsonb, ${settlement.settledAt})`;
}

export async function markSettlementReversed(tx: Tx, checkout: Checkout, generation: number, at: Date): Promise<void> {
  await tx`
    update settlement set reversed_at = ${at}
     where merchant_id = ${checkout.merchantId} and checkout_id = ${checkout.id} and generation = ${generation}`;
}

export const addToTimeline = (
  tx: Tx,
  checkout: Pick<Checkout, 'merchantId' | 'id'>,
  notes: readonly TimelineNote[],
  at: Date,
): Promise<void> =>
  addToTimelines(
    tx,
    notes.map((note) => ({ ...note, merchantId: checkout.merchantId, checkoutId: checkout.id })),
    at,
  );

export async function addToTimelines(
  tx: Tx,
  notes: readonly (TimelineNote & { readonly merchantId: string; readonly checkoutId: string })[],
  at: Date,
): Promise<void> {
  if (notes.length === 0) return;
  await tx`
    insert into timeline (merchant_id, checkout_id, at, what, why)
    select merchant_id, checkout_id, ${at}::timestamptz, what, why
      from unnest(${notes.map((note) => note.merchantId)}::text[], ${notes.map((note) => note.checkoutId)}::text[],
                  ${notes.map((note) => note.what)}::text[],
                  ${notes.map((note) => JSON.stringify(note.why ?? {}))}::jsonb[])
             as note (merchant_id, checkout_id, what, why)`;
}

export type TimelineRow = { at: Date; what: string; why: Record<string, unknown> };

export async function findTimeline(query: Query, merchantId: string, checkoutId: string): Promise<TimelineRow[]> {
  return query<TimelineRow>`
    select at, what, why from timeline where merchant_id = ${merchantId} and checkout_id = ${checkoutId} order by id`;
}

export type CheckoutFilter = {
  readonly state: string | null;
  readonly customerId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly before: { readonly createdAt: Date; readonly id: string } | null;
  readonly limit: number;
};

/** Newest first, by keyset: a page costs the same however deep it lies. */
export async function listCheckouts(query: Query, merchantId: string, filter: CheckoutFilter): Promise<Checkout[]> {
  const rows = await query<CheckoutRow>`
    select * from checkout
     where merchant_id = ${merchantId}
       and (${filter.state}::text is null or state = ${filter.state})
       and (${filter.customerId}::text is null or customer_id = ${filter.customerId})
       and (${filter.from}::timestamptz is null or created_at >= ${filter.from})
       and (${filter.to}::timestamptz is null or created_at < ${filter.to})
       and (${filter.before?.id ?? null}::text is null
            or (created_at, id) < (${filter.before?.createdAt ?? null}::timestamptz, ${filter.before?.id ?? null}::text))
     order by created_at desc, id desc
     limit ${filter.limit}`;
  return rows.map(toCheckout);
}

/** For the operator: the newest checkouts of all merchants, or of one. */
export async function listNewestCheckouts(
  query: Query,
  filter: { readonly merchantId: string | null; readonly state: string | null; readonly limit: number },
): Promise<Checkout[]> {
  const rows = await query<CheckoutRow>`
    select * from checkout
     where (${filter.merchantId}::text is null or merchant_id = ${filter.merchantId})
       and (${filter.state}::text is null or state = ${filter.state})
     order by created_at desc, id desc
     limit ${filter.limit}`;
  return rows.map(toCheckout);
}

type CheckoutRow = Row &
  Record<'merchant_id' | 'id' | 'api_key' | 'billing_currency' | 'total' | 'tolerance', string> & {
    type: Checkout['type'];
    origin: string;
    state: CheckoutState;
    exceptions: CheckoutException[];
    settlement_asset: string;
    language: string;
    webhook: string | null;
    customer_id: string | null;
    extra_confirmations: number;
    payload: string;
    quotes: Checkout['quotes'];
    quoted_at: Date;
    created_at: Date;
    window_ends_at: Date | null;
    canceled_at: Date | null;
    accepted_at: Date | null;
    settlements: number;
  };

const toCheckout = (row: CheckoutRow): Checkout => ({
  merchantId: row.merchant_id,
  id: row.id,
  apiKey: row.api_key,
  type: row.type,
  origin: row.origin,
  state: row.state,
  exceptions: row.exceptions,
  billingCurrency: row.billing_currency,
  total: decimal(row.total),
  settlementAsset: row.settlement_asset,
  language: row.language,
  webhook: row.webhook,
  customerId: row.customer_id,
  tolerance: decimal(row.tolerance),
  extraConfirmations: row.extra_confirmations,
  payload: parseJson(Buffer.from(row.payload)) as Checkout['payload'],
  quotes: row.quotes,
  quotedAt: row.quoted_at,
  createdAt: row.created_at,
  windowEndsAt: row.window_ends_at,
  canceledAt: row.canceled_at,
  acceptedAt: row.accepted_at,
  settlements: row.settlements,
});

type CommitmentRow = Row &
  Record<'id' | 'checkout_id' | 'network' | 'asset' | 'due_units' | 'target_key' | 'address', string> & {
    quote: Commitment['quote'];
    memo: string | null;
    memo_type: string | null;
    committed_at: Date;
    expires_at: Date;
  };

const toCommitment = (row: CommitmentRow): Commitment => ({
  id: row.id,
  network: row.network,
  asset: row.asset,
  dueUnits: BigInt(row.due_units),
  quote: row.quote,
  targetKey: row.target_key,
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  committedAt: row.committed_at,
  expiresAt: row.expires_at,
});

type PaymentRow = Row &
  Record<'id' | 'checkout_id' | 'network' | 'tx_hash' | 'asset' | 'units', string> & {
    commitment_id: string | null;
    state: PaymentState;
    place: PaymentPlace;
    generation: number;
    replaced_by: string | null;
    confirmations_required: number;
    block_height: string | null;
    block_time: Date | null;
    first_seen_at: Date;
  };

const toPayment = (row: PaymentRow): Payment => ({
  id: row.id,
  commitmentId: row.commitment_id,
  network: row.network,
  txHash: row.tx_hash,
  asset: row.asset,
  units: BigInt(row.units),
  state: row.state,
  place: row.place,
  generation: row.generation,
  replacedBy: row.replaced_by,
  confirmationsRequired: row.confirmations_required,
  blockHeight: row.block_height === null ? null : Number(row.block_height),
  blockTime: row.block_time,
  firstSeenAt: row.first_seen_at,
});

type SettlementRow = Row & {
  checkout_id: string;
  generation: number;
  reference: string;
  parts: Settlement['parts'];
  settled_at: Date;
  reversed_at: Date | null;
};

const toSettlement = (row: SettlementRow): Settlement => ({
  generation: row.generation,
  reference: row.reference,
  parts: row.parts,
  settledAt: row.settled_at,
  reversedAt: row.reversed_at,
});

/** Whether the merchant has this customer. The customers themselves live in another slice. */
export async function findCustomerId(
  query: Query,
  merchantId: string,
  customerId: string,
): Promise<string | undefined> {
  const [row] = await query<{ id: string }>`
    select id from customer where merchant_id = ${merchantId} and id = ${customerId} and deleted_at is null`;
  return row?.id;
}
