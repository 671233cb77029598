/**
 * The bookings of a statement as records, one for each detail, in the memory of a piece. Which of several equal bookings of
 * a day one is, is counted on from all that was told before: in the documents that are accepted, and in the statements
 * before it in the same file.
 */
import type { Day } from '../../../lib/local-day.ts';
import { formatFixed, fromUnits } from '../../../money/decimal.ts';
import type { KnownDocuments, ReadRecord } from '../../port/documents.ts';
import { type BankDetail, type BankEntry, signedUnits } from './bank-statement.ts';
import { asTold, type BookingTold, bookingTold, type StatementTold } from './bank-told.ts';
import { countDayAgain } from './continued-report.ts';
import { currencyDecimals } from './currency-decimals.ts';
import { identityOf, likenessOf } from './detail-identity.ts';
import type { BankStatement } from './join-pages.ts';
import type { ReadAccount } from './read-bank-documents.ts';
import type { BankFile } from './read-bank-file.ts';
import { turnedAround } from './settle-details.ts';
import { createStatementEntries } from './statement-entries.ts';
import { countToldAgain, type Repeats } from './told-again.ts';

/** What is to be made of a statement. Plans are in the order in which they are told. */
export type StatementPlan = {
  readonly statement: BankStatement;
  readonly name: string;
  readonly digest: string;
  readonly told: StatementTold;
  readonly isCrediting: boolean;
  /** Its bookings are others than those before. False: it tells again what may be known. */
  readonly isContinued: boolean;
  /** How what it tells again is noticed; null: nothing of it is counted, or nothing was told before. */
  readonly repeats: Repeats | null;
  /** Of one that tells its day again: what was told of it before comes to this. */
  readonly toldBefore: bigint | null;
};

type Booking = { readonly entry: BankEntry; readonly detail: BankDetail; readonly likeness: string };
type Counts = Map<string, number>;
/** How many of a likeness there are, by how many were accepted: so many more than those, and so many at least. */
type Growth = { readonly more: number; readonly least: number };

/** So many at once are asked for what is known of them. */
const bookingsPerQuestion = 500;

export function createRecordReader(
  file: BankFile,
  known: KnownDocuments,
  account: ReadAccount,
  plans: readonly StatementPlan[],
): (plan: StatementPlan) => AsyncGenerator<ReadRecord> {
  const entriesOf = createStatementEntries(file);
  const counting = plans.filter(({ isCrediting }) => isCrediting);
  /** What the first so many of `counting` make of each likeness; and how often it is in the next, once that was read to its end. */
  let before: { readonly statements: number; readonly growth: Map<string, Growth>; next: Counts | null } = nothingYet();

  async function* bookingsOf({ statement, told, isCrediting }: StatementPlan): AsyncGenerator<Booking> {
    for await (const told0 of entriesOf(statement)) {
      const isTurned = told0.isReversal && statement.reversals === 'undecided' && told.reversals === 'opposite';
      const entry = isTurned ? turnedAround(told0) : told0;
      if (!isTold(entry, isCrediting)) continue;
      for (const detail of entry.details)
        if (detail.units !== 0n)
          yield { entry, detail, likeness: likenessOf(account.iban ?? account.others[0] ?? '', entry, detail) };
    }
  }

  async function growthBefore(plan: StatementPlan): Promise<ReadonlyMap<string, Growth>> {
    const place = counting.indexOf(plan);
    if (before.statements > place) before = nothingYet();
    while (before.statements < place) {
      const passed = counting[before.statements] as StatementPlan;
      for (const [likeness, count] of before.next ?? (await countAll(passed))) {
        const { more, least } = before.growth.get(likeness) ?? none;
        const growth = passed.isContinued
          ? { more: more + count, least: least + count }
          : { more, least: Math.max(least, count) };
        before.growth.set(likeness, growth);
      }
      before = { statements: before.statements + 1, growth: before.growth, next: null };
    }
    return before.growth;
  }

  async function countAll(plan: StatementPlan): Promise<Counts> {
    const counts: Counts = new Map();
    for await (const { entry, likeness } of bookingsOf(plan))
      if (entry.status === 'BOOK') counts.set(likeness, (counts.get(likeness) ?? 0) + 1);
    return counts;
  }

  let isReading = false;
  return async function* oneAtATime(plan) {
    if (isReading) throw new Error('two statements of a file are read at once: what they count would be mixed up');
    isReading = true;
    try {
      yield* recordsOf(plan);
    } finally {
      isReading = false;
    }
  };

  async function* recordsOf(plan: StatementPlan): AsyncGenerator<ReadRecord> {
    const { isCrediting } = plan;
    const earlier = isCrediting ? await growthBefore(plan) : new Map<string, Growth>();
    const own: Counts = new Map();
    const seen: Counts = new Map();
    const again = plan.repeats === null ? null : countToldAgain(plan.statement, plan.repeats);
    const day = plan.toldBefore === null ? null : countDayAgain(plan.statement, plan.toldBefore);
    for await (const bookings of inChunks(bookingsOf(plan))) {
      const asked = [...new Set(bookings.map(({ likeness }) => likeness))];
      const accepted = isCrediting ? await known.counts(asked) : new Map<string, number>();
      for (const { entry, detail, likeness } of bookings) {
        const isBooked = isCrediting && entry.status === 'BOOK';
        const counts = isBooked ? own : seen;
        const ordinal = (counts.get(likeness) ?? 0) + 1;
        counts.set(likeness, ordinal);
        const { more, least } = earlier.get(likeness) ?? none;
        const known = isBooked ? Math.max((accepted.get(likeness) ?? 0) + more, least) : 0;
        if (isBooked) again?.count(entry, detail, ordinal <= known);
        if (isBooked && ordinal <= known) day?.count(signedUnits(detail));
        const base = plan.isContinued ? known : 0;
        yield recordOf(plan, entry, detail, { likeness, ordinal: base + ordinal, isBooked });
      }
    }
    again?.demandNew();
    day?.demandAll();
    if (isCrediting && counting[before.statements] === plan) before.next = own;
  }
}

