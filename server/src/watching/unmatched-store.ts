/** All SQL of unmatched payments. */
import type { Query, Row, Tx } from '../db/database.ts';
import { withoutHidden } from '../lib/hidden-characters.ts';

export type UnmatchedPayment = {
  readonly id: string;
  readonly network: string;
  readonly txHash: string;
  readonly txIndex: string;
  readonly asset: string;
  readonly units: bigint;
  /** Too small to be looked at one by one: booked like any other, but not in the list that a person reads. */
  readonly isCrumb: boolean;
  readonly sender: string | null;
  readonly memo: string | null;
  readonly block: { readonly hash: string; readonly height: number; readonly time: Date };
  readonly seenAt: Date;
  /** When the day began on which it came, where the network tells no hour. */
  readonly dayBegan: Date | null;
  readonly trace: Readonly<Record<string, unknown>>;
  readonly assignedCheckoutId: string | null;
  /** Of the payout that sends it back. */
  readonly returnId: string | null;
  /** Why the last attempt to send it back failed. */
  readonly returnFailure: string | null;
  readonly returnedTx: string | null;
  /** The network took all of it back. */
  readonly reversedAt: Date | null;
  /** Since when it is the operator's own. */
  readonly ownAt: Date | null;
};

/** What is left of it is equity. */
export const isOwn = ({ ownAt, reversedAt }: Pick<UnmatchedPayment, 'ownAt' | 'reversedAt'>): boolean =>
  ownAt !== null && reversedAt === null;

export type NewUnmatchedPayment = Omit<
  UnmatchedPayment,
  'seenAt' | 'assignedCheckoutId' | 'returnId' | 'returnFailure' | 'returnedTx' | 'reversedAt' | 'ownAt'
>;

/** Returns the new ones. */
export async function insertUnmatched(
  tx: Tx,
  payments: readonly NewUnmatchedPayment[],
  at: Date,
): Promise<NewUnmatchedPayment[]> {
  if (payments.length === 0) return [];
  const rows = payments.map((payment) => ({
    id: payment.id,
    network: payment.network,
    tx_hash: payment.txHash,
    tx_index: payment.txIndex,
    asset: payment.asset,
    units: payment.units.toString(),
    is_crumb: payment.isCrumb,
    sender: payment.sender,
    memo: payment.memo,
    block_hash: payment.block.hash,
    block_height: payment.block.height,
    block_time: payment.block.time.toISOString(),
    day_began_at: payment.dayBegan?.toISOString() ?? null,
    trace: payment.trace,
  }));
  const inserted = await tx<{ id: string }>`
    insert into unmatched_payment (id, network, tx_hash, tx_index, asset, units, is_crumb, sender, memo, block_hash,
                                   block_height, block_time, day_began_at, trace, seen_at)
    select id, network, tx_hash, tx_index, asset, units, is_crumb, sender, memo, block_hash, block_height, block_time, day_began_at,
           trace, ${at}::timestamptz
      from json_populate_recordset(null::unmatched_payment, ${JSON.stringify(rows)}::json)
        on conflict (network, tx_hash, tx_index) do nothing
    returning id`;
  const isNew = new Set(inserted.map(({ id }) => id));
  return payments.filter(({ id }) => isNew.has(id));
}

export type UnmatchedRow = Row & {
  id: string;
  network: string;
  tx_hash: string;
  tx_index: string;
  asset: string;
  units: string;
  is_crumb: boolean;
  sender: string | null;
  memo: string | null;
  block_hash: string;
  block_height: string;
  block_time: Date;
  seen_at: Date;
  day_began_at: Date | null;
  trace: Record<string, unknown>;
  assigned_checkout_id: string | null;
  return_id: string | null;
  return_failure: string | null;
  returned_tx: string | null;
  reversed_at: Date | null;
  own_at: Date | null;
};

