/** Tables of a report as a PDF, with the same cells as on the screen. The head of a table stands on each of its pages. */
import { createPdfWriter, type Place, type Style, widePage } from '../../web/pdf-writer.ts';
import { ourName } from '../../web/plain-page.ts';
import { type PageLanguage, sayIn } from '../../web/texts/page-texts.ts';
import type { ReportColumn } from './report-table.ts';

export type ReportPaper = {
  readonly account: string;
  readonly title: string;
  /** A line each, below the title. */
  readonly facts: readonly string[];
  readonly tables: readonly PrintedTable[];
};

/** Read, and in the words and numbers of the language. */
export type PrintedTable = {
  readonly title: string;
  readonly columns: readonly Pick<ReportColumn, 'name' | 'isNumber'>[];
  readonly texts: readonly (readonly string[])[];
  readonly hasSum: boolean;
};

const colours = { ink: '#1b1a17', quiet: '#5c5850', line: '#d9d5cc' };
const width = widePage.width - 2 * widePage.margin;
const bottom = widePage.height - 52;
const gap = 14;
const between = 8;

/** Done by a thread: what it is given is data. */
export async function reportPdf(language: PageLanguage, paper: ReportPaper): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit'); // It is large, and most processes never make a PDF.
  const say = sayIn(language);
  const pdf = new PdfDocument({
    size: [widePage.width, widePage.height],
    margin: widePage.margin,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    info: { Title: paper.title, Author: paper.account },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => pdf.on('end', () => resolve()));
  const direction = say('direction') === 'rtl' ? 'rtl' : 'ltr';
  const writer = createPdfWriter(pdf, direction, { ink: colours.ink, face: 'sans', sheet: widePage });
  const { write, writeShortened, heightOf, rule } = writer;
  let y = widePage.margin;

  const small: Style = { size: 7.5, colour: colours.quiet };
  writeShortened(paper.account, y, { face: 'bold', size: 9, colour: colours.quiet }, { direction: 'auto' });
  y = write(paper.title, y + gap, { face: 'bold', size: 17 }) + 4;
  for (const fact of paper.facts) y = write(fact, y, { size: 8, colour: colours.quiet });
  for (const table of paper.tables) printTable(table);
  everyPage();
  pdf.end();
  await ended;
  return Buffer.concat(chunks);

  function printTable({ columns, title, hasSum, texts }: PrintedTable): void {
    const widths = shares(columns.map(({ name }, at) => [name, ...texts.map((row) => row[at] ?? '')]));
    const head: Style = { size: 7.5, colour: colours.quiet };
    const place = (at: number): Place => ({
      at: widths.slice(0, at).reduce((sum, each) => sum + each, 0),
      width: (widths[at] ?? 0) - between,
      align: columns[at]?.isNumber ? 'end' : 'start',
      direction: columns[at]?.isNumber ? direction : 'auto',
    });
    const rowHeight = (cells: readonly string[], style: Style): number =>
      Math.max(...cells.map((text, at) => heightOf(text, style, place(at)))) + 7;
    const printRow = (cells: readonly string[], style: Style): void => {
      for (const [at, text] of cells.entries()) write(text, y + 3.5, style, place(at));
      y += rowHeight(cells, style);
      rule(y, colours.line);
    };
    const names = columns.map(({ name }) => name);
    const headHeight = rowHeight(names, head);
    const begin = (needed: number): void => {
      if (y + needed <= bottom) return;
      pdf.addPage();
      y = widePage.margin;
      printRow(names, head);
    };
    if (y + gap + 20 + headHeight + 2 * 16 > bottom) {
      pdf.addPage();
      y = widePage.margin - gap;
    }
    y = write(title, y + gap, { face: 'bold', size: 11 }) + 2;
    printRow(names, head);
    for (const [at, cells] of texts.entries()) {
      const style: Style = { size: 8, ...(hasSum && at === texts.length - 1 && { face: 'bold' }) };
      begin(rowHeight(cells, style));
      printRow(cells, style);
    }
  }

  /** Each column gets what its longest text needs, or its part of what there is. */
  function shares(columns: readonly (readonly string[])[]): number[] {
    const needed = columns.map((texts) =>
      Math.max(...texts.map((text) => writer.widthOf(text, { face: 'bold', size: 8 }))),
    );
    const wanted = needed.map((each) => Math.min(each, width / 3) + between);
    const all = wanted.reduce((sum, each) => sum + each, 0);
    return wanted.map((each) => (each * width) / all);
  }

  function everyPage(): void {
    const half = { width: width / 2 };
    const { count } = pdf.bufferedPageRange();
    for (let at = 0; at < count; at += 1) {
      pdf.switchToPage(at);
      const foot = widePage.height - 34;
      writeShortened(`${paper.account} · ${paper.title}`, foot, small, { ...half, direction: 'auto' });
      const pageOf = say('pageOf', { page: at + 1, pages: count });
      writeShortened(`${ourName} · ${pageOf}`, foot, small, { at: width / 2, ...half, align: 'end' });
    }
  }
}
