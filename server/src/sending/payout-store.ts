/**
 * All SQL of payouts: what was asked to be sent, and how that ended. Units are at the asset's ledger scale. The table is
 * `outgoing_transfer`, whose name the previous release knows.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import type { Destination, Holder } from '../networks/port/sending.ts';
import { moveWhenEnded, moveWhenRefused, type PayoutState, payoutStates } from './payout-state.ts';
import type { EndedTransaction } from './transaction-fate-store.ts';

/** Who asked for a payout. When it has ended, the job `<purpose>.advance` tells them. */
export type PayoutPurpose = 'transfer' | 'refund' | 'settlement' | 'return' | 'withdrawal' | 'bridge';

export type NewPayout = Destination & {
  readonly id: string;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly purpose: PayoutPurpose;
  readonly merchantId: string;
  /** Exchanged with ourselves for at least so much of another asset. */
  readonly exchange?: { readonly asset: string; readonly leastUnits: bigint } | null;
  /** The asset's issuer, which is us, makes these units instead of spending some. */
  readonly isIssue?: boolean;
  /** What is set aside for the network's fee, in the asset of that fee. Null: the operator pays what it takes. */
  readonly heldFeeUnits?: bigint | null;
};

export type StoredPayout = NewPayout & {
  readonly state: PayoutState;
  readonly transactionId: string | null;
  readonly txHash: string | null;
  readonly failure: string | null;
  readonly requestedAt: Date;
  /** What an exchange gave, once it happened. */
  readonly receivedUnits: bigint | null;
  readonly heldFeeUnits: bigint | null;
  /** What the network took for an attempt that failed, in the asset of its fees. */
  readonly costUnits: bigint;
  /** It was announced as sent, so it will be sent, whatever it costs by now. */
  readonly wasDone: boolean;
};

/**
 * Asks for money to be sent, in the transaction that sets it aside: both happen or neither. Whoever asks chooses the
 * id, so asking twice sends once. When the payout has ended, the job `<purpose>.advance` runs with that id, and
 * `findPayout` says how it ended.
 */
export async function insertPayouts(tx: Tx, payouts: readonly NewPayout[], at: Date): Promise<void> {
  if (payouts.length === 0) return;
  const [opening] = payoutStates.first;
  const rows = payouts.map(({ memoType, merchantId, units, exchange, isIssue, heldFeeUnits, ...payout }) => ({
    ...payout,
    units: units.toString(),
    memo_type: memoType,
    merchant_id: merchantId,
    exchange_asset: exchange?.asset ?? null,
    exchange_least_units: exchange?.leastUnits.toString() ?? null,
    is_issue: isIssue ?? false,
    held_fee_units: heldFeeUnits?.toString() ?? null,
  }));
  await tx`
    insert into outgoing_transfer (id, network, asset, units, address, memo, memo_type, holder, purpose, merchant_id, state,
                                   requested_at, exchange_asset, exchange_least_units, is_issue, held_fee_units)
    select id, network, asset, units, address, memo, memo_type, holder, purpose, merchant_id, ${opening}, ${at}::timestamptz,
           exchange_asset, exchange_least_units, is_issue, held_fee_units
      from json_populate_recordset(null::outgoing_transfer, ${JSON.stringify(rows)}::json)
        on conflict (id) do nothing`;
}

type PayoutRow = Row & {
  id: string;
  network: string;
  asset: string;
  units: string;
  address: string;
  memo: string | null;
  memo_type: string | null;
  holder: Holder | null;
  purpose: PayoutPurpose;
  merchant_id: string;
  state: PayoutState;
  transaction_id: string | null;
  tx_hash: string | null;
  failure: string | null;
  exchange_asset: string | null;
  exchange_least_units: string | null;
  received_units: string | null;
  is_issue: boolean;
  requested_at: Date;
  held_fee_units: string | null;
  cost_units: string;
  was_done: boolean;
};

const toPayout = (row: PayoutRow): StoredPayout => ({
  id: row.id,
  network: row.network,
  asset: row.asset,
  units: BigInt(row.units),
  address: row.address,
  memo: row.memo,
  memoType: row.memo_type,
  holder: row.holder,
  purpose: row.purpose,
  merchantId: row.merchant_id,
  state: row.state,
  transactionId: row.transaction_id,
  txHash: row.tx_hash,
  failure: row.failure,
  exchange:
    row.exchange_asset === null
      ? null
      : { asset: row.exchange_asset, leastUnits: BigInt(row.exchange_least_units ?? 0) },
  receivedUnits: row.received_units === null ? null : BigInt(row.received_units),
  isIssue: row.is_issue,
  requestedAt: row.requested_at,
  heldFeeUnits: row.held_fee_units === null ? null : BigInt(row.held_fee_units),
  costUnits: BigInt(row.cost_units),
  wasDone: row.was_done,
});

