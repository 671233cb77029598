import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Direction, isolated, linesOf } from './text-lines.ts';

/** Every letter is as wide as the next. `<` marks what the font turns around. */
const shown = (text: string, direction: Direction | 'auto', width = 100): string[] =>
  linesOf(text, direction, width, (part) => part.length).map((runs) =>
    runs.map((run) => (run.isRtl ? `<${run.text}>` : run.text)).join('|'),
  );

test('a text without Arabic is written as it is', () => {
  assert.deepEqual(shown('2 × 9.00 (net)', 'ltr'), ['2 × 9.00 (net)']);
  assert.deepEqual(shown('', 'rtl'), ['']);
});

test('in Arabic the first word is on the right, and a number within it keeps its order', () => {
  assert.deepEqual(shown('صفحة 1 من 12', 'rtl'), ['12|< من >|1|<صفحة >']);
  assert.deepEqual(shown('16 نوفمبر 2026', 'rtl'), ['2026|< نوفمبر >|16']);
  assert.deepEqual(shown('0.00051\u00a0BTC', 'rtl'), ['BTC|\u00a0|0.00051'], 'the unit follows, on the left');
});

test('an Arabic name in a text of another language is turned around alone', () => {
  assert.deepEqual(shown('Sold by قهوة الشمال, Dubai', 'ltr'), ['Sold by |<قهوة الشمال>|, Dubai']);
  assert.deepEqual(shown('قهوة', 'auto'), ['<قهوة>']);
});

test('digits of Arabic and Persian are turned beforehand, because the font turns them once more', () => {
  assert.deepEqual(shown('طلب-١٢٣٤٥', 'auto'), ['<٥٤٣٢١>|<طلب->']);
  assert.deepEqual(shown('٥٠٠ غرام', 'rtl'), ['< غرام>|<٠٠٥>']);
  assert.deepEqual(shown('Set ۱۲ pcs', 'ltr'), ['Set |<۲۱>| pcs']);
  assert.deepEqual(shown('١٬٢٣٤٫٥٠', 'rtl'), ['<٠٥٫٤٣٢٬١>'], 'with the signs between them');
});

test('whatever stands beside it, a number is read from left to right', () => {
  const digitsOf = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹'];
  const number = fc
    .tuple(fc.constantFrom(...digitsOf), fc.array(fc.nat(9), { minLength: 1, maxLength: 8 }))
    .map(([digits, places]) => places.map((at) => digits[at]).join(''));
  const word = fc.constantFrom('طلب', 'קפה', 'Set', 'پ', '-', '(', ')', '€', '. ', ' ', '/', ', ');
  const numbers = /[0-9]+|[٠-٩]+|[۰-۹]+/gu;
  const text = fc.array(
    fc.tuple(word, number).map((parts) => parts.join('')),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(text, fc.constantFrom('ltr', 'rtl', 'auto'), (parts, direction) => {
      const written = parts.join('');
      const [runs = []] = linesOf(written, direction, 1000, (part) => part.length);
      const seen = runs.map((run) => (run.isRtl ? Array.from(run.text).toReversed().join('') : run.text)).join('|');
      const inOrder = (all: string): string[] => (all.match(numbers) ?? []).toSorted();
      assert.deepEqual(inOrder(seen), inOrder(written));
    }),
  );
});

test('brackets open to the other side, and marks without letters are turned around too', () => {
  assert.deepEqual(shown('دفع (اختياري)', 'rtl'), ['<دفع )اختياري(>']);
  assert.deepEqual(shown('(!)', 'rtl'), ['(!)']);
  assert.deepEqual(shown('->', 'rtl'), ['<-']);
});

test('a name does not mix with what is beside it', () => {
  assert.deepEqual(shown('12345 Berlin', 'rtl'), ['Berlin| |12345']);
  assert.deepEqual(shown(`${isolated('12345 Berlin')} · 19`, 'rtl'), ['19| · |12345 Berlin']);
  assert.deepEqual(shown('12345 Berlin', 'auto'), ['12345 Berlin']);
  assert.deepEqual(shown('\u200f25.50\u00a0€', 'rtl'), ['€\u00a0|25.50'], 'marks that only steer are not drawn');
});

test('lines are broken between words, within one only if it is too long, and each is ordered for itself', () => {
  assert.deepEqual(shown('one two three', 'ltr', 7), ['one two', 'three']);
  assert.deepEqual(shown('a  bc', 'ltr', 3), ['a', 'bc']);
  assert.deepEqual(shown('9 000\u00a0€', 'ltr', 5), ['9', '000\u00a0€'], 'a unit is not broken off');
  assert.deepEqual(shown('Hand-Filter', 'ltr', 8), ['Hand-', 'Filter']);
  assert.deepEqual(shown('no 0123456789', 'ltr', 4), ['no 0', '1234', '5678', '9']);
  assert.deepEqual(shown('أحمر أخضر أزرق', 'rtl', 9), ['<أحمر أخضر>', '<أزرق>']);
  assert.deepEqual(shown('one\ntwo', 'ltr'), ['one', 'two']);
});
