/**
 * What a statement tells again is refused. A statement goes on where the one before it closed, but that does not prove that
 * its bookings are new: where as much left as came, a copy goes on as well, and so does one that begins earlier. Banks that
 * make up a new id for each download are not known by it, and what is credited twice is lost.
 *
 * Equal bookings of one day are genuine, so not each booking is held to this but all that a statement tells of days that were
 * told: a copy has all of them, and what is new has one at least that is not known.
 */
import type { Day } from '../../../lib/local-day.ts';
import type { KnownDocuments } from '../../port/documents.ts';
import { quoted, refused } from './bank-file-refused.ts';
import type { BankDetail, BankEntry } from './bank-statement.ts';
import { type StatementTold, statementOf } from './bank-told.ts';
import type { BankStatement } from './join-pages.ts';

export type Repeats = {
  /** Up to this day something was told before. */
  readonly toldTo: Day;
  /**
   * How many payments were in the one of that day that opens as this one does, where no number tells the two apart; null:
   * there was none.
   */
  readonly alikeCount: number | null;
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
  { sequence }: BankStatement,
  { kind, opening }: StatementTold,
  before: StatementTold | null,
  known: KnownDocuments,
): Promise<Repeats | null> {
  if (before === null) return null;
  const { to } = before;
  if (sequence !== null || opening === null) return { toldTo: to, alikeCount: null };
  const accepted = statementOf((await known.newest([kind], { opening, to }))?.told ?? {});
  const alike = before.opening === opening ? before : accepted; // The one before may be in the same file.
  return { toldTo: to, alikeCount: alike?.paymentCount ?? alike?.bookedCount ?? null };
}

export function countToldAgain({ id, kind }: BankStatement, { toldTo, alikeCount }: Repeats) {
  const isNotice = kind === 'camt.054';
  const all = { told: 0, known: 0, named: 0 }; // of the days that were told
  const before = { told: 0, known: 0 }; // of those but the last, which were told whole
  return {
    /** `isKnown`: as many of its like were told before. */
    count({ bookingDay, valueDay }: BankEntry, detail: BankDetail, isKnown: boolean): void {
      const day = bookingDay ?? valueDay ?? '';
      if (day > toldTo && !isNotice) return;
      for (const counts of day < toldTo ? [all, before] : [all]) {
        counts.told += 1;
        if (isKnown) counts.known += 1;
      }
      if (isKnown && hasNameOfItsOwn(detail, isNotice)) all.named += 1;
    },
    demandNew(): void {
      const isCopy = all.told > 0 && (isNotice ? all.known : all.named) === all.told;
      const hasWholeDays = !isNotice && before.told > 0 && before.known === before.told;
      const hasAlike = !isNotice && alikeCount !== null && alikeCount > 0 && all.known >= alikeCount;
      if (isCopy || hasWholeDays || hasAlike || (isNotice && all.named > 0)) throw toldAgain(id, toldTo);
    },
  };
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
