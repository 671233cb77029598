/** All SQL of custom deposits. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { PageKey, PageRange } from '../http/page-cursor.ts';
import type { CustomDeposit, DepositDossier, DepositPayment } from './custom-deposit.ts';
import { type DepositDossierRow, toDepositDossier } from './custom-deposit-rows.ts';
import { depositStates } from './custom-deposit-state.ts';
import { paymentsShown } from './payment-totals.ts';

export async function insertDeposit(tx: Tx, deposit: CustomDeposit): Promise<void> {
  const meta = deposit.meta === null ? null : JSON.stringify(deposit.meta);
  await tx`
    insert into deposit (merchant_id, id, api_key, state, exceptions, network, asset, is_reusable, expected_units,
                         target_key, address, memo, memo_type, webhook, meta, extra_confirmations, created_at, expires_at)
    values (${deposit.merchantId}, ${deposit.id}, ${deposit.apiKey}, ${deposit.state}, ${[...deposit.exceptions]},
            ${deposit.network}, ${deposit.asset}, ${deposit.isReusable}, ${deposit.expectedUnits?.toString() ?? null},
            ${deposit.targetKey}, ${deposit.address}, ${deposit.memo}, ${deposit.memoType}, ${deposit.webhook},
            ${meta}::json, ${deposit.extraConfirmations}, ${deposit.createdAt}, ${deposit.expiresAt})`;
}

export type DepositKey = { readonly merchantId: string; readonly id: string };

/** At least one more than one look can do, so that it knows whether there is more. */
const paymentsPerLook = 101;

/**
 * Everything about these deposits, in the order of the ids. One statement, so all of one moment. Of the payments: the
 * newest (of a single-use deposit all, because there are never many); those with which something is to be done, in
 * order; and separately those that may wait for a rate, so that they do not take the place of others.
 */
export async function findDeposits(
  query: Query,
  merchantId: string,
  ids: readonly string[],
): Promise<(DepositDossier | undefined)[]> {
  const rows = await query<DepositDossierRow>`
    select deposit.*,
           (select json_agg(part) from (
              select payment.id, payment.network, tx_hash, asset, units::text, state, place, generation, block_time,
                     first_seen_at, announced, reference, gross_units::text, fee_units::text, net_units::text, credited_at
                from ((select id from payment
                        where merchant_id = deposit.merchant_id and owner_id = deposit.id and purpose = 'deposit'
                          and state in ('SEEN', 'CONFIRMED', 'FINAL')
                        order by first_seen_at desc, id desc
                        limit case when deposit.is_reusable then ${paymentsShown}::bigint end)
                      union
                      (select payment.id from payment left join deposit_credit told
                          on told.merchant_id = payment.merchant_id and told.deposit_id = payment.owner_id
                         and told.payment_id = payment.id
                        where payment.merchant_id = deposit.merchant_id and owner_id = deposit.id
                          and purpose = 'deposit' and not (state in ('CONFIRMED', 'FINAL') and place = 'settled')
                          and not (state in ('REPLACED', 'DROPPED') and place = 'none')
                          and ((state in ('CONFIRMED', 'FINAL')) = (place = 'none')
                               or (state = 'SEEN' and told.announced is null))
                        order by first_seen_at, payment.id limit ${paymentsPerLook})
                      union
                      (select id from payment
                        where merchant_id = deposit.merchant_id and owner_id = deposit.id
                          and purpose = 'deposit' and not (state in ('CONFIRMED', 'FINAL') and place = 'settled')
                          and not (state in ('REPLACED', 'DROPPED') and place = 'none')
                          and state in ('CONFIRMED', 'FINAL') and place = 'pending'
                        order by first_seen_at, id limit ${paymentsPerLook})) as wanted
                join payment on payment.merchant_id = deposit.merchant_id and payment.owner_id = deposit.id
                            and payment.id = wanted.id
                left join deposit_credit credit
                  on credit.merchant_id = payment.merchant_id and credit.deposit_id = payment.owner_id
                 and credit.payment_id = payment.id
               order by first_seen_at, payment.id) as part) as payment_rows,
           (select json_agg(part) from (
              select asset, payments as count, gross_units::text, fee_units::text, net_units::text
                from deposit_total total
               where total.merchant_id = deposit.merchant_id and total.deposit_id = deposit.id) as part) as total_rows,
           (select json_agg(part) from (
              select asset, count(*) as count, sum(units)::text as units from payment
               where merchant_id = deposit.merchant_id and owner_id = deposit.id and purpose = 'deposit'
                 and not (state in ('CONFIRMED', 'FINAL') and place = 'settled')
                 and not (state in ('REPLACED', 'DROPPED') and place = 'none')
                 and state in ('SEEN', 'CONFIRMED', 'FINAL') and place <> 'settled'
               group by asset) as part) as waiting_rows,
           (select json_agg(part) from (
              select network, asset, waiting_count as count, waiting_units::text as units from crumb_heap heap
               where heap.merchant_id = deposit.merchant_id and heap.owner_id = deposit.id
                 and waiting_count > 0) as part) as crumb_rows,
           exists (select from stray_transfer stray
                    where stray.merchant_id = deposit.merchant_id and stray.owner_id = deposit.id
                      and vanished_at is null) as has_strays
      from deposit where merchant_id = ${merchantId} and id = any(${[...ids]})`;
  const found = new Map(rows.map((row) => [row.id, toDepositDossier(row)]));
  return ids.map((id) => found.get(id));
}

