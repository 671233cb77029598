/** All SQL of terms. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import { boundsOf, type PageRange } from '../http/page-cursor.ts';
import type { SweptTo } from '../jobs/job-catalog.ts';

export type Term = {
  readonly merchantId: string;
  readonly term: string;
  readonly createdAt: string; // of the checkout, as text: see `checkout-walk-store`
  readonly checkoutId: string;
};

/** Each is written once, however often that is tried. */
export async function insertTerms(tx: Tx, terms: readonly Term[]): Promise<void> {
  if (terms.length === 0) return;
  await tx`
    insert into checkout_term (merchant_id, term, created_at, checkout_id)
    select * from unnest(${terms.map(({ merchantId }) => merchantId)}::text[], ${terms.map(({ term }) => term)}::text[],
                         ${terms.map(({ createdAt }) => createdAt)}::timestamptz[],
                         ${terms.map(({ checkoutId }) => checkoutId)}::text[])
        on conflict do nothing`;
}

export async function deleteTerms(tx: Tx, terms: readonly Term[]): Promise<void> {
  if (terms.length === 0) return;
  await tx`
    delete from checkout_term
     using unnest(${terms.map(({ merchantId }) => merchantId)}::text[], ${terms.map(({ term }) => term)}::text[],
                  ${terms.map(({ createdAt }) => createdAt)}::timestamptz[],
                  ${terms.map(({ checkoutId }) => checkoutId)}::text[]) as gone (merchant_id, term, created_at, checkout_id)
     where checkout_term.merchant_id = gone.merchant_id and checkout_term.term = gone.term
       and checkout_term.created_at = gone.created_at and checkout_term.checkout_id = gone.checkout_id`;
}

/** Of all merchants, in the order of their index. */
export async function listTerms(query: Query, after: SweptTo, limit: number): Promise<Term[]> {
  const { merchantId, term, createdAt, id } = after ?? { merchantId: '', term: '', createdAt: '-infinity', id: '' };
  return query<Row & Term>`
    select merchant_id as "merchantId", term, created_at::text as "createdAt", checkout_id as "checkoutId"
      from checkout_term
     where (merchant_id, term, created_at, checkout_id) > (${merchantId}, ${term}, ${createdAt}::timestamptz, ${id})
     order by merchant_id, term, created_at, checkout_id limit ${limit}`;
}

/** Ids of the newest checkouts of a cut that have exactly this term. */
export async function checkoutsWithTerm(
  query: Query,
  merchantId: string,
  term: string,
  cut: PageRange,
): Promise<string[]> {
  const { from, at, id } = boundsOf(cut);
  const rows = await query<{ id: string }>`
    select checkout_id as id from checkout_term
     where merchant_id = ${merchantId} and term = ${term} and created_at >= ${from}::timestamptz
       and (created_at, checkout_id) < (${at}::timestamptz, ${id})
     order by created_at desc, checkout_id desc limit ${cut.limit}`;
  return rows.map((row) => row.id);
}

/** Of checkouts that have a longer term which begins so: the first ones in the order of the terms, once for each term. */
export async function checkoutsWithBeginning(
  query: Query,
  merchantId: string,
  beginning: string,
  limit: number,
): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select checkout_id as id from checkout_term
     where merchant_id = ${merchantId} and term > ${beginning} and term < ${`${beginning}\u{10ffff}`}
     order by term, created_at desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Likewise the newest of a cut, for which all that begin so are read. */
export async function newestWithBeginning(
  query: Query,
  merchantId: string,
  beginning: string,
  cut: PageRange,
): Promise<string[]> {
  const { from, at, id } = boundsOf(cut);
  const rows = await query<{ id: string }>`
    select checkout_id as id from checkout_term
     where merchant_id = ${merchantId} and term > ${beginning} and term < ${`${beginning}\u{10ffff}`}
       and created_at >= ${from}::timestamptz and (created_at, checkout_id) < (${at}::timestamptz, ${id})
     group by created_at, checkout_id order by created_at desc, checkout_id desc limit ${cut.limit}`;
  return rows.map((row) => row.id);
}

export async function findTermPosition(query: Query): Promise<Date | null> {
  const [row] = await query<{ at: Date }>`select followed_to as at from term_position`;
  return row?.at ?? null;
}

export async function saveTermPosition(tx: Tx, followedTo: Date): Promise<void> {
  await tx`
    insert into term_position (followed_to) values (${followedTo})
        on conflict (id) do update set followed_to = excluded.followed_to`;
}
