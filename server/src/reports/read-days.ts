/**
 * The last days of an account up to today, for showing: closed ones as they are kept, the last two from live rows where
 * they are not. What is older and not made yet, as after a change of the time zone, is missing and says so.
 */
import type { Db } from '../db/database.ts';
import { addDays, type Day, dayOf, daySpans } from '../lib/local-day.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { zero } from '../money/decimal.ts';
import { countDays, type DayDeps } from './count-days.ts';
import { type CheckoutDay, listCheckoutDays } from './day-store.ts';
import { daySettingsOf, foldedTo, zoneOf } from './fold-days.ts';

/** `isKnown`: false while the day is still being counted. */
export type ShownDay = CheckoutDay & { readonly isKnown: boolean };

const liveDays = 2;

export async function readDays(
  deps: DayDeps & { readonly db: Db },
  merchant: Merchant,
  { now, count }: { readonly now: Date; readonly count: number },
): Promise<ShownDay[]> {
  const settings = daySettingsOf(merchant);
  const zone = zoneOf(settings);
  const today = dayOf(zone, now);
  const [first, end] = [addDays(today, 1 - count), addDays(today, 1)];
  const liveFrom = addDays(today, 1 - liveDays);
  const made = (await foldedTo(deps.db, merchant.id, settings)) ?? first;
  const openFrom = made > liveFrom ? made : liveFrom;
  const account = { merchantId: merchant.id, currency: settings.currency };
  const [kept, live] = await Promise.all([
    listCheckoutDays(deps.db, merchant.id, { from: first, to: made < openFrom ? made : openFrom }),
    countDays(deps.db, deps, account, daySpans(zone, openFrom > today ? today : openFrom, end)),
  ]);
  const known = new Map([...kept, ...live].map((day) => [day.day, day]));
  const shown: ShownDay[] = [];
  for (let day = first; day < end; day = addDays(day, 1)) {
    const isKnown = day < made || day >= openFrom;
    shown.push({ ...(known.get(day) ?? emptyDay(day)), isKnown });
  }
  return shown;
}

const emptyDay = (day: Day): CheckoutDay => ({ day, created: 0, paid: 0, credited: zero, isValued: true });