export async function findDeposit(query: Query, merchantId: string, id: string): Promise<DepositDossier | undefined> {
  return (await findDeposits(query, merchantId, [id]))[0];
}

export async function merchantOfDeposit(query: Query, id: string): Promise<string | undefined> {
  const [row] = await query<{ merchant_id: string }>`select merchant_id from deposit where id = ${id}`;
  return row?.merchant_id;
}

/** How many confirmations a payment to this deposit waits for. */
export async function confirmationsOfPayment(query: Query, { merchantId, id }: DepositKey, txHash: string) {
  const [row] = await query<{ count: number }>`
    select max(confirmations_required)::int as count from payment
     where merchant_id = ${merchantId} and owner_id = ${id} and tx_hash = ${txHash}`;
  return row?.count ?? 0;
}

/** Locks a deposit until the transaction ends. This lock comes before any ledger lock. */
export async function lockDeposit(tx: Tx, { merchantId, id }: DepositKey): Promise<DepositDossier | undefined> {
  // Both statements are sent at once and run one after the other: the second sees everything that the lock waited for.
  const [, dossier] = await Promise.all([
    tx`select from deposit where merchant_id = ${merchantId} and id = ${id} for update`,
    findDeposit(tx, merchantId, id),
  ]);
  return dossier;
}

/** Stores what was decided under the lock. Fails when the deposit has changed meanwhile. */
export async function saveDeposit(
  tx: Tx,
  { merchantId, id, state, exceptions, reversals }: CustomDeposit,
  from: CustomDeposit['state'],
): Promise<void> {
  depositStates.assertMove(from, state);
  const saved = await tx`
    update deposit set state = ${state}, exceptions = ${[...exceptions]}, reversals = ${reversals}
     where merchant_id = ${merchantId} and id = ${id} and state = ${from}
    returning id`;
  if (saved.length === 0) throw new Error(`the deposit ${id} is no longer ${from}`);
}

