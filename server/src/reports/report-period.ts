/**
 * The periods of reports: a day, a month, a quarter or a year of the account's calendar, by names that stand in an address:
 * `2026-10-17`, `2026-10`, `2026-Q4`, `2026`.
 */
import { addDays, type Day, isDay } from '../lib/local-day.ts';

export const periodKinds = ['day', 'month', 'quarter', 'year'] as const;
export type PeriodKind = (typeof periodKinds)[number];

export type Period = {
  readonly kind: PeriodKind;
  readonly name: string;
  readonly first: Day;
  /** The day after the last one. */
  readonly end: Day;
};

const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** The period of a kind that a day is in. */
export function periodAround(kind: PeriodKind, day: Day): Period {
  if (kind === 'day') return { kind, name: day, first: day, end: addDays(day, 1) };
  const [year = 0, month = 1] = day.split('-').map(Number);
  const begins = month - ((month - 1) % monthsOf[kind]);
  const names = {
    month: day.slice(0, 7),
    quarter: `${day.slice(0, 4)}-Q${Math.ceil(month / 3)}`,
    year: day.slice(0, 4),
  } as const;
  return { kind, name: names[kind], first: firstOf(year, begins), end: firstOf(year, begins + monthsOf[kind]) };
}

/** A month beyond December is one of the next year. */
const firstOf = (year: number, month: number): Day => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, 1);
  return date.toISOString().slice(0, 10);
};

/** Null: that is no name of a period. */
export function readPeriod(name: string): Period | null {
  const quarter = /^(\d{4})-Q([1-4])$/.exec(name);
  const [kind, day]: [PeriodKind, string] = quarter
    ? ['quarter', `${quarter[1]}-${String(3 * Number(quarter[2])).padStart(2, '0')}-01`]
    : name.length === 4
      ? ['year', `${name}-01-01`]
      : name.length === 7
        ? ['month', `${name}-01`]
        : ['day', name];
  // Years of four digits: neither the days before the first nor those after the last of them have a name.
  return isDay(day) && day >= '1000' && day < '9999' ? periodAround(kind, day) : null;
}

export const periodBefore = ({ kind, first }: Period): Period => periodAround(kind, addDays(first, -1));
export const periodAfter = ({ kind, end }: Period): Period => periodAround(kind, end);
