import type { Db } from './database.ts';

/**
 * One process at a time does this, and the others wait for their turn. The turn is an advisory lock of a session, so it
 * ends with the process; `key`: of several things of this kind, each has its own. A process that was frozen for long may find that another one had the next turn meanwhile.
 */
export async function inTurn<T>(
  db: Db,
  lockClass: number,
  work: () => Promise<T>,
  key: string | null = null,
): Promise<T> {
  const session = await db.session();
  try {
    await session`select pg_advisory_lock(${lockClass}::integer, coalesce(hashtext(${key}), 0))`;
    return await work();
  } finally {
    await session.end().catch(() => undefined); // A session that was lost has ended too.
  }
}
