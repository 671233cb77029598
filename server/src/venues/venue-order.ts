import type { VenueOrderState } from './venue-order-state.ts';

/**
 * An exchange that was asked of a venue outside the books: what is given, the least that must come back, and what came
 * back.
 */
export type VenueOrder = {
  readonly id: string; // also the payout's id, so asking twice exchanges once
  /** To what it belongs: a settlement by its reference, or a swap by its id. */
  readonly reference: string;
  readonly purpose: 'checkout' | 'swap';
  readonly merchantId: string;
  readonly ownerId: string;
  readonly attempt: number;
  readonly sourceAsset: string;
  readonly sourceUnits: bigint;
  readonly targetAsset: string;
  readonly leastUnits: bigint;
  readonly state: VenueOrderState;
  readonly receivedUnits: bigint | null;
  readonly txHash: string | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};

export type NewOrder = Omit<VenueOrder, 'state' | 'receivedUnits' | 'txHash' | 'failure' | 'createdAt' | 'endedAt'>;
