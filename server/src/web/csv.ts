/**
 * Tables as files: RFC 4180 in UTF-8. The mark at the beginning is for spreadsheets, which take a file without one for
 * another alphabet. A text that a spreadsheet would take for a formula gets an apostrophe: names and references come from
 * strangers. Numbers are numbers, also negative ones, with a point and every digit.
 */
import { Readable } from 'node:stream';
import { assert } from '../lib/assert.ts';

/** A text, a number as it is written, or nothing. */
export type CsvCell = string | { readonly number: string } | null;

export const figureCell = (number: string): CsvCell => ({ number });

const byteOrderMark = '\uFEFF';

/**
 * Where a formula could begin: at the start, after blanks and quotes too. Also after a semicolon, a tab or a line break: half of the
 * world's spreadsheets split a file there, whatever is in quotes. The wide forms are what an Asian keyboard types. Read once, from
 * the end: at each sign it is known whether a formula follows.
 */
function withoutFormulas(text: string): string {
  if (!/[=+\-@＝＋－＠\t\r]/.test(text)) return text;
  let isFormula = false;
  let harmless = '';
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const sign = text.charAt(at);
    isFormula = /[=+\-@＝＋－＠]/.test(sign) || (isFormula && /[\s"]/.test(sign));
    const isFirst = at === 0 || /[;\t\r\n]/.test(text.charAt(at - 1));
    harmless = `${isFirst && (isFormula || sign === '\t' || sign === '\r') ? "'" : ''}${sign}${harmless}`;
  }
  return harmless;
}

function written(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') {
    assert(/^-?\d+(\.\d+)?$/.test(cell.number), 'a number of a file has digits and a point only');
    return cell.number;
  }
  const text = withoutFormulas(cell);
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(written).join(',')}\r\n`;

export const csvHead = (header: readonly string[]): string => `${byteOrderMark}${csvLine(header)}`;

/** Batch by batch, as fast as somebody reads it: what was not asked for yet is in no memory. */
export function csvStream(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): Readable {
  async function* texts() {
    yield csvHead(header);
    for await (const rows of batches) if (rows.length > 0) yield rows.map(csvLine).join('');
  }
  return Readable.from(texts(), { highWaterMark: 1 });
}
