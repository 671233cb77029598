/** All SQL of movements that are no payments: what networks told of them, and what is open. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { BlockRef, MovementKind } from '../networks/port/receiving.ts';

export type Movement = {
  readonly id: string;
  readonly network: string;
  readonly kind: MovementKind | 'REVERSAL';
  /** What the network calls it. */
  readonly key: string;
  readonly asset: string;
  /** Negative: it left. */
  readonly units: bigint;
  /** Of the payment that a reversal takes back. */
  readonly txHash: string | null;
  readonly txIndex: string | null;
  readonly note: string | null;
  /** Payouts of ours that the network named, though it is not clear that it is them. */
  readonly about: readonly string[];
  readonly block: BlockRef;
  readonly seenAt: Date;
  /** What of it is in suspense, and explained by nobody. */
  readonly openUnits: bigint;
  readonly assignedAs: string | null;
  readonly assignedTo: string | null;
};

export type NewMovement = Omit<Movement, 'seenAt' | 'openUnits' | 'assignedAs' | 'assignedTo'>;

/**
 * Returns the new ones, in their order. What a network tells again is known by its key, also where it was what nobody could
 * explain and is a reversal now, or the other way round: with other payments there, the same booking is understood otherwise.
 */
export async function insertMovements(tx: Tx, movements: readonly NewMovement[], at: Date): Promise<NewMovement[]> {
  if (movements.length === 0) return [];
  const rows = movements.map(({ id, network, kind, key, asset, units, txHash, txIndex, note, about, block }) => ({
    id,
    network,
    kind,
    key,
    asset,
    units: units.toString(),
    tx_hash: txHash,
    tx_index: txIndex,
    note,
    about,
    block_hash: block.hash,
    block_height: block.height,
    block_time: block.time,
  }));
  const inserted = await tx<{ id: string }>`
    insert into network_movement (id, network, kind, key, asset, units, tx_hash, tx_index, note, about, block_hash,
                                  block_height, block_time, seen_at)
    select id, network, kind, key, asset, units, tx_hash, tx_index, note, about, block_hash, block_height, block_time,
           ${at}::timestamptz
      from json_populate_recordset(null::network_movement, ${JSON.stringify(rows)}::json) told
     where kind not in ('REVERSAL', 'UNKNOWN')
        or not exists (select from network_movement known
                        where known.network = told.network and (known.kind = 'REVERSAL') = (told.kind <> 'REVERSAL')
                          and known.key = told.key and known.kind in ('REVERSAL', 'UNKNOWN'))
        on conflict (network, (kind = 'REVERSAL'), key) do nothing
    returning id`;
  const isNew = new Set(inserted.map(({ id }) => id));
  return movements.filter(({ id }) => isNew.has(id));
}

/** Which of these were told before, by what the network calls them. */
export async function knownMovements(query: Query, network: string, keys: readonly string[]): Promise<string[]> {
  const rows = await query<{ key: string }>`
    select key from network_movement
     where network = ${network} and (kind = 'REVERSAL') in (true, false) and key = any(${[...keys]})`; // As its index is.
  return rows.map(({ key }) => key);
}

type MovementRow = Row &
  Record<'id' | 'network' | 'key' | 'asset' | 'units' | 'block_hash' | 'block_height' | 'open_units', string> &
  Record<'tx_hash' | 'tx_index' | 'note' | 'assigned_as' | 'assigned_to', string | null> & {
    kind: Movement['kind'];
    about: string[];
    block_time: Date;
    seen_at: Date;
  };

const fromRow = (row: MovementRow): Movement => ({
  id: row.id,
  network: row.network,
  kind: row.kind,
  key: row.key,
  asset: row.asset,
  units: BigInt(row.units),
  txHash: row.tx_hash,
  txIndex: row.tx_index,
  note: row.note,
  about: row.about,
  block: { hash: row.block_hash, height: Number(row.block_height), time: row.block_time },
  seenAt: row.seen_at,
  openUnits: BigInt(row.open_units),
  assignedAs: row.assigned_as,
  assignedTo: row.assigned_to,
});

