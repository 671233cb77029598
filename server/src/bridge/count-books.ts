/**
 * Everything that the networks can say about the books, asked by one process at a time: a node may need minutes to
 * count, and two that ask at once would both wait longer for the same answer.
 */
import { inTurn } from '../db/in-turn.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { RunLater } from '../jobs/job-runner.ts';
import { addMs } from '../lib/clock.ts';
import { type Count, networksToCount, reconcile } from '../watching/reconcile.ts';
import { countLockClass, isBeingCounted } from '../watching/reconciliation-store.ts';
import type { BridgeDeps } from './bridge.ts';
import { countTokens, tokensToCount } from './count-tokens.ts';

/** Leaves out what was counted after `since`. If another process is counting, its result is used. */
export async function countBooks(deps: Omit<BridgeDeps, 'pollMs'>, since: Date | null): Promise<Count> {
  const isDue = async (): Promise<boolean> =>
    (await networksToCount(deps, since)).length > 0 || (await tokensToCount(deps, since)).length > 0;
  if (!(await isDue())) return { counted: [], uncounted: [] };
  return inTurn(deps.db, countLockClass, async () => {
    // Tokens first: whoever waits for the reconciliation then finds both.
    const uncountedTokens = await countTokens(deps, since);
    const { counted, uncounted } = await reconcile(deps, since);
    const missing = [...uncountedTokens, ...uncounted];
    for (const each of missing) deps.log.info(each, 'not counted');
    return { counted, uncounted: missing };
  });
}

const lookAgainMs = 1_000;

/** A job does not wait for its turn: it would keep other jobs waiting, and its process from stopping. */
export async function countWhenAsked(
  deps: Omit<BridgeDeps, 'pollMs'>,
  { since }: JobCatalog['books.reconcile'],
): Promise<void> {
  if (await isBeingCounted(deps.db)) throw new RunLater(addMs(deps.clock.now(), lookAgainMs));
  await countBooks(deps, since === undefined ? null : new Date(since));
}