export const unmatchedFromRow = (row: UnmatchedRow): UnmatchedPayment => ({
  id: row.id,
  network: row.network,
  txHash: row.tx_hash,
  txIndex: row.tx_index,
  asset: row.asset,
  units: BigInt(row.units),
  isCrumb: row.is_crumb,
  sender: shownText(row.sender),
  memo: shownText(row.memo),
  block: { hash: row.block_hash, height: Number(row.block_height), time: row.block_time },
  seenAt: row.seen_at,
  dayBegan: row.day_began_at,
  trace: row.trace,
  assignedCheckoutId: row.assigned_checkout_id,
  returnId: row.return_id,
  returnFailure: row.return_failure,
  returnedTx: row.returned_tx,
  reversedAt: row.reversed_at,
  ownAt: row.own_at,
});

/** Whoever pays writes it, and people decide by it. */
const shownText = (text: string | null): string | null => text && withoutHidden(text);

export const unmatchedShown = 200;

/**
 * Those that were neither assigned nor sent back, oldest first, one page: those after a payment, or the first ones.
 * Without crumbs, because anybody can send any number of them.
 */
export async function listUnmatched(query: Query, after: string | null = null): Promise<UnmatchedPayment[]> {
  const rows = await query<UnmatchedRow>`
    select * from unmatched_payment
     where assigned_at is null and returned_at is null and reversed_at is null and not is_crumb
       and (${after}::text is null
            or (seen_at, id) > (select last.seen_at, last.id from unmatched_payment last where last.id = ${after}))
     order by seen_at, id limit ${unmatchedShown}`;
  return rows.map(unmatchedFromRow);
}

const waitingMost = 10_000;

/**
 * Those of a network with one of these amounts that it may take back, crumbs too: those of the sender that is told with the amount
 * come first. Then those that wait, oldest first; what is the operator's own, newest first; at last those that are on their way back.
 */
export async function unmatchedAt(
  query: Query,
  network: string,
  amounts: readonly Pick<UnmatchedPayment, 'asset' | 'units' | 'sender'>[],
): Promise<UnmatchedPayment[]> {
  if (amounts.length === 0) return [];
  const rows = await query<UnmatchedRow>`
    select unmatched_payment.* from unmatched_payment
      join (select asset, units, array_agg(sender) as senders from json_to_recordset(${JSON.stringify(
        amounts.map(({ asset, units, sender }) => ({ asset, units: units.toString(), sender })),
      )}::json) as amount (asset text, units numeric, sender text) group by asset, units) as amount using (asset, units)
     where network = ${network} and (assigned_at is null or own_at is not null) and returned_at is null
       and reversed_at is null
     order by coalesce(sender = any(amount.senders), false) desc, return_id is not null, own_at desc nulls first, seen_at,
              id limit ${waitingMost}`;
  return rows.map(unmatchedFromRow);
}

export async function findUnmatched(query: Query, id: string): Promise<UnmatchedPayment | undefined> {
  const [row] = await query<UnmatchedRow>`select * from unmatched_payment where id = ${id}`;
  return row && unmatchedFromRow(row);
}

export async function lockUnmatched(tx: Tx, id: string): Promise<UnmatchedPayment | undefined> {
  const [row] = await tx<UnmatchedRow>`select * from unmatched_payment where id = ${id} for update`;
  return row && unmatchedFromRow(row);
}

export async function lockUnmatchedArrival(
  tx: Tx,
  { network, txHash, txIndex }: Pick<UnmatchedPayment, 'network' | 'txHash' | 'txIndex'>,
): Promise<UnmatchedPayment | undefined> {
  const [row] = await tx<UnmatchedRow>`
    select * from unmatched_payment
     where network = ${network} and tx_hash = ${txHash} and tx_index = ${txIndex} for update`;
  return row && unmatchedFromRow(row);
}

/** The network took so many units of it back: the rest is what there is, or all of it is gone. */
export async function takeBackUnmatched(tx: Tx, id: string, units: bigint, at: Date): Promise<void> {
  await tx`
    update unmatched_payment
       set reversed_units = reversed_units + ${units.toString()}::numeric,
           reversed_at = case when units = ${units.toString()}::numeric then ${at}::timestamptz end,
           units = case when units = ${units.toString()}::numeric then units else units - ${units.toString()}::numeric end
     where id = ${id} and reversed_at is null`;
}

