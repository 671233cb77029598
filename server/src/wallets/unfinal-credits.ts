/**
 * What a reorganisation could take away from an account, and how much of it must not leave yet. Pure.
 *
 * A reorganisation of some depth takes away all blocks down to that depth. So at every depth, the sum of what may leave
 * from blocks that are no deeper must be less than the amount for which that depth is enough. We go from the deepest
 * block up, and free whole blocks: a deep block never waits for one above it. Only the sum counts, however it was split
 * over payments, checkouts and assets of a network. All credits of one block wait together.
 */
import {
  type Heights,
  type Ladder,
  type Sums,
  stepReached,
  weightAt,
  wholeWeight,
} from '../deposits/confirmation-ladder.ts';

/** What one block brought. Null: its block was taken away by a reorganisation, so the credit will be taken back. */
export type UnfinalBlock = {
  readonly height: number | null;
  readonly paid: Sums; // what came in, also what waits in suspense
  readonly credited: Sums; // what would be missing from the balance
};

export type WaitingBlock = UnfinalBlock & {
  /** How many more confirmations it needs as things are now. Null: nobody knows, because it is in no block. */
  readonly confirmations: number | null;
};

export function waitingBlocks(ladder: Ladder, heights: Heights, blocks: readonly UnfinalBlock[]): WaitingBlock[] {
  const weighed = blocks
    .filter(isInBlock)
    .sort((a, b) => a.height - b.height)
    .map((block) => ({
      block,
      weights: [-1, ...ladder.steps.keys()].map((step) => weightAt(ladder, step, block.paid)),
    }));
  const missing = new Map<UnfinalBlock, number>();
  // Below what is final by now lies what was said to be for somebody long after it came.
  const untilFinal = Math.max(0, (weighed.at(-1)?.block.height ?? 0) - heights.final);
  // If nothing else comes in: this answers "when?", and promises nothing. We assume that the network goes on calling
  // blocks final as it does now.
  for (let more = 0; missing.size < weighed.length && more <= untilFinal; more += 1) {
    const later = { tip: heights.tip + more, safe: heights.safe + more, final: heights.final + more };
    for (const block of freeBlocks(ladder, later, weighed)) if (!missing.has(block)) missing.set(block, more);
  }
  return blocks
    .filter((block) => missing.get(block) !== 0)
    .map((block) => ({ ...block, confirmations: missing.get(block) ?? null }));
}

type InBlock = UnfinalBlock & { readonly height: number };
const isInBlock = (block: UnfinalBlock): block is InBlock => block.height !== null;

/** With its weight at each step of the ladder, beginning with -1: below the first step. */
type Weighed = { readonly block: InBlock; readonly weights: readonly bigint[] };

/** What is final is always free, so everything becomes free at last. */
function freeBlocks(ladder: Ladder, heights: Heights, deepestFirst: readonly Weighed[]): UnfinalBlock[] {
  const free: { readonly block: InBlock; readonly step: number; sum: bigint }[] = [];
  for (const { block, weights } of deepestFirst) {
    const weightAtStep = (step: number): bigint => weights[step + 1] ?? 0n;
    const step = stepReached(ladder, block.height, heights);
    const isTooMuch = (sum: bigint): boolean => sum >= wholeWeight;
    if (isTooMuch(weightAtStep(step)) || free.some((deeper) => isTooMuch(deeper.sum + weightAtStep(deeper.step))))
      continue;
    for (const deeper of free) deeper.sum += weightAtStep(deeper.step);
    free.push({ block, step, sum: weightAtStep(step) });
  }
  return free.map(({ block }) => block);
}

export const unitsOfAsset = (blocks: readonly UnfinalBlock[], asset: string): bigint =>
  blocks.reduce((sum, { credited }) => sum + (credited.get(asset) ?? 0n), 0n);
