/**
 * Proves daily statements: that we signed them, that each names the one before, that each begins where that one ended, and that
 * the database still says what they say. Every problem is a sentence.
 */
import type { Query } from '../db/database.ts';
import { type DailyStatement, digestOf, factsOfSpan } from './daily-statement.ts';
import { isSignedBy, type PublicKeys } from './statement-key.ts';

export type StatementEnvelope = {
  readonly statement: string;
  readonly keyId: string;
  readonly signature: string;
};

/** `query`: null where there is no database to ask, only the files. In the order of their numbers. */
export async function statementProblems(
  query: Query | null,
  keys: PublicKeys,
  envelopes: readonly StatementEnvelope[],
): Promise<string[]> {
  const problems: string[] = [];
  let before: { readonly said: DailyStatement; readonly digest: string } | null = null;
  for (const { statement: text, keyId, signature } of envelopes) {
    const said = JSON.parse(text) as DailyStatement;
    const name = `${said.account} ${said.day} (number ${said.number})`;
    const problem = (sentence: string): number => problems.push(`${name}: ${sentence}`);
    if (!isSignedBy(keys, keyId, text, signature)) problem('the signature is not ours, or the text was changed.');
    if (said.number === 1 && said.previous !== null) problem('it is the first one, and names another before it.');
    if (before && before.said.account === said.account && before.said.number + 1 === said.number) {
      if (said.previous !== before.digest) problem('it does not name the statement of the day before.');
      if (said.from !== before.said.to) problem('it does not begin where the day before ended.');
      const closed = new Map(before.said.balances.map((each) => [`${each.balance} ${each.asset}`, each.closing]));
      for (const { balance, asset, opening } of said.balances)
        if (opening !== (closed.get(`${balance} ${asset}`) ?? '0'))
          problem(`${balance} ${asset} does not begin with what it ended with.`);
    } else if (before && before.said.account === said.account) problem('the statement before it is missing.');
    for (const { balance, asset, opening, moved, late, closing } of said.balances)
      if (BigInt(opening) + BigInt(moved) + BigInt(late) !== BigInt(closing))
        problem(`${balance} ${asset} does not add up.`);
    if (query) {
      const span = { from: new Date(said.from), to: new Date(said.to) };
      const { moved, ...facts } = await factsOfSpan(query, said.account, span);
      for (const part of ['entries', 'audit', 'lines'] as const)
        if (JSON.stringify(facts[part]) !== JSON.stringify(said[part]))
          problem(`the database says something else: ${part}.`);
      const differing = said.balances.filter(
        (each) => (moved.get(`merchant/${said.account}/${each.balance}/${each.asset}`) ?? 0n).toString() !== each.moved,
      );
      for (const { balance, asset } of differing) problem(`the database says something else: ${balance} ${asset}.`);
    }
    before = { said, digest: digestOf(text) };
  }
  return problems;
}
