/**
 * Bytes of a bank as text, piece by piece. The first bytes or the XML declaration say how it is encoded; a file of another
 * encoding than those that banks use is refused, because a name or a reference read wrongly is not noticed by anybody.
 */
import { quoted, refused } from './bank-file-refused.ts';

/** How the Encoding Standard calls them: its ISO-8859-1 is windows-1252, which is what banks mean when they write a euro sign. */
const known: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'windows-1252',
  'iso8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
  'iso-8859-15': 'iso-8859-15',
  'iso8859-15': 'iso-8859-15',
  'iso-8859-2': 'iso-8859-2',
  'windows-1250': 'windows-1250',
  cp1250: 'windows-1250',
  'utf-16': 'utf-16',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
};

const starts = (bytes: Uint8Array, ...expected: number[]): boolean => expected.every((byte, at) => bytes[at] === byte);

/** By the first bytes alone: a byte order mark, or the first two characters of XML in sixteen bits. */
function bySight(bytes: Uint8Array): string | null {
  if (starts(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (starts(bytes, 0xff, 0xfe) || starts(bytes, 0x3c, 0, 0x3f, 0)) return 'utf-16le';
  if (starts(bytes, 0xfe, 0xff) || starts(bytes, 0, 0x3c, 0, 0x3f)) return 'utf-16be';
  return null;
}

/** The beginning is enough. XML is UTF-8 where nothing says otherwise; other text may be anything, and is asked for later. */
export function encodingOf(beginning: Uint8Array): string | null {
  const seen = bySight(beginning);
  const start = new TextDecoder(seen ?? 'latin1').decode(beginning.subarray(0, 400)).trimStart();
  const declaration = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(start)?.[1];
  if (declaration === undefined) return seen ?? (start.startsWith('<') ? 'utf-8' : null);
  const declared = Object.hasOwn(known, declaration.toLowerCase()) ? known[declaration.toLowerCase()] : undefined;
  if (declared === undefined)
    throw refused(
      'bank_encoding',
      `The file says that it is encoded as ${quoted(declaration)}; UTF-8, UTF-16, ISO-8859-1, -2 and -15, windows-1250 and windows-1252 are read.`,
      { encoding: declaration.slice(0, 60) },
    );
  const isSixteen = declared.startsWith('utf-16');
  const agrees = seen === null ? !isSixteen : isSixteen ? seen.startsWith(declared) : seen === declared;
  if (!agrees)
    throw refused(
      'bank_encoding_contradiction',
      `The file says that it is encoded as ${quoted(declaration)}, but its bytes are ${seen ?? 'not'}: get it from the bank again.`,
      { encoding: declaration.slice(0, 60), seen: seen ?? '' },
    );
  return seen ?? declared;
}

/** Nothing is replaced: what is not of the encoding is refused. */
export function* decodeBankText(pieces: Iterable<Uint8Array>, encoding: string): Generator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for (const piece of pieces) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError) || (error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw error;
    throw refused('bank_encoding_broken', `The file is not ${encoding} all through: get it from the bank again.`, {
      encoding,
    });
  }
}

/** MT940 says nothing about its encoding: what is UTF-8 all through is UTF-8, other bytes are those of western Europe. */
export function encodingWithoutWord(pieces: Iterable<Uint8Array>): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (const piece of pieces) decoder.decode(piece, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
