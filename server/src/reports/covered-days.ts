/**
 * Which closed days a report is about. Reports cover closed days only, which hardly change any more: of a period that is
 * not over, those up to now. While closed days are yet to be made, a period with such days has to wait.
 */
import type { Query } from '../db/database.ts';
import { findFirstPosting } from '../ledger/ledger-day-store.ts';
import { addDays, type Day, dayOf, startOfDay } from '../lib/local-day.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { DaySettings } from './day-store.ts';
import { daySettingsOf, foldedTo, positionFor, zoneOf } from './fold-days.ts';
import { daysBeingCounted, noClosedDay, noPeriod } from './report-errors.ts';
import { type Period, periodAfter, periodAround, periodBefore, readPeriod } from './report-period.ts';

export type Covered = {
  readonly period: Period;
  readonly from: Day;
  /** The day after the last one that is covered. */
  readonly to: Day;
  /** When those days begin and end. */
  readonly span: { readonly from: Date; readonly to: Date };
  /** All days of the period are closed. */
  readonly isWhole: boolean;
  readonly timeZone: string;
  readonly currency: string;
  readonly settings: DaySettings;
  /** Null: there is nothing before or after it. */
  readonly before: Period | null;
  readonly after: Period | null;
};

/** `name`: of a period, or nothing for the month of the last closed day. */
export async function coveredDays(query: Query, merchant: Merchant, name: string): Promise<Covered> {
  const settings = daySettingsOf(merchant);
  const timeZone = zoneOf(settings);
  const asked = name === '' ? null : readPeriod(name);
  if (name !== '' && asked === null) throw noPeriod(name);
  const position = await positionFor(query, merchant.id, settings);
  if (position === null) throw daysBeingCounted();
  const closedTo = position.foldedTo;
  const firstPosting = await findFirstPosting(query, merchant.id);
  const firstDay = firstPosting ? dayOf(timeZone, firstPosting) : closedTo;
  const period = asked ?? periodAround('month', addDays(closedTo, -1));
  if (position.isBehind && period.end > closedTo) throw daysBeingCounted();
  // Whoever asks for a period gets it, also from before anything happened; without that there is nothing to show.
  if (period.first >= closedTo || (asked === null && firstDay >= closedTo)) throw noClosedDay();
  const to = period.end < closedTo ? period.end : closedTo;
  return {
    period,
    from: period.first,
    to,
    span: { from: startOfDay(timeZone, period.first), to: startOfDay(timeZone, to) },
    isWhole: to === period.end,
    timeZone,
    currency: settings.currency,
    settings,
    before: firstDay < period.first ? periodBefore(period) : null,
    after: period.end < closedTo ? periodAfter(period) : null,
  };
}

/** Up to which day they are made. Refuses while they are not, or no more for these settings: it may be later than they were covered. */
export async function madeUpTo(query: Query, merchantId: string, { settings, to }: Covered): Promise<Day> {
  const day = await foldedTo(query, merchantId, settings);
  if (day === null || day < to) throw daysBeingCounted();
  return day;
}
