/**
 * Pages of a statement become one, and its balances say what its reversals mean. By ISO 20022 a reversal is marked with the
 * direction in which it was booked, but some banks mark it as what it takes back; only one of the two comes to the closing
 * balance.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Day } from '../../../lib/local-day.ts';
import type { AccountTold, Balance, BankEntry, Page, StatementKind, StatementPart } from './bank-statement.ts';
import { signedUnits } from './bank-statement.ts';

/** What was counted while a part was read. */
export type PartSums = {
  entryCount: number;
  bookedCount: number;
  reversalCount: number;
  booked: bigint; // booked, reversals aside
  reversed: bigint; // booked reversals, as they are marked
  readonly currencies: Set<string>;
  paymentCount: number; // booked, each detail by itself, those of nothing aside
  firstDay: Day | null; // of what is booked
  readonly told: Hash; // all that is told of its bookings
};

export type CountedPart = {
  readonly kind: StatementKind;
  readonly part: StatementPart;
  readonly page: Page | null;
  readonly sums: PartSums;
};

/**
 * `as-marked`: a reversal went where its mark says; `opposite`: the other way; `undecided`: no balance says which, and the
 * mark is taken for it.
 */
export type ReversalMeaning = 'none' | 'as-marked' | 'opposite' | 'undecided';

export type BankStatement = {
  readonly kind: StatementKind;
  readonly id: string;
  readonly sequence: string | null;
  readonly createdAt: string | null; // as written
  readonly account: AccountTold;
  readonly currency: string | null;
  readonly currencies: ReadonlySet<string>; // of its bookings
  readonly period: StatementPart['period'];
  readonly pages: readonly Page[]; // none: the bank does not count them
  readonly opening: Balance | null;
  readonly closing: Balance | null;
  readonly entryCount: number;
  readonly bookedCount: number;
  readonly paymentCount: number; // of what is booked
  readonly booked: bigint; // what all that is booked comes to
  readonly reversals: ReversalMeaning;
  /** The earliest day of what is booked; null: nothing is. */
  readonly firstDay: Day | null;
  /**
   * A digest of all that it tells, but for its id and when it was made: some banks make both anew at each download, and put
   * several statements into a file, each time others.
   */
  readonly content: string;
};

export const noSums = (): PartSums => ({
  entryCount: 0,
  bookedCount: 0,
  reversalCount: 0,
  booked: 0n,
  reversed: 0n,
  currencies: new Set(),
  paymentCount: 0,
  firstDay: null,
  told: createHash('sha256'),
});

export function countEntry(sums: PartSums, entry: BankEntry): void {
  sums.entryCount += 1;
  sums.currencies.add(entry.currency);
  // Detail by detail: an entry may have a hundred thousand of them.
  const { details, unproven, ...alone } = entry;
  for (const told of [{ ...alone, details: details.length }, ...details, ...unproven])
    sums.told.update(JSON.stringify(told, asText));
  if (entry.status !== 'BOOK') return;
  sums.bookedCount += 1;
  sums.paymentCount += entry.details.filter(({ units }) => units !== 0n).length;
  sums.firstDay = earlier(sums.firstDay, entry.bookingDay ?? entry.valueDay);
  if (entry.isReversal) sums.reversalCount += 1;
  sums[entry.isReversal ? 'reversed' : 'booked'] += signedUnits(entry);
}

