/** What a statement is called: in lists, and to know it again. Another one under the same name is refused. */
import { createHash } from 'node:crypto';
import type { BankStatement } from './join-pages.ts';

type Named = Pick<BankStatement, 'kind' | 'id' | 'sequence' | 'createdAt' | 'period' | 'closing' | 'pages'>;

/**
 * Of reports within the day some banks call all alike, and number none; then only when it was made tells one from the next.
 * Statements and notices are not called by that: banks make them anew at each download.
 */
export const statementName = (statement: Named): string => nameWith(statement, pagesIn(statement.pages));

function nameWith({ kind, id, sequence, createdAt, period, closing }: Named, pages: string): string {
  const days = [...new Set([period.from, period.to ?? closing?.day].filter((day) => day != null))].join(' – ');
  const number = sequence === null ? '' : `(${sequence})`;
  const made = kind === 'camt.052' && sequence === null ? (createdAt ?? '') : '';
  return storableName([kind, id, number, days, made, pages].filter((part) => part !== '').join(' '));
}

/** What the first pages of it are called where they came by themselves. */
export const namesOfPages = (statement: Named): readonly string[] =>
  statement.pages
    .slice(0, -1)
    .map(({ number }) => nameWith(statement, pagesFrom(statement.pages[0]?.number ?? 1, number)));

/** Pages that come without the others are documents of their own. */
function pagesIn(pages: Named['pages']): string {
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last || (first.number === 1 && last.isLast)) return '';
  return pagesFrom(first.number, last.number);
}

const pagesFrom = (first: number, last: number): string =>
  first === last ? `page ${first}` : `pages ${first}–${last}`;

/** Whole names are told apart, however long a bank makes them. */
export function storableName(text: string): string {
  const plain = text.replaceAll('\0', '').toWellFormed();
  if (plain.length <= 200) return plain;
  return `${plain.slice(0, 150).toWellFormed()}… ${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
