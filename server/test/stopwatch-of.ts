import type { Clock } from '../src/lib/clock.ts';

/**
 * For what a process remembers for a second: it passes as everywhere, and also when a story moves its clock. So whoever
 * changes a setting need not sleep until it is read anew.
 */
export const stopwatchOf =
  ({ now }: Clock) =>
  (): number =>
    performance.now() + now().getTime();
