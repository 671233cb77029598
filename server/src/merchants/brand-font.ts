/**
 * A merchant's own font. We do not encode it again: browsers check every font of a page themselves before they use it.
 * So it must only be what it says, complete and small.
 */
import { fontDamaged, fontOfOtherKind, fontTooLarge } from './brand-errors.ts';

export const fontBytesMax = 256 * 1024;
const unpackedBytesMax = 4 * 1024 * 1024;
const headerBytes = 48;
const tablesMax = 64;
const flavours: ReadonlySet<number> = new Set([0x00010000, 0x4f54544f]); // TrueType and OpenType outlines

/** WOFF File Format 2.0, §4.1. */
export function checkBrandFont(upload: Buffer): Buffer {
  if (upload.length > fontBytesMax) throw fontTooLarge();
  if (upload.length < headerBytes || upload.toString('latin1', 0, 4) !== 'wOF2') throw fontOfOtherKind();
  const [flavour, length, tables] = [upload.readUInt32BE(4), upload.readUInt32BE(8), upload.readUInt16BE(12)];
  const [unpacked, packed] = [upload.readUInt32BE(16), upload.readUInt32BE(20)];
  const isSound =
    length === upload.length &&
    flavours.has(flavour) &&
    tables > 0 &&
    tables <= tablesMax &&
    packed > 0 &&
    packed <= length - headerBytes &&
    unpacked <= unpackedBytesMax;
  if (!isSound) throw fontDamaged();
  return upload;
}
