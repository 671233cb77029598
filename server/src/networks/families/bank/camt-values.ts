/** Amounts, directions, days, codes and charges as camt writes them. */
import type { Day } from '../../../lib/local-day.ts';
import { DocumentRefused } from '../../port/documents.ts';
import { quoted, refused } from './bank-file-refused.ts';
import type { AmountTold, Balance, BookingCode, Charge, Direction } from './bank-statement.ts';
import { readBankAmount, readCurrency } from './read-bank-amount.ts';
import { readBankDay } from './read-bank-day.ts';
import { all, at, textAt, type XmlRecord } from './read-xml-records.ts';

export const lacking = (what: string, where: string) =>
  refused('bank_lacks', `A ${where} has no ${what}: get the file from the bank again.`, { what, where });

export function readCamtAmount(amount: XmlRecord | undefined, where: string): AmountTold {
  if (!amount) throw lacking('amount (Amt)', where);
  const currency = readCurrency(amount.currency ?? '');
  return { units: readBankAmount(amount.text.trim(), currency), currency };
}

/** What is only shown, and counted by nobody: null where it is not written as an amount. */
export const readShownAmount = (amount: XmlRecord | undefined): AmountTold | null =>
  amount ? orNull(() => readCamtAmount(amount, 'amount')) : null;

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DocumentRefused) return null;
    throw error;
  }
}

export function readDirection(text: string | null, of = 'booking'): Direction {
  if (text === 'CRDT') return 'credit';
  if (text === 'DBIT') return 'debit';
  throw refused('bank_direction', `A ${of} is marked ${quoted(text ?? '')}; CdtDbtInd must be CRDT or DBIT.`, { of });
}

export function readIsTrue(text: string | null): boolean {
  if (text === null || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1') return true;
  throw refused('bank_yes_or_no', `${quoted(text)} must be true or false.`);
}

export function readCamtDay(date: XmlRecord | undefined): Day | null {
  const text = textAt(date, 'Dt') ?? textAt(date, 'DtTm') ?? (date?.text.trim() || null);
  return text === null ? null : readBankDay(text);
}

/** Of a period or a value, which banks also write as of no beginning or no end. */
export const readShownDay = (date: XmlRecord | undefined): Day | null => orNull(() => readCamtDay(date));

export function readBookingCode(code: XmlRecord | undefined): BookingCode {
  return {
    domain: textAt(code, 'Domn/Cd'),
    family: textAt(code, 'Domn/Fmly/Cd'),
    subFamily: textAt(code, 'Domn/Fmly/SubFmlyCd'),
    proprietary: textAt(code, 'Prtry/Cd'),
    issuer: textAt(code, 'Prtry/Issr'),
  };
}

/** From .04 on several records are in one `Chrgs`; before, each charge is one of its own. */
export function readCharges(owner: XmlRecord): readonly Charge[] {
  return all(owner, 'Chrgs')
    .flatMap((charges) => {
      const records = all(charges, 'Rcrd');
      return records.length > 0 ? records : at(charges, 'Amt') ? [charges] : [];
    })
    .flatMap((charge): readonly Charge[] => {
      const amount = readShownAmount(at(charge, 'Amt'));
      const included = textAt(charge, 'ChrgInclInd');
      return amount === null
        ? []
        : [
            {
              units: amount.units,
              currency: amount.currency,
              direction: textAt(charge, 'CdtDbtInd') === 'CRDT' ? 'credit' : 'debit',
              isIncluded: included === null ? null : included === 'true' || included === '1',
            },
          ];
    });
}

/** Those that prove what is booked. Of all others, which are for people, banks write what they like. */
const provingCodes = new Set(['OPBD', 'PRCD', 'CLBD', 'ITBD']);

export const readCamtBalances = (statement: XmlRecord): readonly Balance[] =>
  all(statement, 'Bal').flatMap((balance) => {
    const code = textAt(balance, 'Tp/CdOrPrtry/Cd') ?? textAt(balance, 'Tp/CdOrPrtry/Prtry') ?? '';
    return provingCodes.has(code) ? [readBalance(balance, code)] : [];
  });

function readBalance(balance: XmlRecord, code: string): Balance {
  const { units, currency } = readCamtAmount(at(balance, 'Amt'), 'balance');
  const isOwed = readDirection(textAt(balance, 'CdtDbtInd'), 'balance') === 'debit';
  return {
    code,
    isInterim: code === 'ITBD' || textAt(balance, 'Tp/SubTp/Cd') === 'INTM',
    units: isOwed ? -units : units,
    currency,
    day: readCamtDay(at(balance, 'Dt')),
  };
}