const none: Growth = { more: 0, least: 0 };
const nothingYet = () => ({ statements: 0, growth: new Map<string, Growth>(), next: null });

/** Of what does not count only payments to us that may still come are shown. */
const isTold = (entry: BankEntry, isCrediting: boolean): boolean =>
  (entry.status === 'BOOK' && isCrediting) ||
  (entry.status !== 'INFO' && entry.direction === 'credit' && !entry.isReversal);

function recordOf(
  { told, statement }: StatementPlan,
  entry: BankEntry,
  detail: BankDetail,
  { likeness, ordinal, isBooked }: { likeness: string; ordinal: number; isBooked: boolean },
): ReadRecord {
  const tx = identityOf(likeness, ordinal);
  const day = dayOf(entry, told.to);
  const booking = bookingTold(entry, detail, { what: isBooked ? 'booked' : 'seen', tx, day });
  return {
    identity: isBooked ? tx : `seen ${statement.kind} ${tx}`,
    likeness: isBooked ? likeness : null,
    told: asTold(booking),
    units: isBooked ? signedUnits(detail) : 0n,
    kind: isBooked ? booking.kind : 'seen',
    note: isBooked ? booking.note : announcedNote(booking, entry.currency),
  };
}

/** It has no amount of its own until it is booked: people read it here. */
function announcedNote({ units, note }: BookingTold, currency: string): string {
  const decimals = currencyDecimals(currency);
  return [`${formatFixed(fromUnits(BigInt(units), decimals), decimals)} ${currency}`, note ?? []].flat().join(' · ');
}

/** What is not booked yet has its value day, if any. Nothing is later than its document. */
function dayOf({ bookingDay, valueDay, status }: BankEntry, last: Day): Day {
  const told = bookingDay ?? valueDay ?? last;
  return status === 'BOOK' && told > last ? last : told;
}

async function* inChunks(bookings: AsyncIterable<Booking>): AsyncGenerator<readonly Booking[]> {
  let chunk: Booking[] = [];
  for await (const booking of bookings) {
    chunk.push(booking);
    if (chunk.length < bookingsPerQuestion) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
