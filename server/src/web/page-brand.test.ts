import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { brandStyle, defaultBrand, ourAccent, shopColours, surfaceNames, surfaces } from './page-brand.ts';
import { contrast } from './readable-colour.ts';

const colour = fc
  .tuple(...([0, 1, 2].map(() => fc.integer({ min: 0, max: 255 })) as [fc.Arbitrary<number>]))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);
/** Mistakes are most likely at both ends, and in the middle, where black and white are about equally hard to read. */
const uglyColour = fc.oneof(
  colour,
  fc.constantFrom('#ffffff', '#000000', '#767676', '#777777', '#ff0000', '#ffff00', '#00ff00', '#0000ff', '#ff00ff'),
);
const anyColour = fc.option(uglyColour);

test('whatever colours a shop chooses, everything on its page can be read, light and dark', () => {
  const shops = fc.record({ accentColour: anyColour, pageColour: anyColour, textColour: anyColour });
  fc.assert(
    fc.property(shops, (shop) => {
      const colours = shopColours(shop);
      if (colours === null) return assert.deepEqual(Object.values(shop), [null, null, null]);
      const { ground, dimmed, accent, onAccent, litAccent, accentText } = colours;
      for (const plane of [ground, dimmed, litAccent])
        if (plane) assert.ok(contrast(plane.text, plane.colour) >= 4.5, `${plane.text} on ${plane.colour}`);
      assert.ok(contrast(accent, onAccent) >= 4.5, `${onAccent} on a button of ${accent}`);
      for (const mode of ['light', 'dark'] as const)
        for (const surface of surfaces[mode])
          assert.ok(contrast(accentText[mode], surface) >= 4.5, `${accentText[mode]} on ${surface}`);
    }),
    { numRuns: 2_000 },
  );
});

