/** All SQL of whose turn it is: to have days made, and to have one signed. Decides nothing. */
import type { Query, Tx } from '../db/database.ts';

/** The days of this account cannot be made now: it is asked again then. */
export async function postponeFolding(query: Query, merchantId: string, until: Date): Promise<void> {
  await query`
    insert into day_turn (merchant_id, fold_at) values (${merchantId}, ${until})
        on conflict (merchant_id) do update set fold_at = excluded.fold_at`;
}

export type SignTurn = { readonly timeZone: string; readonly at: Date };

/** Its next day is closed then. */
export async function saveSignTurn(tx: Tx, merchantId: string, { timeZone, at }: SignTurn): Promise<void> {
  await tx`
    insert into day_turn (merchant_id, sign_at, sign_due_at, sign_time_zone) values (${merchantId}, ${at}, ${at}, ${timeZone})
        on conflict (merchant_id) do update
       set sign_at = excluded.sign_at, sign_due_at = excluded.sign_due_at, sign_time_zone = excluded.sign_time_zone`;
}

/** Its next day cannot be signed now: it is asked again then. Since when it waits stays as it was. */
export async function postponeSigning(
  query: Query,
  merchantId: string,
  { timeZone, at, now }: SignTurn & { readonly now: Date },
): Promise<void> {
  await query`
    insert into day_turn (merchant_id, sign_at, sign_due_at, sign_time_zone) values (${merchantId}, ${at}, ${now}, ${timeZone})
        on conflict (merchant_id) do update
       set sign_at = excluded.sign_at, sign_time_zone = excluded.sign_time_zone,
           sign_due_at = coalesce(day_turn.sign_due_at, excluded.sign_due_at)`;
}

/**
 * Accounts of which a day may be over since the last statement, those that wait longest first. The time zone is as it was
 * written. Whether the day is over, their calendar says.
 */
export async function accountsToSign(
  query: Query,
  now: Date,
  limit: number,
): Promise<{ merchantId: string; timeZone: string }[]> {
  return query<{ merchantId: string; timeZone: string }>`
    select merchant.id as "merchantId", setting.time_zone as "timeZone"
      from merchant
     cross join lateral (select case when jsonb_typeof(page_settings -> 'timeZone') = 'string'
                                     then page_settings ->> 'timeZone' else 'UTC' end as time_zone) as setting
      left join day_turn as turn on turn.merchant_id = merchant.id
     where case when turn.sign_at is null
                then exists (select from ledger_entry where merchant_id = merchant.id and posted_at < ${now})
                else turn.sign_at <= ${now} or turn.sign_time_zone <> setting.time_zone end
     order by turn.sign_at nulls first, merchant.id limit ${limit}`;
}

/** Since when the account that waits longest has a closed day that is not signed; null: none waits. */
export async function oldestUnsignedDay(query: Query, now: Date): Promise<Date | null> {
  const [row] = await query<{ since: Date | null }>`
    select min(sign_due_at) as since from day_turn where sign_due_at < ${now}`;
  return row?.since ?? null;
}
