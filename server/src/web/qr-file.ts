/** A QR code as a file of its own, to be printed or put into a document: as SVG, or as PNG for what knows nothing else. */
import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';
import { qrCode, quietZone } from './qr-code.ts';

export const qrSvg = (text: string, label: string): string =>
  qrCode(text, label).toString().replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');

/** Sharp on paper: about eight centimetres at 300 dots per inch. */
const pngSide = 1000;

/** Grey with one bit for each dot, which is all that a code needs (PNG, sections 5 and 11). */
export function qrPng(text: string): Buffer {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone });
  const scale = Math.ceil(pngSide / modules.length);
  const side = modules.length * scale;
  const rowOf = (row: readonly boolean[]): Buffer => {
    const bytes = Buffer.alloc(1 + Math.ceil(side / 8)); // The first byte: not filtered.
    for (let x = 0; x < side; x += 1) {
      const isLight = row[Math.floor(x / scale)] !== true;
      if (isLight) bytes[1 + (x >> 3)] = (bytes[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
    return bytes;
  };
  const rows = modules.flatMap((row) => Array.from({ length: scale }, () => rowOf(row)));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1; // Bits of each dot; all else is zero: grey, deflated, not interlaced.
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const image = deflateSync(Buffer.concat(rows));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', image), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
