/** How an export ends: it is ready, is not wanted or allowed any more, cannot be made, or its file has been kept long enough. */
import type { Db, Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { addMs, hours } from '../lib/clock.ts';
import { exportStates } from './export-state.ts';
import { deletePieces, moveExport } from './export-store.ts';

export const keptMs = hours(7 * 24);

type Which = { readonly merchantId: string; readonly id: string };

/** False: it is not being made any more. */
export async function finishExport(tx: Tx, { merchantId, id }: Which, now: Date): Promise<boolean> {
  const keptUntil = addMs(now, keptMs);
  const change = { endedAt: now, keptUntil };
  if (!(await moveExport(tx, merchantId, id, exportStates.pairs('finish'), change))) return false;
  const payload = { merchantId, exportId: id };
  await enqueue(tx, [
    { name: 'export.mail', payload, runAt: now },
    { name: 'export.delete', payload, runAt: keptUntil },
  ]);
  return true;
}

/** What was written of it goes; the row stays, and says what became of it. False: it had ended before. */
async function endWithoutFile(tx: Tx, move: 'cancel' | 'fail' | 'delete', { merchantId, id }: Which, now: Date) {
  const change = move === 'delete' ? {} : { endedAt: now };
  if (!(await moveExport(tx, merchantId, id, exportStates.pairs(move), change))) return false;
  await deletePieces(tx, merchantId, id);
  return true;
}

export const cancelExport = (tx: Tx, which: Which, now: Date): Promise<boolean> =>
  endWithoutFile(tx, 'cancel', which, now);

export const failExport = (tx: Tx, which: Which, now: Date): Promise<boolean> => endWithoutFile(tx, 'fail', which, now);

export const deleteExport = (tx: Tx, which: Which, now: Date): Promise<boolean> =>
  endWithoutFile(tx, 'delete', which, now);

/** Whichever of both it is by then. False: it had ended before. */
export const dropExport = async (tx: Tx, which: Which, now: Date): Promise<boolean> =>
  (await cancelExport(tx, which, now)) || deleteExport(tx, which, now);

/** The job, when its time is over. */
export async function deleteOldExport(
  { db, clock }: { readonly db: Db; readonly clock: { now(): Date } },
  { merchantId, exportId }: JobCatalog['export.delete'],
): Promise<void> {
  await db.begin((tx) => deleteExport(tx, { merchantId, id: exportId }, clock.now()));
}
