/**
 * One of many processes does a thing: the one whose session holds an advisory lock. When it dies, by whatever death,
 * PostgreSQL frees the lock and the next one to ask leads. A leader that was only frozen may believe for a moment that
 * it still leads: what it writes must be fenced by something in the database.
 */
import type { Db, Session } from './database.ts';

export type Leadership<Mandate> = {
  /** What was gained with the leadership, or undefined while somebody else leads. */
  lead(): Promise<Mandate | undefined>;
  resign(): void;
  /** Resigns, and has resigned when it returns. */
  end(): Promise<void>;
};

export function createLeadership<Mandate>(
  db: Db,
  options: {
    /** The two halves of the advisory lock: what is led, and which of those. */
    readonly lockClass: number;
    readonly key: string;
    onGain(session: Session): Promise<Mandate>;
  },
): Leadership<Mandate> {
  let held: { session: Session; mandate: Mandate } | undefined;

  async function tryToLead(session: Session): Promise<Mandate | undefined> {
    const [row] = await session<{ led: boolean }>`
      select pg_try_advisory_lock(${options.lockClass}::integer, hashtext(${options.key})) as led`;
    return row?.led ? options.onGain(session) : undefined;
  }

  async function end(): Promise<void> {
    const { session } = held ?? {};
    held = undefined;
    await session?.end();
  }

  const resign = (): void => void end().catch(() => undefined);

  return {
    end,
    resign,
    async lead() {
      if (held) return held.mandate;
      const session = await db.session();
      const mandate = await tryToLead(session).catch(async (error: unknown) => {
        await session.end(); // It may hold the lock, and nobody could lead as long as it lives.
        throw error;
      });
      if (mandate === undefined) {
        await session.end();
        return undefined;
      }
      const mine = { session, mandate };
      held = mine;
      session.onLost(() => {
        if (held === mine) resign();
      });
      return mandate;
    },
  };
}
