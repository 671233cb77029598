/**
 * Reports within a day (camt.052) come in two forms: some banks tell what is new since the report before, others the day so
 * far, each time again. Where such reports credit, their balances say which it is: taken for the other, a booking would be
 * credited twice, or one of two equal ones not at all.
 */
import { early, quoted, refused } from './bank-file-refused.ts';
import type { StatementTold } from './bank-told.ts';
import { type ProvenStatement, possibleOpenings } from './check-statement.ts';
import type { BankStatement } from './join-pages.ts';

export type ReportBefore = Pick<StatementTold, 'opening' | 'closing' | 'to' | 'bookedCount'>;

/**
 * What tells the day again must tell all of it: what was told since it opens, `units` in sum, is among its bookings, each as it
 * was told. Otherwise it is older than the last one; or the bank writes a booking in other words, and it would be credited twice.
 */
export function countDayAgain({ id }: BankStatement, units: bigint) {
  let known = 0n;
  return {
    count(booked: bigint): void {
      known += booked;
    },
    demandAll(): void {
      if (known !== units)
        throw refused(
          'bank_report_differs',
          `The report ${quoted(id)} tells its day again, but not all that was told of it before, or that in other words: import the ` +
            'newest report of the day, or let statements credit (camt.053).',
        );
    },
  };
}

/** Without an opening balance it opens with what its bookings leave of the one that it has come to, if that was told before. */
export function proveReport(proven: ProvenStatement, before: ReportBefore | null): ProvenStatement {
  if (proven.opening !== null) return proven;
  const possible = possibleOpenings(proven.statement);
  const told = before ? [before.closing, before.opening] : ['0']; // An account began with nothing.
  const found = possible.find(({ opening }) => told.includes(opening.toString())) ?? (before ? possible[0] : undefined);
  return found ? { ...proven, ...found } : proven;
}

/** True: its bookings follow those of the report before. False: they are told again, with what is new among them. */
export function goesOn(statement: BankStatement, told: StatementTold, before: ReportBefore | null): boolean {
  if (told.opening === null || told.closing === null)
    throw refused(
      'bank_report_unproven',
      `The report ${quoted(statement.id)} has no balances that prove it: let statements credit (camt.053), or get reports ` +
        'with an opening balance and one that they have come to.',
    );
  if (before === null || before.closing === null) return true;
  const [follows, repeats] = [
    told.opening === before.closing,
    told.opening === before.opening && told.to === before.to,
  ];
  if (follows && repeats && before.bookedCount > 0)
    throw refused(
      'bank_report_unclear',
      `The report ${quoted(statement.id)} may go on from the one before or tell its bookings again, and the balances do not ` +
        'say which: import a later report, or the one of the next day.',
    );
  if (follows || repeats) return follows;
  throw (told.to >= before.to ? early : refused)(
    'bank_report_unconnected',
    `The report ${quoted(statement.id)} neither goes on from the balance of the report before nor tells its day again: ` +
      'import those between first; where there are none, npx quittance bank correct says what is missing.',
  );
}