export async function findPayout(query: Query, id: string): Promise<StoredPayout | undefined> {
  const [row] = await query<PayoutRow>`select * from outgoing_transfer where id = ${id}`;
  return row && toPayout(row);
}

export async function findPayouts(query: Query, ids: readonly string[]): Promise<StoredPayout[]> {
  const rows = await query<PayoutRow>`select * from outgoing_transfer where id = any(${ids})`;
  return rows.map(toPayout);
}

/**
 * In the order in which they were asked for. Without those that wait for a payment to be confirmed again, those that were
 * delayed, those of suspended merchants, and those that may have been paid. At most so many of each asset: when many wait for an asset that is short, payouts in others are
 * still seen, and so is the one that issues more of it.
 */
export async function queuedPayouts(
  query: Query,
  network: string,
  now: Date,
  limitEach: number,
): Promise<StoredPayout[]> {
  const rows = await query<PayoutRow>`
    select payout.*
      from (select distinct asset, is_issue from outgoing_transfer
             where network = ${network} and state = 'QUEUED') as wanted
     cross join lateral
           (select * from outgoing_transfer
             where network = ${network} and state = 'QUEUED' and asset = wanted.asset and is_issue = wanted.is_issue
               and coalesce(held_until <= ${now}, true) and is_paid(outgoing_transfer)
               and not is_held_back(outgoing_transfer) and not is_in_doubt(outgoing_transfer)
             order by requested_at, id limit ${limitEach}) as payout
     order by payout.requested_at, payout.id`;
  return rows.map(toPayout);
}

/**
 * Their transaction is signed: a new one for payouts that wait and are paid for, or another version of the one that
 * they have. False when one of them has changed meanwhile; then the caller must roll back. What has happened
 * (`hasHappened`) is asked for nothing else: it has left, whoever may send nothing now.
 */
export async function signPayouts(
  tx: Tx,
  ids: readonly string[],
  transactionId: string,
  hasHappened = false,
): Promise<boolean> {
  const { pairs, from, to } = payoutStates;
  const again = pairs('signAgain');
  // In this order: otherwise what the second statement signs would look to the first like another version of itself.
  const [signedAgain, signed] = await Promise.all([
    tx`
      update outgoing_transfer set state = move.after
        from unnest(${again.from}::text[], ${again.to}::text[]) as move (before, after)
       where id = any(${ids}) and state = move.before and transaction_id = ${transactionId}
      returning id`,
    tx`
      update outgoing_transfer set state = ${to('sign')}, transaction_id = ${transactionId}, waits_for = null
       where id = any(${ids}) and state = any(${from('sign')})
         and (${hasHappened} or (is_paid(outgoing_transfer) and not is_held_back(outgoing_transfer)
                                 and not is_in_doubt(outgoing_transfer)))
      returning id`,
  ]);
  return signedAgain.length + signed.length === ids.length;
}

const payoutLockClass = 7_005; // The first half of the advisory lock: "someone asks for some of this asset to leave here".

/**
 * Until the transaction ends, nobody else who takes this lock asks for any of this asset to leave on this network. It
 * is taken after the lock of what is to be paid and before any lock of the ledger.
 */
