/** All SQL of payment links. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { PagePosition, PageRange } from '../http/page-cursor.ts';
import { parseExactly } from '../http/parse-json.ts';
import { decimal, formatDecimal } from '../money/decimal.ts';
import type { AskedAmount, PaymentLink, PaymentLinkSums } from './payment-link.ts';

type LinkRow = Row &
  Record<'merchant_id' | 'id' | 'description' | 'currency' | 'page_settings' | 'created_by', string> &
  Record<
    'amount' | 'amount_min' | 'amount_max' | 'settlement_asset' | 'webhook' | 'meta' | 'api_key',
    string | null
  > & {
    secret: Buffer | null;
    payments_max: number | null;
    created_at: Date;
    closed_at: Date | null;
  };

const toLink = (row: LinkRow): PaymentLink => ({
  merchantId: row.merchant_id,
  id: row.id,
  description: row.description,
  currency: row.currency,
  asks: toAsked(row),
  paymentsMax: row.payments_max,
  settlementAsset: row.settlement_asset,
  webhook: row.webhook,
  pageSettings: parseExactly(row.page_settings) as PaymentLink['pageSettings'],
  meta: row.meta === null ? null : parseExactly(row.meta),
  apiKey: row.api_key,
  createdBy: row.created_by,
  createdAt: row.created_at,
  closedAt: row.closed_at,
});

function toAsked({ amount, amount_min: min, amount_max: max, secret }: LinkRow): AskedAmount {
  if (amount !== null) return { kind: 'fixed', amount: decimal(amount) };
  if (secret !== null) return { kind: 'signed', secret };
  return { kind: 'open', min: min === null ? null : decimal(min), max: max === null ? null : decimal(max) };
}

export async function insertPaymentLink(tx: Tx, link: PaymentLink): Promise<void> {
  const { asks } = link;
  const amount = asks.kind === 'fixed' ? formatDecimal(asks.amount) : null;
  const least = asks.kind === 'open' && asks.min ? formatDecimal(asks.min) : null;
  const most = asks.kind === 'open' && asks.max ? formatDecimal(asks.max) : null;
  const meta = link.meta === null ? null : JSON.stringify(link.meta);
  await tx`
    insert into payment_link (merchant_id, id, description, currency, amount, amount_min, amount_max, is_signed_only,
                              secret, payments_max, settlement_asset, webhook, page_settings, meta, api_key, created_by,
                              created_at)
    values (${link.merchantId}, ${link.id}, ${link.description}, ${link.currency}, ${amount}, ${least}, ${most},
            ${asks.kind === 'signed'}, ${asks.kind === 'signed' ? asks.secret : null}, ${link.paymentsMax},
            ${link.settlementAsset}, ${link.webhook}, ${JSON.stringify(link.pageSettings)}::json, ${meta}::json,
            ${link.apiKey}, ${link.createdBy}, ${link.createdAt})`;
}

export type PaymentLinkKey = { readonly merchantId: string; readonly id: string };

export async function findPaymentLink(query: Query, key: PaymentLinkKey): Promise<PaymentLink | undefined> {
  const [row] = await query<LinkRow>`
    select * from payment_link where merchant_id = ${key.merchantId} and id = ${key.id}`;
  return row && toLink(row);
}

/** For its page, which has no merchant: whoever knows the id in its address may see it. */
export async function findPublicPaymentLink(query: Query, id: string): Promise<PaymentLink | undefined> {
  const [row] = await query<LinkRow>`select * from payment_link where id = ${id}`;
  return row && toLink(row);
}

/** Until the transaction ends nobody else begins to pay it, and it is not closed. */
export async function lockPaymentLink(tx: Tx, key: PaymentLinkKey): Promise<PaymentLink | undefined> {
  const [row] = await tx<LinkRow>`
    select * from payment_link where merchant_id = ${key.merchantId} and id = ${key.id} for update`;
  return row && toLink(row);
}

/** False: there is none, or it was closed before. */
export async function markLinkClosed(tx: Tx, { merchantId, id }: PaymentLinkKey, at: Date): Promise<boolean> {
  const rows = await tx`
    update payment_link set closed_at = ${at}
     where merchant_id = ${merchantId} and id = ${id} and closed_at is null returning id`;
  return rows.length === 1;
}

