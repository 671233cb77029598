/** Statements and signed days. */
import type { Saboteur } from './saboteur.ts';

const statements = 'server/test/statement.test.ts';
const signedDays = 'server/test/signed-days.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'ledger/movement-list-store.ts',
    fault: 'a page of a report begins with the last entry of the page before',
    find: 'and (posted_at, reference) > (',
    replace: 'and (posted_at, reference) >= (',
    noticedBy: 'server/test/report-lists.test.ts',
  },
  {
    file: 'account/checkout-ledger-report.ts',
    fault: 'who may not see customers reads their names in a report',
    find: "...(look.may('seeCustomers') ? customers : []),",
    replace: '...customers,',
    noticedBy: 'server/test/account-reports.test.ts',
    test: 'the checkout ledger',
  },
  {
    file: 'reports/statement.ts',
    fault: 'a balance is worth what a rate says that may still come in',
    find: 'addMs(hourOf(moment), -hours(1))',
    replace: 'hourOf(moment)',
    noticedBy: statements,
    test: 'a movement is worth',
  },
  {
    file: 'reports/statement-lines.ts',
    fault: 'what was owed has no line',
    find: 'units: -receivable, entries',
    replace: 'units: 0n, entries',
    noticedBy: statements,
  },
  {
    file: 'reports/daily-statement.ts',
    fault: 'a signed day does not name the one before',
    find: 'previous: last?.digest ?? null',
    replace: 'previous: null',
    noticedBy: signedDays,
  },
  {
    file: 'reports/daily-statement.ts',
    fault: 'a signed day begins at its midnight, wherever the last one ended',
    find: 'const from = last?.coveredTo ?? startOfDay(zone, dayOf(zone, firstPosting));',
    replace: 'const from = startOfDay(zone, last ? addDays(last.day, 1) : dayOf(zone, firstPosting));',
    noticedBy: signedDays,
  },
];
