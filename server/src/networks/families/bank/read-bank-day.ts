/** Days as banks write them. A day is the bank's own: what is written counts, whatever time zone a clock would say. */
import type { Day } from '../../../lib/local-day.ts';
import { quoted, refused } from './bank-file-refused.ts';

const wrong = (text: string) =>
  refused('bank_day', `The date ${quoted(text)} must be a day of the calendar, such as 2026-03-31.`, {
    day: text.slice(0, 60),
  });

const two = (number: number): string => String(number).padStart(2, '0');

/**
 * `2026-03-31`, `2026-03-31T08:00:00+02:00`, `2026-03-31+02:00`. Interest is counted by months of thirty days, so banks
 * write the 30th of February: it is the last day of that month.
 */
export function readBankDay(text: string): Day {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?:$|[T+\-Z ])/.exec(text.slice(0, 60)) ?? [];
  return dayOf(Number(year), Number(month), Number(day), text);
}

function dayOf(year: number, month: number, day: number, text: string): Day {
  if (!(year >= 1970 && year <= 2200 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) throw wrong(text);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return `${year}-${two(month)}-${two(Math.min(day, last))}`;
}

/** `260331`. */
export function readShortDay(text: string): Day {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? [];
  if (year === undefined) throw wrong(text);
  return dayOf(Number(year) + (Number(year) >= 80 ? 1900 : 2000), Number(month), Number(day), text);
}

/** `0331`, in the year in which it is nearest to a day that is told in full: around New Year they differ. */
export function readDayNear(text: string, near: Day): Day {
  const year = Number(near.slice(0, 4));
  const candidates = [year - 1, year, year + 1]
    .map((each) => dayOf(each, Number(text.slice(0, 2)), Number(text.slice(2)), text))
    .sort((a, b) => distance(a, near) - distance(b, near));
  return candidates[0] ?? near;
}

const distance = (a: Day, b: Day): number => Math.abs(Date.parse(a) - Date.parse(b));
