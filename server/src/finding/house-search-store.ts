/** The SQL of searching all accounts and the house's own money at once, for the operator. Decides nothing. */
import type { Query, Row } from '../db/database.ts';

/** Something of an account. `checkoutId`: of a refund, where it is shown. */
export type HouseThing = {
  readonly kind: 'checkout' | 'refund' | 'transfer' | 'deposit' | 'swap';
  readonly id: string;
  readonly merchantId: string;
  readonly checkoutId: string | null;
};

/** Something of the operator's own. */
export type OwnThing = { readonly kind: 'withdrawal' | 'unmatched'; readonly id: string };

/** What has one of these ids, whosever it is. */
export const thingsWithIds = (query: Query, ids: readonly string[]): Promise<HouseThing[]> =>
  query<Row & HouseThing>`
    select 'checkout' as kind, id, merchant_id as "merchantId", null as "checkoutId" from checkout where id = any(${[...ids]})
    union all select 'refund', id, merchant_id, checkout_id from refund where id = any(${[...ids]})
    union all select 'transfer', id, merchant_id, null from transfer where id = any(${[...ids]})
    union all select 'deposit', id, merchant_id, null from deposit where id = any(${[...ids]})
    union all select 'swap', id, merchant_id, null from swap where id = any(${[...ids]})`;

/** What these transactions paid. */
export const thingsPaidBy = (
  query: Query,
  networks: readonly string[],
  hashes: readonly string[],
  limit: number,
): Promise<HouseThing[]> =>
  query<Row & HouseThing>`
    select distinct purpose as kind, owner_id as id, merchant_id as "merchantId", null as "checkoutId" from payment
     where network = any(${[...networks]}) and tx_hash = any(${[...hashes]}) and purpose in ('checkout', 'deposit')
     order by 2 limit ${limit}`;

/** What is paid to one of these: an address, a memo, the hash of an invoice. */
export const thingsPaidTo = (query: Query, keys: readonly string[], limit: number): Promise<HouseThing[]> =>
  query<Row & HouseThing>`
    select distinct purpose as kind, owner_id as id, merchant_id as "merchantId", null as "checkoutId"
      from deposit_target where key = any(${[...keys]}) and purpose in ('checkout', 'deposit')
     order by 2 limit ${limit}`;

/** Ids of what these transactions carry, or carried in an earlier version: transfers, refunds, and what is the operator's. */
export const sentBy = async (
  query: Query,
  networks: readonly string[],
  hashes: readonly string[],
  limit: number,
): Promise<string[]> => {
  const rows = await query<{ id: string }>`
    select distinct payout.id
      from outgoing_transaction sent join outgoing_transfer payout on payout.transaction_id = sent.id
     where sent.network = any(${[...networks]}) and sent.tx_hash = any(${[...hashes]}) order by 1 limit ${limit}`;
  return rows.map(({ id }) => id);
};

/** Ids of what goes to one of these addresses, the newest; what waits for an approval has no payout yet. */
export const sentTo = async (query: Query, addresses: readonly string[], limit: number): Promise<string[]> => {
  const rows = await query<{ id: string }>`
    select distinct found.id from unnest(${[...addresses]}::text[]) as wanted (address)
     cross join lateral (
       (select id from outgoing_transfer where address = wanted.address order by requested_at desc limit ${limit})
       union all (select id from transfer where address = wanted.address order by created_at desc limit ${limit})
       union all (select id from withdrawal where address = wanted.address order by requested_at desc limit ${limit})
     ) as found`;
  return rows.map(({ id }) => id);
};

/** Checkouts of all that have exactly this word, the newest, and then of those that have a longer one which begins so. */
export const checkoutsOfAnybody = (query: Query, term: string, limit: number): Promise<HouseThing[]> =>
  query<Row & HouseThing>`
    (select 'checkout' as kind, checkout_id as id, merchant_id as "merchantId", null as "checkoutId"
       from checkout_term where term = ${term} order by created_at desc limit ${limit})
    union all
    (select 'checkout', checkout_id, merchant_id, null from checkout_term
      where term > ${term} and term < ${`${term}\u{10ffff}`} order by term, created_at limit ${limit})`;

/** Withdrawals and payments that nobody asked for, by their id or, of the latter, by that of what sends them back. */
export const ownThingsWithIds = (query: Query, ids: readonly string[]): Promise<OwnThing[]> =>
  query<Row & OwnThing>`
    select 'withdrawal' as kind, id from withdrawal where id = any(${[...ids]})
    union all select 'unmatched', id from unmatched_payment where id = any(${[...ids]})
    union all select 'unmatched', id from unmatched_payment where return_id = any(${[...ids]})`;

/** What nobody asked for, by the transaction that brought it. */
export const unmatchedPaidBy = (
  query: Query,
  networks: readonly string[],
  hashes: readonly string[],
  limit: number,
): Promise<OwnThing[]> =>
  query<Row & OwnThing>`
    select 'unmatched' as kind, id from unmatched_payment
     where network = any(${[...networks]}) and tx_hash = any(${[...hashes]}) order by seen_at desc limit ${limit}`;

/** Likewise the newest by who sent it or what it says. */
export const unmatchedSaying = (query: Query, texts: readonly string[], limit: number): Promise<OwnThing[]> =>
  query<Row & OwnThing>`
    select distinct 'unmatched' as kind, found.id from unnest(${[...texts]}::text[]) as wanted (said)
     cross join lateral (
       (select id from unmatched_payment where sender = wanted.said order by seen_at desc limit ${limit})
       union all (select id from unmatched_payment where memo = wanted.said order by seen_at desc limit ${limit})
     ) as found`;
