/**
 * How much may have left the whole service against payments of a network that are not final. Pure.
 *
 * One account can take out only a little of what is in young blocks, but anybody may open many accounts. So there is a
 * ceiling for all of them together. At a depth that is not enough for every amount, only a part of the ceiling counts:
 * the same part as that depth's limit is of the largest limit.
 */
import { type Heights, type Ladder, stepReached } from '../deposits/confirmation-ladder.ts';
import { proportion, smaller } from '../money/amount.ts';
import type { UnfinalBlock } from './unfinal-credits.ts';

/** The ceiling is so many times the largest limit of an amount, unless the operator sets it. */
const usualCeilingFactor = 10n;

/**
 * By step of the ladder, in units of the network's default asset. Null: there is none. Where no payment has a limit, as at banks,
 * there is one only if the operator sets it: what is booked can still be taken back.
 */
export function ceilings(ladder: Ladder, defaultAsset: string, set: bigint | null): readonly bigint[] | null {
  const limits = ladder.limits.get(defaultAsset);
  if (limits?.every((limit) => limit === null)) return set === null ? null : limits.map(() => set);
  const limited = limits?.filter((limit) => limit !== null) ?? [];
  const largest = limited.at(-1);
  if (!limits || largest === undefined || largest === 0n) return null;
  const ceiling = set ?? largest * usualCeilingFactor;
  return limits.map((limit) =>
    limit === null ? ceiling : proportion(ceiling, smaller(limit, largest), largest, 'down'),
  );
}

/** How much of an asset a reorganisation could take away in blocks that have not got beyond each step. */
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

/** The height above which no block has got beyond this step. */
export function heightAbove(ladder: Ladder, heights: Heights, step: number): number {
  if (step >= ladder.steps.length - 1) return heights.final;
  let height = heights.tip;
  while (height > heights.final && stepReached(ladder, height, heights) <= step) height -= 1;
  return height;
}

/**
 * The most that may leave of what is available, so that at every step no more is uncovered than there is room for: of
 * what could be taken away, the account covers as much as it still has.
 */
export const mostWithin = (available: bigint, riskByStep: readonly bigint[], roomByStep: readonly bigint[]): bigint =>
  riskByStep.reduce((most, risk, step) => {
    const room = roomByStep[step] ?? 0n;
    return smaller(most, available - risk + (room > 0n ? room : 0n));
  }, available);
