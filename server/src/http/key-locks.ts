/**
 * Which requests with an Idempotency-Key are running, in all processes: each holds an advisory lock, on one session per
 * process. When the process dies, however it dies, PostgreSQL frees its locks, and whoever asks again gets a turn at
 * once.
 *
 * The lock only saves work: a second request is told to wait instead of doing everything in vain. That nothing happens
 * twice is sure without it, by the key's row, which the transaction writes that does the work. So it does no harm when
 * a session is lost during a request, or when two keys share a lock by chance.
 */
import type { Db, Session } from '../db/database.ts';

export type KeyLocks = {
  /** Null: somebody else holds it, in this process or another. */
  hold(name: string): Promise<{ release(): Promise<void> } | null>;
  end(): Promise<void>;
};

const lockClass = 7_030; // The first half of the advisory lock: "a request with this key is running".
/**
 * Each lock takes room in memory that all sessions of PostgreSQL share, and each of our statements looks at all that we
 * hold. Beyond this number, requests are kept apart in this process only.
 */
const locksMax = 1_000;
/** The lock is given or refused at once: if there is no answer, the database is away. */
const answerMs = 5_000;

export function createKeyLocks(db: Db): KeyLocks {
  const held = new Set<string>(); // A session gets its own locks again, so those of this process are kept apart here.
  let opened: Promise<Session> | undefined;

  function open(): Promise<Session> {
    const opening = db.session({ answerMs });
    opened = opening;
    opening.then(
      (session) => session.onLost(() => forget(opening)),
      () => forget(opening),
    );
    return opening;
  }

  function forget(lost: Promise<Session>): void {
    if (opened === lost) opened = undefined;
  }

  /**
   * A session that does not answer may hold locks that nobody would ever free. Many requests may notice it; the first
   * one ends it.
   */
  function giveUp(lost: Promise<Session>): void {
    if (opened !== lost) return;
    forget(lost);
    lost.then((session) => session.end()).catch(() => undefined);
  }

  return {
    async hold(name) {
      if (held.has(name)) return null;
      held.add(name);
      if (held.size > locksMax) return { release: async () => void held.delete(name) };
      const asked = opened ?? open();
      try {
        const session = await asked;
        const [row] = await session<{ ours: boolean }>`
          select pg_try_advisory_lock(${lockClass}::integer, hashtext(${name})) as ours`;
        if (!row?.ours) held.delete(name);
        return row?.ours ? { release: () => release(session) } : null;
      } catch (error) {
        held.delete(name);
        giveUp(asked);
        throw error;
      }

      async function release(session: Session): Promise<void> {
        held.delete(name);
        if (opened !== asked) return; // The lock was lost with its session.
        await session`select pg_advisory_unlock(${lockClass}::integer, hashtext(${name}))`.catch(() => giveUp(asked));
      }
    },
    async end() {
      const session = await opened?.catch(() => undefined);
      opened = undefined;
      await session?.end();
    },
  };
}
