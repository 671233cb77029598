/**
 * A statement for every closed day of an account: its form, to the letter, and how it is read. It names the digest of the one
 * before and begins where that one ended, to the moment: whatever becomes of the time zone, no moment is in two of them or in
 * none. No day is ever signed again: what was dated into one after that, a later one tells as a correction, with the whole day
 * as it then was.
 */
import { createHash } from 'node:crypto';
import type { Day } from '../lib/local-day.ts';
import type { SignedStatement } from './daily-statement-store.ts';

type Digest = { readonly count: number; readonly sha256: string };

/** What can be worked out from the database at any time about what happened between two moments. */
export type DayFacts = {
  readonly moved: readonly { readonly balance: string; readonly asset: string; readonly units: string }[];
  readonly lines: readonly { readonly asset: string; readonly line: string; readonly units: string }[];
  readonly entries: Digest;
  readonly audit: Digest;
};

/** Who changes what any part means makes another version, and keeps how this one is worked out (`span-facts`). */
export const statementVersion = 1;

/** What is signed, in this order. Units are integers of the asset's scale. */
export type DailyStatement = {
  readonly version: typeof statementVersion;
  readonly account: string;
  readonly number: number;
  /** Of several in which nothing happened and which were over when they were signed. Usually the same as `day`. */
  readonly firstDay: Day;
  readonly day: Day;
  readonly timeZone: string;
  /** Of the first one the beginning of time: nothing can be dated before it. */
  readonly from: string;
  readonly to: string;
  readonly madeAt: string;
  /** SHA-256 of the statement before. */
  readonly previous: string | null;
  /** By which key the next one is signed, if by another. */
  readonly nextKey: { readonly id: string; readonly publicKey: string } | null;
  readonly balances: readonly {
    readonly balance: string;
    readonly asset: string;
    readonly opening: string;
    readonly moved: string;
    /** What the corrections brought. */
    readonly late: string;
    readonly closing: string;
  }[];
  readonly lines: DayFacts['lines'];
  readonly entries: Digest;
  readonly audit: Digest;
  /** Days that were signed, as they are now. */
  readonly corrections: readonly (DayFacts & { readonly number: number })[];
};

/** As it is downloaded: the text that is signed, to the letter, and the signature. */
export const envelopeOf = ({ body, keyId, signature, digest }: SignedStatement) => ({
  statement: body,
  sha256: digest,
  keyId,
  signature,
});

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const isUnits = (text: unknown): boolean => typeof text === 'string' && /^-?\d{1,78}$/.test(text);

/** Null: that is none, or one of a version that this release does not know. */
export function readDailyStatement(text: string): DailyStatement | null {
  try {
    const said = JSON.parse(text) as DailyStatement;
    const { version, account, number, from, to, madeAt, balances, lines, corrections } = said;
    const units = [
      ...balances.flatMap(({ opening, moved, late, closing }) => [opening, moved, late, closing]),
      ...[{ lines, moved: [] }, ...corrections].flatMap((each) =>
        [...each.lines, ...each.moved].map((one) => one.units),
      ),
    ];
    const isOne =
      version === statementVersion &&
      typeof account === 'string' &&
      Number.isSafeInteger(number) &&
      number > 0 &&
      [from, to, madeAt].every((moment) => new Date(moment).toISOString() === moment) &&
      units.every(isUnits);
    return isOne ? said : null;
  } catch {
    return null;
  }
}

export const factsSaid = ({ balances, lines, entries, audit }: DailyStatement): DayFacts => ({
  moved: balances
    .filter(({ moved }) => moved !== '0')
    .map(({ balance, asset, moved }) => ({ balance, asset, units: moved })),
  lines,
  entries,
  audit,
});

/** What was told last about a day, and by which statement. */
export type Told = Map<number, { readonly facts: DayFacts; readonly by: number }>;

/** Goes on in the order of their numbers. A correction of a day that is not among them is left out. */
export function addTold(told: Told, said: DailyStatement): Told {
  told.set(said.number, { facts: factsSaid(said), by: said.number });
  for (const { number, ...facts } of said.corrections)
    if (told.has(number)) told.set(number, { facts, by: said.number });
  return told;
}

export const toldDays = (statements: readonly DailyStatement[]): Told => statements.reduce(addTold, new Map() as Told);

const nameOf = ({ balance, asset }: { readonly balance: string; readonly asset: string }): string =>
  `${balance} ${asset}`;

/** What corrections bring to each balance, beyond what was told before. Null: of a day that is not among those. */
export function broughtBy(corrections: DailyStatement['corrections'], told: Told): Map<string, bigint> | null {
  const late = new Map<string, bigint>();
  for (const { number, moved } of corrections) {
    const before = told.get(number);
    if (!before) return null;
    for (const [sign, each] of [
      ...moved.map((one) => [1n, one] as const),
      ...before.facts.moved.map((one) => [-1n, one] as const),
    ])
      late.set(nameOf(each), (late.get(nameOf(each)) ?? 0n) + sign * BigInt(each.units));
  }
  return late;
}
