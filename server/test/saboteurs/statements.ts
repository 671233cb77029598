/** Statements. */
import type { Saboteur } from './saboteur.ts';

const statements = 'server/test/statement.test.ts';

export const saboteurs: readonly Saboteur[] = [
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
    test: 'on any history',
  },
];
