/**
 * Which requests with an Idempotency-Key are running, in all processes: each holds an advisory lock, on one session per
 * process. When the process dies, however it dies, PostgreSQL frees its locks, and whoever asks again has a turn at once.
 *
 * Only a courtesy: it spares the second the work, and tells it to wait. That nothing happens twice is the key's row, which
 * is written by the transaction that does the work; so it is harmless that a session may be lost under a running request,
 * and that two keys may share a lock by chance.
 */
import type { Db, Session } from '../db/database.ts';

export type KeyLocks = {
  /** Null: somebody holds it, here or elsewhere. */
  hold(name: string): Promise<{ release(): Promise<void> } | null>;
  end(): Promise<void>;
};

const lockClass = 7_030; // The first half of the advisory lock: "a request with this key is running".
/**
 * Each lock takes a place in a memory that all sessions of PostgreSQL share, and every statement of ours looks at all
 * that we hold. Beyond so many, requests are told apart in this process alone.
 */
const locksMax = 1_000;
/** A lock that is not waited for is given or refused at once: who does not answer is away. */
const answerMs = 5_000;

export function createKeyLocks(db: Db): KeyLocks {
  const held = new Set<string>(); // A session is given its own locks again, so our own requests are told apart here.
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

  /** Whoever does not answer may hold locks that nobody would ever free. Many may notice it; the first ends it. */
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
        if (opened !== asked) return; // It was lost with its session.
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
