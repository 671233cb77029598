/** What becomes of a bank's bookings: whose they are, how often they count, and that none is lost. */
import type { Saboteur } from './saboteur.ts';

const stories = 'server/test/networks/sepa-connector.test.ts';
const toldAgain = 'server/test/networks/sepa-told-again.test.ts';
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
    find: 'if (named.digest === digest || named.digest === same?.digest)',
    replace: 'if (named)',
    noticedBy: toldAgain,
  },
  {
    file: 'networks/families/bank/read-bank-documents.ts',
    fault: 'a copy under another name is another statement',
    find: 'return same && !isNotice(one) ?',
    replace: 'return same && isNotice(one) ?',
    noticedBy: toldAgain,
  },
  {
    file: 'networks/families/bank/read-bank-documents.ts',
    fault: 'days that another kind credited are forgotten when that kind comes on',
    find: 'known.newest([kind], { isCrediting: true })',
    replace: 'known.newest([kind])',
    noticedBy: toldAgain,
  },
  {
    file: 'payments/movement-store.ts',
    fault: 'a correction that is read again is booked again as what nobody can explain',
    find: "= (told.kind <> 'REVERSAL')",
    replace: "= (told.kind = 'REVERSAL')",
    noticedBy: checkouts,
    test: 'what is read again',
  },
  {
    file: 'networks/families/bank/told-again.ts',
    fault: 'a statement over a longer time credits again',
    find: 'before.told > 0 && before.known === before.told',
    replace: 'before.told < 0',
    noticedBy: toldAgain,
  },
  {
    file: 'networks/families/bank/told-again.ts',
    fault: 'the day so far credits again',
    find: 'all.known >= alikeCount',
    replace: 'all.known > alikeCount',
    noticedBy: toldAgain,
  },
  {
    file: 'networks/families/bank/told-again.ts',
    fault: 'a second notice of a payment credits again',
    find: '(isNotice && all.named > 0)',
    replace: '(isNotice && all.named < 0)',
    noticedBy: toldAgain,
  },
  {
    file: 'networks/families/bank/join-pages.ts',
    fault: 'a statement with another booking is taken for the one that is known',
    find: 'sums.told.update(JSON.stringify(told, asText));',
    replace: '',
    noticedBy: toldAgain,
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
