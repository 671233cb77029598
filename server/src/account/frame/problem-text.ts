/** Why something cannot be done, in the words of who reads it (decision 0066). */
import { type GatewayError, type Problem, sentenceOf, type ToldProblem } from '../../lib/errors.ts';
import { type AccountSay, type AccountTextKey, hasFieldName, hasProblemText } from '../texts/account-texts.ts';
import type { AccountLook } from './account-look.ts';

/** What went wrong, in a sentence of this language where there is one. */
export function problemText(look: AccountLook, error: GatewayError): string {
  const { say, may } = look;
  if (tellsBalance.has(error.code) && !may('seeBalances')) return say('problemBalance');
  const key = `problem_${error.code}`;
  const seconds = Number(error.headers['retry-after'] ?? 0);
  if (hasProblemText(key)) return say(key, { ...error.facts, seconds });
  return [...new Set(error.told.map((problem) => toldText(look, problem)))].join(' ');
}

/** A sentence without a name is for programs, and for forged forms: who reads another language is not told it in English. */
function toldText({ say, language }: AccountLook, problem: Problem): string {
  const key = typeof problem === 'string' ? '' : `problem_${problem.code}`;
  if (typeof problem !== 'string' && hasProblemText(key)) return say(key, withFieldName(say, problem.facts));
  return language === 'en' ? sentenceOf(problem) : say('problemUnsaid');
}

/** Programs know a field by its path, people by what stands beside it. */
function withFieldName(say: AccountSay, facts: ToldProblem['facts']): ToldProblem['facts'] {
  if (facts['field'] === undefined) return facts;
  const name = facts['field'].slice(facts['field'].lastIndexOf('.') + 1);
  const key = `field_${name}`;
  return { ...facts, field: say(hasFieldName(key) ? key : (otherFieldNames.get(name) ?? 'fieldUnnamed')) };
}

const otherFieldNames: ReadonlyMap<string, AccountTextKey> = new Map([
  ['label', 'destinationLabel'],
  ['address', 'factAddress'],
  ['memo', 'transferMemo'],
  ['memoType', 'transferMemoKind'],
  ['network', 'transferNetwork'],
  ['asset', 'transferAsset'],
  ['amount', 'transferAmount'],
  ['description', 'linkFor'],
  ['orderReference', 'linkReference'],
]);

/** Their sentences have what an account holds in them. */
const tellsBalance = new Set(['not_enough_available', 'must_wait']);
