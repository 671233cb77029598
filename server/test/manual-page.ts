/** The pages of docs/ that show how to integrate, and the examples in them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const docs = fileURLToPath(new URL('../../docs', import.meta.url));

/** In the order in which they are shown: directly after one another they are tabs. */
export const shownLanguages = ['sh', 'js', 'php', 'ruby'] as const;
export type ShownLanguage = (typeof shownLanguages)[number];

export type Block = {
  readonly page: string;
  readonly language: string;
  readonly code: string;
  /** Of its fence, counted from 1. */
  readonly line: number;
  readonly heading: string;
  /** Nothing is between it and the block before. */
  readonly isNext: boolean;
};

export type ManualPage = { readonly text: string; readonly blocks: readonly Block[] };

export function readPage(name: string): ManualPage {
  const text = readFileSync(`${docs}/${name}`, 'utf8');
  const blocks = Array.from(text.matchAll(/^```(.*)\n([^]*?)^```$/gm), (match) => {
    const [, language = '', code = ''] = match;
    const before = text.slice(0, match.index);
    const heading = Array.from(before.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)).at(-1)?.[1] ?? '';
    return {
      page: name,
      language,
      code,
      line: before.split('\n').length,
      heading,
      isNext: /^```\n\n$/m.test(before.slice(-5)),
    };
  });
  return { text, blocks };
}

/** The one block in this language under this heading. */
export function blockUnder({ blocks }: ManualPage, heading: string, language: ShownLanguage): Block {
  const found = blocks.filter((block) => block.language === language && block.heading === heading);
  const [block] = found;
  assert.ok(block !== undefined && found.length === 1, `one block of ${language} under “${heading}”`);
  return block;
}
