import assert from 'node:assert/strict';
import { test } from 'node:test';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { qrCode } from './qr-code.ts';
import { qrPng, qrSvg } from './qr-file.ts';

test('a reader finds in the drawn code what was put into it', () => {
  const text = 'BITCOIN:BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ?amount=0.00012';
  const svg = qrCode(text, 'Pay').toString();
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  let [x, y] = [0, 0];
  for (const [, startX, startY, skipped, width] of svg.matchAll(/(?:M(\d+) (\d+)\.5|m(\d+) 0)h(\d+)/g)) {
    x = startX === undefined ? x + Number(skipped) : Number(startX);
    y = startY === undefined ? y : Number(startY);
    for (let row = y * scale; row < (y + 1) * scale; row += 1) {
      for (let column = x * scale; column < (x + Number(width)) * scale; column += 1)
        data.set([0, 0, 0], (row * side + column) * 4);
    }
    x += Number(width);
  }
  assert.equal(decodeQR({ width: side, height: side, data }), text);
});

test('as a file it is read by other programs: the SVG is one, and the PNG shows the same text', async () => {
  const text = 'https://pay.example.com/pay/abcdefghijkl';
  assert.match(qrSvg(text, 'A code'), /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>$/);
  const { data, info } = await sharp(qrPng(text)).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  assert.ok(info.width >= 1000);
  const pixels = Uint8Array.from({ length: info.width * info.height * 3 }, (_, at) => {
    const pixel = Math.floor(at / 3);
    return data[pixel * info.channels] ?? 0;
  });
  assert.equal(decodeQR({ width: info.width, height: info.height, data: pixels }), text);
});
