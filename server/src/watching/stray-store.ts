/** All SQL of what arrived at our targets and is no asset of ours. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { TargetPurpose } from '../deposits/deposit-target-store.ts';
import { inParts } from '../lib/in-parts.ts';
import type { Stray } from '../networks/port/receiving.ts';

const straysPerStatement = 1_000;
const straysShown = 100;

export type ChangedStray = Row & {
  purpose: TargetPurpose;
  merchant_id: string;
  owner_id: string;
  tx_hash: string;
  what: string;
};

/** Returns those that were not known before, or had vanished. */
export async function saveStrays(tx: Tx, network: string, strays: readonly Stray[]): Promise<ChangedStray[]> {
  const saved: ChangedStray[] = [];
  for (const part of inParts(strays, straysPerStatement)) saved.push(...(await savePart(tx, network, part)));
  return saved;
}

async function savePart(tx: Tx, network: string, strays: readonly Stray[]): Promise<ChangedStray[]> {
  return tx<ChangedStray>`
    insert into stray_transfer (network, tx_hash, tx_index, merchant_id, owner_id, target_key, what, units, block_hash,
                                block_time)
    select ${network}, seen.tx_hash, seen.tx_index, target.merchant_id, target.owner_id, seen.target_key, seen.what,
           seen.units, seen.block_hash, seen.block_time
      from unnest(${strays.map((each) => each.txHash)}::text[], ${strays.map((each) => each.index)}::text[],
                  ${strays.map((each) => each.targetKey)}::text[], ${strays.map((each) => each.what)}::text[],
                  ${strays.map((each) => each.units.toString())}::numeric[],
                  ${strays.map((each) => each.block.hash)}::text[],
                  ${strays.map((each) => each.block.time.toISOString())}::timestamptz[])
             as seen (tx_hash, tx_index, target_key, what, units, block_hash, block_time)
      join deposit_target target on target.network = ${network} and target.key = seen.target_key
        on conflict (network, tx_hash, tx_index) do update
       set block_hash = excluded.block_hash, block_time = excluded.block_time, vanished_at = null
     where stray_transfer.vanished_at is not null
    returning (select purpose from deposit_target target
                where target.network = stray_transfer.network and target.key = stray_transfer.target_key) as purpose,
              merchant_id, owner_id, tx_hash, what`;
}

/** What was in these blocks is gone, until another block has it. */
export async function giveUpStrays(
  tx: Tx,
  network: string,
  blockHashes: readonly string[],
  at: Date,
): Promise<ChangedStray[]> {
  if (blockHashes.length === 0) return [];
  return tx<ChangedStray>`
    update stray_transfer set vanished_at = ${at}
     where network = ${network} and block_hash = any(${blockHashes}) and vanished_at is null
    returning (select purpose from deposit_target target
                where target.network = stray_transfer.network and target.key = stray_transfer.target_key) as purpose,
              merchant_id, owner_id, tx_hash, what`;
}

/** How many there are of each of these owners, counted up to a limit. */
export async function countStrays(
  query: Query,
  owners: readonly { readonly merchant_id: string; readonly owner_id: string; readonly limit: number }[],
): Promise<Map<string, number>> {
  if (owners.length === 0) return new Map();
  const rows = await query<{ owner_id: string; count: number }>`
    select wanted.owner_id,
           (select count(*) from (select from stray_transfer stray
                                   where stray.merchant_id = wanted.merchant_id and stray.owner_id = wanted.owner_id
                                   limit wanted.most) as first_ones)::integer as count
      from unnest(${owners.map((owner) => owner.merchant_id)}::text[], ${owners.map((owner) => owner.owner_id)}::text[],
                  ${owners.map((owner) => owner.limit)}::bigint[]) as wanted (merchant_id, owner_id, most)`;
  return new Map(rows.map(({ owner_id, count }) => [owner_id, count]));
}

export type StrayRow = { network: string; txHash: string; what: string; units: string; blockTime: Date };

/** The oldest ones: a payment by mistake rarely comes after a hundred others. */
export async function straysOfCheckout(query: Query, merchantId: string, checkoutId: string): Promise<StrayRow[]> {
  return query<Row & StrayRow>`
    select network, tx_hash as "txHash", what, units::text, block_time as "blockTime" from stray_transfer
     where merchant_id = ${merchantId} and owner_id = ${checkoutId} and vanished_at is null
     order by block_time, tx_hash, tx_index limit ${straysShown}`;
}
