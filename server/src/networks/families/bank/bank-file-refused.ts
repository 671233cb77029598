/**
 * What a bank sent is not read, whole, and nothing is changed by it. One sentence says what is wrong and what would be
 * right; it has a name and facts of its own, for who says it in another language.
 */
import { told } from '../../../lib/errors.ts';
import { DocumentRefused } from '../../port/documents.ts';

export const refused = (
  code: string,
  sentence: string,
  facts: Readonly<Record<string, string>> = {},
): DocumentRefused => new DocumentRefused(told(code, sentence, facts));

/** Nothing is wrong with it, but others must come first. */
export const early = (code: string, sentence: string, facts: Readonly<Record<string, string>> = {}): DocumentRefused =>
  new DocumentRefused(told(code, sentence, facts), { isEarly: true });

/** What a file says, as part of a sentence: short, and without what would break the line. */
export function quoted(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim();
  return `“${plain.length > 60 ? `${plain.slice(0, 60)}…` : plain}”`;
}
