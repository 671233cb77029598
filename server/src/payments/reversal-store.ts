/**
 * Payments that a network took back. One that is taken back in part is taken back whole, and what is left of it becomes
 * a payment in its place. So the units of a payment never change, and whoever booked it undoes exactly what was booked.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import { type PaymentPlace, paymentPlaces, paymentStates } from '../deposits/payment-state.ts';
import { newId } from '../lib/ids.ts';
import { smaller } from '../money/amount.ts';
import type { ChangedPayment } from './payment-store.ts';

/** What a network calls a payment. */
export type ArrivalName = { readonly network: string; readonly txHash: string; readonly txIndex: string };

/** What stands of a payment: it itself, or what earlier reversals left of it. */
export type StandingPayment = ChangedPayment & { units: string; place: PaymentPlace };

/**
 * Locked. Undefined: it is in no block yet, has vanished, or nothing is left of it. Only what is in a block can be taken
 * back: until then its network names it by its own name, which what is left of it does not have.
 */
export async function lockStanding(
  tx: Tx,
  { network, txHash, txIndex }: ArrivalName,
): Promise<StandingPayment | undefined> {
  const [row] = await tx<StandingPayment>`
    select purpose, merchant_id, owner_id, id, tx_hash, asset, units, place from payment
     where network = ${network} and tx_hash = ${txHash} and state = any(${paymentStates.from('reverse')})
       and block_height is not null and coalesce(rest_of, id) = (select id from payment
                                     where network = ${network} and tx_hash = ${txHash} and tx_index = ${txIndex})
       for update`;
  return row;
}

export type TakenUnits = { readonly payment: ChangedPayment; readonly units: bigint };

export type TakenBack = {
  /** Payments whose owners must be looked at: not crumbs, but what was made of them. */
  readonly changed: readonly TakenUnits[];
  /** Less than was asked for where what was made of crumbs is gone already. */
  readonly units: bigint;
};

/** Takes so many units back, at most what stands. */
export async function reverseUnits(tx: Tx, standing: StandingPayment, units: bigint): Promise<TakenBack> {
  await reversePayment(tx, standing, BigInt(standing.units) - units);
  if (standing.purpose !== 'crumb') return { changed: [{ payment: standing, units }], units };
  const isWhole = units === BigInt(standing.units);
  if (standing.place === 'settled') return takeFromHeap(tx, standing.owner_id, units, isWhole);
  return { changed: [], units };
}

/** The rest has everything of the payment but its units, and is in the books nowhere. */
async function reversePayment(tx: Tx, { merchant_id, owner_id, id }: ChangedPayment, restUnits: bigint): Promise<void> {
  await tx`
    insert into payment (merchant_id, owner_id, purpose, id, rest_of, commitment_id, network, tx_hash, tx_index,
                         target_key, asset, units, state, place, replaced_by, confirmations_required, confirmed_until,
                         block_hash, block_height, block_time, first_seen_at, day_began_at, confirmed_at, trace, inherited, valuations,
                         bridge_id, bridge_tx, bridged_at)
    select merchant_id, owner_id, purpose, ${newId()}, coalesce(rest_of, id), commitment_id, network, tx_hash,
           tx_index || '/rest', target_key, asset, ${restUnits.toString()}::numeric, state,
           case when purpose = 'crumb' then place else 'none' end, replaced_by, confirmations_required, confirmed_until,
           block_hash, block_height, block_time, first_seen_at, day_began_at, confirmed_at, trace, inherited, valuations,
           bridge_id, bridge_tx, bridged_at
      from payment
     where merchant_id = ${merchant_id} and owner_id = ${owner_id} and id = ${id} and ${restUnits.toString()}::numeric > 0`;
  // A crumb is in no books of its owner's: it lies on its heap, or does not.
  const nowhere: PaymentPlace = 'none';
  const reversed = await tx`
    update payment
       set state = ${paymentStates.to('reverse')},
           place = case when purpose = 'crumb' and place = any(${paymentPlaces.before(nowhere)}) then ${nowhere} else place end
     where merchant_id = ${merchant_id} and owner_id = ${owner_id} and id = ${id}
       and state = any(${paymentStates.from('reverse')})
    returning id`;
  if (reversed.length !== 1) throw new Error(`the payment ${id} was taken back before`);
}

