import { listOddCheckouts } from '../checkouts/checkout-walk-store.ts';
import type { Db } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { type AdvanceDeps, advanceCheckouts } from './advance-checkout.ts';

/** Few enough for one transaction. */
const atOnce = 100;

/**
 * The previous release did not store whether a checkout awaits a decision: whoever looks at one again does. Only what is
 * odd can await one.
 */
export async function recountDecisions(
  deps: AdvanceDeps & { readonly db: Db },
  { after }: JobCatalog['checkout.recount'],
): Promise<void> {
  const keys = await listOddCheckouts(deps.db, after ?? null, atOnce);
  const last = keys.at(-1);
  if (!last) return;
  await advanceCheckouts(
    deps,
    keys.map(({ merchantId, id }) => ({ merchantId, checkoutId: id })),
  );
  const payload = { after: { merchantId: last.merchantId, createdAt: last.createdAt, id: last.id } };
  await deps.db.begin((tx) => enqueue(tx, [{ name: 'checkout.recount', payload, runAt: deps.clock.now() }]));
}
