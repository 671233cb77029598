/**
 * What a statement tells again is refused. A statement goes on where the one before it closed, but that does not prove that
 * its bookings are new: where as much left as came, a copy goes on as well, and so does one that begins earlier. Banks that
 * make up a new id for each download are not known by it, and what is credited twice is lost.
 *
 * Equal bookings of one day are genuine, so not each booking is held to this but all that a statement tells of days that were
 * told: a copy has all of them, and what is new has one at least that is not known. Where a number tells it from those before, or
 * it comes to another balance than a copy would, known bookings of the last day are new ones too.
 */
import type { Day } from '../../../lib/local-day.ts';
import type { KnownDocuments } from '../../port/documents.ts';
import { quoted, refused } from './bank-file-refused.ts';
import { type BankDetail, type BankEntry, signedUnits } from './bank-statement.ts';
import { type StatementTold, statementOf } from './bank-told.ts';
import { lastPageOf } from './check-statement.ts';
import type { BankStatement } from './join-pages.ts';

export type Repeats = {
  /** Up to this day something was told before. */
  readonly toldTo: Day;
  /**
   * How many payments were in the one of that day that opens as this one does, where no number tells the two apart; null:
   * there was none.
   */
  readonly alikeCount: number | null;
  /** By its number it is another one than those before. */
  readonly isNumbered: boolean;
};

/**
 * A copy of what was accepted under another name, that opens where the last one closed: it may be another one as well. Not a
 * report of a day before the last one's: each is of one day, and of a day that is over banks give out the same again.
 */
export function demandNotAlike({ id }: BankStatement, told: StatementTold, newest: StatementTold | null): void {
  if (newest === null || told.bookedCount === 0 || newest.closing !== told.opening) return;
  if (told.kind !== 'camt.052' || told.to >= newest.to) throw toldAgain(id, newest.to);
}

export async function mayRepeat(
  { sequence, pages, pagesOf }: BankStatement,
  { kind, opening, to }: StatementTold,
  before: StatementTold | null,
  known: KnownDocuments,
): Promise<Repeats | null> {
  if (before === null) return null;
  // The one before may be in the same file, and of older days than what was accepted. What was only shown told nothing.
  const last = statementOf((await known.lastCrediting([kind]))?.told ?? {});
  const toldTo = last !== null && last.to > before.to ? last.to : before.to;
  const isNextPage = pagesOf !== null && before.page?.of === pagesOf && before.page.number + 1 === pages[0]?.number;
  const numbered = { isCrediting: true, ...(sequence !== null && { sequence }) };
  const isSameNumber = (told: StatementTold | null): boolean =>
    told?.sequence === sequence && told?.to.slice(0, 4) === to.slice(0, 4); // Numbers start anew each year.
  const isKnownNumber =
    isSameNumber(before) || isSameNumber(statementOf((await known.newest([kind], numbered))?.told ?? {}));
  const isNumbered = isNextPage || (sequence !== null && !isKnownNumber);
  if (isNumbered || opening === null) return { toldTo, alikeCount: null, isNumbered };
  const isAlike = before.opening === opening && before.to === toldTo && (sequence === null || isSameNumber(before));
  const ofLastDay = isAlike ? [] : (await known.creditedTo(toldTo, [kind])).map(({ told }) => statementOf(told));
  const isLikeThis = (each: StatementTold | null): boolean =>
    each?.opening === opening && (sequence === null || each.sequence === sequence);
  const alike = isAlike ? before : ofLastDay.findLast(isLikeThis);
  return { toldTo, alikeCount: alike?.paymentCount ?? alike?.bookedCount ?? null, isNumbered };
}

export function countToldAgain(statement: BankStatement, { toldTo, alikeCount, isNumbered }: Repeats) {
  const { id, kind } = statement;
  const isNotice = kind === 'camt.054';
  const all = { told: 0, known: 0, named: 0, units: 0n }; // of the days that were told
  const days = new Map<Day, { told: number; known: number }>(); // of each of these days
  let newer = 0;
  const isKnownDay = (day: Day): boolean => {
    const of = days.get(day);
    return of !== undefined && of.known === of.told;
  };
  return {
    /** `isKnown`: as many of its like were told before. */
    count({ bookingDay, valueDay }: BankEntry, detail: BankDetail, isKnown: boolean): void {
      const day = bookingDay ?? valueDay ?? '';
      if (day > toldTo) newer += 1;
      if (day > toldTo && !isNotice) return;
      const ofDay = days.get(day) ?? { told: 0, known: 0 };
      days.set(day, ofDay);
      for (const counts of [all, ofDay]) {
        counts.told += 1;
        if (isKnown) counts.known += 1;
      }
      all.units += signedUnits(detail);
      if (isKnown && hasNameOfItsOwn(detail, isNotice)) all.named += 1;
    },
    demandNew(): void {
      if (isNotice ? isNoticeAgain() : isStatementAgain()) throw toldAgain(id, toldTo);
    },
  };

  /** It has no balance that would prove anything. */
  function isNoticeAgain(): boolean {
    return all.named > 0 || (all.told > 0 && all.known === all.told);
  }

  function isStatementAgain(): boolean {
    if (all.told === 0) return false;
    if (all.named === all.told) return true;
    // Days before the last one were told whole.
    if ([...days.keys()].some((day) => day < toldTo && isKnownDay(day))) return true;
    if (isNumbered) return false;
    // It opens where the last one closed: from there to there a copy comes to nothing.
    if (all.units === 0n && isKnownDay(toldTo)) return true;
    if (alikeCount === null || alikeCount === 0) return false;
    // Of its first page the rest is to come.
    const isBegun = newer === 0 && lastPageOf(statement)?.number === 1;
    return all.known >= (isBegun ? Math.min(alikeCount, all.told) : alikeCount);
  }
}

const toldAgain = (id: string, day: Day) =>
  refused(
    'bank_told_again',
    `${quoted(id)} tells bookings again that were accepted before, under another name or with others: import what begins ` +
      `after ${day}, or let statements credit.`,
    { day },
  );

/** A number that the bank gives to one payment. That of an entry may stand for several; a notice has no balance to prove that. */
const hasNameOfItsOwn = ({ txId, uetr, servicerRef }: BankDetail, isNotice: boolean): boolean =>
  txId !== null || uetr !== null || (isNotice && servicerRef !== null);
