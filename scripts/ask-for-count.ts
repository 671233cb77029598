import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Query } from '@quittance/server/db/database';
import { loadNetworkStatus } from '@quittance/server/deposits/network-health';
import { enqueue } from '@quittance/server/jobs/enqueue';
import { systemClock as clock } from '@quittance/server/lib/clock';
import { lastReconciliations } from '@quittance/server/payments/reconciliation-store';
import { bridgeTokens } from '@quittance/server/settlements/bridge-token-store';
import { CommandError } from './command-line.ts';

const patienceMs = 60_000;
const askAgainMs = 3_000;

/** Only the service has nodes: it is asked for a fresh count, again where a chain went on meanwhile. */
export async function askForCount<T>(db: Db, read: () => Promise<T>): Promise<T> {
  const since = clock.now();
  const ask = () => db.begin((tx) => enqueue(tx, [{ name: 'books.reconcile', payload: {}, runAt: clock.now() }]));
  await ask();
  for (let askedAt = since; ; ) {
    const missing = await uncounted(db, since);
    if (missing?.length === 0) return read();
    const now = clock.now();
    if (now.getTime() - since.getTime() > patienceMs)
      throw new CommandError(
        `These could not be counted: ${missing?.join(', ') ?? 'any network'}. Is a worker running, and do the nodes answer?`,
      );
    if (now.getTime() - askedAt.getTime() > askAgainMs) {
      askedAt = now;
      await ask();
    }
    await sleep(200);
  }
}

/** Watched networks, and tokens on Stellar, that were not counted since then. Null: no network was ever watched. */
export async function uncounted(query: Query, since: Date): Promise<string[] | null> {
  const watched = (await loadNetworkStatus(query)).map(({ network }) => network);
  if (watched.length === 0) return null;
  const counted = (await lastReconciliations(query)).filter(({ checkedAt }) => checkedAt >= since);
  const isOld = (await bridgeTokens(query)).some(({ count }) => count !== null && count.countedAt < since);
  const missing = watched.filter((each) => !counted.some(({ network }) => network === each));
  return [...missing, ...(isOld ? ['tokens on Stellar'] : [])];
}
