import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  coinDigits,
  coinHtml,
  coinText,
  listed,
  numberText,
  percentText,
  plainCoinDigits,
  priceHtml,
  priceText,
  rateText,
  timeLeftText,
} from './number-text.ts';
import { languageCodes, sayIn } from './texts/page-texts.ts';

test('a price has the symbol of its currency where the language puts it', () => {
  assert.equal(priceText('en', '1234.50', 'EUR'), '€1,234.50');
  assert.equal(priceText('de', '1234.50', 'EUR'), '1.234,50\u00a0€');
  assert.equal(priceText('en', '-5.00', 'EUR'), '\u2212€5.00', 'with a minus, which is no hyphen');
  assert.equal(priceText('de', '-5.00', 'EUR'), '\u22125,00\u00a0€');
  assert.equal(numberText('fr', '-0.5'), '\u22120,5');
  assert.equal(priceText('es', '25.00', 'USD'), '25,00\u00a0US$');
  assert.equal(priceText('pl', '25.00', 'PLN'), '25,00\u00a0zł');
});

test('a price has exactly the decimals it comes with', () => {
  assert.equal(priceText('en', '1001', 'JPY'), '¥1,001');
  assert.equal(priceText('en', '0.012345', 'USD'), '$0.012345');
});

test('a price in a coin has the code behind it, although Intl would take it for money', () => {
  assert.equal(priceText('de', '0.5', 'BTC'), '0,5\u00a0BTC');
  assert.equal(priceText('en', '12.3', 'USDC'), '12.3\u00a0USDC');
});

test('an amount of a coin is written as the language writes numbers, digit by digit', () => {
  assert.equal(coinText('de', '821.232', 'XLM'), '821,232\u00a0XLM');
  assert.equal(coinText('en', '41667', 'SAT'), '41,667\u00a0SAT');
  assert.equal(coinText('fr', '1234567.123456789012345678', 'ETH'), '1\u202f234\u202f567,123456789012345678\u00a0ETH');
});

test('money of a state has its decimals, whoever left them out, and more where there are more', () => {
  assert.equal(coinText('en', '1249.9', 'EUR'), '1,249.90\u00a0EUR');
  assert.equal(coinText('de', '100', 'BRL'), '100,00\u00a0BRL');
  assert.equal(coinText('en', '1044.6505', 'USD'), '1,044.6505\u00a0USD');
  assert.equal(coinText('en', '100', 'JPY'), '100\u00a0JPY');
  assert.match(String(coinHtml('en', '0.5', 'EUR')), />0\.50/);
});

test('so it has where the number stands alone, in a column, a field or a file', () => {
  assert.equal(coinDigits('de', '1249.9', 'EUR'), '1.249,90');
  assert.equal(coinDigits('en', '0.5', 'BTC'), '0.5');
  for (const [code, given, told] of [
    ['EUR', '10.1', '10.10'],
    ['EUR', '-33', '-33.00'],
    ['EUR', '0.5995', '0.5995'],
    ['JPY', '100', '100'],
    ['BTC', '1', '1'],
  ] as const)
    assert.equal(plainCoinDigits(given, code), told);
});

test('a coin’s code is behind its number in languages that are written to the left too', () => {
  assert.equal(coinText('ar', '0.5', 'BTC'), `\u2066${numberText('ar', '0.5')}\u00a0BTC\u2069`);
  assert.match(sayIn('ar')('refundText', { amount: '0.5', asset: 'BTC' }), /\u20660\.5\u00a0BTC\u2069/);
  assert.doesNotMatch(sayIn('de')('refundText', { amount: '0,5', asset: 'BTC' }), /[\u2066\u2069]/);
});

test('in Arabic money, coins and rates are all written in one order: the number, then what it counts', () => {
  const turns = /[\u061c\u200e\u200f]/u;
  assert.equal(priceText('ar', '65.59', 'USD'), `\u2066${numberText('ar', '65.59')}\u00a0US$\u2069`);
  assert.doesNotMatch(priceText('ar', '-5.00', 'EUR'), turns);
  assert.match(
    String(priceHtml('ar', '65.59', 'USD')),
    /^<bdi dir="ltr">65\.59\u00a0<span class="unit">US\$<\/span><\/bdi>$/,
  );
  assert.match(
    String(coinHtml('ar', '0.5', 'BTC')),
    /^<bdi dir="ltr">0\.5\u00a0<span class="unit">BTC<\/span><\/bdi>$/,
  );
  assert.match(
    rateText('ar', { code: 'LTC', price: '80.00', currency: 'USD' }),
    /^\u20661\u00a0LTC = \u206680\.00\u00a0US\$\u2069\u2069$/,
  );
  assert.equal(listed('ar', ['أ', 'ب']), 'أ، ب');
});

test('in a headline the unit can stand back, and nothing breaks it off', () => {
  assert.equal(String(priceHtml('en', '76.04', 'EUR')), '<bdi><span class="unit">€</span>76.04</bdi>');
  assert.equal(String(priceHtml('de', '76.04', 'EUR')), '<bdi>76,04\u00a0<span class="unit">€</span></bdi>');
  assert.equal(String(coinHtml('de', '0.00136872', 'BTC')), '<bdi>0,00136872\u00a0<span class="unit">BTC</span></bdi>');
});

test('a percentage has its sign where the language puts it', () => {
  assert.equal(percentText('de', '7.5'), '7,5\u00a0%');
  assert.equal(percentText('en', '19'), '19%');
  assert.equal(percentText('tr', '7.50'), '%7,50');
  assert.equal(percentText('pl', '23'), '23%');
});

test('the time that is left is told in days and hours, in whole ones that are left', () => {
  const hour = 3_600;
  const inEnglish = [hour + 1, 2 * hour - 1, 24 * hour, 49 * hour, 14 * 24 * hour];
  assert.deepEqual(
    inEnglish.map((seconds) => timeLeftText('en', seconds)),
    ['1 hour', '1 hour', '1 day', '2 days 1 hour', '14 days'],
  );
  assert.deepEqual(
    languageCodes.map((language) => timeLeftText(language, (6 * 24 + 23) * hour)),
    [
      '6 days 23 hours',
      '6 Tage 23 Stunden',
      '6 dias 23 horas',
      '6 días 23 horas',
      '6 giorni 23 ore',
      '6 gün 23 saat',
      '6 dni 23 godziny',
      '6\u00a0jours 23\u00a0heures',
      '6 أيام 23 ساعة',
    ],
  );
});
