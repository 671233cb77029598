/** The text of a PDF that pdfkit wrote, in the order in which it was written, where it is, and what it links to. */
import { inflateSync } from 'node:zlib';
import { present } from '../src/lib/assert.ts';

/** `x`: how far from the left edge it begins, in points. */
export type PdfRun = { readonly text: string; readonly x: number };

export function readPdf(file: Buffer): { text: string; runs: PdfRun[]; links: string[]; pages: number } {
  const objects = new Map<string, { head: string; body: string }>();
  for (const [, id = '', content = ''] of file.toString('latin1').matchAll(/(\d+) 0 obj\n([^]*?)\nendobj/g)) {
    const [head = '', stream] = content.split(/stream\r?\n/);
    const packed = Buffer.from((stream ?? '').replace(/\r?\nend$/, ''), 'latin1');
    const isPacked = head.includes('/FlateDecode') && !head.includes('/Image');
    objects.set(id, { head, body: isPacked ? inflateSync(packed).toString('latin1') : '' });
  }
  const all = [...objects.values()];
  const letters = new Map<string, ReadonlyMap<string, string>>();
  for (const { head } of all)
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g))
      letters.set(name, lettersOf(objects, id));
  const pages = all.filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head));
  const runs = pages.flatMap(({ head }) => {
    const [, content = ''] = /\/Contents (\d+) 0 R/.exec(head) ?? [];
    return writtenIn(present(objects.get(content), 'the content of a page').body, letters);
  });
  const links = all.flatMap(({ head }) => Array.from(head.matchAll(/\/URI \(([^)]*)\)/g), ([, uri = '']) => uri));
  return { text: runs.map(({ text }) => text).join(''), runs, links, pages: pages.length };
}

/** From the table that lets readers copy a text: code of a glyph to letters. */
function lettersOf(objects: ReadonlyMap<string, { head: string; body: string }>, font: string): Map<string, string> {
  const [, table = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.head ?? '') ?? [];
  const letters = new Map<string, string>();
  const ranges = (objects.get(table)?.body ?? '').matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi);
  for (const [, first = '', list = ''] of ranges)
    for (const [at, codes] of Array.from(list.matchAll(/<([0-9a-f ]*)>/gi), ([, each = '']) => each).entries()) {
      const glyph = (Number.parseInt(first, 16) + at).toString(16).padStart(4, '0');
      const units = Array.from(codes.matchAll(/[0-9a-f]{4}/gi), ([unit]) => Number.parseInt(unit, 16));
      letters.set(glyph, String.fromCharCode(...units));
    }
  return letters;
}

/** Digits of these scripts run to the right. */
const rtlLetter = /(?!\p{N})[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** What is between BT and ET runs in one direction: what runs to the left is read from its other end. */
function writtenIn(content: string, letters: ReadonlyMap<string, ReadonlyMap<string, string>>): PdfRun[] {
  let font: ReadonlyMap<string, string> = new Map();
  const runs: PdfRun[] = [];
  for (const [, run = ''] of content.matchAll(/BT\n([^]*?)ET\n/g)) {
    const written: string[] = [];
    for (const [, name, line] of run.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
      if (name !== undefined) font = present(letters.get(name), `font ${name}`);
      for (const [, glyphs = ''] of (line ?? '').matchAll(/<([0-9a-f]*)>/gi))
        for (const [glyph] of glyphs.matchAll(/[0-9a-f]{4}/gi)) written.push(font.get(glyph.toLowerCase()) ?? '\ufffd');
    }
    const isRtl = rtlLetter.test(written.join(''));
    const [, x] = /^1 0 0 1 ([\d.]+) /.exec(run) ?? [];
    runs.push({ text: (isRtl ? written.toReversed() : written).join(''), x: Number(x) });
  }
  return runs;
}
