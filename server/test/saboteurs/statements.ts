/** Statements and signed days. */
import type { Saboteur } from './saboteur.ts';

const statements = 'server/test/statement.test.ts';
const signedDays = 'server/test/signed-days.test.ts';

const reports = 'server/test/account-reports.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'reports/tax-split.ts',
    fault: 'net and taxes do not come to what was paid',
    find: 'taxable: net - untaxed',
    replace: 'taxable: part(charge.taxable)',
    noticedBy: 'server/src/reports/tax-split.test.ts',
  },
  {
    file: 'reports/tax-days.ts',
    fault: 'a net amount with two taxes is counted twice',
    find: 'countedBase: place === 0 ? taxable : 0n',
    replace: 'countedBase: taxable',
    noticedBy: reports,
    test: 'taxes are',
  },
  {
    file: 'reports/paid-shares.ts',
    fault: 'the tax of what was refunded stays',
    find: 'return negative(share);',
    replace: 'return nothing;',
    noticedBy: reports,
    test: 'taxes are',
  },
  {
    file: 'reports/fee-days.ts',
    fault: 'what a network took is called a fee of the service',
    find: 'smaller(transfers[at]?.networkFeeUnits ?? 0n, fee)',
    replace: 'smaller(0n, fee)',
    noticedBy: reports,
    test: 'what left',
  },
  {
    file: 'ledger/count-credits.ts',
    fault: 'what was credited today is counted again and again',
    find: 'const from = position && position > start ? position : start;',
    replace: 'const from = position && position < start ? position : start;',
    noticedBy: 'server/test/report-lists.test.ts',
    test: 'what was credited today',
  },
  {
    file: 'ledger/leaving-store.ts',
    fault: 'a page of what left begins with the last entry of the page before',
    find: 'and (posted_at, reference) > (',
    replace: 'and (posted_at, reference) >= (',
    noticedBy: 'server/test/report-lists.test.ts',
  },
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
    file: 'reports/sign-next-day.ts',
    fault: 'a signed day does not name the one before',
    find: 'previous: last?.digest ?? null',
    replace: 'previous: null',
    noticedBy: signedDays,
  },
  {
    file: 'reports/sign-next-day.ts',
    fault: 'a signed day begins at its midnight, wherever the last one ended',
    find: 'const from = last?.coveredTo ?? new Date(0);',
    replace: 'const from = last ? startOfDay(zone, addDays(last.day, 1)) : new Date(0);',
    noticedBy: signedDays,
  },
  {
    file: 'reports/statement-key.ts',
    fault: 'whoever has only the database can add a key',
    find: 'if (!derOf(createPublicKey(privateKey)).equals(publicKey) || idOf(publicKey) !== id) return null;',
    replace: '',
    noticedBy: signedDays,
    test: 'whoever has only the database',
  },
  {
    file: 'reports/sign-next-day.ts',
    fault: 'a day is signed on top of one that was changed',
    find: 'if (!said || !isOurs || !isThatRow)',
    replace: 'if (!said)',
    noticedBy: signedDays,
    test: 'whoever has only the database',
  },
  {
    file: 'reports/fold-days.ts',
    fault: 'what is dated into a closed day is in no statement for ever',
    find: 'addDays(next, -daysAgain)',
    replace: 'next',
    noticedBy: 'server/test/days.test.ts',
    test: 'what is dated into a closed day',
  },
  {
    file: 'reports/statement.ts',
    fault: 'a statement adds up although the ledger holds something else',
    find: ' && !missing.has(asset.id)',
    replace: '',
    noticedBy: signedDays,
    test: 'what is dated into a signed day',
  },
];
