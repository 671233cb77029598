/** All SQL of crumbs: their heaps, the sums of them, and the payments that heaps become. */
import type { Query, Row, Tx } from '../db/database.ts';
import { type PaymentPlace, paymentPlaces, paymentStates } from '../deposits/payment-state.ts';
import type { Arrivals } from './is-crumb.ts';
import type { ChangedPayment, NewPayment } from './payment-store.ts';

/**
 * What has arrived on this network so far for whoever owns each of these targets, by target key. Without the operator's
 * own targets.
 */
export async function findArrivals(
  query: Query,
  network: string,
  keys: readonly string[],
): Promise<Map<string, Arrivals>> {
  type RailRow = Record<'asset' | 'units' | 'mined_units' | 'asked', string> & Record<'count' | 'mined_count', number>;
  // The network is hidden from the planner, as where known targets are looked up.
  const rows = await query<{ key: string; owner: string; is_reusable: boolean; rails: RailRow[] | null }>`
    select target.key, target.merchant_id || '/' || target.owner_id as owner,
           coalesce(deposit.is_reusable, false) as is_reusable,
           case when deposit.is_reusable then null else
           (select jsonb_agg(rail) from (
              select asset, sum(count)::integer as count, sum(units)::text as units, max(asked)::text as asked,
                     sum(mined_count)::integer as mined_count, sum(mined_units)::text as mined_units from (
                select asset, count(*) as count, sum(units) as units, count(block_height) as mined_count,
                       coalesce(sum(units) filter (where block_height is not null), 0) as mined_units, 0 as asked
                  from payment
                 where merchant_id = target.merchant_id and owner_id = target.owner_id and network = ${network}
                 group by asset
                union all
                select asset, 0, 0, 0, 0, due_units from commitment
                 where merchant_id = target.merchant_id and checkout_id = target.owner_id and network = ${network}
                union all
                select deposit.asset, 0, 0, 0, 0, deposit.expected_units where deposit.expected_units is not null
              ) as each group by asset) as rail) end as rails
      from deposit_target target
      left join deposit on deposit.merchant_id = target.merchant_id and deposit.id = target.owner_id
     where target.key = any(${[...keys]}) and target.network || '' = ${network}
       and target.purpose in ('checkout', 'deposit')`;
  const byOwner = new Map<string, Arrivals>();
  const byKey = new Map<string, Arrivals>();
  for (const { key, owner, is_reusable: isReusable, rails } of rows) {
    const all = rails ?? [];
    const arrivals = byOwner.get(owner) ?? {
      isReusable,
      seen: {
        count: all.reduce((sum, { count }) => sum + count, 0),
        units: new Map(all.map(({ asset, units }) => [asset, BigInt(units)])),
      },
      mined: {
        count: all.reduce((sum, { mined_count: count }) => sum + count, 0),
        units: new Map(all.map(({ asset, mined_units: units }) => [asset, BigInt(units)])),
      },
      askedUnits: new Map(all.map(({ asset, asked }) => [asset, BigInt(asked)])),
    };
    byOwner.set(owner, arrivals);
    byKey.set(key, arrivals);
  }
  return byKey;
}

/** A heap must exist before crumbs can be counted on it. With every crumb it learns the network's minimum again. */
export async function openHeaps(
  tx: Tx,
  network: string,
  crumbs: readonly Pick<NewPayment, 'targetKey' | 'asset' | 'leastUnits'>[],
): Promise<void> {
  if (crumbs.length === 0) return;
  await tx`
    insert into crumb_heap (id, merchant_id, owner_id, purpose, network, asset, least_units)
    select distinct on (target.owner_id, crumb.asset) target.owner_id || '/' || ${network} || '/' || crumb.asset,
           target.merchant_id, target.owner_id, target.purpose, ${network}, crumb.asset, crumb.least_units
      from unnest(${crumbs.map(({ targetKey }) => targetKey)}::text[], ${crumbs.map(({ asset }) => asset)}::text[],
                  ${crumbs.map(({ leastUnits }) => leastUnits.toString())}::numeric[])
             as crumb (target_key, asset, least_units)
      join deposit_target target on target.network = ${network} and target.key = crumb.target_key
     order by target.owner_id, crumb.asset
        on conflict (id) do update set least_units = excluded.least_units
     where crumb_heap.least_units <> excluded.least_units`;
}

