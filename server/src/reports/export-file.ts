/** Whose an export is, and its file, piece by piece as fast as somebody reads it. */
import { Readable } from 'node:stream';
import type { Query } from '../db/database.ts';
import type { Asker } from '../http/actor.ts';
import type { Export } from './export.ts';
import { exportStates } from './export-state.ts';
import { findExport, readPiece } from './export-store.ts';
import { exportNotFound, exportNotReady } from './report-errors.ts';

/** Somebody else's is like one that never was. */
export async function findOwnExport(query: Query, merchantId: string, owner: Asker, id: string): Promise<Export> {
  const found = await findExport(query, merchantId, id);
  if (found?.requestedBy !== owner) throw exportNotFound(id);
  return found;
}

/** By the clock too, whether or not somebody has come to delete it. */
export const isFetchable = ({ state, keptUntil }: Export, now: Date): boolean =>
  exportStates.can(state, 'delete') && keptUntil !== null && keptUntil > now;

export function exportStream(query: Query, made: Export, now: Date): Readable {
  if (!isFetchable(made, now)) throw exportNotReady(made.id, made.state);
  const { merchantId, id, pieces } = made;
  async function* read() {
    for (let position = 0; position < pieces; position += 1) {
      const piece = await readPiece(query, merchantId, id, position);
      // Deleted while it was fetched: the answer breaks off before its length, so nobody takes it for the whole.
      if (!piece) throw exportNotFound(id);
      yield piece;
    }
  }
  return Readable.from(read(), { highWaterMark: 1 });
}
