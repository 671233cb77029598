/**
 * XML of any length in the memory of a piece: elements that hold many others (containers) are only walked through, and
 * what lies in them is handed on as small trees (records), by local names, because banks differ in prefixes and versions.
 * Nothing outside of the file can be named in it: no document type, no processing instruction, no entity of its own.
 */
import { SaxesParser } from 'saxes';
import type { BankFileLimits } from './bank-file-limits.ts';
import { quoted, refused } from './bank-file-refused.ts';

export type XmlRecord = {
  readonly name: string;
  readonly currency: string | undefined; // the only attribute that banks use
  text: string;
  readonly children: XmlRecord[];
};

export type XmlPlan = {
  /** The container that an element opens inside another one (`''` is outside of all); null: it is a record. */
  opens(container: string, name: string): string | null;
  opened?(container: string, attributes: Readonly<Record<string, string>>): void;
  closed?(container: string): void;
  /** `weight`: how much memory it takes, in characters; elements count a little too. */
  record(container: string, record: XmlRecord, weight: number): void;
};

export type XmlReader = { write(text: string): void; end(): void };

type Limits = Pick<BankFileLimits, 'textMax' | 'depthMax' | 'elementsPerRecordMax'>;

/** An empty one is a few words of memory. */
const weightOfElement = 8;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

export function createXmlReader(plan: XmlPlan, { textMax, depthMax, elementsPerRecordMax }: Limits): XmlReader {
  const parser = new SaxesParser({ xmlns: false });
  const containers: string[] = [];
  const open: XmlRecord[] = [];
  let elements = 0;
  let characters = 0;
  let seenAt = 0;

  const tooLong = () =>
    refused('bank_text_too_long', `A text in the file is longer than ${textMax} characters, which no bank sends.`, {
      most: String(textMax),
    });
  const see = (length: number): void => {
    seenAt = parser.position;
    if (length > textMax) throw tooLong();
  };
  const read = (text: string): void => {
    see(text.length);
    const record = open.at(-1);
    if (record) record.text += text;
    if (record) characters += text.length;
    if (record && record.text.length > textMax) throw tooLong();
  };

  // Few handlers: with an eighth the parser becomes an object that V8 looks every property up in, five times slower.
  parser.on('error', (error) => {
    throw refused(
      'bank_xml',
      `The file is not XML as it should be: ${quoted(error.message)}. Get it from the bank again.`,
    );
  });
  parser.on('doctype', () => {
    throw refused('bank_xml_doctype', 'The file has a document type (DTD), which no bank needs: it is not read.');
  });
  parser.on('text', read);
  parser.on('cdata', read);
  parser.on('opentag', ({ name, attributes }) => {
    see(name.length);
    if (containers.length + open.length >= depthMax)
      throw refused('bank_xml_depth', `The file has more than ${depthMax} elements in each other: it is not read.`, {
        most: String(depthMax),
      });
    const local = localName(name);
    const parent = open.at(-1);
    if (!parent) {
      const container = plan.opens(containers.at(-1) ?? '', local);
      if (container !== null) {
        containers.push(container);
        plan.opened?.(container, attributes);
        return;
      }
      elements = 0;
      characters = 0;
    }
    elements += 1;
    if (elements > elementsPerRecordMax)
      throw refused(
        'bank_xml_elements',
        `A ${quoted(open[0]?.name ?? local)} has more than ${elementsPerRecordMax} elements in it.`,
        {
          most: String(elementsPerRecordMax),
        },
      );
    const record: XmlRecord = { name: local, currency: attributes['Ccy'], text: '', children: [] };
    parent?.children.push(record);
    open.push(record);
  });
  parser.on('closetag', () => {
    see(0);
    const record = open.pop();
    const container = containers.at(-1) ?? '';
    if (!record) {
      containers.pop();
      plan.closed?.(container);
    } else if (open.length === 0) plan.record(container, record, characters + elements * weightOfElement);
  });

  let isBegun = false;
  return {
    write(text) {
      // Portals put empty lines in front, where XML allows none.
      const begun = isBegun ? text : text.trimStart();
      isBegun ||= begun !== '';
      parser.write(begun);
      // Whatever is begun and not ended is in memory.
      if (parser.position - seenAt > textMax + text.length) throw tooLong();
    },
    end: () => void parser.close(),
  };
}

/** Weighs what is kept until the element is read that it belongs to. */
export function createScale({ weightMax }: Pick<BankFileLimits, 'weightMax'>) {
  let weight = 0;
  return {
    empty(): void {
      weight = 0;
    },
    add(more: number): void {
      weight += more;
      if (weight > weightMax)
        throw refused(
          'bank_too_heavy',
          `A booking or statement of the file has more than ${weightMax} characters, which no bank sends.`,
          { most: String(weightMax) },
        );
    },
  };
}

/** Paths are written in our code, so there are few of them; taking one apart costs more than following it. */
const paths = new Map<string, readonly string[]>();

function namesOf(path: string): readonly string[] {
  const known = paths.get(path);
  if (known) return known;
  const names = path.split('/');
  paths.set(path, names);
  return names;
}

/** By a path of names, the first of each. */
export function at(record: XmlRecord | undefined, path: string): XmlRecord | undefined {
  let here = record;
  for (const name of namesOf(path)) {
    if (!here) return undefined;
    here = childOf(here, name);
  }
  return here;
}

function childOf({ children }: XmlRecord, name: string): XmlRecord | undefined {
  for (const child of children) if (child.name === name) return child;
  return undefined;
}

export const all = (record: XmlRecord | undefined, name: string): readonly XmlRecord[] =>
  record?.children.filter((child) => child.name === name) ?? [];

/** Null where there is nothing, or nothing in it. */
export const textAt = (record: XmlRecord | undefined, path: string): string | null =>
  at(record, path)?.text.trim() || null;
