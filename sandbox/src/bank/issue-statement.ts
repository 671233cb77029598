/** Closes the books of an account up to now: the next statement of a series begins where the one before ended. */
import type { Day } from '@quittance/server/lib/local-day';
import type { Entry } from './bank-entry.ts';
import { type BankLedger, BankRefused } from './bank-ledger.ts';
import { bankStyles } from './bank-styles.ts';
import type { CamtVersion, IssuedStatement, MessageKind } from './statement-content.ts';
import { bankDay } from './target-calendar.ts';

export type StatementRequest = {
  readonly account: string;
  readonly kind: MessageKind;
  readonly styleName: string;
  /** Left out: the one that such a bank uses. */
  readonly version?: CamtVersion;
  /** No more than so many of those that are new. */
  readonly entriesMost?: number;
};

export function issueStatement(ledger: BankLedger, now: Date, request: StatementRequest): IssuedStatement {
  const { account, kind, styleName } = request;
  const style = bankStyles[styleName];
  if (!style) throw new BankRefused(`No bank is called ${styleName}: there are ${Object.keys(bankStyles).join(', ')}.`);
  const book = ledger.books.get(account);
  if (!book) throw new BankRefused(`${account} is not an account of the operator.`);
  const before = ledger.statements.filter((each) => each.account === account && each.kind === kind);
  const last = before.at(-1)?.parts.at(-1);
  const from = last?.to ?? 0;
  const entries = book.entries.slice(0, from + (request.entriesMost ?? book.entries.length));
  const days = style.days === 'one statement' ? [entries.length] : endsOfDays(entries, from);
  const today = bankDay(now);
  const parts = days.map((to, at) => {
    const start = at === 0 ? from : (days[at - 1] ?? from);
    return {
      number: (last?.number ?? 0) + at + 1,
      from: start,
      to,
      day: dayOfPart(entries[to - 1], start < to, today),
    };
  });
  const isRunning = kind === 'camt.052';
  const issued: IssuedStatement = {
    id: ledger.nextId(today),
    account,
    kind,
    version: request.version ?? style.version,
    styleName,
    issuedAt: now.toISOString(),
    parts,
    pending: isRunning ? announcedOn(ledger, account) : [],
  };
  ledger.record({ statement: issued });
  return issued;
}

/** What a report of the running day says is still to come. */
export const announcedOn = (ledger: BankLedger, account: string): Entry[] =>
  [...ledger.expected.values()]
    .filter(({ entry, isAnnounced }) => isAnnounced && entry.account === account)
    .map(({ entry }) => entry);

/** Places in the book behind the last entry of each day; where nothing is new, one place. */
function endsOfDays(entries: readonly { readonly day: Day }[], from: number): number[] {
  const ends: number[] = [];
  for (let place = from + 1; place <= entries.length; place += 1)
    if (entries[place]?.day !== entries[place - 1]?.day) ends.push(place);
  return ends.length === 0 ? [entries.length] : ends;
}

const dayOfPart = (last: { readonly day: Day } | undefined, hasEntries: boolean, today: Day): Day =>
  hasEntries && last ? last.day : today;
