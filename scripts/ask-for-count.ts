import { setTimeout as sleep } from 'node:timers/promises';
import { bridgeTokens } from '@quittance/server/bridge/bridge-token-store';
import type { Db, Query } from '@quittance/server/db/database';
import { loadNetworkStatus } from '@quittance/server/deposits/network-health';
import { enqueueUnlessThere } from '@quittance/server/jobs/enqueue';
import { queueDepth } from '@quittance/server/jobs/job-store';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { registeredNetworks } from '@quittance/server/networks/registry';
import { isBeingCounted, lastReconciliations } from '@quittance/server/watching/reconciliation-store';
import { CommandError } from './command-line.ts';

const patienceMs = 60_000;
const askAgainMs = 3_000;
const lookMs = 200;

/**
 * Only the service has nodes: it is asked for a fresh count, and again if a chain went on meanwhile. A node may need
 * minutes: we wait as long as somebody counts. Whoever gives up leaves one job behind, never more.
 */
export async function askForCount<T>(db: Db, read: () => Promise<T>): Promise<T> {
  const since = clock.now();
  let idleMs = 0;
  for (let askedMs = askAgainMs; ; askedMs += lookMs) {
    const missing = await uncounted(db, since);
    if (missing?.length === 0) return read();
    if (askedMs >= askAgainMs) {
      await requestCount(db, since);
      askedMs = 0;
    }
    if (idleMs > patienceMs) throw new CommandError(await explain(db, missing));
    if (!(await isBeingCounted(db))) idleMs += lookMs;
    await sleep(lookMs);
  }
}

export const requestCount = (db: Db, since: Date): Promise<void> =>
  db.begin((tx) =>
    enqueueUnlessThere(tx, {
      name: 'books.reconcile',
      payload: { since: since.toISOString() },
      runAt: clock.now(),
    }),
  );

async function explain(db: Db, missing: readonly string[] | null): Promise<string> {
  const what = `These could not be counted: ${missing?.join(', ') ?? 'any network'}.`;
  const { due } = await queueDepth(db, clock.now());
  const queue = due > 1 ? ` ${due} jobs are due: the count may wait behind them.` : '';
  return `${what} Is a worker running, and do the nodes answer?${queue}`;
}

/** Watched networks that can be counted, and tokens on Stellar, and were not since then. Null: none was ever watched. */
export async function uncounted(query: Query, since: Date): Promise<string[] | null> {
  const watched = (await loadNetworkStatus(query))
    .map(({ network }) => network)
    .filter((id) => !registeredNetworks.some(({ identity }) => identity.id === id && identity.hidesHoldings));
  if (watched.length === 0) return null;
  const counted = (await lastReconciliations(query)).filter(({ checkedAt }) => checkedAt >= since);
  const isOld = (await bridgeTokens(query)).some(({ count }) => count !== null && count.countedAt < since);
  const missing = watched.filter((each) => !counted.some(({ network }) => network === each));
  return [...missing, ...(isOld ? ['tokens on Stellar'] : [])];
}
