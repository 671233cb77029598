import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { atLeastOne } from '../../test/at-least-one.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { registeredNetworks } from '../networks/registry.ts';
import { createAssetCatalog } from './asset-catalog.ts';
import { knownNetworks } from './known-networks.ts';

const { assets } = createAssetCatalog({
  issuerAccount: newIssuerKeypair().accountId,
  issuerName: 'Example Pay',
  issuerDomain: 'pay.example',
  issuerAddress: '1 Example Street, Example City',
});
const referenced = new Set([
  ...knownNetworks.map(({ imageSrc }) => imageSrc),
  ...assets.flatMap(({ imageSrc, groupImageSrc }) => [imageSrc, groupImageSrc]),
]);
const drawn = registeredNetworks.flatMap(({ images }) =>
  readdirSync(images, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return { src: `/images/${relative(fileURLToPath(images), file).split(sep).join('/')}`, file };
    }),
);
const read = (src: string) => readFileSync(drawn.find((each) => each.src === src)?.file ?? src, 'utf8');

test('every picture of the catalogue is drawn, and none is drawn in vain', () => {
  assert.deepEqual(drawn.map(({ src }) => src).toSorted(), [...referenced].toSorted());
});

test('every picture is a small well-formed SVG that looks the same everywhere', () => {
  for (const src of atLeastOne(referenced)) {
    const svg = read(src);
    assert.ok(svg.length < 1024, src);
    assert.ok(
      svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">'),
      src,
    );
    assert.doesNotMatch(svg, /<(?:text|style|script|image|foreignObject)\b|\bon\w+=|href/, src);
    assertWellFormed(svg, src);
  }
});

test('the badge of an asset has the colour of its charts', () => {
  for (const { imageSrc, hexColor } of assets) assert.ok(read(imageSrc).includes(`fill="${hexColor}"`), imageSrc);
});

/** Nothing but elements with quoted attributes, each closed by its own end tag. */
function assertWellFormed(svg: string, src: string): void {
  const open: string[] = [];
  const rest = svg.replaceAll(
    /<(\/?)(\w+)((?:\s[\w-]+="[^"<&]*")*)\s*(\/?)>/g,
    (_tag, end, name, _attributes, empty) => {
      if (end) assert.equal(open.pop(), name, src);
      else if (!empty) open.push(name);
      return '';
    },
  );
  assert.deepEqual(open, [], src);
  assert.equal(rest.trim(), '', src);
}
