/** Whether somebody may take back so much of a paper by hand. */
import { compare, decimal, formatFixed, parseDecimal, zero } from '../money/decimal.ts';
import { restOf } from './credit-note.ts';
import { badCreditAmount, moreThanLeft, notCorrectable, nothingLeft } from './paper-errors.ts';
import type { StoredPaper } from './paper-store.ts';

/** The amount as it is written on the note. `papers`: of the checkout. `amount` null: all that is left. */
export function demandCreditAmount(
  papers: readonly StoredPaper[],
  corrects: StoredPaper,
  amount: string | null,
): string {
  const { kind, generation, number, facts } = corrects;
  if (kind === 'creditNote') throw notCorrectable('another credit note');
  if (kind === 'receipt' && papers.some((each) => each.kind === 'invoice' && each.generation === generation))
    throw notCorrectable('a receipt beside its invoice');
  const left = restOf(papers, corrects);
  if (compare(decimal(left), zero) <= 0) throw nothingLeft(number);
  const wanted = amount === null ? decimal(left) : parseDecimal(amount);
  if (!wanted || wanted.scale > facts.decimals || compare(wanted, zero) <= 0) throw badCreditAmount(facts.decimals);
  if (compare(wanted, decimal(left)) > 0) throw moreThanLeft(left, facts.currency);
  return formatFixed(wanted, facts.decimals);
}
