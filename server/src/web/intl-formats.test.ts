import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countryText, dateFormat, numberFormat, relativeText } from './intl-formats.ts';

test('a format is made once for a language and what is asked of it', () => {
  const asked = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  assert.equal(numberFormat('de', asked), numberFormat('de', { ...asked }));
  assert.notEqual(numberFormat('de', asked), numberFormat('en', asked));
  assert.notEqual(numberFormat('de', asked), numberFormat('de', { ...asked, maximumFractionDigits: 3 }));
  assert.equal(numberFormat('de', asked).format(1234.5), '1.234,50');
  assert.equal(numberFormat('en', asked).format(1234.5), '1,234.50');

  const moment = new Date('2026-03-01T23:30:00Z');
  const dayIn = (timeZone: string): string => dateFormat('en', { dateStyle: 'medium', timeZone }).format(moment);
  assert.deepEqual([dayIn('UTC'), dayIn('Asia/Tokyo'), dayIn('UTC')], ['Mar 1, 2026', 'Mar 2, 2026', 'Mar 1, 2026']);
});

test('however many are asked for, each is as it was asked for', () => {
  for (let at = 0; at < 1000; at += 1) {
    const [decimals, digits] = [1 + (at % 90), 1 + (at % 7)];
    const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, minimumIntegerDigits: digits };
    assert.equal(
      numberFormat('de', { ...options, useGrouping: false }).format(0),
      `${'0'.repeat(digits)},${'0'.repeat(decimals)}`,
    );
  }
});

test('times from now and countries are words of the language', () => {
  assert.equal(relativeText('en', -1, 'day'), 'yesterday');
  assert.equal(relativeText('de', -3, 'day'), 'vor 3 Tagen');
  assert.equal(countryText('de', 'AT'), 'Österreich');
  assert.equal(countryText('en', 'ZZ'), 'Unknown Region');
});
