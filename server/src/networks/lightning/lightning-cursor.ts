/** How far each node's settled invoices were read. By node, so that nothing is missed when the settings name another. */
import { type Cursor, NetworkError } from '../port.ts';

export type NodePlace = { readonly settleIndex: number; readonly settledAt: number }; // milliseconds
export type LightningCursor = { readonly nodes: { readonly [nodeId: string]: NodePlace } };

export function readLightningCursor(stored: Cursor | null): LightningCursor {
  if (stored === null) return { nodes: {} };
  if (typeof stored['nodes'] === 'object' && stored['nodes'] !== null) return stored as LightningCursor;
  throw new NetworkError('The stored cursor was not made by this connector.', { isRetryable: false });
}

/** Lets the newest settled invoices be read again, as many as there would be blocks. */
export function rewindLightningCursor(stored: Cursor, count: number): { cursor: Cursor; firstBlock: number } {
  const places = Object.entries(readLightningCursor(stored).nodes).map(
    ([nodeId, place]) => [nodeId, { ...place, settleIndex: Math.max(0, place.settleIndex - count) }] as const,
  );
  const lowest = Math.min(...places.map(([, { settleIndex }]) => settleIndex));
  return { cursor: { nodes: Object.fromEntries(places) }, firstBlock: lowest + 1 };
}
