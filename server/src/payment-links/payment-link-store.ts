/** All SQL of payment links. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { PageKey, PagePosition, PageRange } from '../http/page-cursor.ts';
import { parseExactly } from '../http/parse-json.ts';
import { decimal, formatDecimal } from '../money/decimal.ts';
import type { AskedAmount, LinkTally, PaymentLink } from './payment-link.ts';

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

/**
 * Until the transaction ends nobody else begins to pay it, and it is not closed. What only refers to it does not wait: a
 * checkout of it is paid meanwhile.
 */
export async function lockPaymentLink(tx: Tx, key: PaymentLinkKey): Promise<PaymentLink | undefined> {
  const [row] = await tx<LinkRow>`
    select * from payment_link where merchant_id = ${key.merchantId} and id = ${key.id} for no key update`;
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
export async function listPaymentLinkKeys(
  query: Query,
  merchantId: string,
  filter: PageRange & { readonly isClosed: boolean | null },
): Promise<PageKey[]> {
  const { before } = filter;
  return query<Row & PageKey>`
    select id, created_at as "createdAt", octet_length(page_settings::text) + coalesce(octet_length(meta::text), 0) as bytes
      from payment_link
     where merchant_id = ${merchantId}
       and (${filter.isClosed}::boolean is null or (closed_at is not null) = ${filter.isClosed})
       and (${filter.from}::timestamptz is null or created_at >= ${filter.from})
       and (${filter.to}::timestamptz is null or created_at < ${filter.to})
       and (${before?.id ?? null}::text is null
            or (created_at, id) < (${before?.createdAt ?? null}::timestamptz, ${before?.id ?? null}::text))
     order by created_at desc, id desc
     limit ${filter.limit}`;
}

/** In the order of the ids. */
export async function findPaymentLinks(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<(PaymentLink | undefined)[]> {
  const rows = await query<LinkRow>`
    select * from payment_link where merchant_id = ${merchantId} and id = any(${[...ids]})`;
  const found = new Map(rows.map((row) => [row.id, toLink(row)]));
  return ids.map((id) => found.get(id));
}

/** By the id of the link, and of each by state; one that nobody has begun to pay is left out. */
export async function talliesOfPaymentLinks(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<Map<string, LinkTally[]>> {
  const rows = await query<{ id: string; state: LinkTally['state']; checkouts: string; amount: string }>`
    select payment_link_id as id, state, sum(checkouts)::text as checkouts, sum(amount)::text as amount
      from payment_link_tally
     where merchant_id = ${merchantId} and payment_link_id = any(${ids})
     group by payment_link_id, state`;
  const byLink = Map.groupBy(rows, ({ id }) => id);
  return new Map(
    [...byLink].map(([id, tallies]) => [
      id,
      tallies.map(({ state, checkouts, amount }) => ({ state, checkouts: Number(checkouts), amount: decimal(amount) })),
    ]),
  );
}

/** Makes one row of all that were added for a link and a state. Two who do so at once add up each row once. */
export async function foldTallies(query: Query): Promise<void> {
  await query`
    with gone as (
      delete from payment_link_tally
       using (select merchant_id, payment_link_id, state from payment_link_tally
               group by merchant_id, payment_link_id, state having count(*) > 1) as many
       where payment_link_tally.merchant_id = many.merchant_id and payment_link_tally.state = many.state
         and payment_link_tally.payment_link_id = many.payment_link_id
      returning payment_link_tally.*)
    insert into payment_link_tally (merchant_id, payment_link_id, state, checkouts, amount)
    select merchant_id, payment_link_id, state, sum(checkouts), sum(amount) from gone
     group by merchant_id, payment_link_id, state`;
}

/**
 * The links with a limit that these checkouts came of. Until the transaction ends nobody else takes a place of them. In
 * the order of their ids, so that two batches wait for each other instead of deadlocking.
 */
export async function lockLimitedLinks(
  tx: Tx,
  keys: readonly { readonly merchantId: string; readonly id: string }[],
): Promise<{ readonly merchantId: string; readonly id: string; readonly max: number; readonly checkoutId: string }[]> {
  return tx<Row & { merchantId: string; id: string; max: number; checkoutId: string }>`
    select link.merchant_id as "merchantId", link.id, link.payments_max as max, made.checkout_id as "checkoutId"
      from unnest(${keys.map(({ merchantId }) => merchantId)}::text[], ${keys.map(({ id }) => id)}::text[])
             as wanted (merchant_id, id)
      join payment_link_checkout made on made.merchant_id = wanted.merchant_id and made.checkout_id = wanted.id
      join payment_link link on link.merchant_id = made.merchant_id and link.id = made.payment_link_id
     where link.payments_max is not null
     order by link.merchant_id, link.id, made.checkout_id
       for no key update of link`;
}

/** They are swept away: how many there were stays counted. */
export async function deleteLinkCheckouts(
  tx: Tx,
  keys: readonly { readonly merchantId: string; readonly id: string }[],
): Promise<void> {
  await tx`
    delete from payment_link_checkout
     using unnest(${keys.map(({ merchantId }) => merchantId)}::text[], ${keys.map(({ id }) => id)}::text[])
             as gone (merchant_id, id)
     where payment_link_checkout.merchant_id = gone.merchant_id and payment_link_checkout.checkout_id = gone.id`;
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

/** The link with a limit that a checkout came of. */
export async function findLimitOf(
  query: Query,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
): Promise<{ readonly id: string; readonly max: number } | undefined> {
  const [row] = await query<Row & { id: string; max: number }>`
    select link.id, link.payments_max as max
      from payment_link_checkout made
      join payment_link link on link.merchant_id = made.merchant_id and link.id = made.payment_link_id
     where made.merchant_id = ${merchantId} and made.checkout_id = ${id} and link.payments_max is not null`;
  return row;
}

/** Checkouts of a link that wait for all of their price, and for which nobody has chosen a way to pay since then. */
export async function findLapsed(query: Query, { merchantId, id }: PaymentLinkKey, since: Date): Promise<Set<string>> {
  const rows = await query<Row & { checkout_id: string }>`
    select made.checkout_id
      from payment_link_checkout made
      join checkout on checkout.merchant_id = made.merchant_id and checkout.id = made.checkout_id
     where made.merchant_id = ${merchantId} and made.payment_link_id = ${id}
       and checkout.origin = 'PAYMENT_LINK' and checkout.state = 'PENDING'
       and not exists (select from commitment chosen
                        where chosen.merchant_id = made.merchant_id and chosen.checkout_id = made.checkout_id
                          and chosen.committed_at > ${since})
       and not exists (select from payment came
                        where came.merchant_id = made.merchant_id and came.owner_id = made.checkout_id
                          and came.state in ('SEEN', 'CONFIRMED', 'FINAL'))`;
  return new Set(rows.map(({ checkout_id }) => checkout_id));
}
