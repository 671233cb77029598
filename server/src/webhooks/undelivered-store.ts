/** The SQL of events that do not reach a merchant, by URL. */
import type { Query, Row } from '../db/database.ts';

export type UndeliveredUrl = {
  readonly url: string;
  readonly events: number;
  readonly since: Date;
  /** It answered that it wants no more. */
  readonly isDisabled: boolean;
};

/** Given up since then, and not made good. `mostLooked`: of the newest so many. */
export async function givenUpUrls(
  query: Query,
  merchantId: string,
  since: Date,
  mostLooked: number,
): Promise<UndeliveredUrl[]> {
  return query<Row & UndeliveredUrl>`
    select url, count(*)::integer as events, min(created_at) as since,
           exists (select from disabled_webhook disabled
                    where disabled.merchant_id = ${merchantId} and disabled.url = given_up.url) as "isDisabled"
      from (select url, created_at from delivery
             where merchant_id = ${merchantId} and state = 'FAILED' and replaced_by is null and created_at >= ${since}
             order by created_at desc limit ${mostLooked}) as given_up
     group by url order by 3, 1`;
}

/** Tried at least once and waiting since then or longer. */
export async function failingUrls(
  query: Query,
  merchantId: string,
  since: Date,
  mostLooked: number,
): Promise<UndeliveredUrl[]> {
  return query<Row & UndeliveredUrl>`
    select url, count(*)::integer as events, min(created_at) as since, false as "isDisabled"
      from (select url, created_at from delivery
             where merchant_id = ${merchantId} and state = 'PENDING' and attempts > 0 and created_at <= ${since}
             order by created_at limit ${mostLooked}) as waiting
     group by url order by 3, 1`;
}

/** Whether a server of the merchant has ever taken a webhook. */
export async function hasDelivered(query: Query, merchantId: string): Promise<boolean> {
  const rows = await query`
    select from delivery where merchant_id = ${merchantId} and state = 'DELIVERED' limit 1`;
  return rows.length > 0;
}

/** What waits to be delivered, of all merchants, counted up to a limit. */
export async function countUndelivered(query: Query, limit: number): Promise<number> {
  const [row] = await query<{ count: number }>`
    select count(*)::integer as count from (select from delivery where state = 'PENDING' limit ${limit}) as waiting`;
  return row?.count ?? 0;
}
