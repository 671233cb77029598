/** A receipt, an invoice or a credit note as a PDF, with the same parts in the same order as its page. */
import type { LogoTone, PngLogo } from '../merchants/brand-image.ts';
import { ciiInvoice } from '../papers/cii-invoice.ts';
import type { PaperLine } from '../papers/paper-rows.ts';
import { ourAccent, shopColours } from '../web/page-brand.ts';
import type { PageLook } from '../web/page-layout.ts';
import { createPdfWriter, type FaceKind, type Place, page, type Style, width } from '../web/pdf-writer.ts';
import { ourName } from '../web/plain-page.ts';
import { textOn } from '../web/readable-colour.ts';
import { isolated } from '../web/text-lines.ts';
import { sayIn } from '../web/texts/page-texts.ts';
import { archivalOptions, attachEInvoice, infoOf, nameAuthor } from './archival-pdf.ts';
import type { Paper, PaperPayment, Party } from './paper.ts';

const bottom = page.height - 64;
const band = 68;
const gap = 16;
/** Where a further page begins, below its head. */
const top = page.margin + gap / 2;

/** The colours of css/tokens.css on a light screen. */
const colours = {
  ink: '#1b1a17',
  quiet: '#5c5850',
  line: '#d9d5cc',
  paid: '#0d6540',
  back: '#7d4900',
  link: ourAccent,
  paper: '#f8f7f4',
};

/** The font of the page as a PDF has it: what the shop uploaded, or a device brings along, cannot be put into one. */
const faceOf: Readonly<Record<PageLook['brand']['font'], FaceKind>> = {
  system: 'sans',
  humanist: 'sans',
  geometric: 'sans',
  rounded: 'sans',
  serif: 'serif',
  slab: 'serif',
  mono: 'mono',
};

/** Every PNG has its size at this place in its header. */
const sizeOfPng = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

/** On a plane of its own tone a logo stands on a plate. */
const plateUnder = (tone: LogoTone, plane: string): string | null => {
  const isDarkPlane = textOn(plane) === '#ffffff';
  if (tone === 'dark' && isDarkPlane) return '#ffffff';
  return tone === 'light' && !isDarkPlane ? colours.ink : null;
};

/** A name at one side and a value at the other, with a line above it. */
type Row = {
  readonly name: string;
  readonly value: string;
  /** The part of the width that the name gets. */
  readonly share: number;
  readonly above: string | null;
  readonly nameStyle: Style;
  readonly valueStyle: Style;
  readonly link: string | null;
};

