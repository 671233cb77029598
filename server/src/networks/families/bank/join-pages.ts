/**
 * Pages of a statement become one, and its balances say what its reversals mean. By ISO 20022 a reversal is marked with the
 * direction in which it was booked, but some banks mark it as what it takes back; only one of the two comes to the closing
 * balance.
 */
import { createHash } from 'node:crypto';
import type { Day } from '../../../lib/local-day.ts';
import type { AccountTold, Balance, Page, StatementKind, StatementPart } from './bank-statement.ts';
import { asText, type CountedPart, earlier, type PartSums } from './counted-part.ts';
import { groupPages, type PageGroup } from './page-groups.ts';
import { closingOf, currencyOf, openingOf } from './part-balances.ts';

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
  readonly pages: readonly Page[]; // none: the bank does not count them, or balances show that it is whole
  /** By what its other pages are known; null: it has none. */
  readonly pagesOf: string | null;
  /** Interim: it begins, or ends, within a statement of the bank. */
  readonly opening: Balance | null;
  readonly closing: Balance | null;
  readonly entryCount: number;
  readonly bookedCount: number;
  readonly paymentCount: number; // of what is booked
  readonly booked: bigint; // what all that is booked comes to
  readonly reversed: bigint; // of that, what reversals come to as they are marked
  readonly reversals: ReversalMeaning;
  /** The earliest day of what is booked; null: nothing is. */
  readonly firstDay: Day | null;
  /**
   * A digest of all that it tells, but for its id and when it was made: some banks make both anew at each download, and put
   * several statements into a file, each time others.
   */
  readonly content: string;
  /** A person vouches for it, and no bank: from then on messages of every kind begin anew. */
  readonly isCorrection?: boolean;
};

/** For each part its statement, in the same order; parts of one statement have the same object. */
export function joinPages(parts: readonly CountedPart[]): readonly BankStatement[] {
  const statements = new Map<CountedPart, BankStatement>();
  for (const group of groupPages(parts)) {
    const statement = joined(group);
    for (const part of group.parts) statements.set(part, statement);
  }
  return parts.flatMap((part) => statements.get(part) ?? []);
}

function joined({ parts, pages, pagesOf }: PageGroup): BankStatement {
  const [first] = parts as [CountedPart];
  const last = parts.at(-1) ?? first;
  const account = first.part.account;
  const currency = currencyOf(parts);
  const [opening, closing] = [openingOf(first, currency), closingOf(last, currency)];
  const total = (of: (sums: PartSums) => bigint): bigint => parts.reduce((sum, { sums }) => sum + of(sums), 0n);
  const count = (of: (sums: PartSums) => number): number => parts.reduce((sum, { sums }) => sum + of(sums), 0);
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
    currencies: new Set(parts.flatMap(({ sums }) => [...sums.currencies])),
    period: { from: first.part.period.from, to: last.part.period.to },
    pages,
    pagesOf,
    opening,
    closing,
    entryCount: count((sums) => sums.entryCount),
    bookedCount: count((sums) => sums.bookedCount),
    paymentCount: count((sums) => sums.paymentCount),
    booked: reversals === 'opposite' ? booked - reversed : booked + reversed,
    reversed,
    reversals,
    firstDay: parts.reduce<Day | null>((day, { sums }) => earlier(sums.firstDay, day), null),
    content: contentOf(parts, opening, closing),
  };
}

function contentOf(parts: readonly CountedPart[], opening: Balance | null, closing: Balance | null): string {
  const told = parts.map(({ kind, part, sums }) => [
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
