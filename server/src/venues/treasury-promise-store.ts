/** All SQL of the treasury's stock and of what it has promised. */
import type { Query, Tx } from '../db/database.ts';

const lockClass = 7_027; // The first half of the advisory lock: "someone decides about the stock of this asset".

/**
 * Until the transaction ends, nobody else takes or promises any of these assets. Taken after the locks of checkouts and
 * swaps and of payouts on networks, and before any lock of the ledger. Whoever only gives what was promised needs no
 * lock: the stock and the promise become smaller together.
 */
export async function lockStock(tx: Tx, assets: Iterable<string>): Promise<void> {
  for (const asset of [...new Set(assets)].sort())
    await tx`select pg_advisory_xact_lock(${lockClass}::integer, hashtext(${asset}))`;
}

export type StockRow = { readonly asset: string; readonly merchantId: string | null; readonly units: bigint };

/**
 * What is the operator's own of these assets, less what merchants owe and what left that nobody has explained (without a
 * merchant), and what was promised, by merchant. One statement, so of one moment: a credit takes from both.
 */
export async function readStock(
  query: Query,
  assets: readonly string[],
  accounts: readonly string[],
): Promise<{ readonly rows: readonly StockRow[]; readonly hasManyMerchants: boolean }> {
  const rows = await query<{ asset: string | null; merchant_id: string | null; units: string }>`
    select asset, null as merchant_id, sum(balance)::text as units
      from (select asset, balance from ledger_account where id = any(${[...accounts]})
             union all
            select asset, balance from ledger_account
             where asset = any(${[...assets]}) and id like 'merchant/%/receivable/%'
             union all
            select asset, open_units from network_movement where asset = any(${[...assets]}) and open_units < 0) as own
     group by asset
     union all
    select asset, merchant_id, sum(units)::text from treasury_promise
     where asset = any(${[...assets]}) group by asset, merchant_id
     union all
    select null, null, count(*)::text from (select from merchant limit 2) as merchants`;
  const merchants = rows.find(({ asset }) => asset === null)?.units;
  return {
    rows: rows.flatMap(({ asset, merchant_id, units }) =>
      asset === null ? [] : [{ asset, merchantId: merchant_id, units: BigInt(units) }],
    ),
    hasManyMerchants: merchants === '2',
  };
}

type Owner = { readonly merchantId: string; readonly checkoutId: string };

export type StockPromise = Owner & { readonly asset: string; readonly units: bigint };

/** For locked checkouts. If one has a promise of the asset already, the larger of the two holds. */
export async function savePromises(tx: Tx, promises: readonly StockPromise[], at: Date): Promise<void> {
  if (promises.length === 0) return;
  await tx`
    insert into treasury_promise (merchant_id, checkout_id, asset, units, promised_at)
    select *, ${at}::timestamptz
      from unnest(${promises.map(({ merchantId }) => merchantId)}::text[],
                  ${promises.map(({ checkoutId }) => checkoutId)}::text[],
                  ${promises.map(({ asset }) => asset)}::text[],
                  ${promises.map(({ units }) => units.toString())}::numeric[])
        on conflict (merchant_id, checkout_id, asset)
        do update set units = greatest(treasury_promise.units, excluded.units)`;
}

export async function promisesOf(query: Query, owners: readonly Owner[]): Promise<StockPromise[]> {
  if (owners.length === 0) return [];
  const rows = await query<{ merchant_id: string; checkout_id: string; asset: string; units: string }>`
    select merchant_id, checkout_id, asset, units::text from treasury_promise
     where (merchant_id, checkout_id) in (
             select * from unnest(${owners.map(({ merchantId }) => merchantId)}::text[],
                                  ${owners.map(({ checkoutId }) => checkoutId)}::text[]))`;
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    checkoutId: row.checkout_id,
    asset: row.asset,
    units: BigInt(row.units),
  }));
}

/** They were kept, or are not needed any more. For locked checkouts. */
export async function releasePromises(tx: Tx, owners: readonly Owner[]): Promise<void> {
  if (owners.length === 0) return;
  await tx`
    delete from treasury_promise
     where (merchant_id, checkout_id) in (
             select * from unnest(${owners.map(({ merchantId }) => merchantId)}::text[],
                                  ${owners.map(({ checkoutId }) => checkoutId)}::text[]))`;
}

export type Holdings = { readonly heldUnits: bigint; readonly owedUnits: bigint; readonly promisedUnits: bigint };

/**
 * By asset: what the networks hold for us by the books, what is owed to merchants and unknown payers, what is promised. What left
 * that nobody has explained lies in suspense too, below zero, and makes what is owed no less.
 */
export async function readHoldings(query: Query): Promise<ReadonlyMap<string, Holdings>> {
  const rows = await query<{ asset: string; held: string; owed: string; promised: string }>`
    select asset, sum(held)::text as held, sum(owed)::text as owed, sum(promised)::text as promised
      from (select asset, case when id like 'operator/wallet-%' then -balance else 0 end as held,
                   case when id like 'operator/%' then 0 else balance end as owed, 0 as promised
              from ledger_account
             where id like 'operator/wallet-%' or id like 'merchant/%' and id not like 'merchant/%/receivable/%'
             union all
            select asset, 0, balance, 0 from ledger_account where id like 'operator/suspense/%'
             union all
            select asset, 0, -open_units, 0 from network_movement where open_units < 0
             union all
            select asset, 0, 0, units from treasury_promise) as part
     group by asset`;
  return new Map(
    rows.map(({ asset, held, owed, promised }) => [
      asset,
      { heldUnits: BigInt(held), owedUnits: BigInt(owed), promisedUnits: BigInt(promised) },
    ]),
  );
}
