/** Days on which banks in euros book: the calendar of TARGET, the European Central Bank's system, for every country alike. */
import { addDays, type Day, dayOf, startOfDay } from '../../../lib/local-day.ts';

export function isBankingDay(day: Day): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6) return false;
  if (['01-01', '05-01', '12-25', '12-26'].includes(day.slice(5))) return false;
  const easter = easterSunday(Number(day.slice(0, 4)));
  return day !== addDays(easter, -2) && day !== addDays(easter, 1);
}

/** The day itself, or the first banking day after it. */
export function firstBankingDay(day: Day): Day {
  let found = day;
  while (!isBankingDay(found)) found = addDays(found, 1);
  return found;
}

/** So many banking days later. What happens while banks are closed counts from the next banking day on. */
export function addBankingDays(day: Day, count: number): Day {
  let found = firstBankingDay(day);
  for (let left = count; left > 0; left -= 1) found = firstBankingDay(addDays(found, 1));
  return found;
}

/** When so many banking days after a moment are over, by the clocks of the bank. */
export const endOfBankingDays = (timeZone: string, moment: Date, count: number): Date =>
  startOfDay(timeZone, addDays(addBankingDays(dayOf(timeZone, moment), count), 1));

/** By the Gregorian calendar: golden number, century, and the moon's age in it (Meeus, Jones and Butcher's reckoning). */
function easterSunday(year: number): Day {
  const part = (value: number, by: number): number => Math.floor(value / by);
  const golden = year % 19;
  const century = part(year, 100);
  const moon = (19 * golden + century - part(century, 4) - part(8 * century + 13, 25) + 15) % 30;
  const full = moon - part(moon, 28) * (1 - part(29, moon + 1) * part(21 - golden, 11));
  const weekday = (year + part(year, 4) + full + 2 - century + part(century, 4)) % 7;
  const sinceMarch = full - weekday + 28; // Of March, which has 31 days.
  return addDays(`${year}-03-01`, sinceMarch - 1);
}
