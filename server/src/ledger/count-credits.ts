/**
 * Counts what was credited today, some at a time and a while later, so that whoever looks at the whole house reads minutes and
 * not the day. An entry is dated by the process that makes it and seen when its transaction is done: what takes longer than the
 * while is missing in a number that is gone tomorrow. Days of accounts are made from all entries.
 */
import type { Db } from '../db/database.ts';
import { addMs, hours, minutes } from '../lib/clock.ts';
import { dayOf, startOfDay } from '../lib/local-day.ts';
import { addCredited, type HouseDay, lockCreditedPosition } from './credited-store.ts';

/** The day of the house, whose accounts are in all time zones. */
const houseZone = 'UTC';
const countedAfterMs = minutes(2);
/** Less than this is left to the next time: a row is not written for every second. */
const leastMs = 30_000;
/** Of a day that nobody counted, before anything else is done. */
const atOnceMs = hours(1);

export function houseDayOf(now: Date): HouseDay {
  const day = dayOf(houseZone, now);
  return { day, from: startOfDay(houseZone, day) };
}

/** True: there is more to count at once. */
export async function countCredits(db: Db, now: Date): Promise<boolean> {
  const { day, from: start } = houseDayOf(now);
  return db.begin(async (tx) => {
    const position = await lockCreditedPosition(tx);
    const from = position && position > start ? position : start;
    const upTo = addMs(now, -countedAfterMs);
    const most = addMs(from, atOnceMs);
    const to = upTo < most ? upTo : most;
    if (upTo.getTime() - from.getTime() < leastMs) return false;
    await addCredited(tx, day, { from, to });
    return to < upTo;
  });
}
