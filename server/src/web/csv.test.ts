import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CsvCell, csvLine, csvStream, figureCell } from './csv.ts';

const written = (...cells: CsvCell[]): string => csvLine(cells);

test('a line ends as RFC 4180 says, and quotes only what needs them', () => {
  assert.equal(written('KN-1', 'Paid', figureCell('60.00'), null, ''), 'KN-1,Paid,60.00,,\r\n');
  assert.equal(written('Hoff, Marta', 'said "yes"', 'two\r\nlines'), '"Hoff, Marta","said ""yes""","two\r\nlines"\r\n');
  assert.equal(written(' blank', 'blank ', 'Zoë ☕'), '" blank","blank ",Zoë ☕\r\n');
});

test('a text that begins like a formula is no formula any more', () => {
  for (const text of ['=1+1', '+49 30 1', '-1', '@SUM(A1)', '  =1', '＝1', '＋1', '－1', '＠x'])
    assert.equal(written(text).replaceAll('"', '').trimEnd(), `'${text}`, text);
  assert.equal(written('\t=1'), '"\'\t\'=1"\r\n');
  assert.equal(written('\r=1'), '"\'\r\'=1"\r\n');
  // Where a spreadsheet splits at semicolons, the second part would be a cell of its own.
  assert.equal(written('Hoff;=HYPERLINK("http://x")'), '"Hoff;\'=HYPERLINK(""http://x"")"\r\n');
  assert.equal(written('Hoff;"=1+1;x'), '"Hoff;\'""=1+1;x"\r\n', 'who splits there takes off the quotes too');
  assert.equal(written('Hoff\n@x'), '"Hoff\n\'@x"\r\n');
  for (const text of ['a=b', 'KN-1', 'ada@example.com', '1+1', 'a, -b', '0.5'])
    assert.equal(written(text).replaceAll('"', '').trimEnd(), text);
});

test('numbers stay numbers, also negative ones, with every digit', () => {
  assert.equal(written(figureCell('-0.000300000000000001')), '-0.000300000000000001\r\n');
  assert.equal(written(figureCell('123456789012345678901234567890.1')), '123456789012345678901234567890.1\r\n');
  for (const wrong of ['=1', '1e5', '1,5', '', '+1', '-', 'NaN'])
    assert.throws(() => written(figureCell(wrong)), wrong);
});

test('a file is made no faster than it is read, and begins with what spreadsheets know UTF-8 by', async () => {
  let made = 0;
  async function* batches() {
    for (; made < 1_000; made += 1) yield [[figureCell(String(made))]];
  }
  const stream = csvStream(['Größe'], batches());
  const texts: string[] = [];
  for await (const text of stream) {
    texts.push(String(text));
    assert.ok(made <= texts.length + 2, 'what nobody has read yet is not made');
    if (texts.length === 10) break;
  }
  assert.equal(texts.slice(0, 3).join(''), '\uFEFFGröße\r\n0\r\n1\r\n');
  assert.ok(stream.destroyed && made < 20, 'who stops reading stops it');
});
