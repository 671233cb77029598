/**
 * Makes the closed days of an account from what is stored, some at once, oldest first. Never adds to a day: whatever was
 * there is replaced. A day is closed a while after its midnight, when nothing can be dated back into it any more.
 *
 * One call is one transaction, of a month at most or, where much happened, of fewer days: what is made stays made when a
 * later day cannot be, and no transaction holds on to rows for minutes.
 */
import { findFirstCheckout } from '../checkouts/checkout-count-store.ts';
import type { Db, Query, Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { deleteLedgerDays, findFirstPosting, findPostingAfter, foldLedgerDays } from '../ledger/ledger-day-store.ts';
import { addMs, type Clock, minutes } from '../lib/clock.ts';
import { addDays, type Day, dayOf, daySpans, startOfDay } from '../lib/local-day.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { countDays, type DayDeps } from './count-days.ts';
import {
  type DaySettings,
  deleteCheckoutDays,
  deleteDayPositions,
  findDayPosition,
  replaceCheckoutDays,
  saveDayPosition,
} from './day-store.ts';
import { deleteStatementDays, replaceStatementDays } from './statement-day-store.ts';
import { countStatementDays } from './statement-days.ts';

export const closedAfterMs = minutes(10);
const daysAtOnce = 31;
/** About so many at once, but never less than a day. */
const entriesMax = 20_000;

export const zoneOf = ({ timeZone }: DaySettings): string => timeZoneOf({ timeZone });

/** The settings of an account that its days depend on, as the position of its days names them. */
export const daySettingsOf = (merchant: {
  readonly accountCurrency: string;
  readonly pageSettings: Readonly<Record<string, unknown>>;
}): DaySettings => {
  const { timeZone } = merchant.pageSettings;
  return { timeZone: typeof timeZone === 'string' ? timeZone : 'UTC', currency: merchant.accountCurrency };
};

/** Up to which day the days are made for these settings; null: they are not. */
export async function foldedTo(query: Query, merchantId: string, settings: DaySettings): Promise<Day | null> {
  const position = await findDayPosition(query, merchantId);
  const isForThese = position?.timeZone === settings.timeZone && position.currency === settings.currency;
  return isForThese ? position.foldedTo : null;
}

export async function foldDays(
  { db, clock, assets }: DayDeps & { readonly db: Db; readonly clock: Clock },
  merchantId: string,
  settings: DaySettings,
  entriesAtOnce = entriesMax,
): Promise<void> {
  const zone = zoneOf(settings);
  const now = clock.now();
  const openDay = dayOf(zone, addMs(now, -closedAfterMs));
  await db.begin(async (tx) => {
    const made = await foldedTo(tx, merchantId, settings);
    const from = made ?? (await beginAnew(tx, merchantId, zone, openDay));
    const filled = await findPostingAfter(tx, merchantId, { from: startOfDay(zone, from), count: entriesAtOnce });
    const full = filled ? [laterDay(dayOf(zone, filled), addDays(from, 1))] : [];
    const end = [...full, addDays(from, daysAtOnce), openDay].toSorted()[0] ?? openDay;
    // Whoever sets the clock back does not unmake days.
    const to = laterDay(end, from);
    const spans = daySpans(zone, from, to);
    if (spans.length > 0) {
      await foldLedgerDays(tx, merchantId, spans);
      const counted = await countDays(tx, { assets }, { merchantId, currency: settings.currency }, spans);
      await replaceCheckoutDays(
        tx,
        merchantId,
        spans.map(({ day }) => day),
        counted,
      );
      await replaceStatementDays(
        tx,
        merchantId,
        spans.map(({ day }) => day),
        await countStatementDays(tx, { assets }, { merchantId, currency: settings.currency }, spans),
      );
    }
    const dueAt = addMs(startOfDay(zone, addDays(to, 1)), closedAfterMs);
    await saveDayPosition(tx, merchantId, { ...settings, foldedTo: to, dueAt });
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
  const firsts = [await findFirstPosting(tx, merchantId), await findFirstCheckout(tx, merchantId)];
  const days = firsts.flatMap((first) => (first ? [dayOf(zone, first)] : []));
  return [...days, openDay].toSorted()[0] ?? openDay;
}

/** Has all days made anew, of one account or of all; the follower does it. Returns of how many. */
export const rebuildDays = (db: Db, merchantId: string | null): Promise<number> =>
  db.begin((tx) => deleteDayPositions(tx, merchantId));
