/**
 * All SQL of payments, as networks tell of them. Where a statement writes out a state that it also gets as a
 * parameter, that is for an index: the planner does not see the index's condition in the parameters of a statement.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import { type Heights, type Ladder, openHeight, unitWeight, wholeWeight } from '../deposits/confirmation-ladder.ts';
import type { TargetPurpose } from '../deposits/deposit-target-store.ts';
import { paymentStates } from '../deposits/payment-state.ts';
import type { BlockRef, Observed } from '../networks/port/receiving.ts';

export type UnconfirmedArrival = { readonly txHash: string; readonly trace: Readonly<Record<string, unknown>> };

export async function unconfirmedArrivals(query: Query, network: string): Promise<UnconfirmedArrival[]> {
  return query<Row & UnconfirmedArrival>`
    select distinct on (tx_hash) tx_hash as "txHash", trace from payment
     where network = ${network} and state = 'SEEN' and block_height is null`;
}

/** A payment of a checkout or deposit of the merchant. */
export type OwnedPayment = { readonly ownerId: string; readonly id: string };

/** What the network told with these payments, which the connector understands: by their ids, in the order of them. */
export async function tracesOfPayments(
  query: Query,
  merchantId: string,
  payments: readonly OwnedPayment[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const owners = [...new Set(payments.map(({ ownerId }) => ownerId))];
  const rows = await query<Row & { id: string; trace: Readonly<Record<string, unknown>> }>`
    select id, trace from payment
     where merchant_id = ${merchantId} and owner_id = any(${owners}) and id = any(${payments.map(({ id }) => id)})
     order by id`;
  return new Map(rows.map(({ id, trace }) => [id, trace]));
}

/** Which of these, each `txHash:index`, are stored. `inBlocks`: without those that were only seen. */
export async function knownArrivals(
  query: Query,
  network: string,
  arrivals: readonly string[],
  { inBlocks = false } = {},
): Promise<ReadonlySet<string>> {
  const hashes = [...new Set(arrivals.map((arrival) => arrival.slice(0, arrival.indexOf(':'))))];
  const rows = await query<{ arrival: string }>`
    select tx_hash || ':' || tx_index as arrival from payment
     where network = ${network} and tx_hash = any(${hashes}) and (block_height is not null or not ${inBlocks})`;
  return new Set(rows.map(({ arrival }) => arrival));
}

/**
 * Targets given out since then, in the order of their keys, with what has arrived there in blocks. A reusable deposit
 * can be paid at any time, so it is always among them.
 */
export async function recentTargetSums(
  query: Query,
  network: string,
  request: {
    readonly asset: string;
    readonly since: Date;
    readonly afterKey: string;
    readonly limit: number;
    readonly checkoutsOnly?: boolean;
  },
): Promise<{ key: string; units: bigint }[]> {
  const rows = await query<{ key: string; units: string }>`
    select recent.key,
           (coalesce(sum(payment.units), 0)
             + coalesce((select sum(move.units) from outgoing_move move
                          where move.network = ${network} and move.target_key = recent.key
                            and move.asset = ${request.asset}), 0))::text as units
      from (select target_key as key from commitment
             where network = ${network} and committed_at >= ${request.since} and target_key > ${request.afterKey}
             union
            select target_key from deposit
             where network = ${network} and (is_reusable or created_at >= ${request.since})
               and not ${request.checkoutsOnly ?? false}
               and target_key > ${request.afterKey}
             order by key limit ${request.limit}) as recent
      left join payment on payment.network = ${network} and payment.target_key = recent.key
            and payment.asset = ${request.asset} and payment.block_height is not null
            and payment.state in ('SEEN', 'CONFIRMED', 'FINAL')
     group by recent.key order by recent.key`;
  return rows.map(({ key, units }) => ({ key, units: BigInt(units) }));
}

/** What the target belongs to, or that it is a crumb: then its owner is a heap. */
export type PaymentPurpose = TargetPurpose | 'crumb';

/** A payment that changed, and its owner, which must be looked at again. */
export type ChangedPayment = Row & {
  purpose: PaymentPurpose;
  merchant_id: string;
  owner_id: string;
  id: string;
  tx_hash: string;
  asset: string;
};

/** What these blocks confirmed is unconfirmed again, and keeps its place in the order of arrival. */
export async function unconfirmBlocks(tx: Tx, network: string, hashes: readonly string[]): Promise<ChangedPayment[]> {
  if (hashes.length === 0) return [];
  const { from, to } = paymentStates;
  return tx<ChangedPayment>`
    with unconfirmed as (
      update payment
         set state = ${to('unconfirm')}, block_hash = null, block_height = null, block_time = null, confirmed_at = null
       where network = ${network} and state = any(${from('unconfirm')}) and block_hash = any(${hashes})
         and state in ('SEEN', 'CONFIRMED')
      returning purpose, merchant_id, owner_id, id, tx_hash, asset
    )
    select * from unconfirmed where purpose <> 'crumb'`;
}

export type NewPayment = {
  readonly id: string;
  readonly targetKey: string;
  readonly txHash: string;
  readonly txIndex: string;
  /** The hash of the transaction of our own that it is, under another name. */
  readonly signedAs?: string | undefined;
  readonly asset: string;
  readonly units: bigint;
  readonly isCrumb: boolean;
  /** The least that is worth a payment on this network. */
  readonly leastUnits: bigint;
  readonly confirmationsRequired: number;
  /** Nothing needs more confirmations than what is final has, however many a merchant adds. */
  readonly confirmationsMax?: number;
  readonly confirmedUntil?: 'safe' | 'final';
  readonly block: BlockRef | null;
  readonly firstSeenAt: Date;
  /** When the day began on which it came, where the network tells no hour. */
  readonly dayBegan: Date | null;
  readonly trace: Readonly<Record<string, unknown>>;
};

export type SeenPayment = ChangedPayment & { is_new: boolean };

/**
 * Stores observations as payments of the owner of their target. Storing one again changes nothing, unless it has come
 * into a block since, or is back after it had vanished. Only `unconfirmBlocks` takes a payment out of its block: an old
 * report of the mempool must not.
 *
 * A payment belongs to the commitment of its target; if it is in another asset, to the commitment of the same checkout
 * in that asset. What somebody else sends to a target for our change is the operator's. A crumb belongs to the heap of
 * its owner, which must exist (`openHeaps`).
 */
export async function savePayments(tx: Tx, network: string, payments: readonly NewPayment[]): Promise<SeenPayment[]> {
  if (payments.length === 0) return [];
  const [opening] = paymentStates.first;
  return tx<SeenPayment>`
    insert into payment (merchant_id, owner_id, purpose, id, commitment_id, network, tx_hash, tx_index, target_key, asset,
                         units, state, confirmations_required, confirmed_until, block_hash, block_height, block_time, first_seen_at, day_began_at,
                         trace)
    select target.merchant_id,
           case when seen.is_crumb then target.owner_id || '/' || ${network} || '/' || seen.asset else target.owner_id end,
           case when seen.is_crumb then 'crumb'
                when target.purpose = 'change' and not exists (select from outgoing_transaction own
                                                                where own.network = ${network} and own.tx_hash = seen.signed_as)
                then 'funding' else target.purpose end,
           seen.id,
           (select commitment.id from commitment
             where not seen.is_crumb and commitment.merchant_id = target.merchant_id and commitment.checkout_id = target.owner_id
               and commitment.network = ${network} and commitment.asset = seen.asset
             order by (commitment.target_key = seen.target_key) desc, commitment.committed_at desc limit 1),
           ${network}, seen.tx_hash, seen.tx_index, seen.target_key, seen.asset, seen.units, ${opening},
           least(seen.confirmations + coalesce(checkout.extra_confirmations, deposit.extra_confirmations, 0),
                 seen.confirmations_max),
           seen.confirmed_until, seen.block_hash, seen.block_height, seen.block_time, seen.first_seen_at,
           seen.day_began_at, seen.trace
      from unnest(${payments.map((each) => each.id)}::text[], ${payments.map((each) => each.targetKey)}::text[],
                  ${payments.map((each) => each.txHash)}::text[], ${payments.map((each) => each.txIndex)}::text[],
                  ${payments.map((each) => each.asset)}::text[], ${payments.map((each) => each.units.toString())}::numeric[],
                  ${payments.map((each) => each.confirmationsRequired)}::integer[],
                  ${payments.map((each) => each.confirmationsMax ?? null)}::integer[],
                  ${payments.map((each) => each.confirmedUntil ?? null)}::text[],
                  ${payments.map((each) => each.block?.hash ?? null)}::text[],
                  ${payments.map((each) => each.block?.height ?? null)}::bigint[],
                  ${payments.map((each) => each.block?.time.toISOString() ?? null)}::timestamptz[],
                  ${payments.map((each) => each.firstSeenAt.toISOString())}::timestamptz[],
                  ${payments.map((each) => each.dayBegan?.toISOString() ?? null)}::timestamptz[],
                  ${payments.map((each) => JSON.stringify(each.trace))}::jsonb[],
                  ${payments.map((each) => each.isCrumb)}::boolean[], ${payments.map((each) => each.signedAs ?? each.txHash)}::text[])
             as seen (id, target_key, tx_hash, tx_index, asset, units, confirmations, confirmations_max, confirmed_until,
                      block_hash, block_height, block_time, first_seen_at, day_began_at, trace, is_crumb, signed_as)
      join deposit_target target on target.network = ${network} and target.key = seen.target_key
      left join checkout on checkout.merchant_id = target.merchant_id and checkout.id = target.owner_id
      left join deposit on deposit.merchant_id = target.merchant_id and deposit.id = target.owner_id
        on conflict (network, tx_hash, tx_index) do update
       set state = ${paymentStates.to('return')}, replaced_by = null,
           -- A crumb in no block may become a payment in a block. Never the other way round.
           purpose = case when payment.purpose = 'crumb' then excluded.purpose else payment.purpose end,
           owner_id = case when payment.purpose = 'crumb' then excluded.owner_id else payment.owner_id end,
           commitment_id = case when payment.purpose = 'crumb' then excluded.commitment_id else payment.commitment_id end,
           block_hash = excluded.block_hash, block_height = excluded.block_height, block_time = excluded.block_time,
           first_seen_at = least(payment.first_seen_at, excluded.first_seen_at),
           day_began_at = least(payment.day_began_at, excluded.day_began_at) -- A report may have told an earlier one.
     where payment.state = any(${paymentStates.from('return')})
        or (payment.state = ${opening} and excluded.block_hash is not null and payment.block_hash is null)
    returning purpose, merchant_id, owner_id, id, tx_hash, asset, (xmax = 0) as is_new`;
}

/** What was only seen under this name, at another target, makes room for what the name is of. Returns it if it is given up now. */
export async function giveUpName(
  tx: Tx,
  network: string,
  { txHash, txIndex, targetKey }: Pick<NewPayment, 'txHash' | 'txIndex' | 'targetKey'>,
): Promise<ChangedPayment[]> {
  const { from, to } = paymentStates;
  const [named] = await tx<ChangedPayment & { is_seen: boolean }>`
    select purpose, merchant_id, owner_id, id, tx_hash, asset, state = any(${from('drop')}) as is_seen from payment
     where network = ${network} and tx_hash = ${txHash} and tx_index = ${txIndex} and target_key <> ${targetKey}
       and block_height is null for update`;
  if (!named) return [];
  const { is_seen: isSeen, ...payment } = named;
  await tx`
    update payment
       set tx_index = tx_index || '/seen', state = case when ${isSeen} then ${to('drop')} else state end
     where merchant_id = ${payment.merchant_id} and owner_id = ${payment.owner_id} and id = ${payment.id}`;
  return isSeen ? [payment] : [];
}

/** What a replacement inherits is decided elsewhere: `inheritance-store`. */
export async function giveUpArrivals(
  tx: Tx,
  network: string,
  vanished: Observed['vanishedArrivals'],
): Promise<(ChangedPayment & { replaced_by: string | null })[]> {
  if (vanished.length === 0) return [];
  const hashes = vanished.map(({ txHash }) => txHash);
  const replacements = vanished.map(({ replacedBy }) => replacedBy);
  const moves = vanished.map(({ replacedBy }) => (replacedBy === null ? 'drop' : 'replace'));
  return tx<ChangedPayment & { replaced_by: string | null }>`
    update payment
       set state = gone.state, replaced_by = gone.replaced_by
      from unnest(${hashes}::text[], ${replacements}::text[], ${moves.map(paymentStates.to)}::text[])
             as gone (tx_hash, replaced_by, state)
     where payment.network = ${network} and payment.tx_hash = gone.tx_hash
       and payment.state = any(${paymentStates.from('replace')}) and payment.state = any(${paymentStates.from('drop')})
       and payment.block_height is null
    returning purpose, merchant_id, owner_id, id, payment.tx_hash, asset, payment.replaced_by`;
}

/**
 * How many confirmations a payment needs follows from sums: of everything that its transaction brings to anybody here,
 * and of everything that its checkout or deposit has in blocks that are not deep enough for any amount. So nobody gains
 * by splitting a payment. New payments are weighed, and once more those that would be confirmed now, because the sums
 * may have grown. So the cost does not grow with the number of waiting payments.
 */
export async function weighPayments(
  tx: Tx,
  network: string,
  ladder: Ladder,
  { heights, news, confirmationsMax }: { heights: Heights; news: readonly string[]; confirmationsMax: number },
): Promise<void> {
  const weights = [...ladder.limits].flatMap(([asset, limits]) =>
    limits.map((limit, step) => ({ asset, step, weight: unitWeight(limit).toString() })),
  );
  await tx`
    with weight as (
      select * from unnest(${weights.map((each) => each.asset)}::text[], ${weights.map((each) => each.step)}::integer[],
                           ${weights.map((each) => each.weight)}::numeric[]) as weight (asset, step, per_unit)
    ), rung as (
      select * from unnest(${ladder.steps.map((_, step) => step)}::integer[],
                           ${ladder.steps.map(({ confirmations }) => confirmations)}::integer[],
                           ${ladder.steps.map(({ until }) => until ?? null)}::text[]) as rung (step, confirmations, until)
    ), weighed as materialized (
      select merchant_id, owner_id, id, tx_hash from payment
       where network = ${network} and state = 'SEEN' and block_height > ${heights.final}
         and purpose in ('checkout', 'deposit')
         and (tx_hash = any(${[...news]})
              or (block_height + confirmations_required - 1 <= ${heights.tip}
                  and (confirmed_until is null or (confirmed_until = 'safe' and block_height <= ${heights.safe}))))
    ), owned as (
      select payment.merchant_id, payment.owner_id, payment.asset, sum(payment.units) as units
        from (select distinct merchant_id, owner_id from weighed) as owner
        join payment on payment.merchant_id = owner.merchant_id and payment.owner_id = owner.owner_id
              and payment.network = ${network} and payment.state in ('SEEN', 'CONFIRMED')
              and payment.block_height > ${openHeight(ladder, heights)}
       group by 1, 2, 3
    ), brought as (
      select payment.tx_hash, payment.asset, sum(payment.units) as units
        from (select distinct tx_hash from weighed) as transaction
        join payment on payment.network = ${network} and payment.tx_hash = transaction.tx_hash
              and payment.state in ('SEEN', 'CONFIRMED') and payment.purpose in ('checkout', 'deposit')
       group by 1, 2
    ), too_shallow_for_owner as (
      select merchant_id, owner_id, step from owned join weight using (asset)
       group by 1, 2, 3 having sum(units * per_unit) >= ${wholeWeight.toString()}::numeric
    ), too_shallow_for_transaction as (
      select tx_hash, step from brought join weight using (asset)
       group by 1, 2 having sum(units * per_unit) >= ${wholeWeight.toString()}::numeric
    ), needed as (
      select weighed.merchant_id, weighed.owner_id, weighed.id,
             greatest((select count(*) from too_shallow_for_owner step
                        where step.merchant_id = weighed.merchant_id and step.owner_id = weighed.owner_id),
                      (select count(*) from too_shallow_for_transaction step
                        where step.tx_hash = weighed.tx_hash)) as step
        from weighed
    )
    update payment
       set confirmations_required = least(rung.confirmations + coalesce(checkout.extra_confirmations,
                                            deposit.extra_confirmations, 0), ${confirmationsMax}),
           confirmed_until = rung.until
      from needed join rung using (step)
      left join checkout on checkout.merchant_id = needed.merchant_id and checkout.id = needed.owner_id
      left join deposit on deposit.merchant_id = needed.merchant_id and deposit.id = needed.owner_id
     where payment.merchant_id = needed.merchant_id and payment.owner_id = needed.owner_id and payment.id = needed.id
       and (payment.confirmations_required, payment.confirmed_until) is distinct from
           (least(rung.confirmations + coalesce(checkout.extra_confirmations, deposit.extra_confirmations, 0),
                  ${confirmationsMax}), rung.until)`;
}

/** Everything that is deep and safe enough for its amount now, or is in a final block. Not crumbs. */
export async function confirmPayments(
  tx: Tx,
  network: string,
  { tip, safeHeight, finalHeight }: Pick<Required<Observed>, 'tip' | 'safeHeight' | 'finalHeight'>,
  at: Date,
): Promise<ChangedPayment[]> {
  const { from, to } = paymentStates;
  return tx<ChangedPayment>`
    update payment set state = ${to('confirm')}, confirmed_at = ${at}
     where network = ${network} and state = 'SEEN' and state = any(${from('confirm')}) and block_height is not null and purpose <> 'crumb'
       and (block_height <= ${finalHeight}
            or (block_height + confirmations_required - 1 <= ${tip.height}
                and (confirmed_until is null or (confirmed_until = 'safe' and block_height <= ${safeHeight}))))
    returning purpose, merchant_id, owner_id, id, tx_hash, asset`;
}

export async function finalizePayments(tx: Tx, network: string, finalHeight: number): Promise<void> {
  const { from, to } = paymentStates;
  await tx`
    update payment set state = ${to('finalize')}
     where network = ${network} and state = 'CONFIRMED' and state = any(${from('finalize')})
       and block_height <= ${finalHeight}`;
}