/** Done by a thread: what it is given is data. */
export async function paperPdf(
  look: Pick<PageLook, 'language' | 'brand'>,
  paper: Paper,
  logo: PngLogo | null,
): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit'); // It is large, and most processes never make a PDF.
  const { language } = look;
  const say = sayIn(language);
  const isRtl = say('direction') === 'rtl';
  const pdf = new PdfDocument({
    size: 'A4',
    margin: page.margin,
    bufferPages: true,
    lang: language,
    displayTitle: true,
    info: infoOf(paper),
    ...archivalOptions,
  });
  nameAuthor(pdf, paper.shopName);
  if (paper.eInvoice !== null) attachEInvoice(pdf, ciiInvoice(paper.eInvoice), paper.issuedAt);
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => pdf.on('end', () => resolve()));
  const { write, writeShortened, heightOf, widthOf, leftOf, rule } = createPdfWriter(pdf, isRtl ? 'rtl' : 'ltr', {
    ink: colours.ink,
    face: faceOf[look.brand.font],
  });
  let y = 0;

  /** Begins a new page if so much does not fit on this one. */
  const room = (height: number): void => {
    if (y + height <= bottom) return;
    pdf.addPage();
    y = top;
  };

  const placesOf = ({ share, link }: Row): { name: Place; value: Place } => {
    const value = width * (1 - share) - 12;
    const name: Place = { width: width * share, direction: 'auto' };
    return { name, value: { at: width - value, width: value, align: 'end', link, direction: 'auto' } };
  };
  const rowHeight = (row: Row): number => {
    const places = placesOf(row);
    const heights = [heightOf(row.name, row.nameStyle, places.name), heightOf(row.value, row.valueStyle, places.value)];
    return Math.max(...heights) + 12;
  };
  /** Rows that are not separated by the end of a page. */
  function together(rows: readonly Row[]): void {
    room(rows.reduce((sum, row) => sum + rowHeight(row), 0));
    for (const row of rows) {
      const places = placesOf(row);
      if (row.above !== null && y !== top) rule(y, row.above);
      write(row.name, y + 6, row.nameStyle, places.name);
      write(row.value, y + 6, row.valueStyle, places.value);
      y += rowHeight(row);
    }
  }
  const fact = (name: string, value: string, more: Partial<Row> = {}): Row => ({
    name,
    value,
    share: 0.3,
    above: null,
    nameStyle: { colour: colours.quiet },
    valueStyle: {},
    link: null,
    ...more,
  });
  const line = ({ label, detail, amount }: PaperLine, style: Style, above: string | null): Row =>
    fact(detail === null ? label : `${label}  ${detail}`, amount, {
      share: 0.7,
      above,
      nameStyle: style,
      valueStyle: style,
    });

  function head(): void {
    const ground = shopColours(look.brand)?.ground;
    const [plane, text] = ground
      ? [ground.colour, ground.text]
      : shopColours(look.brand)
        ? [colours.paper, colours.ink]
        : [ourAccent, '#ffffff'];
    pdf.rect(0, 0, page.width, band).fill(plane);
    let at = 0;
    if (logo) {
      const size = sizeOfPng(logo.png);
      const scale = Math.min(160 / size.width, 34 / size.height);
      const [wide, high] = [size.width * scale, size.height * scale];
      const plate = plateUnder(logo.tone, plane);
      const edge = plate === null ? 0 : 6;
      const [left, upper] = [leftOf(0, wide + 2 * edge), (band - high) / 2];
      if (plate !== null) pdf.roundedRect(left, upper - edge, wide + 2 * edge, high + 2 * edge, 4).fill(plate);
      pdf.image(logo.png, left + edge, upper, { scale });
      at = wide + 2 * edge + 12;
    }
    if (!(logo && look.brand.isNameHidden)) {
      const style: Style = { face: 'bold', size: 13, colour: text };
      writeShortened(paper.shopName, band / 2 - 8, style, { at, width: width - at, direction: 'auto' });
    }
    y = band + 28;
  }

  /** Turned a little and with a frame, as on the page. Arabic letters are joined, and have no space between them. */
  function stamp(from: number, { text: word, isPaid }: NonNullable<Paper['mark']>): void {
    const text = word.toLocaleUpperCase(language);
    const colour = isPaid ? colours.paid : colours.back;
    const style: Style = { face: 'bold', size: 12, colour };
    const letterSpacing = isRtl ? 0 : 1;
    const size = { width: widthOf(text, style, letterSpacing) + 18, height: 24 };
    const at = width - size.width - 4;
    const x = leftOf(at, size.width);
    pdf.save().rotate(isRtl ? 7 : -7, { origin: [x + size.width / 2, from + size.height / 2] });
    pdf.roundedRect(x, from, size.width, size.height, 4).lineWidth(1.6).strokeColor(colour).stroke();
    write(text, from + 5, style, { at: at + 9, width: size.width, letterSpacing });
    pdf.restore();
  }

  function parties(all: readonly Party[]): void {
    const style: Style = { size: 9.5 };
    const place = (at: number): Place => ({ at: at * ((width + gap) / 2), width: (width - gap) / 2 });
    const heights = all.map(({ lines }, at) => heightOf(lines.join('\n'), style, { ...place(at), direction: 'auto' }));
    const height = 15 + Math.max(0, ...heights);
    room(height);
    for (const [at, { title, lines }] of all.entries()) {
      write(title, y, { ...style, face: 'bold' }, place(at));
      write(lines.join('\n'), y + 15, style, { ...place(at), direction: 'auto' });
    }
    y += height + gap;
  }

  const payment = ({ networkName, amount, rate, txName, txHash, href }: PaperPayment): Row[] => [
    fact(networkName, amount, { valueStyle: { face: 'bold' }, above: colours.line }),
    ...(rate === null ? [] : [fact(say('rate'), rate)]),
    ...(txHash === ''
      ? []
      : [
          fact(txName, txHash, {
            valueStyle: { face: 'mono', size: 7.5, colour: href === null ? colours.ink : colours.link },
            link: href,
          }),
        ]),
  ];

  /** Every page says at its end whose it is. A further page says at its head what it belongs to. */
  function everyPage(): void {
    const style: Style = { size: 7.5, colour: colours.quiet };
    const half = { width: width / 2 };
    const { count } = pdf.bufferedPageRange();
    for (let at = 0; at < count; at += 1) {
      pdf.switchToPage(at);
      const foot = page.height - 44;
      rule(foot - 8, colours.line);
      writeShortened(paper.legalLine ?? paper.shopName, foot, style, { ...half, direction: 'auto' });
      const by = say('paymentBy', { service: ourName });
      const numbered = count > 1 ? `${by} · ${say('pageOf', { page: at + 1, pages: count })}` : by;
      writeShortened(numbered, foot, style, { at: width / 2, ...half, align: 'end' });
      if (at === 0) continue;
      writeShortened(paper.shopName, page.margin - gap, style, { ...half, direction: 'auto' });
      const title = `${paper.title} ${isolated(paper.number)}`;
      writeShortened(title, page.margin - gap, style, { at: width / 2, ...half, align: 'end' });
      rule(page.margin, colours.line);
    }
  }

  head();
  if (paper.warning !== null) y = write(paper.warning, y, { face: 'bold', size: 9, colour: colours.back }) + gap / 2;
  const belowTitle = write(paper.title, y, { face: 'bold', size: 21 }, { width: width - 140 });
  if (paper.mark) stamp(y + 1, paper.mark);
  y = belowTitle + gap / 2;
  for (const [name, value] of paper.facts) {
    together([fact(name, value)]);
    rule(y, colours.line);
  }
  y += gap;
  parties(paper.parties);
  const items = paper.lines.map((each) => line(each, {}, colours.line));
  for (const item of items.slice(0, -1)) together([item]);
  together([
    ...items.slice(-1), // The sums do not stand alone on a page.
    ...paper.sums.map((each, at) => line(each, { colour: colours.quiet }, at === 0 ? colours.ink : null)),
    line(paper.total, { face: 'bold', size: 12 }, paper.sums.length === 0 ? colours.ink : null),
  ]);
  y += gap;
  if (paper.note !== null) {
    room(heightOf(paper.note, {}));
    y = write(paper.note, y, {}) + gap / 2;
  }
  if (paper.payments.length > 0) {
    room(80);
    y = write(paper.paymentsTitle, y, { face: 'bold', size: 12 }) + 6;
  }
  for (const each of paper.payments) together(payment(each));
  for (const [name, value] of paper.excess) together([fact(name, value, { above: colours.line })]);
  everyPage();
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}