test('in the dark a link is never dimmer than the quiet words around it, however dark the shop’s colour is', () => {
  const css = readFileSync(new URL('./css/tokens.css', import.meta.url), 'utf8');
  const [, quiet = ''] = /--ink-2: light-dark\(#\w+, (#\w+)\)/.exec(css) ?? [];
  const [, sheet] = surfaces.dark;
  for (const accentColour of ['#111827', '#000000', '#7c2d12', '#3540c0', '#ffe14d']) {
    const link = shopColours({ accentColour, pageColour: null, textColour: null })?.accentText.dark ?? '';
    assert.ok(contrast(link, sheet) >= contrast(quiet, sheet), `${link} of ${accentColour} beside ${quiet}`);
  }
});

test('a shop’s colours are kept as they are, and the text on them flips', () => {
  const shop = { accentColour: '#ffe066', pageColour: '#7c2d12', textColour: '#fdf6e3' };
  const kept = shopColours(shop);
  assert.deepEqual(kept?.ground, { colour: '#7c2d12', text: '#fdf6e3' });
  assert.deepEqual([kept?.accent, kept?.onAccent], ['#ffe066', '#000000'], 'light yellow stays light yellow');
  const oneColour = shopColours({ accentColour: '#ffe066', pageColour: null, textColour: '#fdf6e3' });
  assert.deepEqual(
    oneColour?.ground,
    { colour: '#ffe066', text: '#000000' },
    'a text that nobody could read is not kept',
  );
  assert.equal(shopColours({ accentColour: null, pageColour: '#7c2d12', textColour: null })?.accent, '#7c2d12');
});

test('neon is for the button and the marks; the plane stays paper', () => {
  const quiet = shopColours({ accentColour: null, pageColour: '#39ff14', textColour: null });
  assert.deepEqual([quiet?.ground, quiet?.accent, quiet?.onAccent], [null, '#39ff14', '#000000']);
  assert.match(
    brandStyle({ ...defaultBrand, pageColour: '#39ff14' }),
    /--brand:var\(--paper\);--on-brand:var\(--ink\)/,
  );
});

test('a light plane is dark in the dark, with the shop’s colour on it; others are as they are', () => {
  const yellow = { ...defaultBrand, accentColour: '#ffe680' };
  const { dimmed = null } = shopColours(yellow) ?? {};
  assert.ok(dimmed && contrast(dimmed.colour, '#ffffff') > 10, 'dark');
  assert.equal(dimmed.text, '#ffe680', 'and still yellow');
  assert.match(
    brandStyle(yellow),
    /--brand:#ffe680;[^]*--brand:light-dark\(#ffe680,#\w{6}\);--on-brand:light-dark\(#000000,#ffe680\)/,
  );
  for (const accentColour of ['#f7931a', '#123a5c', '#39ff14'])
    assert.equal(shopColours({ ...yellow, accentColour })?.dimmed, null, accentColour);
});

test('a logo on a dark plane has a light edge, because it may be black', () => {
  const shop = { ...defaultBrand, logoSrc: '/images/brand/black.webp' };
  const lit = /^(?:(?!@media \(prefers-color-scheme:dark)[^])*\.shop img\.logo\{filter:drop-shadow\([^)]*#fff\)/;
  for (const dark of [shop, { ...shop, pageColour: '#14213d' }, { ...shop, accentColour: '#000000' }])
    assert.match(brandStyle(dark), lit);
  for (const other of [
    { ...shop, pageColour: '#fff4b8' },
    { ...shop, accentColour: '#39ff14' },
    { ...shop, pageColour: '#14213d', logoSrc: null },
  ])
    assert.doesNotMatch(brandStyle(other), lit);
});

test('where a light plane is dark in the dark, a logo gets what a dark plane asks for, and nothing of a light one', () => {
  const shop = { ...defaultBrand, logoSrc: '/images/brand/black.webp' };
  const inTheDark = /@media \(prefers-color-scheme:dark\)\{[^@]*is-light\{padding:0;background:none\}[^@]*drop-shadow/;
  for (const logoDarkSrc of [null, '/images/brand/white.webp']) {
    for (const light of [{ pageColour: '#fdf6e3' }, { accentColour: '#39ff14' }])
      assert.match(brandStyle({ ...shop, ...light, logoDarkSrc }), inTheDark);
    for (const kept of [{ pageColour: '#14213d' }, { pageColour: '#f7931a' }, {}])
      assert.doesNotMatch(brandStyle({ ...shop, ...kept, logoDarkSrc }), inTheDark);
  }
});

test('the surfaces that a brand must go with are those of the stylesheet', () => {
  const css = readFileSync(new URL('./css/tokens.css', import.meta.url), 'utf8');
  for (const [at, name] of surfaceNames.entries()) {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(css) ?? [];
    assert.deepEqual([light, dark], [surfaces.light[at], surfaces.dark[at]], name);
    assert.ok(css.includes(`--${name}: ${light};`), `${name} in browsers that know one theme`);
  }
});

test('a shop that chose its text alone has it on our plane, where it can be read', () => {
  const groundOf = (textColour: string) => shopColours({ accentColour: null, pageColour: null, textColour })?.ground;
  assert.deepEqual(groundOf('#ffe066'), { colour: ourAccent, text: '#ffe066' });
  assert.deepEqual(groundOf('#000080'), { colour: ourAccent, text: '#ffffff' });
  const css = readFileSync(new URL('./css/further.css', import.meta.url), 'utf8');
  assert.ok(css.includes(`--brand: ${ourAccent};`), 'the plane of a page without a brand');
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

test('a button of nearly the colour of the sheet is seen all the same: pale ones by an edge, dark ones are lit', () => {
  const edges = (accentColour: string): string[] =>
    [
      ...brandStyle({ ...defaultBrand, accentColour }).matchAll(
        /scheme:(\w+)\)\{\.branded \.btn\.primary\{border-color:(#\w+)/g,
      ),
    ].map(([, scheme = '', edge = '']) => {
      assert.ok(contrast(edge, surfaces.light[1]) >= 3, `${edge} on ${surfaces.light[1]}`);
      return scheme;
    });
  assert.deepEqual(['#14213d', '#ffffff', '#ffe066', '#7a1f2b'].map(edges), [[], ['light'], [], []]);
  const lit = (accentColour: string) => shopColours({ accentColour, pageColour: null, textColour: null })?.litAccent;
  for (const dark of ['#14213d', '#111827', '#000000'])
    assert.ok(contrast(lit(dark)?.colour ?? dark, surfaces.dark[1]) >= 4.5, dark);
  assert.match(
    brandStyle({ ...defaultBrand, accentColour: '#111827' }),
    /\.branded,\.moment \.backing\{--accent:light-dark\(#111827,#\w+\);--on-accent:light-dark\(#ffffff,#000000\)\}/,
  );
  for (const kept of ['#7a1f2b', '#ffe066', '#3540c0']) assert.equal(lit(kept), null, kept);
});
