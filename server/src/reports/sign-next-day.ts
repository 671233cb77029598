/**
 * Signs the next closed day of an account. What was dated into days that are signed already is told as a correction of those, and
 * the days of its reports are made again from there. Nothing is signed on top of a statement that was changed, or of sums that
 * the ledger does not hold.
 */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Db, Tx } from '../db/database.ts';
import { inOneMoment } from '../db/one-moment.ts';
import { soberNow } from '../db/sober-now.ts';
import { type MerchantPurpose, merchantAccount } from '../ledger/chart-of-accounts.ts';
import { balancesAt } from '../ledger/entry-digest-store.ts';
import { findFirstPosting, findPostingAfter } from '../ledger/ledger-day-store.ts';
import { addMs, type Clock, hours } from '../lib/clock.ts';
import type { Encryption } from '../lib/encryption.ts';
import { addDays, type Day, dayOf, startOfDay } from '../lib/local-day.ts';
import { listAuditTexts } from '../merchants/audit-store.ts';
import { timeZoneOf } from '../merchants/time-zone.ts';
import {
  broughtBy,
  type DailyStatement,
  type DayFacts,
  digestOf,
  readDailyStatement,
  statementVersion,
  toldDays,
} from './daily-statement.ts';
import {
  findLastStatement,
  insertDailyStatement,
  listNumberedStatements,
  type SignedStatement,
} from './daily-statement-store.ts';
import { saveSignTurn } from './day-turn-store.ts';
import { closedAfterMs, reopenDays } from './fold-days.ts';
import { countSpan, factsOfSpan, type Span, spanOf } from './span-facts.ts';
import { isSignedBy, type OpenKey, publicKeysOf, statementKeysForSigning } from './statement-key.ts';

const purposes: readonly MerchantPurpose[] = ['available', 'pending', 'receivable', 'reserved', 'suspense'];
/** So many days before are looked at each time, whether anything was dated into them. */
const lookBack = 3;
/** Days that ended longer ago than this are not held against the ledger: it would have to go back all the way. */
const heldWithinMs = hours(48);

type SignDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly encryption: Encryption;
  readonly assets: AssetCatalog;
};

/** Null: no day is over that has none. */
export const signNextDay = (
  deps: SignDeps,
  merchantId: string,
  settings: { readonly timeZone: string },
): Promise<SignedStatement | null> =>
  inOneMoment(deps.db, async (tx) => {
    const timeZone = timeZoneOf(settings);
    const now = await soberNow(tx, deps.clock);
    const last = await findLastStatement(tx, merchantId);
    const firstPosting = last ? now : await findFirstPosting(tx, merchantId);
    if (!firstPosting) return null;
    const next = nextDay(timeZone, last, firstPosting);
    const due = addMs(next.span.to, closedAfterMs);
    const isDue = due <= now;
    const { day, span } = isDue ? await withSilence(tx, merchantId, timeZone, next, now) : next;
    const at = isDue ? addMs(startOfDay(timeZone, addDays(day, 2)), closedAfterMs) : due;
    await saveSignTurn(tx, merchantId, { timeZone: settings.timeZone, at });
    if (!isDue) return null;

    const keys = await statementKeysForSigning(tx, deps.encryption, now);
    const before = last && readOwn(last, merchantId, keys);
    const key = keyAfter(keys, last, before);
    const newest = keys.at(-1) ?? key;
    const { moved, ...facts } = await factsOfSpan(tx, merchantId, span, statementVersion);
    const isRecent = addMs(now, -heldWithinMs) < span.to;
    const { corrections, balances } = await goOn(tx, deps.assets, {
      merchantId,
      keys,
      before,
      moved,
      to: isRecent ? span.to : null,
    });
    const statement: DailyStatement = {
      version: statementVersion,
      account: merchantId,
      number: (before?.number ?? 0) + 1,
      firstDay: next.day,
      day,
      timeZone,
      from: span.from.toISOString(),
      to: span.to.toISOString(),
      madeAt: now.toISOString(),
      previous: last?.digest ?? null,
      nextKey: newest.id === key.id ? null : { id: newest.id, publicKey: newest.publicKey.toString('base64') },
      balances,
      ...facts,
      corrections: corrections.map(({ said: _said, hasEntries: _hasEntries, ...correction }) => correction),
    };
    const body = JSON.stringify(statement);
    const signed: SignedStatement = {
      number: statement.number,
      day,
      coveredTo: span.to,
      body,
      digest: digestOf(body),
      keyId: key.id,
      signature: key.signatureOf(body),
      madeAt: now,
    };
    for (const { said } of corrections.filter(({ hasEntries }) => hasEntries))
      await reopenDays(tx, merchantId, said.number === 1 ? null : spanOf(said).from, now);
    return (await insertDailyStatement(tx, merchantId, signed)) ? signed : null;
  });

/** The first day after the last statement that ends after it did: clocks may have moved to another zone. */
function nextDay(zone: string, last: SignedStatement | null, firstPosting: Date): { day: Day; span: Span } {
  const from = last?.coveredTo ?? new Date(0);
  let day = last ? addDays(last.day, 1) : dayOf(zone, firstPosting);
  while (startOfDay(zone, addDays(day, 1)) <= from) day = addDays(day, 1);
  return { day, span: { from, to: startOfDay(zone, addDays(day, 1)) } };
}

/**
 * Where several days are over, those in which nothing happened are told by one statement: who was away for a year has not
 * hundreds of them, each with the same balances.
 */
