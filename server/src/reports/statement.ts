/**
 * The statement of an account for some closed days: of each asset what was available before, what each line brought, what was
 * available after; and the same in the account's currency. Before and after come from one sum of the ledger, the lines from
 * another, and all days together are what the ledger holds: that this is so is worked out each time, and said. Whoever asks does it
 * in one moment, for days may be made again meanwhile.
 *
 * In the currency a movement is worth what it was in its hour, and a balance what it was in the last whole hour before its
 * moment: no rate comes in for that hour any more. Nobody moves what a rate does between: that is the revaluation, the line
 * that makes it exact.
 */
import { type AssetCatalog, type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { assetOfAccount, merchantAccount } from '../ledger/chart-of-accounts.ts';
import { balancesAt } from '../ledger/entry-digest-store.ts';
import { listLedgerDays, sumLedgerDays } from '../ledger/ledger-day-store.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { addDays, type Day, daySpans, startOfDay } from '../lib/local-day.ts';
import { toUnits } from '../money/decimal.ts';
import { everHours, hourOf, type RatesAtHours, ratesAtHours } from '../pricing/rate-hours.ts';
import { type Covered, madeUpTo } from './covered-days.ts';
import { type LineSum, sumStatementDays } from './statement-day-store.ts';
import { type StatementLine, statementLines } from './statement-lines.ts';
import { decimalsOf, worthOf } from './worth.ts';

/** What is not at hand: not credited yet, waiting for a decision, on its way out, owed. */
export const apartPurposes = ['pending', 'suspense', 'reserved', 'receivable'] as const;
export type ApartPurpose = (typeof apartPurposes)[number];

type Ends = { readonly opening: bigint; readonly closing: bigint };

/** In the smallest unit of the account's currency. */
export type StatementValue = Ends & {
  readonly lines: ReadonlyMap<StatementLine, bigint>;
  readonly revaluation: bigint;
};

export type AssetStatement = Ends & {
  readonly asset: CatalogAsset;
  readonly lines: ReadonlyMap<StatementLine, LineSum>;
  readonly addsUp: boolean;
  readonly apart: Readonly<Record<ApartPurpose, Ends>>;
  /** Null: for some of it no rate was ever known, so it is in no sum. */
  readonly value: StatementValue | null;
};

export type Statement = {
  readonly covered: Covered;
  readonly assets: readonly AssetStatement[];
  /** Lines with something on them, in their order. */
  readonly lines: readonly StatementLine[];
  /** Of all assets with a value. */
  readonly total: StatementValue;
  readonly addsUp: boolean;
};

export type StatementDeps = { readonly db: Query; readonly assets: AssetCatalog };

type Balances = ReadonlyMap<string, bigint>;

/** The last hour that was over at a moment. */
const wholeHourBefore = (moment: Date): Date => addMs(hourOf(moment), -hours(1));

const sumOf = (values: Iterable<bigint>): bigint => [...values].reduce((sum, value) => sum + value, 0n);

export async function readStatement(
  { db, assets }: StatementDeps,
  merchantId: string,
  covered: Covered,
): Promise<Statement> {
  const closedTo = await madeUpTo(db, merchantId, covered);
  const [openings, closings, sums, missing] = await Promise.all([
    sumLedgerDays(db, merchantId, covered.from),
    sumLedgerDays(db, merchantId, covered.to),
    sumStatementDays(db, merchantId, covered),
    assetsWithMissing({ db, assets }, merchantId, { day: closedTo, moment: startOfDay(covered.timeZone, closedTo) }),
  ]);
  const codes = [...new Set([...Array.from(closings.keys(), assetOfAccount), ...sums.map(({ asset }) => asset)])];
  const moments = [wholeHourBefore(covered.span.from), wholeHourBefore(covered.span.to)] as const;
  const known = codes.map((id) => present(findAsset(assets, id), `the asset ${id}`));
  const rates = await ratesOf(db, known, covered.currency, moments);
  const statements = known.map((asset): AssetStatement => {
    const ends = endsOf(merchantId, 'available', asset.id, openings, closings);
    const lines = new Map(sums.filter((sum) => sum.asset === asset.id).map((sum) => [sum.line, sum]));
    const moved = sumOf(Array.from(lines.values(), ({ units }) => units));
    const valueAt = (units: bigint, hour: Date): bigint | null => {
      const worth = worthOf({ assets, rates, currency: covered.currency }, { asset: asset.id, units }, hour);
      return worth && toUnits(worth, decimalsOf(covered.currency), 'half-up');
    };
    const value = valueOf(lines, valueAt(ends.opening, moments[0]), valueAt(ends.closing, moments[1]));
    const apart = (purpose: ApartPurpose) => endsOf(merchantId, purpose, asset.id, openings, closings);
    return {
      asset,
      ...ends,
      lines,
      addsUp: ends.opening + moved === ends.closing && !missing.has(asset.id),
      apart: {
        pending: apart('pending'),
        suspense: apart('suspense'),
        reserved: apart('reserved'),
        receivable: apart('receivable'),
      },
      value,
    };
  });
  const shown = statements.filter(({ lines, opening, closing, apart }) => {
    const ends = [{ opening, closing }, ...Object.values(apart)];
    return lines.size > 0 || ends.some((each) => each.opening !== 0n || each.closing !== 0n);
  });
  const sorted = shown.toSorted((a, b) => (a.asset.assetCode < b.asset.assetCode ? -1 : 1));
  return {
    covered,
    assets: sorted,
    lines: statementLines.filter((line) => sorted.some(({ lines }) => lines.has(line))),
    total: totalOf(sorted.flatMap(({ value }) => value ?? [])),
    addsUp: sorted.every(({ addsUp }) => addsUp),
  };
}

/** Of which all days together are not what the ledger holds: something was dated into a day after it was made. */
async function assetsWithMissing(
  { db, assets }: StatementDeps,
  merchantId: string,
  madeTo: { readonly day: Day; readonly moment: Date },
): Promise<ReadonlySet<string>> {
  const kept = await sumLedgerDays(db, merchantId, madeTo.day);
  const purposes = ['available', ...apartPurposes] as const;
  const known = assets.assets.flatMap(({ id }) => purposes.map((purpose) => merchantAccount(merchantId, purpose, id)));
  const accounts = [...new Set([...kept.keys(), ...known])];
  const held = await balancesAt(db, merchantId, accounts, madeTo.moment);
  return new Set(accounts.filter((id) => (kept.get(id) ?? 0n) !== (held.get(id) ?? 0n)).map(assetOfAccount));
}

const endsOf = (
  merchantId: string,
  purpose: 'available' | ApartPurpose,
  asset: string,
  openings: Balances,
  closings: Balances,
): Ends => {
  const account = merchantAccount(merchantId, purpose, asset);
  return { opening: openings.get(account) ?? 0n, closing: closings.get(account) ?? 0n };
};

const ratesOf = (
  query: Query,
  known: readonly CatalogAsset[],
  currency: string,
  moments: readonly Date[],
): Promise<RatesAtHours> => {
  const codes = [...new Set([currency, ...known.map(({ currencyCode }) => currencyCode)])];
  const wanted = codes.flatMap((code) => moments.map((hour) => ({ code, hour })));
  return ratesAtHours(query, wanted, everHours);
};

/** All of it or nothing: half of a value would be a wrong one. */
function valueOf(
  lines: ReadonlyMap<StatementLine, LineSum>,
  opening: bigint | null,
  closing: bigint | null,
): StatementValue | null {
  const moved = new Map<StatementLine, bigint>();
  for (const [line, { value }] of lines) {
    if (value === null) return null;
    moved.set(line, value);
  }
  if (opening === null || closing === null) return null;
  return { opening, closing, lines: moved, revaluation: closing - opening - sumOf(moved.values()) };
}

function totalOf(values: readonly StatementValue[]): StatementValue {
  const lines = new Map<StatementLine, bigint>();
  for (const value of values) for (const [line, units] of value.lines) lines.set(line, (lines.get(line) ?? 0n) + units);
  const all = (of: (value: StatementValue) => bigint): bigint => sumOf(values.map(of));
  return {
    opening: all(({ opening }) => opening),
    closing: all(({ closing }) => closing),
    revaluation: all(({ revaluation }) => revaluation),
    lines,
  };
}

/** What all of it was worth at the end of a day; null: for some of it no rate is known. */
export type DayWorth = { readonly day: Day; readonly value: bigint | null };

/** From the day before the first one on, day by day; of a year the last days of its months. */
export async function readWorth(
  { db, assets }: StatementDeps,
  merchantId: string,
  covered: Covered,
): Promise<DayWorth[]> {
  const { from, to, timeZone, currency, period } = covered;
  const [openings, days] = await Promise.all([
    sumLedgerDays(db, merchantId, from),
    listLedgerDays(db, merchantId, covered),
  ]);
  const isAvailable = (account: string): boolean => account.startsWith(merchantAccount(merchantId, 'available', ''));
  const held = new Map([...openings].filter(([account]) => isAvailable(account)));
  const isShown = (end: Day): boolean => period.kind !== 'year' || end === to || end.endsWith('-01');
  const ends = [from, ...daySpans(timeZone, from, to).map(({ day }) => addDays(day, 1))].filter(isShown);
  const moments = ends.map((end) => ({ end, hour: wholeHourBefore(startOfDay(timeZone, end)) }));
  const ids = [...new Set([...held.keys(), ...days.map(({ account }) => account).filter(isAvailable)])];
  const known = ids.flatMap((account) => findAsset(assets, assetOfAccount(account)) ?? []);
  const rates = await ratesOf(
    db,
    known,
    currency,
    moments.map(({ hour }) => hour),
  );
  let next = 0;
  return moments.map(({ end, hour }) => {
    for (let row = days[next]; row !== undefined && row.day < end; row = days[(next += 1)])
      if (isAvailable(row.account)) held.set(row.account, (held.get(row.account) ?? 0n) + row.unitsIn - row.unitsOut);
    let value: bigint | null = 0n;
    for (const [account, units] of held) {
      const worth = worthOf({ assets, rates, currency }, { asset: assetOfAccount(account), units }, hour);
      value = worth && value !== null ? value + toUnits(worth, decimalsOf(currency), 'half-up') : null;
    }
    return { day: addDays(end, -1), value };
  });
}