/** What waits on the heap is taken first, then what was made of earlier crumbs, the newest first: crumbs are alike. */
async function takeFromHeap(tx: Tx, heapId: string, units: bigint, isWhole: boolean): Promise<TakenBack> {
  const [heap] = await tx<{ waiting_units: string }>`
    select waiting_units from crumb_heap where id = ${heapId} for update`;
  const waiting = smaller(BigInt(heap?.waiting_units ?? 0), units);
  const gatheredUnits = units - waiting;
  await tx`
    update crumb_heap
       set waiting_units = waiting_units - ${waiting.toString()}::numeric,
           gathered_units = gathered_units - ${gatheredUnits.toString()}::numeric,
           waiting_count = case when waiting_units = ${waiting.toString()}::numeric then 0
                                when ${isWhole} then greatest(waiting_count - 1, 1) else waiting_count end
     where id = ${heapId}`;
  const changed: TakenUnits[] = [];
  let missing = gatheredUnits;
  const gathered = await tx<StandingPayment>`
    select purpose, merchant_id, owner_id, id, tx_hash, asset, units, place from payment
     where network = (select network from crumb_heap where id = ${heapId}) and target_key = ${heapId}
       and state = any(${paymentStates.from('reverse')})
     order by first_seen_at desc, id desc for update`;
  for (const payment of gathered) {
    const taken = smaller(BigInt(payment.units), missing);
    if (taken === 0n) break;
    missing -= taken;
    await reversePayment(tx, payment, BigInt(payment.units) - taken);
    changed.push({ payment, units: taken });
  }
  // What is missing is for a person to explain: an error here would come again at each look, and stop the whole network.
  return { changed, units: units - missing };
}

export type ArrivalAt = {
  readonly targetKey: string;
  readonly txHash: string;
  readonly index: string;
  readonly asset: string;
  /** What stands of it, at the asset's ledger scale; none: all of it was taken back. */
  readonly units: string;
  readonly trace: Readonly<Record<string, unknown>>;
};

/** What arrived in blocks at these targets, by the names that the network gave it. One pass: a target may have been paid thousands of times. */
export async function arrivalsAtTargets(query: Query, network: string, keys: readonly string[]): Promise<ArrivalAt[]> {
  if (keys.length === 0) return [];
  return query<Row & ArrivalAt>`
    select target_key as "targetKey", tx_hash as "txHash", tx_index as index, asset, coalesce(standing, 0)::text as units, trace
      from (select payment.*, sum(units) filter (where state = any(${paymentStates.from('reverse')}))
                                over (partition by target_key, coalesce(rest_of, id)) as standing
              from payment
             where network = ${network} and target_key = any(${[...keys]})) as arrived
     where rest_of is null and block_height is not null
     order by first_seen_at, tx_hash, tx_index`;
}

export type NamedArrival = { readonly txHash: string; readonly txIndex: string; readonly units: bigint };

/**
 * What stands of payments for the checkout or deposit with this id, or of what named nobody and has it, as networks call them: those
 * of so many units first, because no more are listed than people can choose from.
 */
export async function arrivalsFor(query: Query, network: string, id: string, units: bigint): Promise<NamedArrival[]> {
  const rows = await query<{ txHash: string; txIndex: string; units: string }>`
    with owner as (
      select merchant_id, id from checkout where id = ${id} union all select merchant_id, id from deposit where id = ${id}
    )
    select "txHash", "txIndex", units::text
      from (select named.tx_hash as "txHash", named.tx_index as "txIndex", standing.units
              from owner
              join payment standing on standing.merchant_id = owner.merchant_id and standing.owner_id = owner.id
              join payment named on named.merchant_id = owner.merchant_id and named.owner_id = owner.id
                                and named.id = coalesce(standing.rest_of, standing.id)
             where standing.network = ${network} and standing.block_height is not null
               and standing.state = any(${paymentStates.from('reverse')})
               and not exists (select from crumb_heap where crumb_heap.id = named.target_key) -- What was made of crumbs has no name.
             union
            select tx_hash, tx_index, units from unmatched_payment
             where network = ${network} and id = ${id} and reversed_at is null) as arrived
     order by arrived.units = ${units.toString()}::numeric desc, 1, 2 limit 100`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** What arrived under this name, by its places in it, or at one of them, also what named nobody. Without what was left of others. */
export async function indexesOfArrival(
  query: Query,
  network: string,
  txHash: string,
  index: string | null,
): Promise<string[]> {
  const rows = await query<{ tx_index: string }>`
    select tx_index from payment
     where network = ${network} and tx_hash = ${txHash} and tx_index = coalesce(${index}, tx_index)
       and rest_of is null and purpose <> 'change'
       and not exists (select from crumb_heap where crumb_heap.id = target_key) -- What was made of crumbs has no name.
     union
    select tx_index from unmatched_payment
     where network = ${network} and tx_hash = ${txHash} and tx_index = coalesce(${index}, tx_index)
     order by tx_index limit 10`;
  return rows.map(({ tx_index: index }) => index);
}
