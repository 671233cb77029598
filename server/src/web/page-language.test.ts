import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserLanguage, checkoutPath, pageLanguage, spokenLanguage } from './page-language.ts';

test('the path decides the language', () => {
  const wish = { ofCheckout: 'de', acceptLanguage: 'fr' };
  assert.equal(pageLanguage({ ...wish, inPath: 'pl' }), 'pl');
  assert.equal(pageLanguage({ ...wish, inPath: 'en' }), 'en');
});

test('a checkout that leaves the language open follows the browser', () => {
  const wish = { inPath: 'en', ofCheckout: 'auto', acceptLanguage: 'xx, tr-TR;q=0.8, de;q=0.9' };
  assert.equal(pageLanguage(wish), 'de');
  assert.equal(pageLanguage({ ...wish, acceptLanguage: undefined }), 'en');
  assert.equal(pageLanguage({ ...wish, inPath: 'it' }), 'it');
  assert.equal(pageLanguage({ ...wish, chosen: 'en' }), 'en');
});

test('a language we do not speak is answered in one that the browser asks for', () => {
  assert.equal(pageLanguage({ inPath: 'nl', ofCheckout: 'en', acceptLanguage: 'es' }), 'es');
  assert.equal(pageLanguage({ inPath: 'constructor', ofCheckout: 'auto', acceptLanguage: '__proto__' }), 'en');
});

test('a language with a region is found by its language', () => {
  for (const tag of ['pt-br', 'pt-BR', 'PT', 'pt_BR', 'pt-Latn-BR']) assert.equal(spokenLanguage(tag, 'fr'), 'pt');
  assert.equal(spokenLanguage('zz-PT', 'fr'), 'fr');
  assert.equal(spokenLanguage('', undefined), 'en');
});

test('what a browser refuses or writes wrongly is not chosen', () => {
  assert.equal(browserLanguage('de;q=0, fr;q=nonsense, pt-BR ; q=0.1'), 'pt');
  assert.equal(browserLanguage(''), 'en');
});

test('the link to English stays English when the language was left open', () => {
  assert.equal(checkoutPath('en', { id: 'abc', language: 'auto' }), '/en/checkout/abc?language=en');
  assert.equal(checkoutPath('en', { id: 'abc', language: 'de' }), '/en/checkout/abc');
  assert.equal(checkoutPath('de', { id: 'abc', language: 'auto' }), '/de/checkout/abc');
});
