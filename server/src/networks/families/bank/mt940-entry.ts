/** Field `:61:` of an MT940, with the `:86:` that follows it: one booking. */
import { quoted, refused } from './bank-file-refused.ts';
import { type BankEntry, type Direction, meant, nobody } from './bank-statement.ts';
import { readIban } from './camt-parties.ts';
import { type Information, readInformation } from './mt940-information.ts';
import { readBankAmount } from './read-bank-amount.ts';
import { readDayNear, readShortDay } from './read-bank-day.ts';
import { settleDetails } from './settle-details.ts';

// Value day, booking day, mark, third letter of the currency, amount, type, references.
const form = /^(\d{6})(\d{4}| {4})?(R?[CD]|E[CD])([A-Z])?(\d*,\d*|\d+)([A-Z][A-Z0-9]{3})?([^]*)/;

/** RC takes a credit back and RD a debit; EC and ED are only expected. */
const marks: Readonly<
  Record<string, { readonly direction: Direction; readonly isReversal: boolean; readonly status: BankEntry['status'] }>
> = {
  C: { direction: 'credit', isReversal: false, status: 'BOOK' },
  D: { direction: 'debit', isReversal: false, status: 'BOOK' },
  RC: { direction: 'debit', isReversal: true, status: 'BOOK' },
  RD: { direction: 'credit', isReversal: true, status: 'BOOK' },
  EC: { direction: 'credit', isReversal: false, status: 'INFO' },
  ED: { direction: 'debit', isReversal: false, status: 'INFO' },
};

/** Where to look for a reference, instead of one. */
const elsewhere = /^(EREF|PREF|MARF|KREF\+?)$/;

/** Codes of German banks for payments that came back. */
const returnCodes = new Set(['108', '109', '159']);

export function readMt940Entry(
  line: string,
  supplement: string,
  information: readonly string[],
  currency: string,
): BankEntry {
  const [matched, valueText = '', bookingText = '', mark = '', , amount = '', type = '', references = ''] =
    form.exec(line) ?? [];
  const marked = marks[mark];
  if (matched === undefined || !marked)
    throw refused(
      'bank_mt940_line',
      `The line ${quoted(`:61:${line}`)} is not written as in an MT940: get the file from the bank again.`,
    );
  const valueDay = readShortDay(valueText);
  const units = readBankAmount(amount, currency, 'comma');
  const told = readInformation(information);
  const [ownRef = '', ...bankRef] = references.split('//');
  const servicerRef = meant(bankRef.join('//'));
  const { direction, isReversal, status } = marked;
  const settled = settleDetails({ units, currency, direction, servicerRef, batches: [], charges: [] }, [
    { amounts: [], direction: null, detail: detailOf(told, supplement, marked) },
  ]);
  return {
    units,
    currency,
    direction,
    isReversal,
    status,
    bookingDay: bookingText.trim() === '' ? valueDay : readDayNear(bookingText, valueDay),
    valueDay,
    entryRef: elsewhere.test(ownRef) ? null : meant(ownRef),
    servicerRef,
    code: {
      domain: null,
      family: null,
      subFamily: null,
      proprietary: [type, told.code ?? ''].filter((part) => part !== '').join('+') || null,
      issuer: 'MT940',
    },
    charges: [],
    batches: [],
    text: meant(supplement),
    details: settled.details,
    unproven: settled.unproven,
  };
}

/** Dutch banks write the other account behind the line. Of what is taken back, it is of who had paid. */
function detailOf(
  told: Information,
  supplement: string,
  { direction, isReversal }: { readonly direction: Direction; readonly isReversal: boolean },
) {
  const other = { name: told.name, iban: told.iban ?? readIban(supplement), other: told.other, bic: told.bic };
  const isReturn = told.code === null ? told.returnReason !== null : returnCodes.has(told.code);
  return {
    servicerRef: null,
    txId: null,
    uetr: null,
    endToEndId: told.endToEndId,
    instructionId: told.instructionId,
    messageId: null,
    paymentInfoId: null,
    mandateId: told.mandateId,
    code: null,
    charges: [],
    instructed: null,
    returned: isReturn ? { reason: told.returnReason, texts: [], originalCode: null } : null,
    references: [],
    texts: told.texts,
    payer: direction === 'credit' || isReversal || isReturn ? other : nobody,
    payee: direction === 'debit' ? other : nobody,
  };
}