/** Newest first, by keyset. `isClosed` null: both. */
export async function listPaymentLinkRows(
  query: Query,
  merchantId: string,
  filter: PageRange & { readonly isClosed: boolean | null },
): Promise<PaymentLink[]> {
  const { before } = filter;
  const rows = await query<LinkRow>`
    select * from payment_link
     where merchant_id = ${merchantId}
       and (${filter.isClosed}::boolean is null or (closed_at is not null) = ${filter.isClosed})
       and (${filter.from}::timestamptz is null or created_at >= ${filter.from})
       and (${filter.to}::timestamptz is null or created_at < ${filter.to})
       and (${before?.id ?? null}::text is null
            or (created_at, id) < (${before?.createdAt ?? null}::timestamptz, ${before?.id ?? null}::text))
     order by created_at desc, id desc
     limit ${filter.limit}`;
  return rows.map(toLink);
}

/** By the id of the link; one that nobody has begun to pay is left out. */
export async function sumsOfPaymentLinks(
  query: Query,
  merchantId: string,
  ids: readonly string[],
  creditedStates: readonly string[],
): Promise<Map<string, PaymentLinkSums>> {
  const rows = await query<{ id: string; made: string; paid: string; amount: string }>`
    select made.payment_link_id as id, count(*)::text as made,
           count(*) filter (where checkout.state = any(${creditedStates}))::text as paid,
           coalesce(sum(total) filter (where checkout.state = any(${creditedStates})), 0)::text as amount
      from payment_link_checkout made
      join checkout on checkout.merchant_id = made.merchant_id and checkout.id = made.checkout_id
     where made.merchant_id = ${merchantId} and made.payment_link_id = any(${ids})
     group by 1`;
  return new Map(
    rows.map(({ id, made, paid, amount }) => [
      id,
      { made: Number(made), paid: Number(paid), amountPaid: decimal(amount) },
    ]),
  );
}

/**
 * How many checkouts of a link have a place among its payments: those in `held` states, and those in `waiting` ones that
 * are younger than `since`.
 */
export async function countPlaces(
  query: Query,
  { merchantId, id }: PaymentLinkKey,
  {
    held,
    waiting,
    since,
  }: { readonly held: readonly string[]; readonly waiting: readonly string[]; readonly since: Date },
): Promise<number> {
  const [row] = await query<{ count: string }>`
    select count(*) as count
      from payment_link_checkout made
      join checkout on checkout.merchant_id = made.merchant_id and checkout.id = made.checkout_id
     where made.merchant_id = ${merchantId} and made.payment_link_id = ${id}
       and (checkout.state = any(${held}) or (checkout.state = any(${waiting}) and made.created_at > ${since}))`;
  return Number(row?.count ?? 0);
}

/** The checkout that came of this form or reference before. */
export async function findMadeOnce(
  query: Query,
  { merchantId, id }: PaymentLinkKey,
  once: string,
): Promise<string | null> {
  const [row] = await query<{ checkout_id: string }>`
    select checkout_id from payment_link_checkout
     where merchant_id = ${merchantId} and payment_link_id = ${id} and once = ${once}`;
  return row?.checkout_id ?? null;
}

export async function insertLinkCheckout(
  tx: Tx,
  { merchantId, id }: PaymentLinkKey,
  made: { readonly checkoutId: string; readonly once: string | null; readonly at: Date },
): Promise<void> {
  await tx`
    insert into payment_link_checkout (merchant_id, payment_link_id, checkout_id, once, created_at)
    values (${merchantId}, ${id}, ${made.checkoutId}, ${made.once}, ${made.at})`;
}

/** The checkouts of a link, newest first. */
export async function listLinkCheckoutKeys(
  query: Query,
  { merchantId, id }: PaymentLinkKey,
  { before, limit }: PageRange,
): Promise<PagePosition[]> {
  return query<Row & PagePosition>`
    select checkout_id as id, created_at as "createdAt" from payment_link_checkout
     where merchant_id = ${merchantId} and payment_link_id = ${id}
       and (${before?.id ?? null}::text is null
            or (created_at, checkout_id) < (${before?.createdAt ?? null}::timestamptz, ${before?.id ?? null}::text))
     order by created_at desc, checkout_id desc
     limit ${limit}`;
}
