import { type Ladder, type Sums, weightAt, wholeWeight } from '../src/deposits/confirmation-ladder.ts';

/** The first step that is deep enough for these sums together. */
export function stepFor(ladder: Ladder, sums: Sums): number {
  const step = ladder.steps.findIndex((_, position) => weightAt(ladder, position, sums) < wholeWeight);
  return step === -1 ? ladder.steps.length - 1 : step;
}
