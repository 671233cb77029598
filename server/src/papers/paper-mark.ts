/**
 * What a paper is stamped with: one rule for its page, its PDF, the API and the account. Refunded is where the money went back,
 * cancelled where credit notes took everything back without it. Who was credited by hand and gets the money later has a paper that
 * says refunded, though that refund found nothing left to credit.
 */
import { isTakenBack } from './credit-note.ts';
import type { StoredPaper } from './paper-store.ts';

export type PaperMark = 'PAID' | 'REFUNDED' | 'CANCELLED';

const reasonOf = ({ facts }: StoredPaper) => facts.corrects?.reason.kind;

export const isByRefund = (note: StoredPaper): boolean => reasonOf(note) === 'refund';

/** `papers`: all of its checkout. `isRefunded`: all that the checkout was credited went back. Null: of a credit note. */
export function paperMark(papers: readonly StoredPaper[], paper: StoredPaper, isRefunded: boolean): PaperMark | null {
  if (paper.kind === 'creditNote') return null;
  if (!isTakenBack(papers, paper)) return 'PAID';
  const notes = papers.filter(({ kind, generation }) => kind === 'creditNote' && generation === paper.generation);
  // What the chain took back was never refunded, whatever became of the payment that came after it.
  const isUndone = notes.some((note) => reasonOf(note) === 'reversal');
  return notes.every(isByRefund) || (isRefunded && !isUndone) ? 'REFUNDED' : 'CANCELLED';
}
