/**
 * The days on which euros move between banks: TARGET is closed on Saturdays, Sundays and six other days. Written for
 * the sandbox's bank alone: the service has a calendar of its own, and neither is right because the other says so.
 */
import { addDays, type Day, dayOf } from '@quittance/server/lib/local-day';

/** Of the bank's counters, and of the dates on its statements. */
export const bankTimeZone = 'Europe/Berlin';

export const bankDay = (moment: Date): Day => dayOf(bankTimeZone, moment);

const closedEachYear: ReadonlySet<string> = new Set(['01-01', '05-01', '12-25', '12-26']);

export function isBankingDay(day: Day): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6 || closedEachYear.has(day.slice(5))) return false;
  const easter = easterSunday(Number(day.slice(0, 4)));
  return day !== addDays(easter, -2) && day !== addDays(easter, 1);
}

/** The day itself, if money moves on it. */
export function bankingDayFrom(day: Day): Day {
  let found = day;
  while (!isBankingDay(found)) found = addDays(found, 1);
  return found;
}

export function addBankingDays(day: Day, count: number): Day {
  let found = bankingDayFrom(day);
  for (let done = 0; done < count; done += 1) found = bankingDayFrom(addDays(found, 1));
  return found;
}

/** The Gregorian computus as Gauss gave it, with both of his exceptions. */
export function easterSunday(year: number): Day {
  const century = Math.floor(year / 100);
  const sunLeaps = century - Math.floor(century / 4);
  const moonLeaps = Math.floor((13 + 8 * century) / 25);
  const golden = year % 19;
  const moon = (19 * golden + ((15 + sunLeaps - moonLeaps) % 30)) % 30;
  const weekday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + ((4 + sunLeaps) % 7)) % 7;
  const isLate = moon === 29 && weekday === 6;
  const isLateToo = moon === 28 && weekday === 6 && golden > 10;
  const afterMarch21 = 1 + moon + weekday - (isLate || isLateToo ? 7 : 0);
  return addDays(`${year}-03-21`, afterMarch21);
}
