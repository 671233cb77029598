import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { accountLanguages, sayInAccount } from './account-texts.ts';
import { englishAccountTexts } from './english-account-texts.ts';

const english: Readonly<Record<string, string>> = englishAccountTexts;

const placeholders = (text: string): string[] =>
  [...new Set(Array.from(text.matchAll(/\{(\w+)(?=[},])/g), ([, name]) => name ?? ''))].toSorted();

test('every language of the account says everything, with the same values filled in', () => {
  for (const [language, texts] of Object.entries(accountLanguages)) {
    assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(english).toSorted(), language);
    for (const [key, text] of Object.entries(texts)) {
      assert.notEqual(text.trim(), '', `${language} ${key}`);
      assert.deepEqual(placeholders(text), placeholders(english[key] ?? ''), `${language} ${key}`);
    }
  }
});

test('a text has one place: no group takes the name of another', () => {
  const files = globSync('english-*-texts.ts', { cwd: import.meta.dirname });
  const named = files.flatMap((file) =>
    Array.from(readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/^  '?([\w-]+)'?:/gm), ([, key]) => key),
  );
  assert.deepEqual(
    named.filter((key, at) => named.indexOf(key) !== at),
    [],
  );
});

test('no sentence is left in English', () => {
  const sameInFrench = ['minutesText'];
  for (const [language, texts] of Object.entries(accountLanguages)) {
    const isSentence = (text: string): boolean => (text.replaceAll(/\{\w+\}/g, '').match(/\p{L}+/gu) ?? []).length > 2;
    const left = Object.entries(texts).filter(
      ([key, text]) => isSentence(text) && text === english[key] && !sameInFrench.includes(key),
    );
    if (language !== 'en') assert.deepEqual(left, [], language);
  }
});

test('every text is asked for somewhere: what no page says any more is not translated for ever', () => {
  const folders = ['account', 'people', 'emails', 'finding', 'webhooks', 'reports', 'payment-page'];
  const sources = folders
    .flatMap((folder) => globSync(`../../${folder}/*.ts`, { cwd: import.meta.dirname }))
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'));
  const named = new Set(
    sources.flatMap((source) => Array.from(source.matchAll(/'([\w-]+)'/g), ([, word]) => word ?? '')),
  );
  const beginnings = new Set(
    sources.flatMap((source) => Array.from(source.matchAll(/`([a-z][\w-]*)\$\{/gi), ([, word]) => word ?? '')),
  );
  const isAskedFor = (key: string): boolean =>
    named.has(key) || [...beginnings].some((beginning) => key.startsWith(beginning));
  assert.deepEqual(
    Object.keys(english).filter((key) => !isAskedFor(key)),
    [],
  );
});

test('a name keeps its own direction in a sentence that is written to the left', () => {
  const told = (language: 'en' | 'ar') => sayInAccount(language)('ownMenu', { name: 'Ada (1815)' });
  assert.match(told('ar'), /\u2068Ada \(1815\)\u2069/);
  assert.doesNotMatch(told('en'), /[\u2068\u2069]/);
});
