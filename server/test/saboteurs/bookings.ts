/** What becomes of a bank's bookings: whose they are, how often they count, and that none is lost. */
import type { Saboteur } from './saboteur.ts';

const stories = 'server/test/networks/sepa-connector.test.ts';
const properties = 'server/test/networks/sepa-properties.sampled.test.ts';
const checkouts = 'server/test/sepa-checkout.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'networks/families/bank/statement-records.ts',
    fault: 'of equal bookings in two files only one counts',
    find: '(earlier.get(likeness) ?? 0) + (accepted.get(likeness) ?? 0)',
    replace: '(earlier.get(likeness) ?? 0)',
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/statement-records.ts',
    fault: 'of equal bookings in two statements of one file only one counts',
    find: '(earlier.get(likeness) ?? 0) + (accepted.get(likeness) ?? 0)',
    replace: '(accepted.get(likeness) ?? 0)',
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/statement-records.ts',
    fault: 'what a message tells that does not credit is credited',
    find: "const isBooked = plan.isCrediting && entry.status === 'BOOK';",
    replace: "const isBooked = entry.status === 'BOOK';",
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/read-bank-documents.ts',
    fault: 'another statement under a known name is accepted',
    find: 'if (accepted.digest === digest) return true;',
    replace: 'if (accepted.digest !== digest) return false; else return true;',
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/read-bank-documents.ts',
    fault: 'a notice is taken as it is marked, though nothing proves what the mark means',
    find: 'if (learned === null && isCrediting',
    replace: 'if (learned === null && !isCrediting',
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/continued-report.ts',
    fault: 'the day so far, told again, is credited again',
    find: 'if (follows || repeats) return follows;',
    replace: 'if (follows || repeats) return true;',
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/sort-bookings.ts',
    fault: 'a debit that nobody can explain is lost',
    find: "else move('UNKNOWN');",
    replace: '',
    noticedBy: properties,
  },
  {
    file: 'networks/families/bank/sort-bookings.ts',
    fault: 'what is taken back in part is taken from no payment',
    find: '?? (larger.length === 1 ? larger[0] : undefined) ??',
    replace: '??',
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/bank-connector.ts',
    fault: 'what a report announced and no statement booked is never given up',
    find: "String(trace['day']) <= coveredTo",
    replace: "String(trace['day']) < coveredTo",
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/bank-cursor.ts',
    fault: 'what is booked is final at once',
    find: 'new Date(time) > finalBefore',
    replace: 'new Date(time) < finalBefore',
    noticedBy: stories,
  },
  {
    file: 'networks/families/bank/join-pages.ts',
    fault: 'a report of a running day is believed whatever it has come to',
    find: "(first.kind === 'camt.052' ? balanceSoFar(last.part.balances, currency) : null)",
    replace: 'null',
    noticedBy: stories,
  },
  {
    file: 'deposits/deposit-target-store.ts',
    fault: 'a target with the key of somebody else is given out',
    find: 'if (key !== undefined) throw new TargetTaken',
    replace: "if (key === '') throw new TargetTaken",
    noticedBy: checkouts,
  },
  {
    file: 'deposits/ask-for-target.ts',
    fault: 'a reference that people take for another is given out',
    find: 'reference = newId();',
    replace: '',
    noticedBy: checkouts,
  },
];
