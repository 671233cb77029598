/** What an account has going on at this moment, from live rows. */
import { countCommitted, countOfStates } from '../checkouts/checkout-count-store.ts';
import { everyRail } from '../checkouts/read-checkout-filter.ts';
import type { Db } from '../db/database.ts';
import { addDays, type Day, startOfDay } from '../lib/local-day.ts';
import type { DayDeps } from './count-days.ts';

/** More are not counted: nobody watches so many. */
export const openMax = 1_000;

export type TodayNumbers = {
  /** Being paid now. */
  readonly open: number;
  /** Of those created today: for how many a way to pay was chosen, and how many of them are paid. */
  readonly committed: number;
  readonly paid: number;
};

export async function readToday(
  { db, assets }: DayDeps & { readonly db: Db },
  merchantId: string,
  { day, timeZone }: { readonly day: Day; readonly timeZone: string },
): Promise<TodayNumbers> {
  const span = { from: startOfDay(timeZone, day), to: startOfDay(timeZone, addDays(day, 1)) };
  const asked = { rails: everyRail(assets), states: ['COMPLETED', 'DELAYED_COMPLETED', 'RESOLVED'] };
  const [open, { committed, ofStates }] = await Promise.all([
    countOfStates(db, merchantId, ['PENDING', 'PROCESSING'], openMax),
    countCommitted(db, merchantId, asked, span),
  ]);
  return { open, committed, paid: ofStates };
}
