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
};

/** False: the day has one already. */
export async function insertDailyStatement(
  tx: Tx,
  merchantId: string,
  statement: SignedStatement,
  madeAt: Date,
): Promise<boolean> {
  const { number, day, coveredTo, body, digest, keyId, signature } = statement;
  const rows = await tx`
    insert into daily_statement (merchant_id, number, day, covered_to, body, digest, key_id, signature, made_at)
    values (${merchantId}, ${number}, ${day}::date, ${coveredTo}, ${body}, ${digest}, ${keyId}, ${signature}, ${madeAt})
        on conflict do nothing returning number`;
  return rows.length > 0;
}

export async function findLastStatement(query: Query, merchantId: string): Promise<SignedStatement | null> {
  const [row] = await query<SignedStatement>`
    select number, day::text, covered_to as "coveredTo", body, digest, key_id as "keyId", signature
      from daily_statement where merchant_id = ${merchantId} order by number desc limit 1`;
  return row ?? null;
}

/** Of days from one up to another, without the latter, the oldest first. */
export async function listDailyStatements(
  query: Query,
  merchantId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<SignedStatement[]> {
  return query<SignedStatement>`
    select number, day::text, covered_to as "coveredTo", body, digest, key_id as "keyId", signature
      from daily_statement
     where merchant_id = ${merchantId} and day >= ${from}::date and day < ${to}::date order by number`;
}

/**
 * Accounts of which a day may be over since the last statement, those that wait longest first. The time zone is as it was
 * written. Whether the day is over, their calendar says: no day is shorter than twenty hours.
 */
export async function accountsToSign(
  query: Query,
  closedBefore: Date,
  limit: number,
): Promise<{ merchantId: string; timeZone: string }[]> {
  return query<{ merchantId: string; timeZone: string }>`
    select merchant.id as "merchantId",
           case when jsonb_typeof(page_settings -> 'timeZone') = 'string' then page_settings ->> 'timeZone' else 'UTC' end
             as "timeZone"
      from merchant
      left join lateral (select covered_to from daily_statement
                          where merchant_id = merchant.id order by number desc limit 1) as last on true
     where last.covered_to <= ${closedBefore}::timestamptz - interval '20 hours'
        or (last.covered_to is null and exists (
             select 1 from ledger_entry where merchant_id = merchant.id and posted_at < ${closedBefore}))
     order by last.covered_to nulls last, merchant.id limit ${limit}`;
}

export type StoredKey = { readonly id: string; readonly publicKey: Buffer; readonly sealed: Buffer };

export async function listStatementKeys(query: Query): Promise<StoredKey[]> {
  return query<StoredKey>`
    select id, public_key as "publicKey", sealed from statement_key order by made_at, id`;
}

export async function insertStatementKey(tx: Tx, { id, publicKey, sealed }: StoredKey, madeAt: Date): Promise<void> {
  await tx`
    insert into statement_key (id, public_key, sealed, made_at) values (${id}, ${publicKey}, ${sealed}, ${madeAt})`;
}
