/** When a delivery that failed is tried again. Pure. */
import { addMs, hours, minutes } from '../lib/clock.ts';

/**
 * The gap after the first failure, the second, and so on. Short at first, because a webhook can be faster than the
 * shop's own database; four days in all, so that a shop that breaks on a Friday evening is told on Monday.
 */
const gapsMs = [5_000, 15_000, 30_000, ...[1, 2, 5, 10, 30].map(minutes), ...[1, 2, 4, 8, 12, 24, 24, 24].map(hours)];

export const attemptsMax = gapsMs.length + 1;

/** Up to a tenth is added to every gap, so that what failed together does not come back together. */
export function nextAttemptAt(failures: number, now: Date, random: () => number): Date | null {
  const gap = gapsMs[failures - 1];
  return gap === undefined ? null : addMs(now, gap + Math.floor((gap / 10) * random()));
}
