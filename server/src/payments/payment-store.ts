/**
 * All SQL of payments and of the watchers' cursors. Where a statement names a state that it also takes as a value, that is
 * for an index: a prepared statement cannot find the index's condition in its values.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import { type Heights, type Ladder, openHeight, unitWeight, wholeWeight } from '../deposits/confirmation-ladder.ts';
import type { TargetPurpose } from '../deposits/deposit-target-store.ts';
import { paymentStates } from '../deposits/payment-state.ts';
import type { BlockRef, Cursor, Observed } from '../networks/port/receiving.ts';

export type Lease = { readonly epoch: string; readonly cursor: Cursor | null };

/** Becomes the writer for a network. Whoever wrote before has an older epoch and can write no more. */
export async function takeLease(query: Query, network: string): Promise<Lease> {
  const [row] = await query<{ epoch: string; cursor: Cursor | null }>`
    insert into network_cursor (network, epoch) values (${network}, 1)
        on conflict (network) do update set epoch = network_cursor.epoch + 1
    returning epoch, cursor`;
  if (!row) throw new Error(`no lease for ${network}`);
  return row;
}

/** False when another watcher has taken the lease since: then nothing of this transaction may be kept. */
export async function saveCursor(
  tx: Tx,
  network: string,
  epoch: string,
  observed: Pick<Observed, 'cursor' | 'tip' | 'blocksBehind' | 'facts'>,
  heights: Heights,
  at: Date,
): Promise<boolean> {
  const rows = await tx`
    update network_cursor
       set cursor = ${JSON.stringify(observed.cursor)}::jsonb, tip_height = ${observed.tip.height},
           tip_hash = ${observed.tip.hash}, tip_time = ${observed.tip.time}, blocks_behind = ${observed.blocksBehind},
           facts = ${JSON.stringify(observed.facts ?? {})}::jsonb,
           safe_height = ${heights.safe}, final_height = ${heights.final},
           observed_at = ${at}, failing_since = null, last_error = null
     where network = ${network} and epoch = ${epoch}
    returning network`;
  return rows.length === 1;
}

export async function lockCursor(tx: Tx, network: string): Promise<Cursor | null> {
  const [row] = await tx<{ cursor: Cursor | null }>`
    select cursor from network_cursor where network = ${network} for update`;
  return row?.cursor ?? null;
}

/** The new epoch makes the present watcher lose its lease, and so take up this cursor. */
export async function replaceCursor(tx: Tx, network: string, cursor: Cursor): Promise<void> {
  await tx`
    update network_cursor set cursor = ${JSON.stringify(cursor)}::jsonb, epoch = epoch + 1 where network = ${network}`;
}

export async function saveFailure(
  query: Query,
  network: string,
  epoch: string,
  error: string,
  at: Date,
): Promise<void> {
  await query`
    update network_cursor set failing_since = coalesce(failing_since, ${at}), last_error = ${error}
     where network = ${network} and epoch = ${epoch}`;
}

export type UnconfirmedTransfer = { readonly txHash: string; readonly trace: Readonly<Record<string, unknown>> };

export async function unconfirmedTransfers(query: Query, network: string): Promise<UnconfirmedTransfer[]> {
  return query<Row & UnconfirmedTransfer>`
    select distinct on (tx_hash) tx_hash as "txHash", trace from payment
     where network = ${network} and state = 'SEEN' and block_height is null`;
}

/** Which of these, each `txHash:index`, are stored. */
export async function knownTransfers(
  query: Query,
  network: string,
  transfers: readonly string[],
): Promise<ReadonlySet<string>> {
  const hashes = [...new Set(transfers.map((transfer) => transfer.slice(0, transfer.indexOf(':'))))];
  const rows = await query<{ transfer: string }>`
    select tx_hash || ':' || tx_index as transfer from payment
     where network = ${network} and tx_hash = any(${hashes})`;
  return new Set(rows.map(({ transfer }) => transfer));
}

/**
 * Targets committed to since then, in the order of their keys, with what has arrived there in a block. A reusable
 * deposit is paid at any time, so it stays among them.
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

/** Whose target it came to, or that it is a crumb: then its owner is a heap. */
export type PaymentPurpose = TargetPurpose | 'crumb';

/** A payment that changed, and whose: what it belongs to must be looked at. */
export type ChangedPayment = Row & {
  purpose: PaymentPurpose;
  merchant_id: string;
  owner_id: string;
  id: string;
  tx_hash: string;
  asset: string;
};

/** What these blocks confirmed is unconfirmed again; it keeps its place in the order of arrival. */
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
  readonly asset: string;
  readonly units: bigint;
  readonly isCrumb: boolean;
  /** The least that is worth a payment on this network. */
  readonly leastUnits: bigint;
  readonly confirmationsRequired: number;
  /** What is final needs no more, however many a merchant adds. */
  readonly confirmationsMax?: number;
  readonly confirmedUntil?: 'safe' | 'final';
  readonly block: BlockRef | null;
  readonly firstSeenAt: Date;
  readonly trace: Readonly<Record<string, unknown>>;
};