/** JSON has no integers of any length. */
const asText = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}` : value);

const earlier = (a: Day | null, b: Day | null): Day | null => (a === null || (b !== null && b < a) ? b : a);

/** For each part its statement, in the same order; parts of one statement have the same object. */
export function joinPages(parts: readonly CountedPart[]): readonly BankStatement[] {
  const groups = new Map<string, CountedPart[]>();
  const keys = parts.map((each, place) => (hasOtherPages(each) ? pagesKey(each) : `alone ${place}`));
  for (const [place, key] of keys.entries()) {
    const each = parts[place];
    const group = groups.get(key);
    if (each && group) group.push(each);
    else if (each) groups.set(key, [each]);
  }
  const statements = new Map([...groups].map(([key, group]) => [key, joined(group)]));
  return keys.flatMap((key) => statements.get(key) ?? []);
}

/** Page 1 of 1 is all of its statement, though others have the same number, or none, and the same id. */
const hasOtherPages = ({ page }: CountedPart): boolean => page !== null && !(page.number === 1 && page.isLast);

/** Pages have the number of their statement in common, which starts anew each year; where there is none, its id. */
function pagesKey({ kind, part }: CountedPart): string {
  const { account, electronicSequence, legalSequence, period, createdAt } = part;
  const year = (period.to ?? period.from ?? createdAt ?? '').slice(0, 4);
  return [kind, account.iban ?? account.other, electronicSequence ?? legalSequence ?? part.id, year].join(' ');
}

function joined(group: readonly CountedPart[]): BankStatement {
  const pages = [...group].sort((a, b) => (a.page?.number ?? 0) - (b.page?.number ?? 0));
  const [first] = pages as [CountedPart];
  const last = pages.at(-1) ?? first;
  const account = first.part.account;
  const balances = pages.flatMap(({ part }) => part.balances);
  const currency = account.currency ?? balances[0]?.currency ?? [...first.sums.currencies][0] ?? null;
  const opening = pick(first.part.balances, currency, ['OPBD', 'PRCD'], 'earliest');
  const closing =
    pick(last.part.balances, currency, ['CLBD'], 'latest') ??
    (first.kind === 'camt.052' ? balanceSoFar(last.part.balances, currency) : null);
  const total = (of: (sums: PartSums) => bigint): bigint => pages.reduce((sum, { sums }) => sum + of(sums), 0n);
  const count = (of: (sums: PartSums) => number): number => pages.reduce((sum, { sums }) => sum + of(sums), 0);
  const [booked, reversed] = [total((sums) => sums.booked), total((sums) => sums.reversed)];
  const reversals = meaningOf(
    count((sums) => sums.reversalCount),
    booked,
    reversed,
    opening,
    closing,
  );
  return {
    kind: first.kind,
    id: first.part.id,
    sequence: first.part.electronicSequence ?? first.part.legalSequence,
    createdAt: first.part.createdAt,
    account,
    currency,
    currencies: new Set(pages.flatMap(({ sums }) => [...sums.currencies])),
    period: { from: first.part.period.from, to: last.part.period.to },
    pages: pages.flatMap(({ page }) => page ?? []),
    opening,
    closing,
    entryCount: count((sums) => sums.entryCount),
    bookedCount: count((sums) => sums.bookedCount),
    paymentCount: count((sums) => sums.paymentCount),
    booked: reversals === 'opposite' ? booked - reversed : booked + reversed,
    reversals,
    firstDay: pages.reduce<Day | null>((day, { sums }) => earlier(sums.firstDay, day), null),
    content: contentOf(pages, opening, closing),
  };
}

function contentOf(pages: readonly CountedPart[], opening: Balance | null, closing: Balance | null): string {
  const told = pages.map(({ kind, part, sums }) => [
    kind,
    part.account.iban ?? part.account.other,
    part.electronicSequence,
    part.legalSequence,
    part.period,
    sums.told.copy().digest('hex'),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([told, opening, closing], asText))
    .digest('hex');
}

function meaningOf(
  count: number,
  booked: bigint,
  reversed: bigint,
  opening: Balance | null,
  closing: Balance | null,
): ReversalMeaning {
  if (count === 0) return 'none';
  if (!opening || !closing || reversed === 0n) return 'undecided';
  return opening.units + booked - reversed === closing.units ? 'opposite' : 'as-marked';
}

/** A report of a day that is not over has no closing balance, but the one that its bookings have come to. */
const balanceSoFar = (balances: readonly Balance[], currency: string | null): Balance | null =>
  balances.findLast((each) => each.code === 'ITBD' && each.currency === currency) ?? null;

/** A statement over several days may have balances of each of them. */
function pick(
  balances: readonly Balance[],
  currency: string | null,
  codes: readonly string[],
  which: 'earliest' | 'latest',
): Balance | null {
  for (const code of codes) {
    const found = balances
      .filter((each) => each.code === code && each.currency === currency && !each.isInterim)
      .sort((a, b) => ((a.day ?? '') < (b.day ?? '') ? -1 : (a.day ?? '') > (b.day ?? '') ? 1 : 0));
    const chosen = found.at(which === 'earliest' ? 0 : -1);
    if (chosen) return chosen;
  }
  return null;
}
