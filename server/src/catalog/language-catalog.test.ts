import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLanguage, languages } from './language-catalog.ts';

test('the eight languages of the interface are listed by their own names, without auto', () => {
  const codes = languages.map(({ languageCode }) => languageCode);
  assert.deepEqual(codes, ['en', 'de', 'pt', 'es', 'it', 'tr', 'pl', 'fr']);
  for (const { languageCode, name } of languages) {
    const ownName = new Intl.DisplayNames(languageCode, { type: 'language' }).of(languageCode);
    assert.equal(name.toLocaleLowerCase(languageCode), ownName?.toLocaleLowerCase(languageCode));
  }
  assert.equal(isLanguage('de'), true);
  assert.equal(isLanguage('auto'), false);
});
