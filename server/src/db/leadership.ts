/**
 * One of many processes does something: the one whose session holds an advisory lock. When it dies, however it dies,
 * PostgreSQL frees the lock and the next one to ask leads. A leader that was only frozen may believe for a moment that
 * it still leads: so what it writes must carry something that the database can refuse.
 */
import type { Db, Session } from './database.ts';

export type Leadership<Mandate> = {
  /** What was gained with the leadership; undefined while somebody else leads. */
  lead(): Promise<Mandate | undefined>;
  resign(): void;
  /** Gives up the leadership; when it returns, that is done. */
  end(): Promise<void>;
};

export function createLeadership<Mandate>(
  db: Db,
  options: {
    /** The two halves of the advisory lock: what kind of thing is led, and which one of them. */
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
        await session.end(); // It may hold the lock, and then nobody could lead as long as it lives.
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