export async function lockReturn(tx: Tx, returnId: string): Promise<UnmatchedPayment | undefined> {
  const [row] = await tx<UnmatchedRow>`select * from unmatched_payment where return_id = ${returnId} for update`;
  return row && unmatchedFromRow(row);
}

export async function markReturning(
  tx: Tx,
  id: string,
  payout: { readonly id: string; readonly address: string; readonly units: bigint; readonly feeUnits: bigint },
): Promise<void> {
  await tx`
    update unmatched_payment
       set return_id = ${payout.id}, return_address = ${payout.address}, return_units = ${payout.units.toString()},
           return_fee = ${payout.feeUnits.toString()}, return_failure = null
     where id = ${id} and assigned_at is null and return_id is null`;
}

export async function markReturned(tx: Tx, id: string, txHash: string, at: Date): Promise<void> {
  await tx`update unmatched_payment set returned_tx = ${txHash}, returned_at = ${at} where id = ${id}`;
}

/** From now on it can be assigned or sent back again. */
export async function markReturnFailed(tx: Tx, id: string, failure: string): Promise<void> {
  await tx`update unmatched_payment set return_id = null, return_failure = ${failure} where id = ${id}`;
}

export async function markAssigned(
  tx: Tx,
  id: string,
  to: { readonly merchantId: string; readonly checkoutId: string },
  at: Date,
): Promise<void> {
  await tx`
    update unmatched_payment
       set assigned_merchant_id = ${to.merchantId}, assigned_checkout_id = ${to.checkoutId}, assigned_at = ${at}
     where id = ${id} and assigned_at is null`;
}

/** No checkout's, and nothing that waits. */
export async function markOwn(tx: Tx, id: string, at: Date): Promise<void> {
  await tx`update unmatched_payment set assigned_at = ${at}, own_at = ${at} where id = ${id} and assigned_at is null`;
}

/** Where a payment for this checkout would have arrived on this network. */
export type OwnedTarget = {
  readonly key: string;
  readonly purpose: 'checkout' | 'deposit';
  readonly merchantId: string;
};

/** The target of a checkout, or of a custom deposit. */
export async function targetOfCheckout(
  query: Query,
  network: string,
  checkoutId: string,
): Promise<OwnedTarget | undefined> {
  const [row] = await query<Row & OwnedTarget>`
    select key, purpose, merchant_id as "merchantId" from deposit_target
     where network = ${network} and purpose in ('checkout', 'deposit') and owner_id = ${checkoutId}
     order by created_at desc limit 1`;
  return row;
}

/** Which of these are stored as unmatched. */
export async function knownUnmatched(query: Query, network: string, txHashes: readonly string[]): Promise<string[]> {
  const rows = await query<{ hash: string }>`
    select distinct tx_hash as hash from unmatched_payment
     where network = ${network} and tx_hash = any(${[...txHashes]})`;
  return rows.map(({ hash }) => hash);
}

/**
 * Leaves out what is stored as unmatched. If it were read again after its checkout was committed, it would match, and
 * the books would have it twice. Only the operator takes it out of suspense.
 */
export async function withoutKept<T extends { readonly txHash: string; readonly index: string }>(
  query: Query,
  network: string,
  arrivals: readonly T[],
): Promise<readonly T[]> {
  if (arrivals.length === 0) return arrivals;
  const rows = await query<{ tx_hash: string; tx_index: string }>`
    select tx_hash, tx_index from unmatched_payment
     where network = ${network} and tx_hash = any(${arrivals.map(({ txHash }) => txHash)})`;
  const kept = new Set(rows.map(({ tx_hash, tx_index }) => `${tx_hash}/${tx_index}`));
  return arrivals.filter(({ txHash, index }) => !kept.has(`${txHash}/${index}`));
}
