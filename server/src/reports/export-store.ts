/** All SQL about exports and the pieces of their files. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { Asker } from '../http/actor.ts';
import type { MovePairs } from '../lib/state-table.ts';
import type { Export } from './export.ts';
import type { ExportState } from './export-state.ts';

type ExportRow = Row & {
  merchant_id: string;
  id: string;
  requested_by: string;
  list: string;
  format: string;
  asked: Export['asked'];
  frame: Omit<Export['frame'], 'asOf'> & { readonly asOf: string };
  file_name: string;
  state: ExportState;
  position: string | null;
  rows_done: number;
  rows_expected: number | null;
  pieces: number;
  bytes: string;
  requested_at: Date;
  ended_at: Date | null;
  kept_until: Date | null;
};

const toExport = (row: ExportRow): Export => ({
  merchantId: row.merchant_id,
  id: row.id,
  requestedBy: row.requested_by as Asker,
  list: row.list,
  format: row.format,
  asked: row.asked,
  frame: { ...row.frame, asOf: new Date(row.frame.asOf) },
  fileName: row.file_name,
  state: row.state,
  position: row.position,
  rowsDone: row.rows_done,
  rowsExpected: row.rows_expected,
  pieces: row.pieces,
  bytes: Number(row.bytes),
  requestedAt: row.requested_at,
  endedAt: row.ended_at,
  keptUntil: row.kept_until,
});

const lockClass = 7_079; // The first half of the advisory lock: "someone asks for an export".

/** Whoever asks for one waits for the others who do, so that what is counted stays true. */
export async function lockExports(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${lockClass}::integer, 0)`;
}

export type ExportCounts = { readonly beingMade: number; readonly beingMadeInAll: number; readonly kept: number };

/** `beingMadeInAll`: of all accounts. */
export async function countExports(query: Query, merchantId: string): Promise<ExportCounts> {
  const [row] = await query<ExportCounts>`
    select count(*) filter (where merchant_id = ${merchantId} and state in ('WAITING', 'MAKING'))::integer as "beingMade",
           count(*) filter (where state in ('WAITING', 'MAKING'))::integer as "beingMadeInAll",
           count(*) filter (where merchant_id = ${merchantId} and state = 'READY')::integer as kept
      from export where state in ('WAITING', 'MAKING', 'READY')`;
  return row ?? { beingMade: 0, beingMadeInAll: 0, kept: 0 };
}

export type NewExport = Pick<
  Export,
  'id' | 'requestedBy' | 'list' | 'format' | 'asked' | 'frame' | 'fileName' | 'state' | 'requestedAt'
>;

export async function insertExport(tx: Tx, merchantId: string, made: NewExport): Promise<void> {
  await tx`
    insert into export (merchant_id, id, requested_by, list, format, asked, frame, file_name, state, requested_at)
    values (${merchantId}, ${made.id}, ${made.requestedBy}, ${made.list}, ${made.format}, ${JSON.stringify(made.asked)},
            ${JSON.stringify(made.frame)}, ${made.fileName}, ${made.state}, ${made.requestedAt})`;
}

export async function findExport(query: Query, merchantId: string, id: string): Promise<Export | undefined> {
  const [row] = await query<ExportRow>`select * from export where merchant_id = ${merchantId} and id = ${id}`;
  return row && toExport(row);
}

/** Newest first. */
export async function listExports(
  query: Query,
  merchantId: string,
  requestedBy: string,
  limit: number,
): Promise<Export[]> {
  const rows = await query<ExportRow>`
    select * from export where merchant_id = ${merchantId} and requested_by = ${requestedBy}
     order by requested_at desc, id desc limit ${limit}`;
  return rows.map(toExport);
}

/** Of everybody: those that are being made or kept, newest first. There are few. */
export async function listLiveExports(query: Query, merchantId: string): Promise<Export[]> {
  const rows = await query<ExportRow>`
    select * from export where merchant_id = ${merchantId} and state in ('WAITING', 'MAKING', 'READY')
     order by requested_at desc, id desc`;
  return rows.map(toExport);
}

/** By its account and id, a text that changes while an export is made, and says nothing else. */
export async function newsOfExports(
  query: Query,
  keys: readonly { readonly merchantId: string; readonly id: string }[],
): Promise<Map<string, string>> {
  const rows = await query<{ name: string; news: string }>`
    select merchant_id || '/' || id as name, md5(state || '.' || rows_done || '.' || coalesce(rows_expected, 0)) as news
      from export
      join unnest(${keys.map(({ merchantId }) => merchantId)}::text[], ${keys.map(({ id }) => id)}::text[])
             as wanted (merchant, export) on merchant_id = wanted.merchant and id = wanted.export`;
  return new Map(rows.map(({ name, news }) => [name, news]));
}

/** False: it is not in a state in which it could be moved so. */
export async function moveExport(
  tx: Tx,
  merchantId: string,
  id: string,
  { from, to }: MovePairs<ExportState>,
  change: { readonly rowsExpected?: number; readonly endedAt?: Date; readonly keptUntil?: Date } = {},
): Promise<boolean> {
  const { rowsExpected = null, endedAt = null, keptUntil = null } = change;
  const rows = await tx`
    update export
       set state = (${to}::text[])[array_position(${from}::text[], state)],
           rows_expected = coalesce(${rowsExpected}, rows_expected), ended_at = coalesce(${endedAt}, ended_at),
           kept_until = coalesce(${keptUntil}, kept_until)
     where merchant_id = ${merchantId} and id = ${id} and state = any(${from}::text[]) returning id`;
  return rows.length > 0;
}

export type WrittenPart = {
  /** How many pieces there were: whoever wrote a further one meanwhile has done this part already. */
  readonly piecesBefore: number;
  readonly data: readonly Buffer[];
  readonly rows: number;
  readonly position: string | null;
};

/** False: somebody else wrote this part, or it is not being made any more. */
export async function appendPieces(
  tx: Tx,
  merchantId: string,
  id: string,
  { from, to }: MovePairs<ExportState>,
  { piecesBefore, data, rows, position }: WrittenPart,
): Promise<boolean> {
  const bytes = data.reduce((sum, piece) => sum + piece.length, 0);
  const moved = await tx`
    update export
       set state = (${to}::text[])[array_position(${from}::text[], state)], position = ${position},
           rows_done = rows_done + ${rows}, pieces = pieces + ${data.length}, bytes = bytes + ${bytes}
     where merchant_id = ${merchantId} and id = ${id} and state = any(${from}::text[]) and pieces = ${piecesBefore}
    returning id`;
  if (moved.length === 0) return false;
  for (const [at, piece] of data.entries())
    await tx`
      insert into export_piece (merchant_id, export_id, position, data)
      values (${merchantId}, ${id}, ${piecesBefore + at}, ${piece})`;
  return true;
}

export async function readPiece(
  query: Query,
  merchantId: string,
  id: string,
  position: number,
): Promise<Buffer | undefined> {
  const [row] = await query<{ data: Buffer }>`
    select data from export_piece where merchant_id = ${merchantId} and export_id = ${id} and position = ${position}`;
  return row?.data;
}

export async function deletePieces(tx: Tx, merchantId: string, id: string): Promise<void> {
  await tx`delete from export_piece where merchant_id = ${merchantId} and export_id = ${id}`;
}
