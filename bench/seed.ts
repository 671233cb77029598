/** Stored checkouts by the million: PostgreSQL copies one that was made through the API. */
import type { Db } from '../server/src/db/database.ts';

export type Copies = {
  /** The checkout to copy: CREATED, or PENDING with its commitment and deposit target. */
  readonly of: string;
  readonly first: number;
  readonly count: number;
  /** Which kind of id the copies get. */
  readonly id: 'scattered' | 'counted';
};

/** Scattered like the random ids of real checkouts, so that an index grows everywhere and not at its end. */
export const scatteredId = `left(md5(n::text), 12)`;
/** Twelve digits, which pgbench can count. */
const countedId = `n::text`;

export const targetKeyOf = (id: string): string => `bcrt1q${id}`;

const batch = 100_000;

export async function seedCheckouts(db: Db, copies: Copies): Promise<void> {
  const id = copies.id === 'scattered' ? scatteredId : countedId;
  const end = copies.first + copies.count;
  for (let first = copies.first; first < end; first += batch) {
    const series = `generate_series(${first}::bigint, ${Math.min(first + batch, end) - 1}::bigint) as n`;
    // Triggers that check whether the merchant exists take half of the time, and copies of good rows need no check.
    await db.script(`
      set local session_replication_role = replica;
      ${copyRows('checkout', { id }, `id = '${copies.of}'`, series)};
      ${copyRows('commitment', { checkout_id: id, id, target_key: `'bcrt1q' || ${id}`, address: `'bcrt1q' || ${id}` }, `checkout_id = '${copies.of}'`, series)};
      ${copyRows('deposit_target', { owner_id: id, id, key: `'bcrt1q' || ${id}`, address: `'bcrt1q' || ${id}` }, `owner_id = '${copies.of}'`, series)};
      insert into timeline (merchant_id, checkout_id, at, what)
      select merchant_id, ${id}, created_at, 'created' from checkout, ${series} where id = '${copies.of}';`);
  }
}

type Columns = Readonly<Record<string, string>>;

const columns: Readonly<Record<string, string>> = {
  checkout: `merchant_id, id, api_key, type, origin, state, exceptions, billing_currency, total, settlement_asset,
    language, webhook, customer_id, tolerance, extra_confirmations, payload, quotes, quoted_at, created_at, updated_at,
    window_ends_at, canceled_at, accepted_at, settlements`,
  commitment: `merchant_id, checkout_id, id, network, asset, due_units, quote, target_key, address, memo, memo_type,
    committed_at, expires_at`,
  deposit_target: `network, key, id, purpose, merchant_id, owner_id, index, address, memo, memo_type, created_at`,
};

function copyRows(table: string, changed: Columns, where: string, series: string): string {
  const names = (columns[table] ?? '').split(',').map((name) => name.trim());
  const values = names.map((name) => changed[name] ?? `original.${name}`);
  return `insert into ${table} (${names.join(', ')})
          select ${values.join(', ')} from ${table} original, ${series} where original.${where}`;
}

/** Brings the database to rest: its statistics are known, and nothing is left to be written to the disk. */
export async function settleDown(db: Db): Promise<void> {
  await db.script('vacuum (analyze)');
  await db.script('checkpoint');
}
