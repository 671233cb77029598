/**
 * The files in a ZIP, unpacked piece by piece as often as they are read. What a ZIP says about itself is believed only as
 * an upper bound: sizes, checksums and names are held against what is there, so that a bomb is refused before it bursts.
 */
import { crc32 } from 'node:zlib';
import { Inflate } from 'fflate';
import type { BankFileLimits } from './bank-file-limits.ts';
import { quoted, refused } from './bank-file-refused.ts';

export type ZipMember = { readonly name: string; pieces(): Iterable<Uint8Array> };

type Listed = {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packed: Uint8Array;
  readonly size: number;
};

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const fileSignature = 0x04034b50;
/** A piece of this many packed bytes is at most four million unpacked. */
const pieceBytes = 4_096;

export const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6));

const broken = () => refused('bank_zip_broken', 'The ZIP is damaged: get it from the bank again.');

export function listZipMembers(bytes: Uint8Array, limits: BankFileLimits): readonly ZipMember[] {
  const listed = readDirectory(bytes, limits);
  const total = listed.reduce((sum, { size }) => sum + size, 0);
  if (total > limits.bytesMax)
    throw refused('bank_file_too_large', `Unpacked, the ZIP has ${total} bytes; at most ${limits.bytesMax} are read.`, {
      bytes: String(total),
      most: String(limits.bytesMax),
    });
  // Members that share their bytes are how a small file becomes an endless one.
  if (listed.reduce((sum, { packed }) => sum + packed.length, 0) > bytes.length) throw broken();
  if (new Set(listed.map(({ name }) => name)).size !== listed.length)
    throw refused('bank_zip_name_twice', 'The ZIP has two files of one name: it is not read.');
  if (listed.length === 0) throw refused('bank_zip_empty', 'The ZIP has no file in it.');
  return listed.map((each) => ({ name: each.name, pieces: () => unpack(each) }));
}

function readDirectory(bytes: Uint8Array, { membersMax }: BankFileLimits): readonly Listed[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (view.getUint16(end + 4, true) !== 0 || count === 0xffff || at === 0xffffffff) throw broken();
  if (count > membersMax)
    throw refused('bank_zip_members', `The ZIP has ${count} files; at most ${membersMax} are read.`, {
      files: String(count),
      most: String(membersMax),
    });
  const listed: Listed[] = [];
  for (let number = 0; number < count; number += 1) {
    if (at + 46 > end || view.getUint32(at, true) !== entrySignature) throw broken();
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const member = readMember(bytes, view, at, nameLength ?? 0);
    if (member) listed.push(member);
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return listed;
}

function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= first; at -= 1) if (view.getUint32(at, true) === endSignature) return at;
  throw broken();
}

/** Null: a folder, or what a system hides there for itself. */
function readMember(bytes: Uint8Array, view: DataView, at: number, nameLength: number): Listed | null {
  const nameBytes = bytes.subarray(at + 46, at + 46 + nameLength);
  const name = new TextDecoder().decode(nameBytes);
  if (!isGoodName(name))
    throw refused(
      'bank_zip_name',
      `The ZIP has a file named ${quoted(name)}: names must be plain, such as statement.xml.`,
      {
        name: name.slice(0, 60),
      },
    );
  const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1;
  if (isEncrypted) throw refused('bank_zip_locked', 'The ZIP has a password: unpack it, and import what is in it.');
  if (/\/$|^__MACOSX\/|(?:^|\/)\.[^/]*$/.test(name)) return null;
  const method = view.getUint16(at + 10, true);
  if (method !== 0 && method !== 8)
    throw refused(
      'bank_zip_method',
      'The ZIP is packed in a way that is not read: unpack it, and import what is in it.',
    );
  const [packedSize, size, start] = [20, 24, 42].map((place) => view.getUint32(at + place, true)) as [
    number,
    number,
    number,
  ];
  if (start + 30 > bytes.length || view.getUint32(start, true) !== fileSignature) throw broken();
  const localNameLength = view.getUint16(start + 26, true);
  const first = start + 30 + localNameLength + view.getUint16(start + 28, true);
  const localName = bytes.subarray(start + 30, start + 30 + localNameLength);
  if (first + packedSize > bytes.length || Buffer.compare(localName, nameBytes) !== 0) throw broken();
  const packed = bytes.subarray(first, first + packedSize);
  return { name, method, checksum: view.getUint32(at + 16, true), packed, size };
}

const isGoodName = (name: string): boolean =>
  name.length <= 255 &&
  /^[^/\\:\p{Cc}\ufffd][^\\:\p{Cc}\ufffd]*$/u.test(name) &&
  !name.split('/').some((part) => part === '..' || part === '.');

function* unpack({ name, method, checksum, packed, size }: Listed): Generator<Uint8Array> {
  let [seen, sum] = [0, 0];
  for (const piece of method === 0 ? slices(packed, 65_536) : inflate(packed)) {
    if (seen === 0 && isZip(piece))
      throw refused('bank_zip_nested', `The ZIP has another ZIP in it, ${quoted(name)}: unpack it, and import that.`, {
        name,
      });
    seen += piece.length;
    if (seen > size) throw broken();
    sum = crc32(piece, sum);
    yield piece;
  }
  if (seen !== size || sum !== checksum) throw broken();
}

export function* slices(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

function* inflate(packed: Uint8Array): Generator<Uint8Array> {
  let made: Uint8Array[] = [];
  const stream = new Inflate((piece) => void made.push(piece));
  for (let at = 0; at < packed.length; at += pieceBytes) {
    try {
      stream.push(packed.subarray(at, at + pieceBytes), at + pieceBytes >= packed.length);
    } catch {
      throw broken(); // The library throws for bytes that are not packed as they should be, and for nothing else.
    }
    const ready = made;
    made = [];
    for (const piece of ready) if (piece.length > 0) for (const part of slices(piece, 65_536)) yield part;
  }
}
