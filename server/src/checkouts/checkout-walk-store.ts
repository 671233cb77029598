/** The SQL of walks over the checkouts of all merchants, a part at a time. Decides nothing. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Query, Row } from '../db/database.ts';
import { parseExactly } from '../http/parse-json.ts';
import type { WalkedTo } from '../jobs/job-catalog.ts';
import type { Checkout } from './checkout.ts';

/** Times are text, to the microsecond: as a date they would be rounded, and the next part would begin too early. */
const beginning: WalkedTo = { merchantId: '', createdAt: '-infinity', id: '' };

/** Those with exceptions. */
export async function listOddCheckouts(query: Query, after: WalkedTo | null, limit: number): Promise<WalkedTo[]> {
  const { merchantId, createdAt, id } = after ?? beginning;
  return query<Row & WalkedTo>`
    select merchant_id as "merchantId", created_at::text as "createdAt", id from checkout
     where exceptions <> '{}' and (merchant_id, created_at, id) > (${merchantId}, ${createdAt}::timestamptz, ${id})
     order by merchant_id, created_at, id limit ${limit}`;
}

export type ChargedCheckout = WalkedTo & { readonly payload: Checkout['payload'] };

/** Reading more than so many letters takes a millisecond or more: others have their turn before. */
const worthATurn = 16 * 1024;

type ChargedRow = WalkedTo & { readonly payload: string };

const toCharged = (row: ChargedRow): ChargedCheckout => ({
  merchantId: row.merchantId,
  createdAt: row.createdAt,
  id: row.id,
  payload: parseExactly(row.payload) as Checkout['payload'],
});

/** All of them, with what was posted. */
export async function listCharges(query: Query, after: WalkedTo | null, limit: number): Promise<ChargedCheckout[]> {
  const { merchantId, createdAt, id } = after ?? beginning;
  const rows = await query<Row & ChargedRow>`
    select merchant_id as "merchantId", created_at::text as "createdAt", id, payload from checkout
     where (merchant_id, created_at, id) > (${merchantId}, ${createdAt}::timestamptz, ${id})
     order by merchant_id, created_at, id limit ${limit}`;
  return rows.map(toCharged);
}

/** These, with what was posted; unknown ones are left out. */
export async function findCharges(
  query: Query,
  keys: readonly { readonly merchantId: string; readonly id: string }[],
): Promise<ChargedCheckout[]> {
  const rows = await query<Row & ChargedRow>`
    select checkout.merchant_id as "merchantId", created_at::text as "createdAt", checkout.id, payload
      from unnest(${keys.map(({ merchantId }) => merchantId)}::text[], ${keys.map(({ id }) => id)}::text[])
             as wanted (merchant_id, id)
      join checkout on checkout.merchant_id = wanted.merchant_id and checkout.id = wanted.id`;
  const charged: ChargedCheckout[] = [];
  for (const row of rows) {
    if (row.payload.length > worthATurn) await othersTurn();
    charged.push(toCharged(row));
  }
  return charged;
}

/**
 * The keys of what was created since then, of all merchants, oldest first. One look into the index of each merchant, and
 * none into the rows.
 */
export async function listCreatedSince(query: Query, since: Date): Promise<Omit<WalkedTo, 'createdAt'>[]> {
  return query<Row & WalkedTo>`
    select created.merchant_id as "merchantId", created.id
      from merchant
     cross join lateral (select merchant_id, created_at, id from checkout
                          where checkout.merchant_id = merchant.id and created_at >= ${since}) as created
     order by created.created_at, created.id`;
}
