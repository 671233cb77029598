/**
 * Writes texts on the pages of a PDF, in any language. Places are counted from the side where the paper's language
 * begins: in Arabic from the right. The font is DejaVu: the fonts that every PDF reader has lack letters of Turkish and
 * Polish, and all of Arabic.
 */
import { fileURLToPath } from 'node:url';
import { type Direction, linesOf, type TextRun } from './text-lines.ts';

export type Pdf = PDFKit.PDFDocument;

/** In points. */
export type Sheet = { readonly width: number; readonly height: number; readonly margin: number };

/** A4. */
export const page: Sheet = { width: 595.28, height: 841.89, margin: 52 };
export const width = page.width - 2 * page.margin;

/** The same turned around, for tables. */
export const widePage: Sheet = { width: page.height, height: page.width, margin: 40 };

export type Style = { face?: 'plain' | 'bold' | 'mono'; size?: number; colour?: string };

export type Place = {
  /** From the margin. */
  readonly at?: number;
  readonly width?: number;
  readonly align?: 'start' | 'end';
  readonly link?: string | null;
  readonly letterSpacing?: number;
  /** Left out: the paper's; `auto` for texts of the shop, which may be in another language. */
  readonly direction?: Direction | 'auto';
};

const fontFile = (name: string): string => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));

/** The faces that are nearest to those of the page. Only the one without serifs has Arabic letters. */
const faces = {
  sans: { plain: 'DejaVuSansCondensed', bold: 'DejaVuSansCondensed-Bold' },
  serif: { plain: 'DejaVuSerifCondensed', bold: 'DejaVuSerifCondensed-Bold' },
  mono: { plain: 'DejaVuSansMono', bold: 'DejaVuSansMono-Bold' },
} as const;

export type FaceKind = keyof typeof faces;

export function createPdfWriter(
  pdf: Pdf,
  paperDirection: Direction,
  { ink, face, sheet = page }: { readonly ink: string; readonly face: FaceKind; readonly sheet?: Sheet },
) {
  const width = sheet.width - 2 * sheet.margin;
  const { plain, bold } = faces[paperDirection === 'rtl' ? 'sans' : face];
  pdf.registerFont('plain', fontFile(plain));
  pdf.registerFont('bold', fontFile(bold));
  pdf.registerFont('mono', fontFile('DejaVuSansMono'));

  const use = ({ face = 'plain', size = 10, colour = ink }: Style): Pdf =>
    pdf.font(face).fontSize(size).fillColor(colour);

  /** Without `features` pdfkit lays out word by word, from left to right. */
  const options = ({ isRtl }: Pick<TextRun, 'isRtl'>) => (isRtl ? { features: [] } : {});
  const widthOfRun = (run: TextRun, letterSpacing = 0): number =>
    pdf.widthOfString(run.text, { ...options(run), characterSpacing: letterSpacing });

  /** By the style: what was measured is not measured again, however often a word or a letter comes. */
  const measured = new Map<string, Map<string, number>>();
  const widthIn = ({ face = 'plain', size = 10 }: Style): ((part: string) => number) => {
    const name = `${face} ${size}`;
    const widths = measured.get(name) ?? new Map<string, number>();
    measured.set(name, widths);
    return (part) => {
      const known = widths.get(part);
      if (known !== undefined) return known;
      const found = pdf.widthOfString(part);
      widths.set(part, found);
      return found;
    };
  };

  /** A text is measured to know its room, and written a moment later: its lines are found once. */
  const laidOut = new Map<string, TextRun[][]>();
  const lines = (text: string, style: Style, place: Place): TextRun[][] => {
    const { direction = paperDirection, width: most = width } = place;
    // As our pages do: only those that run to the left let a text of the shop have its own direction.
    const own = direction === 'auto' && paperDirection === 'ltr' ? 'ltr' : direction;
    const { face = 'plain', size = 10 } = style;
    const name = `${face} ${size} ${own} ${most} ${text}`;
    const known = laidOut.get(name);
    if (known) return known;
    const found = linesOf(text, own, most, widthIn(style));
    laidOut.set(name, found);
    return found;
  };

  const heightOf = (text: string, style: Style, place: Place = {}): number => {
    use(style);
    return lines(text, style, place).length * pdf.currentLineHeight(true);
  };

  const leftOf = (at: number, itsWidth: number): number =>
    paperDirection === 'ltr' ? sheet.margin + at : sheet.width - sheet.margin - at - itsWidth;

  /** Returns where the next line would be. Runs are written in the order in which they are read, for whoever copies them. */
  function write(text: string, y: number, style: Style, place: Place = {}): number {
    use(style);
    const box = { left: leftOf(place.at ?? 0, place.width ?? width), width: place.width ?? width };
    const isOnTheRight = (place.align === 'end') === (paperDirection === 'ltr');
    let top = y;
    for (const runs of lines(text, style, place)) {
      const widths = runs.map((run) => widthOfRun(run, place.letterSpacing));
      let left = isOnTheRight ? box.left + box.width - widths.reduce((sum, each) => sum + each, 0) : box.left;
      const placed = runs.map((run, at) => {
        const here = left;
        left += widths[at] ?? 0;
        return { run, left: here };
      });
      for (const { run, left: x } of placed.toSorted((a, b) => a.run.from - b.run.from))
        pdf.text(run.text, x, top, {
          lineBreak: false,
          characterSpacing: place.letterSpacing ?? 0,
          link: place.link ?? null,
          ...options(run),
        });
      top += pdf.currentLineHeight(true);
    }
    return top;
  }

  /** On one line, and shortened where it does not fit. */
  function writeShortened(text: string, y: number, style: Style, place: Place = {}): void {
    use(style);
    const fits = (part: string): boolean => lines(part, style, place).length === 1;
    if (fits(text)) return void write(text, y, style, place);
    // No line has room for more letters. What is longer is wider, so the most that fits is found by halving.
    const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment).slice(0, 200);
    const shortened = (count: number): string => `${letters.slice(0, count).join('').trimEnd()}…`;
    let [kept, tooMany] = [0, Math.max(1, letters.length)];
    while (tooMany - kept > 1) {
      const half = Math.floor((kept + tooMany) / 2);
      if (fits(shortened(half))) kept = half;
      else tooMany = half;
    }
    write(shortened(kept), y, style, place);
  }

  const widthOf = (text: string, style: Style, letterSpacing = 0): number => {
    use(style);
    const [line = []] = lines(text, style, { width: Infinity });
    return line.reduce((sum, run) => sum + widthOfRun(run, letterSpacing), 0);
  };

  const rule = (y: number, colour: string): void => {
    pdf
      .moveTo(sheet.margin, y)
      .lineTo(sheet.margin + width, y)
      .lineWidth(0.6)
      .strokeColor(colour)
      .stroke();
  };

  return { write, writeShortened, heightOf, widthOf, leftOf, rule };
}
