/**
 * All SQL of papers. Decides nothing. Whoever inserts has locked the checkout: so nobody else issues one for it meanwhile.
 *
 * Others build on: `StoredPaper`, `findPaper`, `papersOfCheckout`.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import type { PaperFacts, PaperKind } from './paper-facts.ts';

export type StoredPaper = {
  readonly merchantId: string;
  readonly id: string;
  readonly kind: PaperKind;
  readonly checkoutId: string;
  /** Also if the customer was erased since. */
  readonly customerId: string | null;
  /** The settlement that it is about: a checkout has a second one only after the chain took the first one back. */
  readonly generation: number;
  /** `settlement:<generation>`, `refund:<refund id>`, `reversal:<generation>`, `hand:<request id>`. */
  readonly cause: string;
  /** What a credit note corrects. */
  readonly correctsId: string | null;
  readonly series: string;
  /** As it is printed: INV-2026-00001. */
  readonly number: string;
  readonly issuedAt: Date;
  readonly facts: PaperFacts;
};

export type NewPaper = Omit<StoredPaper, 'number'>;

const turnLockClass = 7_081; // The first half of the advisory lock: "someone issues papers of this merchant".

/**
 * Until the transaction ends nobody else issues for this merchant. Taken before the time is read and before any series is counted:
 * so days follow each other as numbers do, and whoever needs several series waits for nobody who waits for one of them.
 */
export async function takePaperTurn(tx: Tx, merchantId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${turnLockClass}::integer, hashtext(${merchantId}))`;
}

/** When the newest of a series was issued; null: it has none. */
export async function lastIssuedAt(tx: Tx, merchantId: string, series: string): Promise<Date | null> {
  const [row] = await tx<{ at: Date }>`
    select issued_at as at from paper where merchant_id = ${merchantId} and series = ${series} order by number desc limit 1`;
  return row?.at ?? null;
}

/** The number is taken and the paper is stored in the transaction of the caller: both happen, or neither. */
export async function insertPaper(tx: Tx, paper: NewPaper): Promise<StoredPaper> {
  const { merchantId, id, series, facts } = paper;
  const [, rows] = await Promise.all([
    tx`
      insert into paper_series (merchant_id, series, last_number) values (${merchantId}, ${series}, 1)
          on conflict (merchant_id, series) do update set last_number = paper_series.last_number + 1`,
    tx<{ printed: string }>`
      insert into paper (merchant_id, id, kind, checkout_id, customer_id, generation, cause, corrects_id, series, number,
                         issued_at, currency, total, facts)
      select ${merchantId}, ${id}, ${paper.kind}, ${paper.checkoutId}, ${paper.customerId}, ${paper.generation}, ${paper.cause},
             ${paper.correctsId}, ${series}, last_number, ${paper.issuedAt}, ${facts.currency}, ${facts.total}::numeric,
             ${JSON.stringify(facts)}::json
        from paper_series where merchant_id = ${merchantId} and series = ${series}
      returning printed`,
  ]);
  const [row] = rows;
  if (!row) throw new Error(`no number of ${series} was taken`);
  return { ...paper, number: row.printed };
}

export async function findPaper(query: Query, merchantId: string, id: string): Promise<StoredPaper | undefined> {
  const [row] = await query<PaperRow>`select * from paper where merchant_id = ${merchantId} and id = ${id}`;
  return row && toPaper(row);
}

/** In the order in which they were issued; of one moment, what is corrected before what corrects it. */
export async function papersOfCheckout(
  query: Query,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
): Promise<StoredPaper[]> {
  const rows = await query<PaperRow>`
    select * from paper where merchant_id = ${merchantId} and checkout_id = ${id}
     order by issued_at, generation, corrects_id is not null, series, number`;
  return rows.map(toPaper);
}

/** Those that were credited for this customer and have no invoice about that yet. */
export async function checkoutsWithoutInvoice(
  query: Query,
  merchantId: string,
  customerId: string,
  limit: number,
): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select checkout.id from checkout
      join settlement on settlement.merchant_id = checkout.merchant_id and settlement.checkout_id = checkout.id
                     and settlement.reversed_at is null
     where checkout.merchant_id = ${merchantId} and checkout.customer_id = ${customerId}
       and not exists (select from paper
                        where paper.merchant_id = checkout.merchant_id and paper.checkout_id = checkout.id
                          and paper.kind = 'invoice' and paper.generation = settlement.generation)
     limit ${limit}`;
  return rows.map(({ id }) => id);
}

export type PaperRow = Row &
  Record<'merchant_id' | 'id' | 'checkout_id' | 'cause' | 'series' | 'printed' | 'facts', string> &
  Record<'customer_id' | 'corrects_id', string | null> & { kind: PaperKind; generation: number; issued_at: Date };

export const toPaper = (row: PaperRow): StoredPaper => ({
  merchantId: row.merchant_id,
  id: row.id,
  kind: row.kind,
  checkoutId: row.checkout_id,
  customerId: row.customer_id,
  generation: row.generation,
  cause: row.cause,
  correctsId: row.corrects_id,
  series: row.series,
  number: row.printed,
  issuedAt: row.issued_at,
  facts: JSON.parse(row.facts) as PaperFacts,
});
