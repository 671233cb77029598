import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandStyle, defaultBrand, schemes, shopColours } from './page-brand.ts';
import { contrast } from './readable-colour.ts';

const colour = fc
  .tuple(...([0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })) as [fc.Arbitrary<number>]))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);
/** The ends and the middle, where black and white are nearly equally hard to read, are where mistakes would be. */
const uglyColour = fc.oneof(
  colour,
  fc.constantFrom('#ffffff', '#000000', '#767676', '#777777', '#ff0000', '#ffff00', '#00ff00', '#0000ff', '#ff00ff'),
);
const anyColour = fc.option(uglyColour);

test('whatever colours a shop chooses, everything on its page can be read, light and dark', () => {
  const shops = fc.record({ accentColour: anyColour, pageColour: anyColour, textColour: anyColour });
  fc.assert(
    fc.property(shops, fc.constantFrom('light' as const, 'dark' as const), (shop, mode) => {
      const { page, onPage, onCards } = shopColours(shop, mode);
      for (const ink of [onPage.text, onPage.quiet, onPage.accent])
        assert.ok(contrast(ink, page) >= 4.5, `${ink} on the page ${page}`);
      for (const surface of schemes[mode].surfaces)
        for (const ink of [onCards.text, onCards.quiet, onCards.accent])
          assert.ok(contrast(ink, surface) >= 4.5, `${ink} on ${surface}`);
      for (const { accent, onAccent } of [onPage, onCards])
        assert.ok(contrast(accent, onAccent) >= 4.5, `${onAccent} on a button of ${accent}`);
      if (mode === 'dark') assert.ok(contrast(page, '#ffffff') >= 15, `${page} is dark`);
    }),
    { numRuns: 2_000 },
  );
});

test('a colour that can be read is left as it is', () => {
  const shop = { accentColour: '#7c2d12', pageColour: '#fdf6e3', textColour: '#222222' };
  const { page, onPage, onCards } = shopColours(shop, 'light');
  assert.equal(page, '#fdf6e3');
  for (const { accent, text } of [onPage, onCards]) assert.deepEqual([accent, text], ['#7c2d12', '#222222']);
});

test('the colours that a brand must go with are those of the stylesheet', () => {
  const css = readFileSync(new URL('./css/page.css', import.meta.url), 'utf8');
  const [, light = '', dark = ''] = /:root \{([^}]+)\}[^{]+dark\) \{\s*:root \{([^}]+)\}/.exec(css) ?? [];
  for (const [rules, scheme] of [
    [light, schemes.light],
    [dark, schemes.dark],
  ] as const) {
    const variable = (name: string): string => new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(rules)?.[1] ?? name;
    const { page, text, quiet, accent, surfaces } = scheme;
    assert.deepEqual([page, text, quiet, accent], ['page', 'text', 'quiet', 'accent'].map(variable));
    assert.deepEqual(surfaces, ['card', 'panel', 'good-panel', 'alert-panel'].map(variable));
  }
});

test('a page without a brand has no style of its own', () => assert.equal(brandStyle(defaultBrand), ''));

test('only paths of this server and colours get into the style of a page', () => {
  assert.match(
    brandStyle({ ...defaultBrand, fontSrc: '/images/brand/0a.woff2', font: 'serif' }),
    /--font:shop,Charter/,
  );
  for (const evil of ['x"}</style><script>', '//evil.example/x.png', 'https://evil.example/', '/a b', '/")}'])
    assert.throws(() => brandStyle({ ...defaultBrand, backgroundSrc: evil }), evil);
  for (const evil of ['red;}', '#12345', '</style>'])
    assert.throws(() => brandStyle({ ...defaultBrand, accentColour: evil }), evil);
});
