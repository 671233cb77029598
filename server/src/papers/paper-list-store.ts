/**
 * The SQL of lists of papers, newest first. Every way into the list is a statement with an index in its order, so each page
 * costs the same, however old its papers are. Decides nothing.
 */
import type { Query, Row } from '../db/database.ts';
import { boundsOf, type PagePosition, type PageRange } from '../http/page-cursor.ts';
import type { PaperKind } from './paper-facts.ts';
import { type PaperRow, type StoredPaper, toPaper } from './paper-store.ts';

type Positions = Promise<(Row & PagePosition)[]>;

export function listAllPapers(query: Query, merchantId: string, cut: PageRange): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select id, issued_at as "createdAt" from paper
     where merchant_id = ${merchantId} and issued_at >= ${from}::timestamptz
       and (issued_at, id) < (${at}::timestamptz, ${id})
     order by issued_at desc, id desc limit ${cut.limit}`;
}

export function listPapersOfKind(query: Query, merchantId: string, kind: PaperKind, cut: PageRange): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select id, issued_at as "createdAt" from paper
     where merchant_id = ${merchantId} and kind = ${kind} and issued_at >= ${from}::timestamptz
       and (issued_at, id) < (${at}::timestamptz, ${id})
     order by issued_at desc, id desc limit ${cut.limit}`;
}

/** A customer has few: what else is asked is held against each. */
export function listPapersOfCustomer(
  query: Query,
  merchantId: string,
  { customerId, kind }: { readonly customerId: string; readonly kind: PaperKind | null },
  cut: PageRange,
): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    select id, issued_at as "createdAt" from paper
     where merchant_id = ${merchantId} and customer_id = ${customerId} and issued_at >= ${from}::timestamptz
       and (${kind}::text is null or kind = ${kind}) and (issued_at, id) < (${at}::timestamptz, ${id})
     order by issued_at desc, id desc limit ${cut.limit}`;
}

/** What a search has found: papers themselves, or whose they are. */
export type PaperMatches = {
  readonly ids: readonly string[];
  readonly checkoutIds: readonly string[];
};

/** What else is asked of papers that were found. Null: nothing. */
export type PaperFits = {
  readonly kind: PaperKind | null;
  readonly customerId: string | null;
  readonly checkoutId: string | null;
};

/** Each is looked up first: in the order of the list, all rows would be gone through to find a few. */
export function listPapersAmong(
  query: Query,
  merchantId: string,
  matches: PaperMatches,
  { kind, customerId, checkoutId }: PaperFits,
  cut: PageRange,
): Positions {
  const { from, at, id } = boundsOf(cut);
  return query`
    with named as materialized (
      select id, kind, customer_id, checkout_id, issued_at from paper
       where merchant_id = ${merchantId} and id = any(${matches.ids})
       union
      select id, kind, customer_id, checkout_id, issued_at from paper
       where merchant_id = ${merchantId} and checkout_id = any(${matches.checkoutIds}))
    select id, issued_at as "createdAt" from named
     where (${kind}::text is null or kind = ${kind}) and (${customerId}::text is null or customer_id = ${customerId})
       and (${checkoutId}::text is null or checkout_id = ${checkoutId}) and issued_at >= ${from}::timestamptz
       and (issued_at, id) < (${at}::timestamptz, ${id})
     order by issued_at desc, id desc limit ${cut.limit}`;
}

/** After every character that a number has. */
const beyond = '\u{10ffff}';

/** Ids of papers whose number begins so, in lower case; in the order of the numbers. */
export async function papersNumbered(
  query: Query,
  merchantId: string,
  beginning: string,
  limit: number,
): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select id from paper
     where merchant_id = ${merchantId} and lower(printed) collate "C" >= ${beginning}
       and lower(printed) collate "C" < ${beginning + beyond}
     order by lower(printed) collate "C" desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Ids of the newest papers on which every one of these words begins a word of the buyer's name, company or address. */
export async function papersNaming(
  query: Query,
  merchantId: string,
  beginnings: readonly string[],
  limit: number,
): Promise<string[]> {
  if (beginnings.length === 0) return [];
  // Letters and digits only: nothing in them has a meaning of its own for PostgreSQL.
  const words = beginnings.map((each) => `'${merchantId}/${each}':*`).join(' & ');
  const rows = await query<{ id: string }>`
    select id from paper
     where customer_id is not null and names_on_paper(merchant_id, facts) @@ ${words}::tsquery
       and merchant_id = ${merchantId}
     order by issued_at desc, id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** In the order of the ids; undefined: there is none. */
export async function findPapers(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<(StoredPaper | undefined)[]> {
  const rows = await query<PaperRow>`select * from paper where merchant_id = ${merchantId} and id = any(${ids})`;
  const byId = new Map(rows.map((row) => [row.id, toPaper(row)]));
  return ids.map((id) => byId.get(id));
}

/** All of these checkouts, each in the order in which they were issued. */
export async function papersOfCheckouts(
  query: Query,
  merchantId: string,
  checkoutIds: readonly string[],
): Promise<StoredPaper[]> {
  const rows = await query<PaperRow>`
    select * from paper where merchant_id = ${merchantId} and checkout_id = any(${checkoutIds})
     order by issued_at, series, number`;
  return rows.map(toPaper);
}

/** Those of which all that was credited went back. */
export async function refundedCheckouts(
  query: Query,
  merchantId: string,
  checkoutIds: readonly string[],
): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select id from checkout where merchant_id = ${merchantId} and id = any(${checkoutIds}) and state = 'REFUNDED'`;
  return rows.map(({ id }) => id);
}

/** The last number of each series; one that has none yet is left out. */
export async function lastPaperNumbers(
  query: Query,
  merchantId: string,
  series: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await query<{ series: string; last_number: string }>`
    select series, last_number::text from paper_series where merchant_id = ${merchantId} and series = any(${series})`;
  return new Map(rows.map((row) => [row.series, BigInt(row.last_number)]));
}
