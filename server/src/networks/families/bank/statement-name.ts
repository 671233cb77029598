/** What a statement is called: in lists, and to know it again. Another one under the same name is refused. */
import { createHash } from 'node:crypto';
import type { BankStatement } from './join-pages.ts';

type Named = Pick<BankStatement, 'kind' | 'id' | 'sequence' | 'createdAt' | 'period' | 'closing'>;

/**
 * Of reports within the day some banks call all alike, and number none; then only when it was made tells one from the next.
 * Statements and notices are not called by that: banks make them anew at each download.
 */
export function statementName({ kind, id, sequence, createdAt, period, closing }: Named): string {
  const days = [...new Set([period.from, period.to ?? closing?.day].filter((day) => day != null))].join(' – ');
  const number = sequence === null ? '' : `(${sequence})`;
  const made = kind === 'camt.052' && sequence === null ? (createdAt ?? '') : '';
  return storableName([kind, id, number, days, made].filter((part) => part !== '').join(' '));
}

/** Whole names are told apart, however long a bank makes them. */
export function storableName(text: string): string {
  const plain = text.replaceAll('\0', '').toWellFormed();
  if (plain.length <= 200) return plain;
  return `${plain.slice(0, 150).toWellFormed()}… ${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
