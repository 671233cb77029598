/** The lines and sums of a paper in the words and numbers of a language: on its page, in its PDF, and in the mail about it. */
import { compare, decimal, formatDecimal, formatFixed, sum } from '../money/decimal.ts';
import { detailText } from '../payment-page/charge-lines.ts';
import { priceText } from '../web/number-text.ts';
import { keepOrder, type PageLanguage, type Say } from '../web/texts/page-texts.ts';
import { lineText } from './line-words.ts';
import type { FactLine, FactTax, PaperFacts } from './paper-facts.ts';

export type PaperLine = { readonly label: string; readonly detail: string | null; readonly amount: string };

type Reader = { readonly say: Say; readonly language: PageLanguage };

/**
 * So many are listed; of more, the last one says how many there are, and what they come to, so that whoever adds up what is
 * shown finds the total. A charge may have some thousand, and nobody reads them. Programs get them all, as an e-invoice.
 */
const linesShown = 200;
const taxesShown = 20;

/** Those that are listed, and those of which only the sum is. */
export function cutAfter<Row>(rows: readonly Row[], most: number): { shown: readonly Row[]; rest: readonly Row[] } {
  const count = rows.length > most ? most - 1 : rows.length;
  return { shown: rows.slice(0, count), rest: rows.slice(count) };
}

const sumOf = (rows: readonly { readonly amount: string }[], decimals: number): string =>
  formatFixed(
    sum(rows, ({ amount }) => decimal(amount)),
    decimals,
  );

/** What was bought, or is taken back. `isMarked`: a sentence below is about it. */
export function itemLines(
  reader: Reader,
  { lines, currency, decimals }: PaperFacts,
  isMarked: (line: FactLine) => boolean = () => false,
): PaperLine[] {
  const { say, language } = reader;
  const { shown, rest } = cutAfter(lines, linesShown);
  const marked = (label: string, isIt: boolean): string => `${label}${isIt ? '\u00a0*' : ''}`;
  return [
    ...shown.map((line) => ({
      label: marked(lineText(say, line), isMarked(line)),
      detail: piecesText(reader, line, decimals),
      amount: priceText(language, line.amount, currency),
    })),
    ...[false, true].flatMap((isIt): PaperLine[] => {
      const some = rest.filter((line) => isMarked(line) === isIt);
      if (some.length === 0) return [];
      const label = marked(say('furtherRows', { count: some.length }), isIt);
      return [{ label, detail: null, amount: priceText(language, sumOf(some, decimals), currency) }];
    }),
  ];
}

function piecesText({ language }: Reader, { quantity, unitPrice, amount }: FactLine, decimals: number): string | null {
  const isOne = compare(decimal(quantity), decimal(1)) === 0;
  if (isOne || unitPrice === null) return null;
  const detail = { pieces: formatDecimal(decimal(quantity)), each: written(unitPrice, decimals) };
  return detailText(language, { label: '', detail, amount });
}

/** With the decimals of the currency, and more only where the shop's own price has more. */
const written = (text: string, decimals: number): string => {
  const value = decimal(text);
  return value.scale <= decimals ? formatFixed(value, decimals) : formatDecimal(value);
};

/** Between the items and the total. The net amount is left out if it would only repeat the total. A tax says of what it is, where that is not all. */
export function sumLines(
  { say, language }: Reader,
  { net, taxes, rounding, currency, decimals }: PaperFacts,
): PaperLine[] {
  const price = (amount: string): string => priceText(language, amount, currency);
  const plain = (label: string, amount: string): PaperLine => ({ label, detail: null, amount: price(amount) });
  const taxLine = ({ name, percent, base, amount }: FactTax): PaperLine => {
    const rate = detailText(language, { label: name, detail: { percent }, amount });
    const parts = [rate, base === net ? null : price(base)].filter((part) => part !== null);
    const detail = parts.length === 0 ? null : keepOrder(language, parts.join('\u00a0×\u00a0'));
    return { label: name, detail, amount: price(amount) };
  };
  const { shown, rest } = cutAfter(taxes, taxesShown);
  return [
    ...(taxes.length > 0 ? [plain(say('netAmount'), net)] : []),
    ...shown.map(taxLine),
    ...(rest.length === 0 ? [] : [plain(say('furtherRows', { count: rest.length }), sumOf(rest, decimals))]),
    ...(decimal(rounding).digits === 0n ? [] : [plain(say('rounding'), rounding)]),
  ];
}
