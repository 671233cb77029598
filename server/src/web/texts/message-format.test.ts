import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMessage } from './message-format.ts';
import { pageLanguages, sayIn } from './page-texts.ts';

test('a number takes the form of its language', () => {
  const left = (language: keyof typeof pageLanguages, minutes: number) => sayIn(language)('minutesLeft', { minutes });
  assert.deepEqual(
    [left('en', 1), left('en', 2), left('en', 0)],
    ['1 minute left', '2 minutes left', '0 minutes left'],
  );
  assert.deepEqual(
    [1, 2, 5, 22].map((minutes) => left('pl', minutes)),
    ['została 1 minuta', 'zostały 2 minuty', 'zostało 5 minut', 'zostały 22 minuty'],
  );
  assert.equal(left('fr', 0), 'encore 0 minute', 'in French, none is singular');
});

test('a large number is written as its language writes it', () => {
  assert.equal(sayIn('de')('confirmations', { count: 0, required: 1234 }), '0 von 1.234 Bestätigungen');
});

test('a value may be markup, and what surrounds it is escaped', () => {
  const say = sayIn('en');
  assert.equal(String(say.html('emailKept', { email: '<b>' })), 'The receipt goes to &lt;b&gt;.');
});

test('a text with a mistake in it is refused', () => {
  for (const text of ['{count, plural, one {#}}', 'a } b', '{not ours}', '{count, plural, other {# }'])
    assert.throws(() => parseMessage(text), text);
});
