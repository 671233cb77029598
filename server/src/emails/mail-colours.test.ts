import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atLeastOne } from '../../test/at-least-one.ts';
import { contrast } from '../web/readable-colour.ts';
import { mailColours } from './mail-colours.ts';

const plain = { accentColour: null, pageColour: null, textColour: null };
/** Every sixth step of red, green and blue, with black and white. */
const steps = ['00', '33', '66', '99', 'cc', 'ff'];
const everyColour = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)));

test('whatever colour a shop has, every text of its mails can be read, light and dark, with a logo and without', () => {
  for (const colour of atLeastOne(everyColour))
    for (const brand of [
      { ...plain, accentColour: colour },
      { ...plain, pageColour: colour, textColour: '#777777' },
    ])
      for (const hasLogo of [true, false])
        for (const [scheme, it] of Object.entries(mailColours(brand, hasLogo))) {
          const pairs = [
            ...[it.ink, it.quiet, it.paid, it.link].map((text) => [text, it.sheet]),
            ...[it.ink, it.quiet, it.link].map((text) => [text, it.paper]),
            [it.onBand, it.band],
            [it.onButton, it.button],
            [it.onNotice, it.notice],
          ] as const;
          for (const [text, below] of pairs)
            assert.ok(contrast(text ?? '', below ?? '') >= 4.5, `${colour}, ${scheme}: ${text} on ${below}`);
          assert.ok(contrast(it.buttonEdge, it.sheet) >= 3, `${colour}, ${scheme}: the edge of the button`);
        }
});

test("a shop's colour is kept; in the dark a dazzling plane is dimmed, but not below a logo that was made for it", () => {
  const brand = { ...plain, accentColour: '#ffe066' };
  const [bare, withLogo] = [mailColours(brand, false), mailColours(brand, true)];
  assert.deepEqual([bare.light.band, bare.light.button, bare.dark.button], ['#ffe066', '#ffe066', '#ffe066']);
  assert.ok(contrast(bare.dark.band, '#000000') < 3, bare.dark.band);
  assert.equal(withLogo.dark.band, '#ffe066');
});

test('a neon colour is no plane: the head stays as the sheet is, below a logo also in the dark', () => {
  const brand = { ...plain, accentColour: '#00ff00' };
  assert.deepEqual(
    [mailColours(brand, false), mailColours(brand, true)].map(({ light, dark }) => [light.band, dark.band]),
    [
      ['#ffffff', '#1a1917'],
      ['#ffffff', '#ffffff'],
    ],
  );
});
