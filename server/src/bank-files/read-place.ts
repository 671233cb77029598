/**
 * Up to which record what a bank told is sorted. The newest document that the watcher has reached may be read in part: where its
 * network is told in documents, the cursor has the place.
 */
import type { Query } from '../db/database.ts';
import type { DocumentPlace } from '../networks/port/documents.ts';
import { observedTip } from '../watching/reconciliation-store.ts';

/** As many records as no document has. */
const all = 2_147_483_647;

export async function readPlace(query: Query, network: string): Promise<DocumentPlace> {
  const tip = await observedTip(query, network);
  const place = (tip?.cursor as { readonly place?: Partial<DocumentPlace> } | null | undefined)?.place;
  if (typeof place?.position === 'number' && typeof place.number === 'number')
    return { position: place.position, number: place.number };
  return { position: tip?.height ?? 0, number: all };
}
