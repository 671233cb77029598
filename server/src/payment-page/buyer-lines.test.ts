import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sayIn } from '../web/texts/page-texts.ts';
import { addressText, buyerLines } from './buyer-lines.ts';

const fields = {
  firstname: 'Ada',
  lastname: 'Example',
  zip: '1010',
  city: 'Wien',
  countrycode: 'at',
  taxid: 'ATU12345678',
};
const linesIn = (language: 'de' | 'fr' | 'ar'): string[] =>
  buyerLines({ email: 'ada@customer.example', fields }).map((line) =>
    addressText({ language, say: sayIn(language) }, line),
  );

test('a country has its name in the language of the page, and a tax id says what it is', () => {
  const german = ['Ada Example', '1010 Wien', 'Österreich', 'USt-IdNr.: ATU12345678', 'ada@customer.example'];
  assert.deepEqual(linesIn('de'), german);
  assert.deepEqual(linesIn('fr').slice(2, 4), ['Autriche', 'N° de TVA\u00a0: ATU12345678']);
  assert.deepEqual(linesIn('ar')[2], 'النمسا');
});
