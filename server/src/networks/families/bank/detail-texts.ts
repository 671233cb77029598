/** All that a payer may have written a reference into, in the order in which it is most likely. */
import type { BankDetail, BankEntry } from './bank-statement.ts';
import { countOf } from './settle-details.ts';

/**
 * The text of the entry counts where it is of one payment: some banks put everything there. An entry whose details do not
 * come to it, or are fewer than the bank says, has none: nobody can say which of them it would be about.
 */
export function detailTexts(entry: BankEntry, detail: BankDetail): readonly string[] {
  if (entry.unproven.length > 0 || (entry.direction === 'credit' && countOf(entry) > entry.details.length)) return [];
  if (detail.isCharge) return [];
  const ids = detail.endToEndId === null ? [] : [detail.endToEndId];
  const [, second] = entry.details; // Charges stand behind the payments.
  const isAlone = !second || second.isCharge === true;
  const ofEntry = isAlone && entry.text !== null ? [entry.text] : [];
  return [...detail.references, ...detail.texts, ...ids, ...ofEntry];
}
