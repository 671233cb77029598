/** What a network says that we hold there, or that there is in the world of what we issued: the other side of the books. */
import type { Cursor } from './port/receiving.ts';

export type HoldingsContext = {
  /** The block up to which the books know what happened: what is held must be told as of then, or not at all. */
  readonly tip: { readonly hash: string; readonly height: number };
  /** What the connector stored with that. */
  readonly cursor: Cursor | null;
  /** The highest derivation index that was ever given out. */
  readonly highestIndex: number;
  /** Targets at which something has arrived, some at a time. */
  usedTargets(): AsyncIterable<readonly string[]>;
};

/** Like what is held, this must be told as of the block up to which the books know what happened. */
export type SupplyContext = Pick<HoldingsContext, 'tip'> & { readonly assetCodes: readonly string[] };

export type Holding = {
  readonly assetCode: string;
  readonly units: bigint; // in units of the asset's scale
  /** As a stray transfer of it was called before it was an asset of ours. Left out where there are no strays. */
  readonly what?: string;
};
