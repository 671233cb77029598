/**
 * How much of the whole house may have left against payments of a network that are not final. Pure.
 *
 * What one account may take out of shallow blocks is small, but anybody may open many accounts. So there is a ceiling
 * for all of them together. At depths that are good for less than any amount it is a part of the ceiling: the same part
 * as what such a depth is good for is of the largest amount that has a limit.
 */
import { type Heights, type Ladder, stepReached } from '../deposits/confirmation-ladder.ts';
import { proportion, smaller } from '../money/amount.ts';
import type { UnfinalBlock } from './unfinal-credits.ts';

/** So many times the largest amount that has a limit of its own, unless the operator says otherwise. */
const usualCeilingFactor = 10n;

/** By step of the ladder, in units of the network's default asset. Null: no payment there has a limit. */
export function ceilings(ladder: Ladder, defaultAsset: string, set: bigint | null): readonly bigint[] | null {
  const limits = ladder.limits.get(defaultAsset);
  const limited = limits?.filter((limit) => limit !== null) ?? [];
  const largest = limited.at(-1);
  if (!limits || largest === undefined || largest === 0n) return null;
  const ceiling = set ?? largest * usualCeilingFactor;
  return limits.map((limit) =>
    limit === null ? ceiling : proportion(ceiling, smaller(limit, largest), largest, 'down'),
  );
}

/** What of an asset could be taken away in blocks that have come no further than each step. */
export const unitsByStep = (
  ladder: Ladder,
  heights: Heights,
  blocks: readonly UnfinalBlock[],
  asset: string,
): bigint[] =>
  ladder.steps.map((_, step) =>
    blocks
      .filter(({ height }) => stepReached(ladder, height, heights) <= step)
      .reduce((sum, { credited }) => sum + (credited.get(asset) ?? 0n), 0n),
  );

/** The height above which blocks have come no further than a step. */
export function heightAbove(ladder: Ladder, heights: Heights, step: number): number {
  if (step >= ladder.steps.length - 1) return heights.final;
  let height = heights.tip;
  while (height > heights.final && stepReached(ladder, height, heights) <= step) height -= 1;
  return height;
}

/**
 * The most that may leave of what is available, so that no more of what could be taken away is uncovered than there is
 * room for, at any step. What it still has covers what it had credited.
 */
export const mostWithin = (available: bigint, riskByStep: readonly bigint[], roomByStep: readonly bigint[]): bigint =>
  riskByStep.reduce((most, risk, step) => {
    const room = roomByStep[step] ?? 0n;
    return smaller(most, available - risk + (room > 0n ? room : 0n));
  }, available);
