import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { languages } from '../../catalog/language-catalog.ts';
import { englishTexts } from './english-texts.ts';
import { pageLanguages, sayIn } from './page-texts.ts';

const placeholders = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)(?=[},])/g), ([, name]) => name ?? ''))].toSorted();

test('the pages speak every language of the catalogue', () => {
  assert.deepEqual(Object.keys(pageLanguages).toSorted(), languages.map(({ languageCode }) => languageCode).toSorted());
});

test('every language says everything, with the same values filled in', () => {
  for (const [language, texts] of Object.entries(pageLanguages)) {
    assert.deepEqual(Object.keys(texts), Object.keys(englishTexts), language);
    for (const [key, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), '', `${language} ${key}`);
      assert.deepEqual(
        placeholders(text),
        placeholders(englishTexts[key as keyof typeof englishTexts]),
        `${language} ${key}`,
      );
    }
  }
});

test('no language but English is left untranslated', () => {
  const sameInSome = new Set([
    ...['total', 'transaction', 'title', 'copyMemo', 'copyLink', 'confirmations', 'invoiceDate'],
  ]);
  for (const [language, texts] of Object.entries(pageLanguages)) {
    if (language === 'en') continue;
    for (const [key, text] of Object.entries(texts)) {
      if (!sameInSome.has(key))
        assert.notEqual(text, englishTexts[key as keyof typeof englishTexts], `${language} ${key}`);
    }
  }
});

test('every language calls the sandbox by its name', () => {
  for (const texts of Object.values(pageLanguages)) assert.match(texts.sandbox, /^Sandbox/);
});

test('a value that is not given is a mistake, and a given one may look like a placeholder', () => {
  const say = sayIn('en');
  assert.throws(() => say('confirmations', { count: 1 }), /needs the number required/);
  assert.equal(say('qrLabel', { amount: '{asset}', asset: 'BTC' }), 'QR code to pay {asset} BTC');
});

/** The literal parts of every template in a source, those inside of others too. */
function templatesIn(source: string): string[] {
  const templates: string[] = [];
  let at = 0;
  function code(end: string): void {
    for (let depth = 0; at < source.length; at += 1) {
      const character = source[at] ?? '';
      if (depth === 0 && character === end) return;
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      if (character === '`') template();
    }
  }
  function template(): void {
    let literal = '';
    for (at += 1; at < source.length && source[at] !== '`'; at += 1) {
      if (!source.startsWith('${', at)) {
        literal += source[at] ?? '';
        continue;
      }
      at += 2;
      code('}');
    }
    templates.push(literal);
  }
  code('end of file');
  return templates;
}

const wordsIn = (source: string): string[] =>
  templatesIn(source).flatMap((template) => [
    ...Array.from(template.matchAll(/>([^<>]*\p{L}{2,}[^<>]*)</gu), ([, words]) => (words ?? '').trim()),
    ...Array.from(
      template.matchAll(/(?:aria-label|alt|title|placeholder)="([^"]*\p{L}{2,}[^"]*)"/gu),
      ([, words]) => words ?? '',
    ),
  ]);

test('no page has words of its own: whatever a customer reads comes from these files', () => {
  assert.deepEqual(wordsIn('html`<p>${say("x")} Hello ${html`<b>there</b>`}</p>`'), ['there', 'Hello']);
  const folder = new URL('../', import.meta.url);
  // The front door is for operators, the preview for merchants: both are in English.
  const files = readdirSync(folder).filter((name) => /^(?!landing|preview|html).*(?<!\.test)\.ts$/.test(name));
  for (const name of files) {
    // The name of the time zone is one everywhere.
    const withoutComments = readFileSync(new URL(name, folder), 'utf8').replaceAll(
      /\/\*[^]*?\*\/|^\s*\/\/.*$|\\u00a0UTC/gm,
      '',
    );
    assert.deepEqual(wordsIn(withoutComments), [], name);
  }
});
