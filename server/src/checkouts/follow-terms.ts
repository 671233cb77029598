/**
 * Writes down by what new checkouts can be found, behind their backs: nothing is added to the path of a payment. One
 * process follows what was created, a moment later; a checkout is dated by the process that makes it and seen when its
 * transaction is done, so the last two minutes are read again and again.
 */
import type { Db } from '../db/database.ts';
import { createLeadership } from '../db/leadership.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { keepTicking, type Ticking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import { checkoutTerms } from './checkout-terms.ts';
import { type ChargedCheckout, findCharges, listCreatedSince } from './checkout-walk-store.ts';
import { findTermPosition, insertTerms, saveTermPosition, type Term } from './term-store.ts';

const lockClass = 7_013; // The first half of the advisory lock: "someone writes terms".
const pauseMs = 2_000;
const overlapMs = minutes(2);
const atOnce = 1_000;

export type FollowResult = 'progress' | 'idle' | 'not leading';

export const termsOfCharge = (charged: ChargedCheckout): Term[] =>
  checkoutTerms(charged).map((term) => ({
    merchantId: charged.merchantId,
    term,
    createdAt: charged.createdAt,
    checkoutId: charged.id,
  }));

export function createTermFollower(deps: { db: Db; clock: Clock; log: Log }): Ticking<FollowResult> {
  const { db, clock, log } = deps;
  /** What was written since we lead and is read again: this only saves work. */
  let done: ReadonlySet<string> = new Set();
  const leadership = createLeadership(db, {
    lockClass,
    key: 'terms',
    async onGain() {
      done = new Set();
      return true;
    },
  });

  async function tick(): Promise<FollowResult> {
    if (!(await leadership.lead())) return 'not leading';
    const now = clock.now();
    const position = (await findTermPosition(db)) ?? now;
    const since = addMs(position < now ? position : now, -overlapMs);
    const created = await listCreatedSince(db, since);
    const nameOf = ({ merchantId, id }: { merchantId: string; id: string }): string => `${merchantId}/${id}`;
    const missing = created.filter((key) => !done.has(nameOf(key)));
    const next = missing.slice(0, atOnce);
    const isAll = next.length === missing.length;
    if (next.length > 0 || now.getTime() - position.getTime() > pauseMs) {
      const charges = await findCharges(db, next);
      await db.begin(async (tx) => {
        await insertTerms(tx, charges.flatMap(termsOfCharge));
        if (isAll) await saveTermPosition(tx, now);
      });
    }
    const written = new Set(next.map(nameOf));
    done = new Set(created.map(nameOf).filter((name) => done.has(name) || written.has(name)));
    return isAll ? 'idle' : 'progress';
  }

  return keepTicking({
    pauseMs,
    leadership,
    tick,
    onError: (error) => log.warn({ err: error }, 'cannot write by what checkouts are found'),
  });
}
