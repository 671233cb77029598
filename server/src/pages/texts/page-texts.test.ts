import assert from 'node:assert/strict';
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
