import type { SwapState } from '@quittance/contract/swap';
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
  readonly apiKey: string;
  readonly quoteId: string | null;
  readonly state: SwapState;
  readonly venue: VenueName | null;
  readonly sourceAsset: string;
  readonly targetAsset: string;
  readonly sourceUnits: bigint;
  /** As priced; once it is completed, as given. */
  readonly grossUnits: bigint;
  readonly feeUnits: bigint;
  /** Below this gross it is not done. */
  readonly leastUnits: bigint;
  /** What was priced is what is given, whatever a market gave: with a quote, or when the credit was named. */
  readonly isFixed: boolean;
  /** As priced; once it is completed, as given, like the gross. */
  readonly rate: string;
  /** In percent. None, where a market decided what was given. */
  readonly spread: string;
  readonly txHash: string | null;
  readonly failure: string | null;
  readonly webhook: string | null;
  readonly meta: unknown;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
};
