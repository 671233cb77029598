import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrast, isNeon, readableOn, textOn } from './readable-colour.ts';

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

test('neon is told from what a shop may well paint its walls with', () => {
  for (const neon of ['#39ff14', '#ccff00', '#00ffff', '#ffff00', '#ff00ff', '#00ff80']) assert.ok(isNeon(neon), neon);
  for (const wall of [
    '#ffcc00',
    '#ffe066',
    '#ff6600',
    '#ff0000',
    '#e20074',
    '#0000ff',
    '#178152',
    '#7a2e14',
    '#ffffff',
  ])
    assert.ok(!isNeon(wall), wall);
});
