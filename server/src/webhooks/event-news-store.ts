/** The SQL that says whether there are new events or deliveries that were given up. Decides nothing. */
import type { Query } from '../db/database.ts';

/** A text for each account that changes with its newest events: several, because an earlier one may become visible later. */
export async function newsOfEvents(
  query: Query,
  merchantIds: readonly string[],
  count: number,
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; version: string }>`
    select wanted.id, concat(events.version, '/', given_up.version) as version
      from unnest(${merchantIds}::text[]) as wanted (id)
     cross join lateral (
       select string_agg(sequence::text, ',' order by sequence) as version
         from (select sequence from event where merchant_id = wanted.id order by sequence desc limit ${count}) as found) as events
     cross join lateral (
       select string_agg(found.id, ',' order by found.id) as version
         from (select delivery.id from delivery
                where merchant_id = wanted.id and state = 'FAILED' and replaced_by is null
                order by created_at desc, delivery.id desc limit ${count}) as found) as given_up`;
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Likewise of the newest deliveries about single subjects. By merchant and id, with a slash between. */
export async function newsOfSubjects(
  query: Query,
  keys: readonly { readonly merchantId: string; readonly id: string }[],
  count: number,
): Promise<Map<string, string>> {
  const rows = await query<{ name: string; version: string | null }>`
    select concat(wanted.merchant_id, '/', wanted.subject) as name, newest.version
      from unnest(${keys.map(({ merchantId }) => merchantId)}::text[], ${keys.map(({ id }) => id)}::text[])
             as wanted (merchant_id, subject)
     cross join lateral (
       select string_agg(concat(state, attempts), ',' order by delivery.sequence) as version
         from (select event.id from event
                where event.merchant_id = wanted.merchant_id and event.subject = wanted.subject
                order by event.sequence desc limit ${count}) as told
         join delivery on delivery.merchant_id = wanted.merchant_id and delivery.event_id = told.id) as newest`;
  return new Map(rows.map(({ name, version }) => [name, version ?? '']));
}
