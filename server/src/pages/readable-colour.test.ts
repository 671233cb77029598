import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandStyle, cardColours, defaultBrand } from './page-brand.ts';
import { contrast, readableOn, textOn } from './readable-colour.ts';

const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((rgb) => `#${rgb.map((each) => each.toString(16).padStart(2, '0')).join('')}`);

test('contrast is measured as WCAG measures it', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#767676', '#ffffff').toPrecision(3), '4.54');
});

test('whatever colour a shop chooses, what is written in it or on it can be read, light and dark', () => {
  fc.assert(
    fc.property(colour, (accent) => {
      for (const card of Object.values(cardColours)) {
        const readable = readableOn(accent, card);
        assert.ok(contrast(readable, card) >= 4.5);
        assert.ok(contrast(textOn(readable), readable) >= 4.5);
      }
    }),
  );
});

test('a colour that can be read is left alone', () => {
  assert.equal(readableOn('#1d4ed8', '#ffffff'), '#1d4ed8');
});

test('a brand becomes variables, and nothing else can get into the style', () => {
  assert.equal(brandStyle(defaultBrand), '');
  const style = brandStyle({ ...defaultBrand, accent: '#ffff00', fontSrc: '/images/shop/font.woff2' });
  assert.match(style, /--font:shop/);
  assert.doesNotMatch(style.split('@media')[0] ?? '', /#ffff00/, 'yellow on white is darkened');
  for (const src of ['https://evil.example/x.png', '/x");}</style><script>', 'javascript:alert(1)'])
    assert.throws(() => brandStyle({ ...defaultBrand, backgroundSrc: src }), src);
  assert.throws(() => brandStyle({ ...defaultBrand, accent: 'red;}' }));
});
