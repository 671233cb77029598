import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrast, readableOn, textOn } from './readable-colour.ts';

const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((rgb) => `#${rgb.map((each) => each.toString(16).padStart(2, '0')).join('')}`);

test('contrast is measured as WCAG measures it', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#767676', '#ffffff').toPrecision(3), '4.54');
});

test('on any background, any colour is made one that can be read', () => {
  fc.assert(
    fc.property(colour, colour, (ink, background) => {
      const readable = readableOn(ink, background);
      assert.ok(contrast(readable, background) >= 4.5);
      assert.ok(contrast(textOn(readable), readable) >= 4.5);
    }),
  );
});

test('a colour that can be read is left alone', () => {
  assert.equal(readableOn('#1d4ed8', '#ffffff'), '#1d4ed8');
});
