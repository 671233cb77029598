/**
 * What signed days prove by themselves, without a database: that they are signed, that each names the one before, begins where that
 * one ended and goes on with what it left, and that their sums come out. Every problem is a sentence.
 */
import { addMs, hours } from '../lib/clock.ts';
import {
  addTold,
  broughtBy,
  type DailyStatement,
  digestOf,
  factsSaid,
  readDailyStatement,
  type Told,
} from './daily-statement.ts';
import { closedAfterMs } from './fold-days.ts';
import { isSignedBy, type PublicKeys } from './statement-key.ts';

export type StatementEnvelope = {
  readonly statement: string;
  readonly sha256?: string;
  readonly keyId: string;
  readonly signature: string;
};

/** Of a statement; null: of something that is none. */
export type Problem = { readonly account: string | null; readonly number: number | null; readonly sentence: string };

export type ReadStatement = { readonly said: DailyStatement; readonly digest: string; readonly keyId: string };
export type StatementChain = { readonly account: string; readonly statements: readonly ReadStatement[] };

export const nameOf = ({ account, day, number }: DailyStatement): string => `${account} ${day} (number ${number})`;

export const problemOf = (said: DailyStatement, sentence: string): Problem => ({
  account: said.account,
  number: said.number,
  sentence: `${nameOf(said)}: ${sentence}`,
});

/** Who is never away signs within minutes. */
const signedWithinMs = hours(24);

/**
 * A day that was signed long after it was over: nobody was there, or it was signed before, and that was cut off. A chain is sound
 * either way; who kept the digest of that day can tell.
 */
export const isSignedLater = ({ firstDay, day, to, madeAt }: DailyStatement): boolean =>
  firstDay < day || addMs(new Date(to), signedWithinMs) < new Date(madeAt);

/** One sentence for those that follow each other. */
export function notesOfLater(chains: readonly StatementChain[]): string[] {
  return chains.flatMap(({ account, statements }) => {
    const runs: DailyStatement[][] = [];
    for (const { said } of statements.filter((each) => isSignedLater(each.said))) {
      const run = runs.at(-1);
      if (run?.at(-1)?.number === said.number - 1) run?.push(said);
      else runs.push([said]);
    }
    return runs.map((run) => {
      const [first, last] = [run[0] as DailyStatement, run.at(-1) as DailyStatement];
      const days = first.firstDay === last.day ? last.day : `${first.firstDay} to ${last.day}`;
      const which =
        first === last
          ? `number ${first.number} (${days}) was`
          : `numbers ${first.number} to ${last.number} (${days}) were`;
      return `${account}: ${which} signed later than a day after, from ${first.madeAt} on. Files and log lines of before must have the same digests, if there are any.`;
    });
  });
}

/** In any order, of any accounts: each account is a chain of its own. */
export function checkChains(
  keys: PublicKeys,
  envelopes: readonly StatementEnvelope[],
): { problems: Problem[]; chains: StatementChain[] } {
  const problems: Problem[] = [];
  const accounts = new Map<string, ReadStatement[]>();
  for (const [at, { statement: text, sha256, keyId, signature }] of envelopes.entries()) {
    const said = readDailyStatement(text);
    if (!said) {
      const sentence = `Number ${at + 1} of what was given is no statement of a version that is known here.`;
      problems.push({ account: null, number: null, sentence });
      continue;
    }
    const digest = digestOf(text);
    if (!isSignedBy(keys, keyId, text, signature))
      problems.push(problemOf(said, 'the signature is not ours, or the text was changed.'));
    if (sha256 !== undefined && sha256 !== digest) problems.push(problemOf(said, 'its SHA-256 is another one.'));
    const chain = accounts.get(said.account) ?? [];
    // The same one may be in several files.
    if (!chain.some((each) => each.digest === digest)) accounts.set(said.account, [...chain, { said, digest, keyId }]);
  }
  const chains = Array.from(accounts, ([account, read]) => {
    const statements = read.toSorted((a, b) => a.said.number - b.said.number);
    problems.push(...chainProblems(statements));
    return { account, statements };
  });
  return { problems, chains };
}

