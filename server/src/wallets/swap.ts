import type { SwapState } from '@quittance/contract/swap';
import type { Asker } from '../http/actor.ts';
import type { VenueName } from '../venues/venue-plan.ts';

/** A price that holds for a short while. */
export type SwapQuote = {
  readonly merchantId: string;
  readonly id: string;
  readonly sourceAsset: string;
  readonly targetAsset: string;
  readonly sourceUnits: bigint;
  readonly grossUnits: bigint;
  readonly feeUnits: bigint;
  readonly rate: string;
  readonly spread: string;
  readonly createdAt: Date;
  readonly validUntil: Date;
};

export type Swap = {
  readonly merchantId: string;
  readonly id: string;
  /** Null: a person asked. */
  readonly apiKey: string | null;
  readonly requestedBy: Asker;
  readonly quoteId: string | null;
  readonly state: SwapState;
  readonly venue: VenueName | null;
  readonly sourceAsset: string;
  readonly targetAsset: string;
  readonly sourceUnits: bigint;
  /** As priced; after the swap is completed, as given. */
  readonly grossUnits: bigint;
  readonly feeUnits: bigint;
  /** If it would give less than this, it is not done. */
  readonly leastUnits: bigint;
  /**
   * The merchant gets what was priced, whatever the market gave: with a quote, or when the request says how much is to
   * be credited.
   */
  readonly isFixed: boolean;
  /** As priced; after the swap is completed, as given. */
  readonly rate: string;
  /** In percent. Zero where a market decided what was given. */
  readonly spread: string;
  readonly txHash: string | null;
  readonly failure: string | null;
  readonly webhook: string | null;
  readonly meta: unknown;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};
