/**
 * The lines of a text, and the runs of each line from left to right. pdfkit writes every word to the right of the last
 * one. But Arabic and Hebrew run to the left, and numbers and Latin words within them to the right: where each run goes
 * is said by the Unicode Bidirectional Algorithm, which browsers follow too.
 */

import bidiFactory, { type Bidi } from 'bidi-js';
import { withoutEnd } from '../lib/without-end.ts';

// Its types tell of the build for bundlers; Node loads the other one, which is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)();

export type Direction = 'ltr' | 'rtl';

/** Letters that follow one another in one direction. `from`: where it begins in the text. */
export type TextRun = { readonly text: string; readonly isRtl: boolean; readonly from: number };

/** A text that may be in another language than the paper, such as a name, and must not mix with what is beside it. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

/** What steers the algorithm and has no shape. */
const controls = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const rtlSign = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const ofOneKind = new RegExp(`${rtlSign.source}+|[^${rtlSign.source.slice(1)}+`, 'gu');

/** `auto`: as its first letter. */
export function linesOf(
  text: string,
  direction: Direction | 'auto',
  width: number,
  widthOf: (text: string) => number,
): TextRun[][] {
  const measured = (part: string): number => widthOf(part.replaceAll(controls, ''));
  return text.split('\n').flatMap((paragraph) => {
    const levels = bidi.getEmbeddingLevels(paragraph, direction);
    return brokenInto(paragraph, width, measured).map(([from, to]) => runsOf(paragraph, levels, from, to));
  });
}

const letters = new Intl.Segmenter();

/**
 * Where each line begins and ends, without the blanks at its end. A word that is too long is broken anywhere. Every word, and
 * every letter of one that is too long, is measured once.
 */
function brokenInto(text: string, width: number, widthOf: (text: string) => number): [from: number, to: number][] {
  const lines: [from: number, to: number][] = [];
  let [from, to, at, used] = [0, 0, 0, 0];
  const end = (): void => {
    lines.push([from, to]);
    [from, to, used] = [at, at, 0];
  };
  const put = (part: string, bare: string, bareWidth: number): void => {
    if (used > 0 && used + bareWidth > width) end();
    to = at + bare.length;
    at += part.length;
    used += part === bare ? bareWidth : widthOf(part);
  };
  for (const word of text.split(/(?<= )(?! )|(?<=\p{L}-)(?=\p{L})/u)) {
    const bare = withoutBlanks(word);
    const bareWidth = widthOf(bare);
    if (bareWidth <= width) put(word, bare, bareWidth);
    else
      for (const { segment } of letters.segment(word)) {
        const letter = withoutBlanks(segment);
        put(segment, letter, widthOf(letter));
      }
  }
  end();
  return lines;
}

const withoutBlanks = (part: string): string => withoutEnd(part, (sign) => sign === ' ');

type Levels = ReturnType<Bidi['getEmbeddingLevels']>;

function runsOf(text: string, levels: Levels, from: number, to: number): TextRun[] {
  // One direction all the way, as almost every line: nothing changes places, and the whole text is not walked for it.
  if (!levels.levels.subarray(from, to).some((level) => level !== 0))
    return from < to ? toTheRight(text.slice(from, to), from).filter((run) => run.text !== '') : [];
  const runs: { first: number; last: number; level: number }[] = [];
  let before: number | undefined;
  for (const index of bidi.getReorderedIndices(text, levels, from, to - 1).slice(from, to)) {
    const level = levels.levels[index] ?? 0;
    const run = runs.at(-1);
    if (run && run.level === level && before !== undefined && Math.abs(index - before) === 1)
      [run.first, run.last] = [Math.min(run.first, index), Math.max(run.last, index)];
    else runs.push({ first: index, last: index, level });
    before = index;
  }
  return runs
    .flatMap(({ first, last, level }) => {
      const part = text.slice(first, last + 1);
      return level % 2 === 0 ? toTheRight(part, first) : [toTheLeft(part.replaceAll(controls, ''), first)];
    })
    .filter((run) => run.text !== '');
}

const reversed = (text: string): string => Array.from(text).toReversed().join('');

/**
 * Digits are read from left to right in every script. But the font turns around whatever begins with a sign of a script
 * that runs to the left, and those of Arabic and Persian are among them: they are turned beforehand, each number alone.
 */
const toTheRight = (text: string, from: number): TextRun[] =>
  Array.from(text.matchAll(ofOneKind), ({ 0: part, index }) => {
    const isRtl = rtlSign.test(part);
    const bare = part.replaceAll(controls, '');
    return { text: isRtl ? reversed(bare) : bare, isRtl, from: from + index };
  });

/** The font turns letters around by itself, but neither brackets nor a run without letters. */
function toTheLeft(text: string, from: number): TextRun {
  const mirrored = Array.from(text, (letter) => bidi.getMirroredCharacter(letter) ?? letter);
  const isRtl = rtlSign.test(text);
  return { text: (isRtl ? mirrored : mirrored.toReversed()).join(''), isRtl, from };
}
