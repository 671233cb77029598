/** Which message a file is, by what is in it: names of files are whatever a portal made of them. */
import { encodingOf, encodingWithoutWord } from './bank-encoding.ts';
import type { BankFileLimits } from './bank-file-limits.ts';
import { quoted, refused } from './bank-file-refused.ts';
import type { BankEvent } from './bank-statement.ts';
import { camtMessages, readCamt } from './read-camt.ts';
import { readMt940 } from './read-mt940.ts';
import { readStatusReport, statusReportMessage } from './read-status-report.ts';

type MessageReader = (texts: Iterable<string>, limits: BankFileLimits) => Generator<readonly BankEvent[]>;
export type Recognised = { readonly encoding: string; readonly read: MessageReader };

/** Envelopes and comments in front of a message are shorter. */
const beginningBytes = 65_536;

const isRead =
  'Statements (camt.052, camt.053, camt.054, MT940), answers to payment files (pain.002) and ZIPs of them are read.';

/** `name`: of a file in a ZIP, which a person has to find. */
export function recogniseMessage(pieces: () => Iterable<Uint8Array>, name: string | null): Recognised {
  const beginning = beginningOf(pieces());
  const file = name === null ? 'The file' : `${quoted(name)} in the ZIP`;
  if (beginning.length === 0) throw refused('bank_file_empty', `${file} is empty: get it from the bank again.`);
  const told = encodingOf(beginning);
  const encoding = told ?? encodingWithoutWord(pieces());
  const start = new TextDecoder(encoding).decode(beginning).replaceAll('\0', '').trimStart();
  if (start.startsWith('<')) return { encoding, read: readerOf(withoutComments(start), file) };
  if (/^:2[05]P?:/m.test(start) && /^:(25|28|60)/m.test(start)) return { encoding, read: readMt940 };
  throw refused('bank_message_unknown', `${file} is no message of a bank. ${isRead}`);
}

/** What follows the end of each; a comment without an end goes on to the end. */
function withoutComments(text: string): string {
  const [before = '', ...comments] = text.split('<!--');
  return before + comments.map((each) => (each.includes('-->') ? each.slice(each.indexOf('-->') + 3) : '')).join('');
}

function readerOf(start: string, file: string): MessageReader {
  const names = start.matchAll(/<(?:[\w.-]+:)?([A-Za-z][\w.-]*)/g);
  let first = '';
  for (const [, name = ''] of names) {
    if (Object.hasOwn(camtMessages, name)) return readCamt;
    if (name === statusReportMessage) return readStatusReport;
    if (first === '' || first === 'Document') first = name;
  }
  const [space] = /\b(?:camt|pain|pacs)\.\d{3}\.\d{3}\.\d\d\b/.exec(start) ?? [];
  if ((first === '' || first === 'Document') && space !== undefined)
    throw refused('bank_message_empty', `${file} is a message without anything in it: get it from the bank again.`);
  throw refused('bank_message_unknown', `${file} is ${quoted(space ?? first)}. ${isRead}`, {
    message: space ?? first.slice(0, 60),
  });
}

function beginningOf(pieces: Iterable<Uint8Array>): Uint8Array {
  const taken: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    taken.push(piece);
    length += piece.length;
    if (length >= beginningBytes) break;
  }
  return Buffer.concat(taken).subarray(0, beginningBytes);
}