export type SeenPayment = ChangedPayment & { is_new: boolean };

/**
 * Writes observations down as payments of whatever the target belongs to. Seeing one again changes nothing, unless it
 * has since come into a block, or is back after it had been given up. Only `unconfirmBlocks` takes a block away: a
 * mempool reported a moment too late must not.
 *
 * A payment belongs to what was chosen at its target or else, if it is in another asset than that, to where the same
 * checkout was committed in this asset. What somebody else sends to where our change goes is the operator's. A crumb
 * belongs to the heap of its owner, which must be there (`openHeaps`).
 */
export async function savePayments(tx: Tx, network: string, payments: readonly NewPayment[]): Promise<SeenPayment[]> {
  if (payments.length === 0) return [];
  const [opening] = paymentStates.first;
  return tx<SeenPayment>`
    insert into payment (merchant_id, owner_id, purpose, id, commitment_id, network, tx_hash, tx_index, target_key, asset,
                         units, state, confirmations_required, confirmed_until, block_hash, block_height, block_time, first_seen_at, trace)
    select target.merchant_id,
           case when seen.is_crumb then target.owner_id || '/' || ${network} || '/' || seen.asset else target.owner_id end,
           case when seen.is_crumb then 'crumb'
                when target.purpose = 'change' and not exists (select from outgoing_transaction own
                                                                where own.network = ${network} and own.tx_hash = seen.tx_hash)
                then 'funding' else target.purpose end,
           seen.id,
           (select commitment.id from commitment
             where not seen.is_crumb and commitment.merchant_id = target.merchant_id and commitment.checkout_id = target.owner_id
               and commitment.network = ${network} and commitment.asset = seen.asset
             order by (commitment.target_key = seen.target_key) desc, commitment.committed_at desc limit 1),
           ${network}, seen.tx_hash, seen.tx_index, seen.target_key, seen.asset, seen.units, ${opening},
           least(seen.confirmations + coalesce(checkout.extra_confirmations, deposit.extra_confirmations, 0),
                 seen.confirmations_max),
           seen.confirmed_until, seen.block_hash, seen.block_height, seen.block_time, seen.first_seen_at, seen.trace
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
                  ${payments.map((each) => JSON.stringify(each.trace))}::jsonb[],
                  ${payments.map((each) => each.isCrumb)}::boolean[])
             as seen (id, target_key, tx_hash, tx_index, asset, units, confirmations, confirmations_max, confirmed_until,
                      block_hash, block_height, block_time, first_seen_at, trace, is_crumb)
      join deposit_target target on target.network = ${network} and target.key = seen.target_key
      left join checkout on checkout.merchant_id = target.merchant_id and checkout.id = target.owner_id
      left join deposit on deposit.merchant_id = target.merchant_id and deposit.id = target.owner_id
        on conflict (network, tx_hash, tx_index) do update
       set state = ${paymentStates.to('return')}, replaced_by = null,
           -- A crumb in no block may be a payment in one. Never the other way round.
           purpose = case when payment.purpose = 'crumb' then excluded.purpose else payment.purpose end,
           owner_id = case when payment.purpose = 'crumb' then excluded.owner_id else payment.owner_id end,
           commitment_id = case when payment.purpose = 'crumb' then excluded.commitment_id else payment.commitment_id end,
           block_hash = excluded.block_hash, block_height = excluded.block_height, block_time = excluded.block_time,
           first_seen_at = least(payment.first_seen_at, excluded.first_seen_at)
     where payment.state = any(${paymentStates.from('return')})
        or (payment.state = ${opening} and excluded.block_hash is not null and payment.block_hash is null)
    returning purpose, merchant_id, owner_id, id, tx_hash, asset, (xmax = 0) as is_new`;
}

/** What a replacement has of what it replaced is another question: `inheritance-store`. */
export async function giveUpTransfers(
  tx: Tx,
  network: string,
  vanished: Observed['vanishedTransfers'],
): Promise<(ChangedPayment & { replaced_by: string | null })[]> {
  if (vanished.length === 0) return [];
  const hashes = vanished.map((transfer) => transfer.txHash);
  const replacements = vanished.map((transfer) => transfer.replacedBy);
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
 * How deep a payment must be follows from sums: of what its transaction brings to anybody here, and of what its checkout
 * or deposit has in blocks that are not yet deep enough for any amount. So nobody gains by splitting. Weighed is what is
 * news, and once more what would be confirmed now, because the sum may have grown since: the cost does not grow with
 * what waits.
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

/** Everything that is now deep and safe enough for its amount, or in a block that cannot be undone any more. Not crumbs. */
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