/** What is credited for these payments, and what the merchant was told about them. */
export async function saveDepositCredits(
  tx: Tx,
  { merchantId, id: depositId }: DepositKey,
  payments: readonly DepositPayment[],
): Promise<void> {
  if (payments.length === 0) return;
  const rows = payments.map(({ id, announced, credit }) => ({
    id,
    announced,
    reference: credit?.reference ?? null,
    gross_units: credit?.grossUnits.toString() ?? null,
    fee_units: credit?.feeUnits.toString() ?? null,
    net_units: credit?.netUnits.toString() ?? null,
    credited_at: credit?.creditedAt ?? null,
  }));
  await tx`
    insert into deposit_credit (merchant_id, deposit_id, payment_id, announced, reference, gross_units, fee_units,
                                net_units, credited_at)
    select ${merchantId}, ${depositId}, id, announced, reference, gross_units, fee_units, net_units, credited_at
      from json_to_recordset(${JSON.stringify(rows)}::json)
             as told (id text, announced text, reference text, gross_units numeric, fee_units numeric,
                      net_units numeric, credited_at timestamptz)
     where announced is not null
        on conflict (merchant_id, deposit_id, payment_id) do update
       set announced = excluded.announced, reference = excluded.reference, gross_units = excluded.gross_units,
           fee_units = excluded.fee_units, net_units = excluded.net_units, credited_at = excluded.credited_at`;
}

/** False: there is none, or it was closed before. */
export async function markClosed(tx: Tx, { merchantId, id }: DepositKey, at: Date): Promise<boolean> {
  const rows = await tx`
    update deposit set closed_at = ${at}
     where merchant_id = ${merchantId} and id = ${id} and closed_at is null returning id`;
  return rows.length === 1;
}

const openLockClass = 7_008; // The first half of the advisory lock: "this merchant opens a deposit".

/** Until the transaction ends, the merchant opens no other deposit: what is counted stays true. */
export async function lockOpening(tx: Tx, merchantId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${openLockClass}::integer, hashtext(${merchantId}))`;
}

/**
 * Deposits at which a merchant still expects something: reusable ones, and recent single-use ones at which nothing has
 * arrived.
 */
export async function countOpenDeposits(query: Query, merchantId: string, since: Date): Promise<number> {
  const [row] = await query<{ count: string }>`
    select count(*) as count from deposit
     where merchant_id = ${merchantId} and closed_at is null
       and (is_reusable or (state = 'CREATED' and created_at >= ${since}))`;
  return Number(row?.count ?? 0);
}

/** The newest of those that are counted as open. */
export async function openDepositIds(query: Query, merchantId: string, since: Date, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select id from deposit
     where merchant_id = ${merchantId} and closed_at is null
       and (is_reusable or (state = 'CREATED' and created_at >= ${since}))
     order by created_at desc, id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

export type DepositFilter = PageRange & {
  readonly state: string | null;
  readonly network: string | null;
};

/** Newest first, by keyset: every page costs the same, however old its deposits are. */
export async function listDepositKeys(query: Query, merchantId: string, filter: DepositFilter): Promise<PageKey[]> {
  const { before } = filter;
  return query<Row & PageKey>`
    select id, created_at as "createdAt", coalesce(octet_length(meta::text), 0) as bytes from deposit
     where merchant_id = ${merchantId}
       and (${filter.state}::text is null or state = ${filter.state})
       and (${filter.network}::text is null or network = ${filter.network})
       and (${filter.from}::timestamptz is null or created_at >= ${filter.from})
       and (${filter.to}::timestamptz is null or created_at < ${filter.to})
       and (${before?.id ?? null}::text is null
            or (created_at, id) < (${before?.createdAt ?? null}::timestamptz, ${before?.id ?? null}::text))
     order by created_at desc, id desc
     limit ${filter.limit}`;
}

export type ReusableTarget = {
  readonly depositId: string;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | null;
  readonly memoType: string | null;
};

/** The newest reusable target per asset and network; of one asset, or of all. */
export async function reusableTargets(
  query: Query,
  merchantId: string,
  asset: string | null,
): Promise<ReusableTarget[]> {
  return query<Row & ReusableTarget>`
    select distinct on (asset, network) id as "depositId", asset, network, address, memo, memo_type as "memoType"
      from deposit
     where merchant_id = ${merchantId} and is_reusable and closed_at is null and (${asset}::text is null or asset = ${asset})
     order by asset, network, created_at desc, id desc`;
}
