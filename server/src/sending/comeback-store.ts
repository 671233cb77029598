/**
 * All SQL of what came back after it was sent: what networks told, how much of it goes back to whoever asked for the
 * payout, and whether they have it. Decides nothing. Units are at the asset's ledger scale.
 */
import type { Query, Row, Tx } from '../db/database.ts';
import type { BlockRef } from '../networks/port/receiving.ts';
import type { PayoutPurpose, StoredPayout } from './payout-store.ts';

export type StoredComeback = {
  readonly network: string;
  /** What the network calls it. */
  readonly comebackId: string;
  readonly payoutId: string;
  readonly txHash: string;
  readonly asset: string;
  readonly units: bigint;
  /** Of these, how many go back to whoever asked for the payout. */
  readonly takenUnits: bigint;
  readonly reason: string | null;
  readonly block: BlockRef;
};

export type NewComeback = Omit<StoredComeback, 'takenUnits'>;

/** Returns the new ones, in their order. */
export async function insertComebacks(tx: Tx, comebacks: readonly NewComeback[], at: Date): Promise<NewComeback[]> {
  if (comebacks.length === 0) return [];
  const rows = comebacks.map(({ network, comebackId, payoutId, txHash, asset, units, reason, block }) => ({
    network,
    comeback_id: comebackId,
    payout_id: payoutId,
    tx_hash: txHash,
    asset,
    units: units.toString(),
    reason,
    block_hash: block.hash,
    block_height: block.height,
    block_time: block.time,
  }));
  const inserted = await tx<{ comeback_id: string }>`
    insert into payout_comeback (network, comeback_id, payout_id, tx_hash, asset, units, reason, block_hash, block_height,
                                 block_time, seen_at)
    select network, comeback_id, payout_id, tx_hash, asset, units, reason, block_hash, block_height, block_time,
           ${at}::timestamptz
      from json_populate_recordset(null::payout_comeback, ${JSON.stringify(rows)}::json)
        on conflict (network, comeback_id) do nothing
    returning comeback_id`;
  const fresh = new Set(inserted.map((row) => row.comeback_id));
  // The same one twice in one answer is one.
  return comebacks.filter(({ comebackId }) => fresh.delete(comebackId));
}

/** Which of these were told before, by what the network calls them. */
export async function knownComebacks(query: Query, network: string, comebackIds: readonly string[]): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select comeback_id as id from payout_comeback
     where network = ${network} and comeback_id = any(${[...comebackIds]})`;
  return rows.map(({ id }) => id);
}

export type ComebackPayout = Pick<StoredPayout, 'id' | 'state' | 'address' | 'merchantId'> & {
  readonly purpose: PayoutPurpose;
  /** What of it has not come back yet. */
  readonly unitsOut: bigint;
};

/** The payout that it is told of, if that transaction of ours carries it, in that asset. Locked. */
export async function lockComebackPayout(
  tx: Tx,
  { network, payoutId, txHash, asset }: NewComeback,
): Promise<ComebackPayout | undefined> {
  type PayoutRow = Row & Omit<ComebackPayout, 'unitsOut'> & { units: string };
  const [row] = await tx<PayoutRow>`
    select id, state, address, purpose, merchant_id as "merchantId", units from outgoing_transfer payout
     where id = ${payoutId} and network = ${network} and asset = ${asset}
       and exists (select from outgoing_transaction own
                    where own.id = payout.transaction_id and own.network = ${network} and own.tx_hash = ${txHash})
       for update`;
  if (!row) return undefined;
  // A statement of its own, so that it sees what the lock waited for.
  const [back] = await tx<{ units: string }>`
    select coalesce(sum(taken_units), 0)::text as units from payout_comeback where payout_id = ${payoutId}`;
  const { units, ...payout } = row;
  return { ...payout, unitsOut: BigInt(units) - BigInt(back?.units ?? 0) };
}

export async function saveTakenUnits(
  tx: Tx,
  { network, comebackId }: Pick<StoredComeback, 'network' | 'comebackId'>,
  units: bigint,
): Promise<void> {
  await tx`
    update payout_comeback set taken_units = ${units.toString()}
     where network = ${network} and comeback_id = ${comebackId} and booked_at is null`;
}

type ComebackRow = Row &
  Record<'network' | 'comeback_id' | 'payout_id' | 'tx_hash' | 'asset' | 'units' | 'taken_units', string> &
  Record<'block_hash' | 'block_height', string> & { reason: string | null; block_time: Date };

const fromRow = (row: ComebackRow): StoredComeback => ({
  network: row.network,
  comebackId: row.comeback_id,
  payoutId: row.payout_id,
  txHash: row.tx_hash,
  asset: row.asset,
  units: BigInt(row.units),
  takenUnits: BigInt(row.taken_units),
  reason: row.reason,
  block: { hash: row.block_hash, height: Number(row.block_height), time: row.block_time },
});

/** What waits for a payout that will never be done. Locked. */
export async function lockInVain(tx: Tx, network: string): Promise<StoredComeback[]> {
  const rows = await tx<ComebackRow>`
    select * from payout_comeback
     where network = ${network} and booked_at is null and taken_units > 0
       and exists (select from outgoing_transfer payout where payout.id = payout_id and payout.state = 'FAILED')
     order by position for update`;
  return rows.map(fromRow);
}

/**
 * What came back of a payout that is done, and whoever asked for it does not have yet, in the order in which it was told.
 * From now on they have it: the caller books it in this transaction.
 */
export async function takeComebacks(tx: Tx, payoutId: string, at: Date): Promise<StoredComeback[]> {
  const rows = await tx<ComebackRow & { position: string }>`
    update payout_comeback set booked_at = ${at}
     where payout_id = ${payoutId} and booked_at is null and taken_units > 0
       and exists (select from outgoing_transfer payout where payout.id = ${payoutId} and payout.state = 'DONE')
    returning *`;
  return rows.toSorted((a, b) => Number(a.position) - Number(b.position)).map(fromRow);
}

/** What came back of a payout that is not done yet: whoever asked for it has it when it is. */
export async function comingBackUnits(query: Query, payoutId: string): Promise<bigint> {
  const [row] = await query<{ units: string }>`
    select coalesce(sum(taken_units), 0)::text as units from payout_comeback
     where payout_id = ${payoutId} and booked_at is null`;
  return BigInt(row?.units ?? 0);
}

export type ComebackSum = { readonly units: bigint; readonly reason: string | null };

/** Of several, what all of them brought, and what was said of the last that said anything. */
export const sumOfComebacks = (comebacks: readonly StoredComeback[]): ComebackSum => ({
  units: comebacks.reduce((sum, { takenUnits }) => sum + takenUnits, 0n),
  reason: comebacks.findLast(({ reason }) => reason !== null)?.reason ?? null,
});
