/**
 * After every document the books are held against the balance of the bank, as soon as what is told was read: whoever brought it is
 * told whether they agree. The count of all networks, every ten minutes, finds the same, should this one be late.
 */
import type { Db } from '../db/database.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { RunLater } from '../jobs/job-runner.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { type ReconcileDeps, reconcileOne } from '../watching/reconcile.ts';
import { lastReconciliations, observedTip } from '../watching/reconciliation-store.ts';
import { documentAcceptedAt } from './document-list-store.ts';
import { banksAmong } from './import-bank-file.ts';

const lookAgainMs = 1_000;
const patienceMs = minutes(10);

export async function compareWithBalance(
  deps: ReconcileDeps & { readonly db: Db; readonly clock: Clock },
  { network, position }: JobCatalog['bank.compare'],
): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const bank = banksAmong(deps.connectors).find((each) => each.network.id === network);
  const acceptedAt = await documentAcceptedAt(db, network, position);
  if (!bank || !acceptedAt) return; // The network is not configured any more.
  if ((await lastReconciliations(db)).some((each) => each.network === network && (each.countedTo ?? 0) >= position))
    return;
  const isRead = ((await observedTip(db, network))?.height ?? 0) >= position;
  const isCounted = isRead && (await reconcileOne(deps, bank)).uncounted.length === 0;
  if (!isCounted && now < addMs(acceptedAt, patienceMs)) throw new RunLater(addMs(now, lookAgainMs));
}
