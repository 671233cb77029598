/**
 * Search in the manual: every word must be there. What has it in the title comes first, then headings, then texts. A
 * sentence that somebody was answered is found with whatever was filled in.
 */

import { answeredAs } from './answered-sentence.ts';
import { errorsPath } from './api-reference.ts';
import { type ApiSentence, hasWords } from './api-sentences.ts';
import { headingOfStatus } from './errors-page.ts';
import type { ManualBook } from './manual-book.ts';
import { anchorOf, plainText } from './manual-markdown.ts';

export type Hit = {
  readonly path: string;
  readonly title: string;
  /** Null: the beginning of the page. */
  readonly heading: string | null;
  /** What stands around the first word, without marks. */
  readonly excerpt: string;
};

type Section = {
  readonly path: string;
  readonly title: string;
  readonly heading: string | null;
  readonly text: string;
  /** In small letters, made once: the whole manual would be written anew for every word that somebody looks for. */
  readonly lower: { readonly title: string; readonly heading: string; readonly text: string };
};

const hitsMax = 30;

export function createSearch(
  book: ManualBook,
  sentences: readonly ApiSentence[],
): (question: string) => readonly Hit[] {
  const answers = sentences
    .filter(({ sentence }) => hasWords(sentence))
    .map((each) => ({ each, pattern: answeredAs(each.sentence) }));
  const sections = [...book.pages.values()].flatMap(({ path, title, markdown }) => sectionsOf(path, title, markdown));
  return (question) => {
    const words = wordsOf(question);
    const phrase = question.trim().toLowerCase();
    if (words.length === 0) return [];
    const ranked = sections
      .map((section, at) => ({ section, at, rank: rankOf(section, words, phrase) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((a, b) => b.rank - a.rank || a.at - b.at)
      .slice(0, hitsMax);
    const answered = answers
      .filter(({ pattern }) => pattern.test(question))
      .map(({ each: { status, sentence } }) => {
        const heading = headingOfStatus(status);
        return { path: `${errorsPath}#${anchorOf(heading)}`, title: 'Errors', heading, excerpt: sentence };
      })
      .toSorted((a, b) => b.excerpt.length - a.excerpt.length);
    const found = ranked.map(({ section: { path, title, heading, text, lower } }) => ({
      path: heading === null ? path : `${path}#${anchorOf(heading)}`,
      title,
      heading,
      excerpt: excerptOf(text, lower.text, words),
    }));
    return [...answered, ...found.filter(({ path }) => answered.every((each) => each.path !== path))];
  };
}

export const wordsOf = (question: string): string[] =>
  (question.toLowerCase().match(/[\p{L}\p{N}_/.-]+/gu) ?? []).slice(0, 8);

/** By headings of the second and third level. Code stays in: people look for names of fields. */
function sectionsOf(path: string, title: string, markdown: string): Section[] {
  const withoutFences = markdown.replaceAll(/^```\w*$/gm, '');
  const [first = '', ...rest] = withoutFences.split(/^(?=#{2,3} )/m);
  return [
    section(path, title, null, readable(first.replace(/^# .*$/m, ''))),
    ...rest.map((part) => {
      const [, heading = ''] = /^#{2,3} (.*)$/m.exec(part) ?? [];
      return section(path, title, plainText(heading), readable(part.replace(/^#.*$/m, '')));
    }),
  ];
}

const section = (path: string, title: string, heading: string | null, text: string): Section => ({
  path,
  title,
  heading,
  text,
  lower: { title: title.toLowerCase(), heading: (heading ?? '').toLowerCase(), text: text.toLowerCase() },
});

const readable = (markdown: string): string =>
  plainText(markdown)
    .replaceAll(/^\|[-|]+\|$/gm, '')
    .replaceAll(/[|\s]+/g, ' ')
    .trim();

/** The words as they were typed, one after the other, are worth more than here and there. */
const wholePhrase = 10;

function rankOf({ heading, lower }: Section, words: readonly string[], phrase: string): number {
  const places: [string, number][] = [
    [lower.title, heading === null ? 100 : 4],
    [lower.heading, 20],
    [lower.text, 1],
  ];
  let rank = 0;
  for (const word of words) {
    const found = places.filter(([place]) => place.includes(word)).map(([, weight]) => weight);
    if (found.length === 0) return 0;
    rank += Math.max(...found);
  }
  if (words.length > 1 && lower.text.includes(phrase)) rank += wholePhrase;
  // A section that only belongs to a page of that name says nothing of its own about it.
  const isOfPageOnly =
    heading !== null && words.every((word) => !lower.text.includes(word) && !lower.heading.includes(word));
  return isOfPageOnly ? 0 : rank;
}

const aroundLetters = 110;

function excerptOf(text: string, lower: string, words: readonly string[]): string {
  const at = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)));
  const from = Number.isFinite(at) ? Math.max(0, at - aroundLetters) : 0;
  const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const cut = text.slice(begin, begin + 2 * aroundLetters);
  const end = begin + cut.length >= text.length ? cut.length : cut.lastIndexOf(' ');
  return `${begin > 0 ? '… ' : ''}${cut.slice(0, end)}${begin + end < text.length ? ' …' : ''}`;
}
