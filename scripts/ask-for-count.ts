import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@quittance/server/db/database';
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

/** Networks, and tokens on Stellar, whose last count is older than that. Null: nothing was ever counted. */
async function uncounted(db: Db, since: Date): Promise<string[] | null> {
  const [networks, tokens] = [await lastReconciliations(db), await bridgeTokens(db)];
  if (networks.length === 0) return null;
  const old = networks.filter(({ checkedAt }) => checkedAt < since).map(({ network }) => network);
  const isOld = tokens.some(({ count }) => count !== null && count.countedAt < since);
  return [...new Set([...old, ...(isOld ? ['tokens on Stellar'] : [])])];
}
