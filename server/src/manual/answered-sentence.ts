/** A sentence that somebody was answered, and the one on the page of errors that it is, with whatever was filled in. */
import { type ApiSentence, filledIn, hasWords } from './api-sentences.ts';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const anotherSentence = '{sentence}';

/** The operator's own words. */
const ofPeople = '{why}';

/** What is filled in is a part of a sentence and does not go on to the next one, unless it is one itself. */
const patternOf = (sentence: string): string =>
  sentence
    .split(/(\{[^}]+\})/)
    .map((part, at) =>
      at % 2 === 0 ? escaped(part) : [anotherSentence, ofPeople].includes(part) ? '(.*?)' : '((?:(?!\\. [A-Z]).)*?)',
    )
    .join('');

/** Found anywhere in what was typed; its full stop may be missing. */
export const answeredAs = (sentence: string): RegExp => new RegExp(patternOf(sentence.replace(/\.$/, '')), 'i');

/**
 * Whether an answer is one of these, or several of them one after the other. Where one is filled in with another sentence,
 * such as why a network cannot be offered, that must be one of them too.
 */
export function createTold(sentences: readonly ApiSentence[]): (status: number, answered: string) => boolean {
  const patterns = sentences
    .filter(({ sentence }) => hasWords(sentence))
    .map(({ status, sentence }) => ({
      status,
      whole: new RegExp(`^${patternOf(sentence)}$`, 's'),
      filled: Array.from(sentence.matchAll(filledIn), ([name]) => name),
    }));

  function isOne(status: number | null, text: string): boolean {
    return patterns.some(({ status: own, whole, filled }) => {
      if (status !== null && own !== status) return false;
      const match = whole.exec(text);
      return match !== null && filled.every((name, at) => name !== anotherSentence || isOne(null, match[at + 1] ?? ''));
    });
  }

  return function isTold(status, answered): boolean {
    if (isOne(status, answered)) return true;
    const ends = Array.from(answered.matchAll(/(?<=\.) /g), ({ index }) => index);
    return ends.some((end) => isOne(status, answered.slice(0, end)) && isTold(status, answered.slice(end + 1)));
  };
}
