/**
 * A statement for every closed day of an account, signed, that names the digest of the one before. It begins where that one
 * ended, to the moment: whatever becomes of the time zone, no moment is in two of them or in none. What was dated into a day
 * after it was closed is told by the next one, as `late`; no day is ever made again.
 */
import { createHash } from 'node:crypto';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Db, Query, Tx } from '../db/database.ts';
import { assetOfAccount, type MerchantPurpose, merchantAccount } from '../ledger/chart-of-accounts.ts';
import { balancesAt, type EntryText, listEntryTexts } from '../ledger/entry-digest-store.ts';
import { findFirstPosting, sumMovements, sumSpan } from '../ledger/ledger-day-store.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { addDays, type Day, dayOf, startOfDay } from '../lib/local-day.ts';
import { listAuditTexts } from '../merchants/audit-store.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import { findLastStatement, insertDailyStatement, type SignedStatement } from './daily-statement-store.ts';
import { closedAfterMs } from './fold-days.ts';
import { statementSigner } from './statement-key.ts';
import { sharesOf } from './statement-lines.ts';

type Digest = { readonly count: number; readonly sha256: string };

/** What is signed, in this order. Units are integers of the asset's scale. */
export type DailyStatement = {
  readonly version: 1;
  readonly account: string;
  readonly number: number;
  readonly day: Day;
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  /** SHA-256 of the statement before. */
  readonly previous: string | null;
  readonly balances: readonly {
    readonly balance: string;
    readonly asset: string;
    readonly opening: string;
    readonly moved: string;
    /** Dated into days that were closed already. */
    readonly late: string;
    readonly closing: string;
  }[];
  readonly lines: readonly { readonly asset: string; readonly line: string; readonly units: string }[];
  readonly entries: Digest;
  readonly audit: Digest;
};

/** As it is downloaded: the text that is signed, to the letter, and the signature. */
export const envelopeOf = ({ body, keyId, signature, digest }: SignedStatement) => ({
  statement: body,
  sha256: digest,
  keyId,
  signature,
});

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const purposes: readonly MerchantPurpose[] = ['available', 'pending', 'receivable', 'reserved', 'suspense'];

type Span = { readonly from: Date; readonly to: Date };

/** What the database says of a span: the part of a statement that can be worked out anew at any time. */
export async function factsOfSpan(query: Query, merchantId: string, span: Span) {
  const movements = await sumMovements(query, merchantId, [{ day: '2000-01-01', ...span }]);
  const sums = new Map<string, bigint>();
  for (const movement of movements)
    for (const { line, units } of sharesOf(movement)) {
      const name = `${movement.asset} ${line}`;
      sums.set(name, (sums.get(name) ?? 0n) + units);
    }
  const lines = [...sums]
    .filter(([, units]) => units !== 0n)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, units]) => {
      const [asset = '', line = ''] = name.split(' ');
      return { asset, line, units: units.toString() };
    });
  const audit = await listAuditTexts(query, merchantId, span);
  return {
    moved: await sumSpan(query, merchantId, span),
    lines,
    entries: await entriesDigest(query, merchantId, span),
    audit: { count: audit.length, sha256: digestOf(audit.join('\n')) },
  };
}

const entriesAtOnce = 5_000;

async function entriesDigest(query: Query, merchantId: string, span: Span): Promise<Digest> {
  const hash = createHash('sha256');
  let [count, after]: [number, EntryText | null] = [0, null];
  for (;;) {
    const batch: EntryText[] = await listEntryTexts(query, merchantId, span, { after, limit: entriesAtOnce });
    for (const { text } of batch) {
      hash.update(count === 0 ? text : `\n${text}`);
      count += 1;
    }
    after = batch.at(-1) ?? null;
    if (batch.length < entriesAtOnce) return { count, sha256: hash.digest('hex') };
  }
}

/** The first day after the last statement that ends after it did: clocks may have moved to another zone. */
function nextDay(zone: string, last: SignedStatement | null, firstPosting: Date): { day: Day; span: Span } {
  const from = last?.coveredTo ?? startOfDay(zone, dayOf(zone, firstPosting));
  let day = last ? addDays(last.day, 1) : dayOf(zone, firstPosting);
  while (startOfDay(zone, addDays(day, 1)) <= from) day = addDays(day, 1);
  return { day, span: { from, to: startOfDay(zone, addDays(day, 1)) } };
}

/** Days that were closed longer ago than this when they were signed were read at one time: nothing in them can be late. */
const lateWithinMs = hours(48);

/** False: no day is over that has none. */
export async function signNextDay(
  deps: { readonly db: Db; readonly clock: Clock; readonly encryption: Encryption; readonly assets: AssetCatalog },
  merchantId: string,
  settings: { readonly timeZone: string },
): Promise<boolean> {
  const now = deps.clock.now();
  const timeZone = timeZoneOf(settings);
  return deps.db.begin(async (tx) => {
    const last = await findLastStatement(tx, merchantId);
    const firstPosting = last ? now : await findFirstPosting(tx, merchantId);
    if (!firstPosting) return false;
    const { day, span } = nextDay(timeZone, last, firstPosting);
    if (addMs(span.to, closedAfterMs) > now) return false;
    const { moved, ...facts } = await factsOfSpan(tx, merchantId, span);
    const statement: DailyStatement = {
      version: 1,
      account: merchantId,
      number: (last?.number ?? 0) + 1,
      day,
      timeZone,
      from: span.from.toISOString(),
      to: span.to.toISOString(),
      previous: last?.digest ?? null,
      balances: await balances(
        tx,
        deps.assets,
        merchantId,
        last,
        moved,
        addMs(now, -lateWithinMs) < span.to ? span.to : null,
      ),
      ...facts,
    };
    const body = JSON.stringify(statement);
    const { keyId, signatureOf } = await statementSigner(tx, deps.encryption, now);
    const signed = { number: statement.number, day, coveredTo: span.to, body, digest: digestOf(body), keyId };
    return insertDailyStatement(tx, merchantId, { ...signed, signature: signatureOf(body) }, now);
  });
}

/** Each goes on where the last statement ended. `at`: when the ledger is asked what it says; null: not at all. */
async function balances(
  tx: Tx,
  assets: AssetCatalog,
  merchantId: string,
  last: SignedStatement | null,
  moved: ReadonlyMap<string, bigint>,
  at: Date | null,
): Promise<DailyStatement['balances']> {
  const before = last ? (JSON.parse(last.body) as DailyStatement).balances : [];
  const openings = new Map(
    before.map(({ balance, asset, closing }) => [
      merchantAccount(merchantId, balance as MerchantPurpose, asset),
      BigInt(closing),
    ]),
  );
  const accounts = assets.assets.flatMap(({ id }) =>
    purposes.map((purpose) => merchantAccount(merchantId, purpose, id)),
  );
  const held = at && (await balancesAt(tx, merchantId, accounts, at));
  const names = [...new Set([...openings.keys(), ...moved.keys(), ...(held?.keys() ?? [])])].toSorted();
  return names
    .map((account) => {
      const [opening, change] = [openings.get(account) ?? 0n, moved.get(account) ?? 0n];
      const closing = held ? (held.get(account) ?? 0n) : opening + change;
      return {
        balance: account.split('/')[2] ?? '',
        asset: assetOfAccount(account),
        opening: opening.toString(),
        moved: change.toString(),
        late: (closing - opening - change).toString(),
        closing: closing.toString(),
      };
    })
    .filter((each) => [each.opening, each.moved, each.late, each.closing].some((units) => units !== '0'));
}
