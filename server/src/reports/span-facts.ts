/** What the database says of a span of an account's time: the part of a signed day that can be worked out anew at any time. */
import { createHash } from 'node:crypto';
import type { Query } from '../db/database.ts';
import { assetOfAccount } from '../ledger/chart-of-accounts.ts';
import { countEntryTexts, type EntryText, listEntryTexts } from '../ledger/entry-digest-store.ts';
import { sumMovements, sumSpan } from '../ledger/ledger-day-store.ts';
import { type AuditText, countAuditTexts, listAuditTexts } from '../merchants/audit-store.ts';
import type { DailyStatement, DayFacts } from './daily-statement.ts';
import { sharesOf } from './statement-lines.ts';

export type Span = { readonly from: Date; readonly to: Date };

export const spanOf = ({ from, to }: DailyStatement): Span => ({ from: new Date(from), to: new Date(to) });

/** How entries become lines, by the version of a statement: what was signed is worked out as it was then. */
const sharesByVersion: Readonly<Record<DailyStatement['version'], typeof sharesOf>> = { 1: sharesOf };

export async function factsOfSpan(
  query: Query,
  merchantId: string,
  span: Span,
  version: DailyStatement['version'],
): Promise<DayFacts> {
  const sums = new Map<string, bigint>();
  for (const movement of await sumMovements(query, merchantId, [{ day: '2000-01-01', ...span }]))
    for (const { line, units } of sharesByVersion[version](movement)) {
      const name = `${movement.asset} ${line}`;
      sums.set(name, (sums.get(name) ?? 0n) + units);
    }
  const lines = sorted(sums).map(([name, units]) => {
    const [asset = '', line = ''] = name.split(' ');
    return { asset, line, units: units.toString() };
  });
  const moved = sorted(await sumSpan(query, merchantId, span)).map(([account, units]) => ({
    balance: account.split('/')[2] ?? '',
    asset: assetOfAccount(account),
    units: units.toString(),
  }));
  return {
    moved,
    lines,
    entries: await digestOfPages<EntryText>((cut) => listEntryTexts(query, merchantId, span, cut)),
    audit: await digestOfPages<AuditText>((cut) => listAuditTexts(query, merchantId, span, cut)),
  };
}

const sorted = (sums: ReadonlyMap<string, bigint>): [string, bigint][] =>
  [...sums].filter(([, units]) => units !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1));

const textsAtOnce = 5_000;

async function digestOfPages<T extends { readonly text: string }>(
  read: (cut: { after: T | null; limit: number }) => Promise<T[]>,
): Promise<DayFacts['entries']> {
  const hash = createHash('sha256');
  let [count, after]: [number, T | null] = [0, null];
  for (;;) {
    const batch = await read({ after, limit: textsAtOnce });
    for (const { text } of batch) {
      hash.update(count === 0 ? text : `\n${text}`);
      count += 1;
    }
    after = batch.at(-1) ?? null;
    if (batch.length < textsAtOnce) return { count, sha256: hash.digest('hex') };
  }
}

/** How many rows there are: cheap, and since rows are only ever added another number tells that there are new ones. */
export async function countSpan(
  query: Query,
  merchantId: string,
  span: Span,
): Promise<{ entries: number; audit: number }> {
  const [entries, audit] = await Promise.all([
    countEntryTexts(query, merchantId, span),
    countAuditTexts(query, merchantId, span),
  ]);
  return { entries, audit };
}