export async function saveOpenUnits(tx: Tx, id: string, openUnits: bigint): Promise<void> {
  await tx`update network_movement set open_units = ${openUnits.toString()} where id = ${id}`;
}

/** Until somebody has explained it, these payouts are not made. */
export async function saveAbout(tx: Tx, id: string, payoutIds: readonly string[]): Promise<void> {
  await tx`update network_movement set about = ${[...payoutIds]} where id = ${id}`;
}

/** Reversals that wait, and whose payment is here by now, in the order in which they were told. Locked. */
export async function lockAwaited(tx: Tx, network: string, hashes: readonly string[]): Promise<Movement[]> {
  const rows = await tx<MovementRow>`
    select * from network_movement
     where network = ${network} and open_units <> 0 and kind = 'REVERSAL' and tx_hash = any(${[...new Set(hashes)]})
     order by seen_at, id for update`;
  return rows.map(fromRow);
}

export async function lockMovement(tx: Tx, id: string): Promise<Movement | undefined> {
  const [row] = await tx<MovementRow>`select * from network_movement where id = ${id} for update`;
  return row && fromRow(row);
}

export async function markMovementAssigned(
  tx: Tx,
  id: string,
  { as, to, by, at }: { readonly as: string; readonly to: string | null; readonly by: string; readonly at: Date },
): Promise<void> {
  await tx`
    update network_movement set assigned_as = ${as}, assigned_to = ${to}, assigned_by = ${by}, assigned_at = ${at}
     where id = ${id}`;
}

const movementsShown = 200;

/** What a person has to explain, oldest first, one page: those after a movement, or the first ones. */
export async function listOpenMovements(query: Query, after: string | null = null): Promise<Movement[]> {
  const rows = await query<MovementRow>`
    select * from network_movement
     where open_units <> 0
       and (${after}::text is null
            or (seen_at, id) > (select last.seen_at, last.id from network_movement last where last.id = ${after}))
     order by seen_at, id limit ${movementsShown}`;
  return rows.map(fromRow);
}

/** The newest, whatever became of them, newest first. */
export async function listMovements(query: Query, limit: number): Promise<Movement[]> {
  const rows = await query<MovementRow>`select * from network_movement order by seen_at desc, id desc limit ${limit}`;
  return rows.map(fromRow);
}

/** What left by movements that nobody has explained, as a positive number: until then it may be missing for good. */
export async function unexplainedUnits(query: Query, asset: string): Promise<bigint> {
  const [row] = await query<{ units: string }>`
    select coalesce(-sum(open_units), 0)::text as units from network_movement
     where open_units < 0 and asset = ${asset}`;
  return BigInt(row?.units ?? 0);
}

export async function findMovement(query: Query, id: string): Promise<Movement | undefined> {
  const [row] = await query<MovementRow>`select * from network_movement where id = ${id}`;
  return row && fromRow(row);
}

/** Those of these payouts that an open movement may be about. */
export async function payoutsInDoubt(
  query: Query,
  network: string,
  payoutIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (payoutIds.length === 0) return new Set();
  const rows = await query<{ id: string }>`
    select distinct payout_id as id from network_movement, unnest(about) as payout_id
     where network = ${network} and open_units <> 0 and about <> '{}' and about && ${[...payoutIds]}::text[]
       and payout_id = any(${[...payoutIds]})`;
  return new Set(rows.map(({ id }) => id));
}

/** Those of these payouts that a movement was about, whether it was explained or not, but for what was said to be just them. */
export async function payoutsEverInDoubt(
  query: Query,
  network: string,
  payoutIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (payoutIds.length === 0) return new Set();
  const rows = await query<{ id: string }>`
    select distinct payout_id as id from network_movement, unnest(about) as payout_id
     where network = ${network} and about <> '{}' and about && ${[...payoutIds]}::text[]
       and assigned_as is distinct from 'PAYOUT' and payout_id = any(${[...payoutIds]})`;
  return new Set(rows.map(({ id }) => id));
}
