/**
 * Asking for a file that is made later. So many are made and kept at once and no more: each takes work from others while it
 * is made, and room while it is kept.
 */
import type { Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { newId } from '../lib/ids.ts';
import { countExports, insertExport, lockExports, type NewExport } from './export-store.ts';
import { tooManyExports, tooManyExportsInAll, tooManyKeptExports } from './report-errors.ts';

export const exportLimits = { beingMade: 2, beingMadeInAll: 20, kept: 10 };

export type ExportOrder = Pick<NewExport, 'requestedBy' | 'list' | 'format' | 'asked' | 'frame' | 'fileName'>;

/** In the transaction of who asks. Returns its id. */
export async function requestExport(tx: Tx, merchantId: string, order: ExportOrder, now: Date): Promise<string> {
  await lockExports(tx);
  const { beingMade, beingMadeInAll, kept } = await countExports(tx, merchantId);
  if (beingMade >= exportLimits.beingMade) throw tooManyExports(exportLimits.beingMade);
  if (beingMadeInAll >= exportLimits.beingMadeInAll) throw tooManyExportsInAll();
  // Those that are being made will be kept too.
  if (kept + beingMade >= exportLimits.kept) throw tooManyKeptExports(exportLimits.kept);
  const id = newId();
  await insertExport(tx, merchantId, { ...order, id, state: 'WAITING', requestedAt: now });
  await enqueue(tx, [{ name: 'export.make', payload: { merchantId, exportId: id }, runAt: now }]);
  return id;
}
