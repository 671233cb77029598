/**
 * An XML document as a tree of local names: whoever wrote it may use any prefix. Strict: a document that is not well
 * formed, declares entities or is too large is none.
 */
import { SaxesParser } from 'saxes';

export type XmlNode = {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
};

export class NotXml extends Error {}

const maxBytes = 64 * 1024 * 1024;
const maxDepth = 64;

type Growing = {
  name: string;
  namespace: string;
  attributes: Record<string, string>;
  children: Growing[];
  text: string;
};

export function readXml(bytes: Uint8Array): XmlNode {
  if (bytes.length > maxBytes) throw new NotXml('The file is too large.');
  const parser = new SaxesParser({ xmlns: true });
  const open: Growing[] = [];
  let root: Growing | null = null;
  const fail = (sentence: string): never => {
    throw new NotXml(sentence);
  };
  parser.on('error', (error) => fail(error.message));
  parser.on('doctype', () => fail('A payment file has no document type.'));
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (open.length === maxDepth) fail('The document is nested too deeply.');
    const node: Growing = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(Object.values(attributes).map((each) => [each.local, each.value])),
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(node);
    root ??= node;
    open.push(node);
  });
  parser.on('closetag', () => void open.pop());
  const add = (text: string): void => {
    const node = open.at(-1);
    if (node) node.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(decoded(bytes)).close();
  return root ?? fail('The file is empty.');
}

/** By the mark at its beginning, or else by what it says of itself. */
function decoded(bytes: Uint8Array): string {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const said = /^(?:ï»¿)?<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : said, { fatal: true }).decode(bytes);
  } catch {
    throw new NotXml(`The file is not written in ${said}.`);
  }
}

export const childrenOf = (node: XmlNode | null, name: string): XmlNode[] =>
  node === null ? [] : node.children.filter((each) => each.name === name);

/** The first one at the end of this way. */
export function nodeAt(node: XmlNode | null, ...way: readonly string[]): XmlNode | null {
  let found = node;
  for (const name of way) found = found?.children.find((each) => each.name === name) ?? null;
  return found;
}

/** Null: it is not there, or empty. */
export function textAt(node: XmlNode | null, ...way: readonly string[]): string | null {
  const text = nodeAt(node, ...way)?.text.trim();
  return text === undefined || text === '' ? null : text;
}