async function withSilence(
  tx: Tx,
  merchantId: string,
  zone: string,
  next: { readonly day: Day; readonly span: Span },
  now: Date,
): Promise<{ day: Day; span: Span }> {
  const { from, to } = next.span;
  const openSince = startOfDay(zone, dayOf(zone, addMs(now, -closedAfterMs)));
  if (openSince <= to) return next;
  const [posting, [noted]] = await Promise.all([
    findPostingAfter(tx, merchantId, { from, count: 0 }),
    listAuditTexts(tx, merchantId, { from, to: openSince }, { after: null, limit: 1 }),
  ]);
  const first = [posting, noted?.at].reduce<Date>((a, b) => (b && b < a ? b : a), openSince);
  const busyDay = dayOf(zone, first);
  const silentTo = startOfDay(zone, busyDay);
  return silentTo <= to ? next : { day: addDays(busyDay, -1), span: { from, to: silentTo } };
}

/** One of ours, as we signed it. */
function readOwn(row: SignedStatement, merchantId: string, keys: readonly OpenKey[]): DailyStatement {
  const said = readDailyStatement(row.body);
  const isOurs =
    digestOf(row.body) === row.digest && isSignedBy(publicKeysOf(keys), row.keyId, row.body, row.signature);
  const isThatRow =
    said?.account === merchantId && said.number === row.number && said.to === row.coveredTo.toISOString();
  if (!said || !isOurs || !isThatRow)
    throw new Error(`the signed statement number ${row.number} is not as it was signed: none is signed after it`);
  return said;
}

/** That of the statement before, until that one has named another. */
const keyAfter = (keys: readonly OpenKey[], last: SignedStatement | null, before: DailyStatement | null): OpenKey => {
  const wanted = before?.nextKey?.id ?? last?.keyId;
  const found = wanted === undefined ? keys.at(-1) : keys.find(({ id }) => id === wanted);
  if (!found)
    throw new Error(`the master key does not open the key ${wanted} by which the next statement is to be signed`);
  return found;
};

type Correction = DailyStatement['corrections'][number] & {
  readonly said: DailyStatement;
  /** Not only rows of the audit log. */
  readonly hasEntries: boolean;
};

/** Each balance goes on where the last statement ended. `to`: when the ledger is asked what it holds; null: not at all. */
async function goOn(
  tx: Tx,
  assets: AssetCatalog,
  day: {
    readonly merchantId: string;
    readonly keys: readonly OpenKey[];
    readonly before: DailyStatement | null;
    readonly moved: DayFacts['moved'];
    readonly to: Date | null;
  },
): Promise<{ corrections: Correction[]; balances: DailyStatement['balances'] }> {
  const { merchantId, keys, before, to } = day;
  const last = before?.number ?? 0;
  const openings = new Map(before?.balances.map((each) => [`${each.balance} ${each.asset}`, BigInt(each.closing)]));
  const moved = new Map(day.moved.map((each) => [`${each.balance} ${each.asset}`, BigInt(each.units)]));
  const known = assets.assets.flatMap(({ id }) => purposes.map((purpose) => `${purpose} ${id}`));
  const accountOf = (name: string): string => {
    const [purpose, asset = ''] = name.split(' ');
    return merchantAccount(merchantId, purpose as MerchantPurpose, asset);
  };
  // What was dated further back than the last days is noticed because the ledger holds something else.
  for (const from of [Math.max(1, last + 1 - lookBack), 1]) {
    const { corrections, late } = await correctionsSince(tx, merchantId, keys, { from, to: last + 1 });
    const names = [...new Set([...openings.keys(), ...moved.keys(), ...late.keys()])].toSorted();
    const balances = names.map((name) => {
      const [balance = '', asset = ''] = name.split(' ');
      const [opening, change, more] = [openings, moved, late].map((each) => each.get(name) ?? 0n) as [
        bigint,
        bigint,
        bigint,
      ];
      const units = { opening, moved: change, late: more, closing: opening + change + more };
      return { name, balance, asset, units };
    });
    const accounts = [...new Set([...names, ...known])].map(accountOf);
    const held = to && (await balancesAt(tx, merchantId, accounts, to));
    const closings = new Map(balances.map(({ name, units }) => [accountOf(name), units.closing]));
    if (!held || accounts.every((account) => (held.get(account) ?? 0n) === (closings.get(account) ?? 0n)))
      return {
        corrections,
        balances: balances
          .filter(({ units }) => Object.values(units).some((each) => each !== 0n))
          .map(({ balance, asset, units: { opening, moved: change, late: more, closing } }) => ({
            balance,
            asset,
            opening: opening.toString(),
            moved: change.toString(),
            late: more.toString(),
            closing: closing.toString(),
          })),
      };
  }
  throw new Error('what the ledger holds is not what its signed days and their corrections come to');
}

/** Of signed days with these numbers: those that have got more rows since they were told last, as they are now. */
async function correctionsSince(
  tx: Tx,
  merchantId: string,
  keys: readonly OpenKey[],
  numbers: { readonly from: number; readonly to: number },
): Promise<{ corrections: Correction[]; late: ReadonlyMap<string, bigint> }> {
  const rows = await listNumberedStatements(tx, merchantId, numbers);
  const signed = rows.map((row) => readOwn(row, merchantId, keys));
  const told = toldDays(signed);
  const corrections: Correction[] = [];
  for (const said of signed) {
    const facts = told.get(said.number)?.facts;
    const now = await countSpan(tx, merchantId, spanOf(said));
    const [entries, audit] = [now.entries - (facts?.entries.count ?? 0), now.audit - (facts?.audit.count ?? 0)];
    if (entries < 0 || audit < 0)
      throw new Error(`rows of the signed day ${said.day} are gone: it is not told anew without them`);
    if (entries > 0 || audit > 0) {
      const anew = await factsOfSpan(tx, merchantId, spanOf(said), said.version);
      corrections.push({ number: said.number, ...anew, said, hasEntries: entries > 0 });
    }
  }
  return { corrections, late: broughtBy(corrections, told) ?? new Map() };
}
