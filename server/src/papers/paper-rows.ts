/** The lines and sums of a paper in the words and numbers of a language: on its page, in its PDF, and in the mail about it. */
import { compare, decimal, formatDecimal, formatFixed } from '../money/decimal.ts';
import { detailText } from '../payment-page/charge-lines.ts';
import { priceText } from '../web/number-text.ts';
import { keepOrder, type PageLanguage, type Say } from '../web/texts/page-texts.ts';
import { lineText } from './line-words.ts';
import type { FactLine, PaperFacts } from './paper-facts.ts';

export type PaperLine = { readonly label: string; readonly detail: string | null; readonly amount: string };

type Reader = { readonly say: Say; readonly language: PageLanguage };

/** What was bought, or is taken back. `isMarked`: a sentence below is about it. */
export const itemLines = (
  reader: Reader,
  { lines, currency, decimals }: PaperFacts,
  isMarked: (line: FactLine) => boolean = () => false,
): PaperLine[] =>
  lines.map((line) => ({
    label: `${lineText(reader.say, line)}${isMarked(line) ? '\u00a0*' : ''}`,
    detail: piecesText(reader, line, decimals),
    amount: priceText(reader.language, line.amount, currency),
  }));

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
export function sumLines({ say, language }: Reader, { net, taxes, rounding, currency }: PaperFacts): PaperLine[] {
  const price = (amount: string): string => priceText(language, amount, currency);
  const plain = (label: string, amount: string): PaperLine => ({ label, detail: null, amount: price(amount) });
  return [
    ...(taxes.length > 0 ? [plain(say('netAmount'), net)] : []),
    ...taxes.map(({ name, percent, base, amount }): PaperLine => {
      const rate = detailText(language, { label: name, detail: { percent }, amount });
      const parts = [rate, base === net ? null : price(base)].filter((part) => part !== null);
      const detail = parts.length === 0 ? null : keepOrder(language, parts.join('\u00a0×\u00a0'));
      return { label: name, detail, amount: price(amount) };
    }),
    ...(decimal(rounding).digits === 0n ? [] : [plain(say('rounding'), rounding)]),
  ];
}
