/** What merchants upload may be anything. What customers get is a small WebP, or nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { GatewayError } from '../lib/errors.ts';
import { checkBrandFont } from './brand-font.ts';
import { encodeBrandImage } from './brand-image.ts';

// Before the first upload is read, because from then on this process reads three formats only.
const canvas = { width: 1200, height: 800, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } as const;
const png = await sharp({ create: canvas }).png().toBuffer();
const gif = await sharp({ create: canvas }).gif().toBuffer();
const photograph = await sharp({ create: { ...canvas, channels: 3 } })
  .withExif({ IFD0: { Copyright: 'secret owner' }, IFD3: { GPSLatitudeRef: 'N' } })
  .jpeg()
  .toBuffer();
const noise = await sharp({
  create: { ...canvas, width: 2400, height: 1600, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 80 } },
})
  .jpeg()
  .toBuffer();

const refuses = (upload: Buffer, sentence: RegExp) =>
  assert.rejects(
    () => encodeBrandImage('logo', upload),
    (error: unknown) => error instanceof GatewayError && error.httpStatus === 400 && sentence.test(error.message),
  );

test('a logo becomes a small WebP that keeps its transparency', async () => {
  const encoded = await encodeBrandImage('logo', png);
  const { format, width, height, hasAlpha } = await sharp(encoded).metadata();
  assert.deepEqual({ format, width, height, hasAlpha }, { format: 'webp', width: 384, height: 256, hasAlpha: true });
});

test('a photograph loses what it tells about its place and owner', async () => {
  assert.ok(photograph.includes('secret owner'));
  const encoded = await encodeBrandImage('background', photograph);
  assert.equal(encoded.includes('secret owner'), false);
  const { exif, icc, xmp } = await sharp(encoded).metadata();
  assert.deepEqual([exif, icc, xmp], [undefined, undefined, undefined]);
});

test('pictures of 16 bits and of greys are read too', async () => {
  for (const upload of [
    await sharp(png).toColourspace('rgb16').png().toBuffer(),
    await sharp(png).removeAlpha().toColourspace('b-w').png().toBuffer(),
  ])
    assert.equal((await sharp(await encodeBrandImage('logo', upload)).metadata()).format, 'webp');
});

test('a picture full of noise is made small enough for the page', async () => {
  assert.ok((await encodeBrandImage('background', noise)).length <= 300 * 1024);
});

test('SVG, GIF, HTML and nothing at all are refused', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  for (const upload of [Buffer.from(svg), gif, Buffer.from('<!doctype html><script>'), Buffer.alloc(0)])
    await refuses(upload, /PNG, JPEG or WebP/);
});

test('an SVG that calls itself a PNG is refused', async () => {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  await refuses(Buffer.concat([signature, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]), /damaged/);
});

test('what hides behind a picture does not survive', async () => {
  const script = Buffer.from('<script>alert(document.domain)</script>');
  const comment = Buffer.concat([Buffer.from('fffe', 'hex'), Buffer.of(0, script.length + 2), script]);
  const polyglots = [
    Buffer.concat([png, script, Buffer.from('PK\x03\x04')]),
    Buffer.concat([photograph.subarray(0, 2), comment, photograph.subarray(2)]),
  ];
  for (const upload of polyglots) assert.equal((await encodeBrandImage('logo', upload)).includes('alert'), false);
});

test('a file that was cut off is refused', async () => {
  await refuses(noise.subarray(0, noise.length >> 1), /damaged or incomplete/);
  await refuses(png.subarray(0, png.length >> 1), /damaged or incomplete/);
});

test('a file that is too large is refused before it is looked at', async () => {
  await refuses(Buffer.concat([png, Buffer.alloc(8 * 1024 * 1024)]), /at most 8 MB/);
});

test('a small file that unfolds into a huge picture is refused at once', async () => {
  const bomb = pngOf(30_000, 30_000);
  assert.ok(bomb.length < 100_000);
  const before = process.memoryUsage().rss;
  await refuses(bomb, /too many pixels/);
  assert.ok(process.memoryUsage().rss - before < 100e6, 'nothing was unfolded');
});

test('a font must be a complete WOFF2 of a modest size', () => {
  const font = Buffer.alloc(400);
  font.write('wOF2', 0, 'latin1');
  for (const [at, value] of [
    [4, 0x00010000],
    [8, font.length],
    [16, 9_000],
    [20, 300],
  ] as const)
    font.writeUInt32BE(value, at);
  font.writeUInt16BE(10, 12);
  assert.equal(checkBrandFont(font), font);

  const changed = (change: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(font);
    change(copy);
    return copy;
  };
  for (const wrong of [
    font.subarray(0, 300),
    Buffer.concat([font, Buffer.from('<script>')]),
    changed((copy) => copy.writeUInt16BE(0, 12)),
    changed((copy) => copy.writeUInt32BE(100e6, 16)),
    changed((copy) => copy.write('ttcf', 4, 'latin1')),
    changed((copy) => copy.write('wOFF', 0, 'latin1')),
    Buffer.alloc(300 * 1024),
    Buffer.alloc(0),
  ])
    assert.throws(() => checkBrandFont(wrong), GatewayError);
});

/** A picture of nothing but zeros, which compresses a thousandfold. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const rows = deflateSync(Buffer.alloc(((width / 8 + 1) * height) / 10));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
