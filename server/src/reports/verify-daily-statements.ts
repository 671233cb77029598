/** Proves daily statements: what they prove by themselves (`check-statement-chain`), and that the database still says the same. */
import type { Query } from '../db/database.ts';
import { addMs, hours } from '../lib/clock.ts';
import { addDays, type Day, dayOf } from '../lib/local-day.ts';
import {
  checkChains,
  notesOfLater,
  type Problem,
  problemOf,
  type StatementChain,
  type StatementEnvelope,
} from './check-statement-chain.ts';
import { type DailyStatement, envelopeOf, readDailyStatement, toldDays } from './daily-statement.ts';
import { listNumberedStatements, type SignedStatement } from './daily-statement-store.ts';
import { closedAfterMs } from './fold-days.ts';
import { factsOfSpan, spanOf } from './span-facts.ts';
import type { PublicKeys } from './statement-key.ts';

export type Verdict = {
  readonly problems: readonly string[];
  /** What is as it should be, and worth knowing. */
  readonly notes: readonly string[];
  readonly chains: readonly StatementChain[];
};

const sentences = (problems: readonly Problem[]): string[] => problems.map(({ sentence }) => sentence);

/** Without a database: files of anybody. */
export function verifyFiles(keys: PublicKeys, envelopes: readonly StatementEnvelope[]): Verdict {
  const { problems, chains } = checkChains(keys, envelopes);
  const nothing = envelopes.length === 0 ? ['There is no statement in it.'] : [];
  const notes = chains.flatMap(({ account, statements: [first] }) =>
    first && first.said.number > 1
      ? [`${account}: what was before number ${first.said.number} is not proven by this.`]
      : [],
  );
  return { problems: [...nothing, ...sentences(problems)], notes: [...notes, ...notesOfLater(chains)], chains };
}

/** Files against the database: each is the one that is kept here, and the database says what it says. */
export async function verifyKeptFiles(
  query: Query,
  keys: PublicKeys,
  envelopes: readonly StatementEnvelope[],
): Promise<Verdict> {
  const files = verifyFiles(keys, envelopes);
  const [problems, notes] = [[...files.problems], [...files.notes]];
  for (const { account, statements } of files.chains) {
    const rows = await everyStatement(query, account);
    const stored = new Map(rows.map(({ number, digest }) => [number, digest]));
    for (const { said, digest } of statements)
      if (stored.get(said.number) !== digest)
        problems.push(problemOf(said, 'the database has another one, or none, in its place.').sentence);
    const numbers = new Set(statements.map(({ said }) => said.number));
    const kept = await keptProblems(query, keys, account, rows, numbers);
    problems.push(...kept.problems);
    notes.push(...kept.notes);
  }
  return { problems, notes, chains: files.chains };
}

/** All days of an account, from the first one to `until`. */
export async function verifyAccount(
  query: Query,
  keys: PublicKeys,
  account: string,
  until: Day | Date,
): Promise<Verdict> {
  const rows = await everyStatement(query, account);
  const { problems, notes, chains } = await keptProblems(query, keys, account, rows, null);
  const last = chains[0]?.statements.at(-1)?.said;
  const end = until instanceof Date ? last && lastClosed(last.timeZone, until) : until;
  const isShort = end !== undefined && (last?.day ?? '') < end;
  const short = isShort ? [`${account}: the days end with ${last?.day ?? 'none'}, and should go on to ${end}.`] : [];
  return { problems: [...problems, ...short], notes: [...notes, ...notesOfLater(chains)], chains };
}

/** With an hour to spare for whoever signs. */
const lastClosed = (timeZone: string, now: Date): Day =>
  addDays(dayOf(timeZone, addMs(now, -closedAfterMs - hours(1))), -1);

const everyStatement = (query: Query, account: string): Promise<SignedStatement[]> =>
  listNumberedStatements(query, account, { from: 0, to: 2 ** 31 - 1 });

async function keptProblems(
  query: Query,
  keys: PublicKeys,
  account: string,
  rows: readonly SignedStatement[],
  numbers: ReadonlySet<number> | null,
): Promise<Verdict> {
  const { problems: found, chains } = checkChains(keys, rows.map(envelopeOf));
  const notes: string[] = [];
  const problems = [...sentences(found), ...rowProblems(account, rows)];
  const statements = chains.flatMap((chain) => (chain.account === account ? chain.statements : []));
  const told = toldDays(statements.map(({ said }) => said));
  for (const { said } of statements.filter((each) => numbers?.has(each.said.number) ?? true)) {
    const last = told.get(said.number);
    const now = await factsOfSpan(query, account, spanOf(said), said.version);
    const differing = (['moved', 'lines', 'entries', 'audit'] as const).filter(
      (part) => JSON.stringify(now[part]) !== JSON.stringify(last?.facts[part]),
    );
    for (const part of differing)
      problems.push(
        problemOf(said, `the database says something else, and no later statement tells why: ${part}.`).sentence,
      );
    if (last && last.by !== said.number)
      notes.push(problemOf(said, `something was dated into it later, told as late by number ${last.by}.`).sentence);
  }
  return { problems, notes, chains };
}

/** What stands beside the text is what the text says, and no number is missing from the first one on. */
const rowProblems = (account: string, rows: readonly SignedStatement[]): string[] =>
  rows.flatMap((row, at) => {
    const said = readDailyStatement(row.body);
    const agrees = ({ number, day, to, madeAt }: DailyStatement): boolean =>
      number === row.number &&
      day === row.day &&
      to === row.coveredTo.toISOString() &&
      madeAt === row.madeAt.toISOString();
    return [
      ...(row.number === at + 1 ? [] : [`${account}: in the place of number ${at + 1} is number ${row.number}.`]),
      ...(said && said.account === account && agrees(said)
        ? []
        : [`${account}: the row of number ${row.number} is not what its text says.`]),
    ];
  });
