/** All SQL of signed daily statements and of the key that signs them. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';

export type SignedStatement = {
  readonly number: number;
  readonly day: string;
  readonly coveredTo: Date;
  readonly body: string;
  readonly digest: string;
  readonly keyId: string;
  readonly signature: string;
  readonly madeAt: Date;
};

/** False: the day has one already. */
export async function insertDailyStatement(tx: Tx, merchantId: string, statement: SignedStatement): Promise<boolean> {
  const { number, day, coveredTo, body, digest, keyId, signature, madeAt } = statement;
  const rows = await tx`
    insert into daily_statement (merchant_id, number, day, covered_to, body, digest, key_id, signature, made_at)
    values (${merchantId}, ${number}, ${day}::date, ${coveredTo}, ${body}, ${digest}, ${keyId}, ${signature}, ${madeAt})
        on conflict do nothing returning number`;
  return rows.length > 0;
}

export async function findLastStatement(query: Query, merchantId: string): Promise<SignedStatement | null> {
  const [row] = await query<SignedStatement>`
    select number, day::text, covered_to as "coveredTo", body, digest, key_id as "keyId", signature, made_at as "madeAt"
      from daily_statement where merchant_id = ${merchantId} order by number desc limit 1`;
  return row ?? null;
}

/**
 * Of days from one up to another, without the latter, the oldest first. Each tells of the days since the one before: so does the
 * first one that goes on to the last of these days or beyond. The very first one tells of its own day.
 */
export async function listDailyStatements(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<SignedStatement[]> {
  return query<SignedStatement>`
    select number, day::text, covered_to as "coveredTo", body, digest, key_id as "keyId", signature, made_at as "madeAt"
      from daily_statement
     where merchant_id = ${merchantId} and day >= ${from}::date and (number > 1 or day < ${to}::date)
       and number <= coalesce((select min(number) from daily_statement
                                where merchant_id = ${merchantId} and day >= ${to}::date - 1), 2147483647)
     order by number`;
}

/** Of numbers from one up to another, without the latter. */
export async function listNumberedStatements(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<SignedStatement[]> {
  return query<SignedStatement>`
    select number, day::text, covered_to as "coveredTo", body, digest, key_id as "keyId", signature, made_at as "madeAt"
      from daily_statement where merchant_id = ${merchantId} and number >= ${from} and number < ${to} order by number`;
}

export type StoredKey = {
  readonly id: string;
  readonly publicKey: Buffer;
  readonly sealed: Buffer;
  readonly madeAt: Date;
};

export async function listStatementKeys(query: Query): Promise<StoredKey[]> {
  return query<StoredKey>`
    select id, public_key as "publicKey", sealed, made_at as "madeAt" from statement_key order by made_at, id`;
}

export async function insertStatementKey(tx: Tx, { id, publicKey, sealed, madeAt }: StoredKey): Promise<void> {
  await tx`
    insert into statement_key (id, public_key, sealed, made_at) values (${id}, ${publicKey}, ${sealed}, ${madeAt})`;
}
