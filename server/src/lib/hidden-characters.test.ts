import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasHidden, withoutHidden } from './hidden-characters.ts';

test('what turns a name around, or is not seen in it, is found and taken out', () => {
  for (const [written, shown] of [
    ['Lea \u202etriW', 'Lea triW'],
    ['\u2067Lea\u2069 Wirt', 'Lea Wirt'],
    ['Lea\u200e Wirt\u200f', 'Lea Wirt'],
    ['Lea\u061c Wirt', 'Lea Wirt'],
    ['L\u200bea\ufeff W\u00adirt\u2060', 'Lea Wirt'],
    ['Lea\u200d Wirt\u200c', 'Lea Wirt'],
    ['Lea\ufe0f \u3164Wirt\u2800', 'Lea Wirt'],
    ['Lea\u{e0041} Wirt', 'Lea Wirt'],
    ['Lea\u2028Wirt\nAG\u0007', 'Lea Wirt AG'],
    ['علی\u200c', 'علی'],
  ] as const) {
    assert.equal(hasHidden(written), true, JSON.stringify(written));
    assert.equal(withoutHidden(written), shown);
  }
});

test('names of all the world are as they are, also where a joiner belongs to them', () => {
  for (const name of [
    'O’Neill & Söhne GmbH',
    'Łukasz Żółć',
    'Γιώργος',
    'Сергей',
    'علی‌رضا',
    'क्‍ष',
    'שלום',
    '王伟',
    'Café ☕️ 👩‍❤️‍👨',
  ]) {
    assert.equal(hasHidden(name), false, name);
    assert.equal(withoutHidden(name), name);
  }
});

test('whatever is written, nothing is left that cannot be seen, and the same again is as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = withoutHidden(text);
      assert.equal(hasHidden(shown), false);
      assert.equal(withoutHidden(shown), shown);
    }),
  );
});