/**
 * Crumbs in blocks that no reorganisation can take away are final: they are counted once, and never looked at one by
 * one again, except as coins. The heap says what they are worth together.
 */
export async function countFinalCrumbs(tx: Tx, network: string, finalHeight: number, at: Date): Promise<void> {
  const { from, to } = paymentStates;
  const place: PaymentPlace = 'settled';
  await tx`
    with final as (
      update payment set state = ${to('count')}, place = ${place}, confirmed_at = ${at}
       where network = ${network} and purpose = 'crumb' and place = 'none' and block_height <= ${finalHeight}
         and place = any(${paymentPlaces.before(place)}) and state = any(${from('count')})
      returning owner_id, units, tx_hash, block_height, block_time, first_seen_at, id
    ), counted as (
      select owner_id, count(*) as count, sum(units) as units, max(block_height) as height, max(block_time) as time,
             max(first_seen_at) as seen_at, (array_agg(tx_hash order by block_height desc, id desc))[1] as tx
        from final group by owner_id
    )
    update crumb_heap heap
       set waiting_count = waiting_count + counted.count, waiting_units = waiting_units + counted.units,
           last_tx = counted.tx, last_block_height = counted.height, last_block_time = counted.time,
           last_seen_at = greatest(last_seen_at, counted.seen_at)
      from counted where heap.id = counted.owner_id`;
}

export type RipeHeap = { readonly id: string };

/**
 * Heaps that are worth a payment. A further payment of the same heap must be worth a tenth of those before it, or come
 * a day later, so that there are never many. At most so many at once; the next step takes the others.
 */
export async function ripeHeaps(tx: Tx, network: string, dayAgo: Date, limit: number): Promise<RipeHeap[]> {
  return tx<Row & RipeHeap>`
    select id from crumb_heap
     where network = ${network} and waiting_count > 0 and waiting_units >= least_units
       and (gathered_at is null or gathered_at <= ${dayAgo} or waiting_units * 10 >= gathered_units)
     order by id limit ${limit} for update`;
}

export type GatheredPayment = ChangedPayment & { crumbs: string };

/**
 * Makes one payment of all crumbs that wait on a heap. It is final, as all of them are; it has the time of the last
 * one, and the quote of that time. It has no target: the coins belong to the crumbs.
 */
export async function gatherHeaps(
  tx: Tx,
  heaps: readonly { readonly heapId: string; readonly paymentId: string }[],
  at: Date,
): Promise<GatheredPayment[]> {
  if (heaps.length === 0) return [];
  return tx<GatheredPayment>`
    with gathering as (
      select heap.*, ripe.payment_id
        from unnest(${heaps.map(({ heapId }) => heapId)}::text[], ${heaps.map(({ paymentId }) => paymentId)}::text[])
               as ripe (id, payment_id)
        join crumb_heap heap on heap.id = ripe.id
    ), emptied as (
      update crumb_heap heap
         set waiting_count = 0, waiting_units = 0, gathered_count = heap.gathered_count + gathering.waiting_count,
             gathered_units = heap.gathered_units + gathering.waiting_units,
             gathered_payments = heap.gathered_payments + 1, gathered_at = ${at}
        from gathering where heap.id = gathering.id
    )
    insert into payment (merchant_id, owner_id, purpose, id, commitment_id, network, tx_hash, tx_index, target_key, asset,
                         units, state, confirmations_required, block_height, block_time, first_seen_at, confirmed_at,
                         trace)
    select merchant_id, owner_id, purpose, payment_id,
           (select commitment.id from commitment
             where commitment.merchant_id = gathering.merchant_id and commitment.checkout_id = gathering.owner_id
               and commitment.network = gathering.network and commitment.asset = gathering.asset
             order by (commitment.committed_at <= gathering.last_seen_at) desc, commitment.committed_at desc limit 1),
           network, last_tx, id || '/' || (gathered_payments + 1), id, asset, waiting_units, ${paymentStates.to('count')}, 1,
           last_block_height, last_block_time, last_seen_at, ${at}, jsonb_build_object('crumbs', waiting_count)
      from gathering
    returning purpose, merchant_id, owner_id, id, tx_hash, asset, trace ->> 'crumbs' as crumbs`;
}
