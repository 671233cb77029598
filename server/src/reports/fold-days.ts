/**
 * Makes the closed days of an account from what is stored, some at once, oldest first. Never adds to a day: whatever was
 * there is replaced. A day is closed a while after its midnight, when hardly anything is dated back into it any more. What is all
 * the same, by a process that was frozen in between, is found when the last days are made once more with the next one; what is
 * dated further back, when that one is signed (`sign-next-day`).
 *
 * One call is one transaction, of a month at most or, where much happened, of fewer days: what is made stays made when a
 * later day cannot be, and no transaction holds on to rows for minutes.
 */
import { findFirstCheckout } from '../checkouts/checkout-count-store.ts';
import type { Db, Query, Tx } from '../db/database.ts';
import { inOneMoment } from '../db/one-moment.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { deleteLedgerDays, findFirstPosting, findPostingAfter, foldLedgerDays } from '../ledger/ledger-day-store.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { addDays, type Day, dayOf, daySpans, startOfDay } from '../lib/local-day.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { countDays, type DayDeps } from './count-days.ts';
import {
  type DayPosition,
  type DaySettings,
  deleteCheckoutDays,
  deleteDayPositions,
  findDayPosition,
  moveDayPositionBack,
  replaceCheckoutDays,
  saveDayPosition,
} from './day-store.ts';
import { deleteDisposalDays, replaceDisposalDays } from './disposal-day-store.ts';
import { countDisposalDays } from './disposal-days.ts';
import { deleteFeeDays, replaceFeeDays } from './fee-day-store.ts';
import { countFeeDays } from './fee-days.ts';
import { deleteStatementDays, replaceStatementDays } from './statement-day-store.ts';
import { readValuedMovements, statementDaysOf } from './statement-days.ts';
import { deleteTaxDays, replaceTaxDays } from './tax-day-store.ts';
import { countTaxDays } from './tax-days.ts';

export const closedAfterMs = minutes(10);
const daysAtOnce = 31;
/** About so many at once, but never less than a day. */
const entriesMax = 20_000;
/** So many closed days are made again with the next one. */
const daysAgain = 2;

export const zoneOf = ({ timeZone }: DaySettings): string => timeZoneOf({ timeZone });

/** The settings of an account that its days depend on, as the position of its days names them. */
export const daySettingsOf = (merchant: {
  readonly accountCurrency: string;
  readonly pageSettings: Readonly<Record<string, unknown>>;
}): DaySettings => {
  const { timeZone } = merchant.pageSettings;
  return { timeZone: typeof timeZone === 'string' ? timeZone : 'UTC', currency: merchant.accountCurrency };
};

/** How far the days are made for these settings; null: they are not. */
export async function positionFor(
  query: Query,
  merchantId: string,
  settings: DaySettings,
): Promise<DayPosition | null> {
  const position = await findDayPosition(query, merchantId);
  const isForThese = position?.timeZone === settings.timeZone && position.currency === settings.currency;
  return isForThese ? position : null;
}

export const foldedTo = async (query: Query, merchantId: string, settings: DaySettings): Promise<Day | null> =>
  (await positionFor(query, merchantId, settings))?.foldedTo ?? null;

export async function foldDays(
  { db, clock, assets }: DayDeps & { readonly db: Db; readonly clock: Clock },
  merchantId: string,
  settings: DaySettings,
  entriesAtOnce = entriesMax,
): Promise<void> {
  const zone = zoneOf(settings);
  const now = clock.now();
  const openDay = dayOf(zone, addMs(now, -closedAfterMs));
  await inOneMoment(db, async (tx) => {
    const made = await foldedTo(tx, merchantId, settings);
    const next = made ?? (await beginAnew(tx, merchantId, zone, openDay));
    const filled = await findPostingAfter(tx, merchantId, { from: startOfDay(zone, next), count: entriesAtOnce });
    const full = filled ? [laterDay(dayOf(zone, filled), addDays(next, 1))] : [];
    const end = [...full, addDays(next, daysAtOnce), openDay].toSorted()[0] ?? openDay;
    // Whoever sets the clock back does not unmake days.
    const to = laterDay(end, next);
    const from = made !== null && to > next && to === openDay ? addDays(next, -daysAgain) : next;
    const spans = daySpans(zone, from, to);
    if (spans.length > 0) {
      await foldLedgerDays(tx, merchantId, spans);
      const whose = { merchantId, currency: settings.currency };
      const days = spans.map(({ day }) => day);
      await replaceCheckoutDays(tx, merchantId, days, await countDays(tx, { assets }, whose, spans));
      const valued = await readValuedMovements(tx, { assets }, whose, spans);
      await replaceStatementDays(tx, merchantId, days, statementDaysOf(valued));
      await replaceFeeDays(tx, merchantId, days, await countFeeDays(tx, merchantId, valued, spans));
      await replaceDisposalDays(tx, merchantId, days, await countDisposalDays(tx, { assets }, whose, spans));
      await replaceTaxDays(tx, merchantId, days, await countTaxDays(tx, { assets }, whose, spans));
    }
    const dueAt = addMs(startOfDay(zone, addDays(to, 1)), closedAfterMs);
    await saveDayPosition(tx, merchantId, { ...settings, foldedTo: to, isBehind: to < openDay, dueAt });
    // A month is over, or days were made anew: whoever wants to know is told by who can.
    if (made === null || made.slice(0, 7) !== to.slice(0, 7))
      await enqueue(tx, [{ name: 'statement.announce', payload: { merchantId }, runAt: now }]);
  });
}

const laterDay = (a: Day, b: Day): Day => (a < b ? b : a);

async function beginAnew(tx: Tx, merchantId: string, zone: string, openDay: Day): Promise<Day> {
  await deleteLedgerDays(tx, merchantId);
  await deleteCheckoutDays(tx, merchantId);
  await deleteStatementDays(tx, merchantId);
  await deleteFeeDays(tx, merchantId);
  await deleteDisposalDays(tx, merchantId);
  await deleteTaxDays(tx, merchantId);
  const firsts = [await findFirstPosting(tx, merchantId), await findFirstCheckout(tx, merchantId)];
  const days = firsts.flatMap((first) => (first ? [dayOf(zone, first)] : []));
  return [...days, openDay].toSorted()[0] ?? openDay;
}

/** Has the days made again from that of a moment on, or all: something was dated into it after it was closed. */
export async function reopenDays(tx: Tx, merchantId: string, from: Date | null, now: Date): Promise<void> {
  const position = await findDayPosition(tx, merchantId);
  if (from === null) await deleteDayPositions(tx, merchantId);
  else if (position) await moveDayPositionBack(tx, merchantId, dayOf(zoneOf(position), from), now);
}

/** Has all days made anew, of one account or of all; the follower does it. Returns of how many. */
export const rebuildDays = (db: Db, merchantId: string | null): Promise<number> =>
  db.begin((tx) => deleteDayPositions(tx, merchantId));
