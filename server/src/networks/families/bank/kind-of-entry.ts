/**
 * What a booking is for us. Decided by what the bank itself writes, its codes and its marks; of what a payer can write only
 * the ids of our own payments count, and not where the bank says that somebody paid us.
 */
import type { BankDetail, BankEntry, BookingCode } from './bank-statement.ts';

/** The ids that we gave to payments and files of ours. */
export type OurPayments = {
  hasEndToEndId(id: string): boolean;
  /** Of a file, or of a batch in it. */
  hasBatch(id: string): boolean;
};

export type EntryKind =
  | 'payment-in' // somebody paid us
  | 'return' // a payment of ours came back
  | 'own-payment' // a payment of ours was booked
  | 'own-batch' // several payments of one file of ours, booked as one sum
  | 'fee'
  | 'interest'
  | 'correction' // the bank takes back a booking, or a payment that we received
  | 'unknown-credit'
  | 'unknown-debit';

export function kindOfEntry(entry: BankEntry, detail: BankDetail, ours: OurPayments): EntryKind {
  if (detail.isCharge) return 'fee'; // Whatever it was taken for.
  const codes = [detail.code, entry.code].flatMap((code) => (code ? [marksOf(code)] : []));
  const says = (marks: ReadonlySet<string>): boolean => codes.some((code) => code.some((mark) => marks.has(mark)));
  const isCredit = detail.direction === 'credit';
  const cameBack = detail.returned !== null || says(returnMarks);
  const isOurs = detail.endToEndId !== null && ours.hasEndToEndId(detail.endToEndId);

  // Banks also mark returns as reversals: then the id says that it is a payment of ours.
  if (isCredit && cameBack && (isOurs || !entry.isReversal)) return 'return';
  if (entry.isReversal || says(correctionMarks) || (!isCredit && cameBack)) return 'correction';
  if (says(feeMarks)) return 'fee';
  if (says(interestMarks)) return 'interest';
  if (isCredit) {
    if (says(receivedMarks)) return 'payment-in';
    if (isOurs) return 'return';
    return says(otherCreditMarks) ? 'unknown-credit' : 'payment-in';
  }
  if (isOurs) return 'own-payment';
  return isOurBatch(entry, detail, ours) ? 'own-batch' : 'unknown-debit';
}

/** As one sum there is no id of a payment: those of the file and its batch stand at the entry, or at its only detail. */
function isOurBatch(entry: BankEntry, detail: BankDetail, ours: OurPayments): boolean {
  const ids = [detail, ...entry.batches].flatMap(({ messageId, paymentInfoId }) => [messageId, paymentInfoId]);
  // German banks write the file's id where the line of an MT940 has a reference of ours, or where a payment has its own.
  ids.push(entry.entryRef, detail.instructionId);
  return ids.some((id) => id !== null && ours.hasBatch(id));
}

/** `PMNT/RCDT/ESCT` is known by its family and sub-family; `NTRF+166+9051` by the type and the three digits. */
function marksOf({ family, subFamily, proprietary }: BookingCode): readonly string[] {
  const own = (proprietary ?? '').split(/[+/]/).map((part) => part.trim());
  return [
    ...(family === null ? [] : [`family ${family}`]),
    ...(subFamily === null ? [] : [subFamily]),
    ...own.slice(0, 2),
  ];
}

/** ISO 20022's external codes, types of MT940 (N…), and the business codes of German banks. */
const returnMarks = new Set(['RRTN', 'RPCR', 'NRTI', '159']);
const correctionMarks = new Set(['899']);
const feeMarks = new Set([
  ...['CHRG', 'COMM', 'COME', 'COMI', 'COMT', 'FEES', 'TAXE', 'NCHG', 'NCOM'],
  ...['801', '802', '803', '804', '805', '806', '807', '808', '809', '810', '811'],
]);
const interestMarks = new Set(['INTR', 'NINT', '812', '814', '815', '817']);
const receivedMarks = new Set([
  ...['family RCDT', 'family RRCT'],
  ...['051', '052', '053', '054', '152', '153', '166', '167', '168', '169', '189', '194', '201', '202'],
]);
/** Cash, cheques, cards, collections of ours, and what is not a payment at all: for a person to look at. */
const otherCreditMarks = new Set([
  ...['CNTR', 'IDDT', 'RDDT', 'MCRD', 'CCRD', 'RCHQ', 'ICHQ', 'LBOX', 'DRFT'].map((family) => `family ${family}`),
  ...['NCHK', 'NSEC', 'NFEX', 'NDIV', 'NLDP', 'NDCR'],
]);
