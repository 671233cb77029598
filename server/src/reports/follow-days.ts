/** Makes the days of all accounts and signs them, one process for all, soon after they are closed: nothing that happens waits for it. */
import type { FollowResult } from '../checkouts/follow-terms.ts';
import type { Db } from '../db/database.ts';
import { createLeadership } from '../db/leadership.ts';
import { soberNow } from '../db/sober-now.ts';
import { countCredits } from '../ledger/count-credits.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { keepTicking, type Ticking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import type { DayDeps } from './count-days.ts';
import { accountsWithOpenDays, type DaySettings } from './day-store.ts';
import { accountsToSign, postponeFolding, postponeSigning } from './day-turn-store.ts';
import { foldDays } from './fold-days.ts';
import { signNextDay } from './sign-next-day.ts';

const lockClass = 7_014; // The first half of the advisory lock: "someone makes days".
const pauseMs = 5_000;
const accountsAtOnce = 50;
/** Of one account, before it is the turn of others. */
const daysAtOnce = 31;
/** Where it failed, others come first. */
const againAfterMs = minutes(10);

export function createDayFollower(
  deps: DayDeps & { readonly db: Db; readonly clock: Clock; readonly log: Log; readonly encryption: Encryption },
): Ticking<FollowResult> {
  const { db, clock, log } = deps;
  const leadership = createLeadership(db, { lockClass, key: 'days', onGain: async () => true });

  async function tick(): Promise<FollowResult> {
    if (!(await leadership.lead())) return 'not leading';
    const now = await soberNow(db, clock);
    const then = { ...deps, clock: { now: () => now } };
    let made = 0;
    for (const { merchantId, ...settings } of await accountsWithOpenDays(db, now, accountsAtOnce))
      if (await isFolded(then, merchantId, settings)) made += 1;
    for (const { merchantId, timeZone } of await accountsToSign(db, now, accountsAtOnce))
      if (await isSigned(then, merchantId, timeZone)) made += 1;
    if (await countCredits(db, now)) made += 1;
    return made > 0 ? 'progress' : 'idle';
  }

  /** One account that cannot be folded does not hold up the others. */
  async function isFolded(then: typeof deps, merchantId: string, settings: DaySettings): Promise<boolean> {
    try {
      await foldDays(then, merchantId, settings);
      return true;
    } catch (error) {
      log.warn({ err: error, merchantId }, 'cannot make the days of an account');
      await postponeFolding(db, merchantId, addMs(then.clock.now(), againAfterMs));
      return false;
    }
  }

  async function isSigned(then: typeof deps, merchantId: string, timeZone: string): Promise<boolean> {
    let count = 0;
    try {
      while (count < daysAtOnce) {
        const signed = await signNextDay(then, merchantId, { timeZone });
        if (!signed) break;
        count += 1;
        // The log is not in the database: whoever changes that cannot make it say another digest of this number.
        const { number, day, digest } = signed;
        log.info({ merchantId, number, day, sha256: digest }, 'signed a day of an account');
      }
    } catch (error) {
      const now = then.clock.now();
      log.error({ err: error, merchantId }, 'cannot sign a day of an account');
      await postponeSigning(db, merchantId, { timeZone, at: addMs(now, againAfterMs), now });
    }
    return count > 0;
  }

  return keepTicking({
    pauseMs,
    leadership,
    tick,
    onError: (error) => log.warn({ err: error }, 'cannot make the days of accounts'),
  });
}
