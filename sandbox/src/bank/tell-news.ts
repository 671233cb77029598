/**
 * What a bank's program lays down for its customer by itself: a notice of what has come (camt.054), and the next report of
 * the day (camt.052) as soon as something is new of an account. The first report has nothing but the balance.
 */
import { sumOf } from './bank-entry.ts';
import type { BankLedger } from './bank-ledger.ts';
import { announcedOn, type StatementRequest } from './issue-statement.ts';

export type NewsKind = 'camt.052' | 'camt.054';

/** Null: all that there is was told. */
export function newsRequest(ledger: BankLedger, account: string, kind: NewsKind): StatementRequest | null {
  const last = ledger.statements.findLast((each) => each.account === account && each.kind === kind);
  const entries = ledger.books.get(account)?.entries.slice(last?.parts.at(-1)?.to ?? 0) ?? [];
  if (entries.length === 0 && !(kind === 'camt.052' && (!last || isAnnouncedAnew(ledger, account, last.pending))))
    return null;
  // A report that ends as it began could be taken for the beginning of the next one: that says the same balance twice.
  const isUnclear = entries.length > 1 && sumOf(entries) === 0n;
  return { account, kind, styleName: 'plain', ...(isUnclear && { entriesMost: entries.length - 1 }) };
}

const isAnnouncedAnew = (ledger: BankLedger, account: string, told: readonly { readonly id: string }[]): boolean =>
  announcedOn(ledger, account).some(({ id }) => !told.some((each) => each.id === id));