function chainProblems(statements: readonly ReadStatement[]): Problem[] {
  const told: Told = new Map();
  return statements.flatMap((each, at) => {
    const before = statements[at - 1];
    const found = [...ownProblems(each.said, told), ...(before ? linkProblems(before, each) : [])];
    addTold(told, each.said);
    return found.map((sentence) => problemOf(each.said, sentence));
  });
}

const keyOf = ({ balance, asset }: { readonly balance: string; readonly asset: string }): string =>
  `${balance} ${asset}`;

function ownProblems(said: DailyStatement, told: Told): string[] {
  const { balances, number, previous, firstDay, day, to, madeAt, entries, audit, corrections } = said;
  const late = broughtBy(corrections, told);
  const lines = new Map<string, bigint>();
  for (const { asset, units } of said.lines) lines.set(asset, (lines.get(asset) ?? 0n) + BigInt(units));
  for (const { balance, asset, units } of factsSaid(said).moved)
    if (balance === 'available') lines.set(asset, (lines.get(asset) ?? 0n) - BigInt(units));
  return [
    ...(number === 1 && previous !== null ? ['it is the first one, and names another before it.'] : []),
    ...(number > 1 && previous === null ? ['it is not the first one, and names none before it.'] : []),
    ...(number === 1 ? balances.filter(({ opening }) => opening !== '0') : []).map(
      (each) => `it is the first one, and ${keyOf(each)} does not begin with nothing.`,
    ),
    ...(firstDay > day ? ['its first day comes after its last.'] : []),
    ...(firstDay < day && entries.count + audit.count > 0
      ? ['it tells of several days in which something happened.']
      : []),
    ...(new Date(madeAt) < addMs(new Date(to), closedAfterMs) ? ['it was made before its day was closed.'] : []),
    ...balances
      .filter((each) => BigInt(each.opening) + BigInt(each.moved) + BigInt(each.late) !== BigInt(each.closing))
      .map((each) => `${keyOf(each)} does not add up.`),
    ...[...lines].filter(([, units]) => units !== 0n).map(([asset]) => `the lines of ${asset} do not add up.`),
    ...corrections
      .filter((each) => each.number >= number)
      .map((each) => `it corrects number ${each.number}, which comes after it.`),
    // Where a corrected day is not at hand, nobody can tell.
    ...(late ? balances.filter((each) => BigInt(each.late) !== (late.get(keyOf(each)) ?? 0n)) : []).map(
      (each) => `${keyOf(each)} has got something late that no correction tells.`,
    ),
  ];
}

function linkProblems(before: ReadStatement, { said, keyId }: ReadStatement): string[] {
  if (before.said.number === said.number) return ['there are two different ones with this number.'];
  if (before.said.number + 1 !== said.number) return ['the statement before it is missing.'];
  const closings = new Map(before.said.balances.map((each) => [keyOf(each), each.closing]));
  const openings = new Map(said.balances.map((each) => [keyOf(each), each.opening]));
  const differing = [...new Set([...closings.keys(), ...openings.keys()])].filter(
    (name) => (closings.get(name) ?? '0') !== (openings.get(name) ?? '0'),
  );
  return [
    ...(said.previous === before.digest ? [] : ['it does not name the statement of the day before.']),
    ...(said.from === before.said.to ? [] : ['it does not begin where the day before ended.']),
    ...(said.madeAt >= before.said.madeAt ? [] : ['it was made before the one before it.']),
    ...(keyId === (before.said.nextKey?.id ?? before.keyId)
      ? []
      : ['it is signed by a key that the one before does not name.']),
    ...differing.map((name) => `${name} does not begin with what it ended with.`),
  ];
}
