/** What a network says that we hold there, or how much there is of what we issued: to be compared with the books. */
import type { Cursor } from './port/receiving.ts';

export type HoldingsContext = {
  /** The block up to which the books know everything: holdings must be told as of this block, or not at all. */
  readonly tip: { readonly hash: string; readonly height: number };
  /** The cursor that was stored with that block. */
  readonly cursor: Cursor | null;
  /** The highest derivation index that was ever given out. */
  readonly highestIndex: number;
  /** Targets at which something has arrived, some at a time. */
  usedTargets(): AsyncIterable<readonly string[]>;
};

/** As with holdings, this must be told as of the block up to which the books know everything. */
export type SupplyContext = Pick<HoldingsContext, 'tip'> & { readonly assetCodes: readonly string[] };

export type Holding = {
  readonly assetCode: string;
  readonly units: bigint; // in units of the asset's scale
  /** What a stray of it was called before it was an asset of ours. Left out where there are no strays. */
  readonly what?: string;
};
