/** All SQL of the watchers' cursors: how far each network was read, by whom, and what it said then. */
import type { Query, Tx } from '../db/database.ts';
import type { Heights } from '../deposits/confirmation-ladder.ts';
import type { Cursor, Observed } from '../networks/port/receiving.ts';

export type Lease = { readonly epoch: string; readonly cursor: Cursor | null };

/** Makes this watcher the writer for a network. Earlier watchers have an older epoch and can write no more. */
export async function takeLease(query: Query, network: string): Promise<Lease> {
  const [row] = await query<{ epoch: string; cursor: Cursor | null }>`
    insert into network_cursor (network, epoch) values (${network}, 1)
        on conflict (network) do update set epoch = network_cursor.epoch + 1
    returning epoch, cursor`;
  if (!row) throw new Error(`no lease for ${network}`);
  return row;
}

/** False when another watcher has taken the lease since: then the caller must roll back. */
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

/** The new epoch takes the lease from the present watcher, which then starts again from this cursor. */
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
