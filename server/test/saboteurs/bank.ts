/** What is read of a bank's files, and what is believed of it. */
import type { Saboteur } from './saboteur.ts';

const examples = 'server/src/networks/families/bank/read-bank-file.test.ts';
const refusals = 'server/src/networks/families/bank/bank-file-refused.test.ts';
const sums = 'server/src/networks/families/bank/check-statement.test.ts';
const kinds = 'server/src/networks/families/bank/kind-of-entry.test.ts';
const properties = 'server/test/bank-statements.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'networks/families/bank/settle-details.ts',
    fault: 'details that do not come to the booking count all the same',
    find: 'if (isTold && missing === 0n && !isAlone)',
    replace: 'if (isTold && !isAlone)',
    noticedBy: examples,
  },
  {
    file: 'networks/families/bank/detail-texts.ts',
    fault: 'the text of a collective booking matches each of its details',
    find: 'isAlone && entry.text !== null',
    replace: 'entry.text !== null',
    noticedBy: examples,
  },
  {
    file: 'networks/families/bank/counted-part.ts',
    fault: 'what is only announced counts as booked',
    find: "if (entry.status !== 'BOOK') return;",
    replace: '',
    noticedBy: properties,
  },
  {
    file: 'networks/families/bank/join-pages.ts',
    fault: 'a reversal is taken as it is marked, whatever the balance says',
    find: "? 'opposite' : 'as-marked'",
    replace: "? 'as-marked' : 'as-marked'",
    noticedBy: examples,
  },
  {
    file: 'networks/families/bank/detail-identity.ts',
    fault: 'equal bookings of a later document are those of an earlier one',
    find: 'counts.get(likeness) ?? known.get(likeness) ?? 0',
    replace: 'counts.get(likeness) ?? 0',
    noticedBy: properties,
  },
  {
    file: 'networks/families/bank/kind-of-entry.ts',
    fault: 'a payer makes a return of a payment with an id of ours',
    find: "if (says(receivedMarks)) return 'payment-in';",
    replace: '',
    noticedBy: kinds,
  },
  {
    file: 'networks/families/bank/check-statement.ts',
    fault: 'a statement may be of any account',
    find: 'if (iban !== null) return iban === ours.iban;',
    replace: 'if (iban !== null) return true;',
    noticedBy: sums,
  },
  {
    file: 'networks/families/bank/check-statement.ts',
    fault: 'a statement need not go on from the one before',
    find: 'closed === null || closed === opening) return;',
    replace: 'closed === null || closed !== 0n) return;',
    noticedBy: sums,
  },
  {
    file: 'networks/families/bank/check-statement.ts',
    fault: 'the last page may be missing',
    find: 'if (!last.isLast && !isProven) throw pageMissing(statement, last.number + 1);',
    replace: '',
    noticedBy: sums,
  },
  {
    file: 'networks/families/bank/zip-members.ts',
    fault: 'a damaged file in a ZIP is read',
    find: 'seen !== size || sum !== checksum',
    replace: 'seen !== size',
    noticedBy: refusals,
  },
  {
    file: 'networks/families/bank/read-bank-amount.ts',
    fault: 'what a currency has no decimals for is cut off',
    find: 'if (/[1-9]/.test(fraction.slice(decimals)))',
    replace: 'if (decimals < 0)',
    noticedBy: refusals,
  },
  {
    file: 'networks/families/bank/mt940-information.ts',
    fault: 'what a payer wrote at the beginning of a line is a booking',
    find: "mark !== '+' &&",
    replace: "mark === '+' &&",
    noticedBy: 'server/test/networks/sepa-statement-forms.test.ts',
  },
  {
    file: 'networks/families/bank/read-mt940.ts',
    fault: 'a booking behind the closing balance is passed over in silence',
    find: 'if (!statement && /^6[012]/.test(tag))',
    replace: 'if (!statement && /^60/.test(tag))',
    noticedBy: 'server/src/networks/families/bank/bank-file-refused.test.ts',
  },
  {
    file: 'networks/families/bank/read-xml-records.ts',
    fault: 'one booking of a file fills the memory',
    find: 'if (weight > weightMax)',
    replace: 'if (weight < 0)',
    noticedBy: 'server/src/networks/families/bank/bank-file-refused.test.ts',
  },
  {
    file: 'networks/families/bank/mt940-information.ts',
    fault: 'what a payer writes in an MT940 makes fields of its own',
    find: 'Number(digits) > (last?.number ?? -1)',
    replace: 'true',
    noticedBy: examples,
  },
];
