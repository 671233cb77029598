/** Writes what banks send as XML: in the encoding, with the prefixes, comments and line breaks that each of them likes. */
import type { BankStyle, Encoding } from './bank-styles.ts';

export type Element = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly Element[];
};

/** What is null or empty is left out, so that a list can say what is there and when. */
export const el = (
  name: string,
  content: string | readonly (Element | null | false)[],
  attributes: Readonly<Record<string, string>> = {},
): Element => ({
  name,
  attributes,
  content: typeof content === 'string' ? content : content.filter((each) => each !== null && each !== false),
});

/** A text that may be missing. */
export const optional = (name: string, text: string | null): Element | null =>
  text === null || text === '' ? null : el(name, text);

export type XmlLook = Pick<BankStyle, 'encoding' | 'prefix' | 'hasComments' | 'isIndented' | 'bankName'>;

/** `doctype`: what stands before the document, which no bank sends. */
export function writeXml(root: Element, namespace: string, look: XmlLook, doctype = ''): Buffer {
  const { prefix } = look;
  const head = prefix === null ? '' : `${prefix}:`;
  const breakLine = (depth: number): string => (look.isIndented ? `\n${'  '.repeat(depth)}` : '');

  function written({ name, attributes, content }: Element, depth: number): string {
    const marks = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
    const open = `<${head}${name}${marks.join('')}>`;
    const close = `</${head}${name}>`;
    if (typeof content === 'string') return `${open}${escaped(content)}${close}`;
    const remark = look.hasComments && isRemarkable(name) ? `${breakLine(depth + 1)}<!-- ${name} -->` : '';
    const inner = content.map((each) => `${breakLine(depth + 1)}${written(each, depth + 1)}`).join('');
    return `${open}${remark}${inner}${breakLine(depth)}${close}`;
  }

  const marked: Element = { ...root, attributes: { [prefix === null ? 'xmlns' : `xmlns:${prefix}`]: namespace } };
  const encoding = look.encoding === 'UTF-8 with mark' ? 'UTF-8' : look.encoding;
  const remark = look.hasComments ? `<!-- ${look.bankName} -->\n` : '';
  const text = `<?xml version="1.0" encoding="${encoding}"?>\n${doctype}${remark}${written(marked, 0)}\n`;
  return encodeText(text, look.encoding);
}

const isRemarkable = (name: string): boolean => name === 'Ntry' || name === 'Ustrd' || name === 'GrpHdr';

const escaped = (text: string): string =>
  text
    // What XML has no way to write at all.
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'UTF-16') return Buffer.from(`\u{feff}${text}`, 'utf16le');
  if (encoding === 'ISO-8859-1') return Buffer.from(toLatin1(text), 'latin1');
  return Buffer.from(encoding === 'UTF-8 with mark' ? `\u{feff}${text}` : text, 'utf8');
}

/** What Latin-1 lacks becomes its plain letter, or a dot, as such a bank does it. */
export const toLatin1 = (text: string): string =>
  text.replaceAll('Ł', 'L').replaceAll('ł', 'l').replaceAll('€', 'EUR').replaceAll(/./gsu, latinLetter);

function latinLetter(letter: string): string {
  if (isLatin1(letter)) return letter;
  const plain = letter.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  return plain !== '' && Array.from(plain).every(isLatin1) ? plain : '.';
}

const isLatin1 = (letter: string): boolean => (letter.codePointAt(0) ?? 0) <= 0xff;