export async function lockPayouts(tx: Tx, network: string, asset: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(${payoutLockClass}::integer, hashtext(${`${network} ${asset}`}))`;
}

/**
 * What was asked for and has not left yet, as far as the watcher knows. What is issued is not counted: it is not spent.
 */
export async function unsentUnits(query: Query, network: string, asset: string): Promise<bigint> {
  const [row] = await query<{ units: string }>`
    select coalesce(sum(units), 0) as units from outgoing_transfer
     where network = ${network} and asset = ${asset} and state in ('QUEUED', 'SIGNED') and not is_issue
       and not exists (select from outgoing_transaction own
                        where own.id = outgoing_transfer.transaction_id and own.state in ('INCLUDED', 'DONE'))`;
  return BigInt(row?.units ?? 0);
}

/** Takes back what nobody has signed yet. False: too late, or the network has booked something that may be it. */
export async function withdrawPayout(tx: Tx, id: string, at: Date): Promise<boolean> {
  const { from, to } = payoutStates;
  const rows = await tx`
    update outgoing_transfer set state = ${to('withdraw')}, failure = 'It was cancelled.', ended_at = ${at}
     where id = ${id} and state = any(${from('withdraw')}) and not is_in_doubt(outgoing_transfer) returning id`;
  return rows.length === 1;
}

/**
 * A payout that no transaction can carry, alone or together with others, fails before it leaves. One that was announced
 * as sent does not fail: it is delayed. `costUnits`: what the network took for the attempt. Returns nothing when it was
 * too late.
 */
export async function refusePayout(
  tx: Tx,
  id: string,
  reason: string,
  at: Date,
  costUnits = 0n,
): Promise<StoredPayout[]> {
  const [found] = await tx<PayoutRow>`select * from outgoing_transfer where id = ${id} for update`;
  if (!found) return [];
  const move = moveWhenRefused(found.was_done);
  const endedAt = move === 'refuse' ? at : null;
  const rows = await tx<PayoutRow>`
    update outgoing_transfer
       set state = ${payoutStates.to(move)}, failure = ${reason}, ended_at = ${endedAt},
           cost_units = cost_units + ${costUnits.toString()}, held_until = next_try(outgoing_transfer, ${at})
     where id = ${id} and state = any(${payoutStates.from(move)}) and not is_in_doubt(outgoing_transfer) returning *`;
  return rows.map(toPayout);
}

/** They are not looked at again before this time. */
export async function delayPayouts(query: Query, ids: readonly string[], until: Date): Promise<void> {
  await query`
    update outgoing_transfer set held_until = ${until} where id = any(${[...ids]}) and state = 'QUEUED'`;
}

/** Since when the oldest payout of each network waits: to be signed, or to be done. */
export async function oldestPayouts(query: Query): Promise<{ network: string; state: PayoutState; since: Date }[]> {
  return query<Row & { network: string; state: PayoutState; since: Date }>`
    select network, state, min(requested_at) as since from outgoing_transfer
     where state in ('QUEUED', 'SIGNED') group by network, state order by network, state`;
}

/**
 * Back into the queue: their transaction can never happen, and nothing was sent. Also those that were done and lost
 * their block: to whoever asked they stay done, and they are sent once more because nothing arrived. When that fails
 * too, they are delayed like one that is refused. Returns those whose asker looks again: those that were done, and refunds, because
 * what they give back may be gone by now.
 */
export async function requeuePayouts(tx: Tx, transactionId: string, at: Date): Promise<StoredPayout[]> {
  const { from, to } = payoutStates;
  const rows = await tx<PayoutRow>`
    update outgoing_transfer
       set state = ${to('requeue')}, transaction_id = null, tx_hash = null, ended_at = null,
           was_done = was_done or state = 'DONE',
           held_until = next_try(outgoing_transfer, ${at})
     where transaction_id = ${transactionId} and state = any(${from('requeue')})
    returning *`;
  return rows.filter(({ was_done: wasDone, purpose }) => wasDone || purpose === 'refund').map(toPayout);
}

/**
 * What was announced as sent does not fail: it waits for another transaction. Those that failed share what their
 * transaction cost.
 */
export async function endPayouts(tx: Tx, ended: EndedTransaction, at: Date): Promise<StoredPayout[]> {
  const lost = ended.failure === null ? 0n : ended.feeUnits;
  const move = moveWhenEnded(ended.failure);
  const rows = await tx<PayoutRow>`
    update outgoing_transfer
       set state = ${payoutStates.to(move)}, failure = ${ended.failure}, tx_hash = ${ended.happenedAs},
           ended_at = ${at},
           cost_units = cost_units + ceil(${lost.toString()}::numeric / (select count(*) from outgoing_transfer sharing
                                                                          where sharing.transaction_id = ${ended.id}))
     where transaction_id = ${ended.id} and state = any(${payoutStates.from(move)})
       and (${ended.failure}::text is null or not was_done)
    returning *`;
  return rows.map(toPayout);
}

/** They were done before; now we know that another version of their transaction did it, or that it has another name. */
export async function renamePayouts(tx: Tx, { id, happenedAs }: EndedTransaction): Promise<StoredPayout[]> {
  const rows = await tx<PayoutRow>`
    update outgoing_transfer set tx_hash = ${happenedAs}
     where transaction_id = ${id} and state = 'DONE' and tx_hash <> ${happenedAs} returning *`;
  return rows.map(toPayout);
}
