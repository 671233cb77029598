import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { languages } from '../../catalog/language-catalog.ts';
import { isPageLanguage, languageCodes, pageLanguages, sayIn } from './page-texts.ts';

const englishTexts = pageLanguages.en;

const placeholders = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)(?=[},])/g), ([, name]) => name ?? ''))].toSorted();

test('the pages speak every language of the catalogue by its name, and more', () => {
  for (const { languageCode, name } of languages)
    assert.equal(isPageLanguage(languageCode) && pageLanguages[languageCode].languageName, name);
  assert.ok(languageCodes.length > languages.length);
});

test('a language is written to the right or to the left, whichever it is', () => {
  for (const [language, { direction }] of Object.entries(pageLanguages))
    assert.equal(direction, ['ar', 'fa', 'he', 'ur'].includes(language) ? 'rtl' : 'ltr', language);
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
    ...['total', 'transaction', 'copyMemo', 'copyLink', 'confirmations', 'privacy', 'direction', 'labelled'],
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
  for (const texts of Object.values(pageLanguages))
    assert.match(texts.sandbox, texts.direction === 'rtl' ? /^[^:]*\(Sandbox\):/ : /^Sandbox/);
});

test('a value that is not given is a mistake, and a given one may look like a placeholder', () => {
  const say = sayIn('en');
  assert.throws(() => say('confirmations', { count: 1 }), /needs the number required/);
  assert.equal(say('qrLabel', { amount: '{asset}', asset: 'BTC' }), 'QR code to pay {asset}\u00a0BTC');
});

const sourcesOf = (slices: readonly string[]): [name: string, source: string][] =>
  slices.flatMap((slice) => {
    const folder = new URL(`../../${slice}/`, import.meta.url);
    const files = readdirSync(folder).filter((name) => /(?<!\.test)\.ts$/.test(name));
    return files.map((name): [string, string] => [name, readFileSync(new URL(name, folder), 'utf8')]);
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
  // The preview is for merchants, and in English.
  for (const [name, source] of sourcesOf(['web', 'payment-page', 'invoices'])) {
    if (/^(preview|html)/.test(name)) continue;
    // The name of the time zone is one everywhere.
    const withoutComments = source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$|\\u00a0UTC/gm, '');
    assert.deepEqual(wordsIn(withoutComments), [], name);
  }
});

/** The texts that sources ask for, also by the beginning of a key and an end of it: `copy${what}`. */
function askedForIn(sources: readonly string[]): Set<string> {
  const quoted = (source: string): string[] => Array.from(source.matchAll(/'(\w+)'/g), ([, word]) => word ?? '');
  return new Set(
    sources.flatMap((source) => [
      ...quoted(source),
      ...Array.from(source.matchAll(/`(\w+)\$\{\w+\}` satisfies TextKey/g), ([, beginning]) => beginning ?? '').flatMap(
        (beginning) => quoted(source).map((end) => `${beginning}${end}`),
      ),
    ]),
  );
}

test('every text is asked for somewhere: what no page says any more is not translated for ever', () => {
  const askedFor = askedForIn(
    sourcesOf(['web', 'payment-page', 'invoices', 'emails', 'site', 'merchants']).map(([, source]) => source),
  );
  // Every language has these two, and nobody says them.
  const aboutTheLanguage = ['languageName', 'direction'];
  const unused = Object.keys(englishTexts).filter((key) => !askedFor.has(key) && !aboutTheLanguage.includes(key));
  assert.deepEqual(unused, []);
});
