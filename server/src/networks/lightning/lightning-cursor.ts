/** How far each node's settled invoices were read. By node, so that nothing is missed when the settings name another. */
import { NetworkError } from '../port/connector.ts';
import type { Cursor } from '../port/receiving.ts';

export type NodePlace = {
  readonly settleIndex: number;
  readonly settledAt: number; // milliseconds
  readonly fraction?: Fraction;
};

/**
 * What the node has and the books do not, because they count whole satoshis: what invoices were paid above whole ones,
 * and what fees were rounded up by. The next fees are paid from it.
 */
export type Fraction = {
  readonly msat: number;
  /** The settle index up to which invoices are in it: read again, they are not counted again. */
  readonly settleIndex: number;
};

/** From here on: what came before it is in the balance with which the books began. */
export const fractionOf = ({ fraction, settleIndex }: NodePlace): Fraction => fraction ?? { msat: 0, settleIndex };

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
