/**
 * The largest that a request can be by the contract, in the texts that are worst for who reads, shows or measures them; and
 * bodies as large as any may be that are nothing of the sort.
 */
import { usualBodyBytes } from '../src/http/read-body.ts';

type Schema = {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly 'x-maximum'?: string;
  readonly 'x-maxBytes'?: number;
};

/** What a text is filled with, again and again. */
export const fillings = {
  plain: 'Coffee beans, ',
  /** Five characters of HTML each, and the ends of what texts are put into. */
  markup: `<"'&>`,
  /** Four bytes each, and several of them one sign. */
  pictures: '👨‍👩‍👧‍👦🏳️‍🌈',
  /** From right to left, with marks above and below. */
  marks: 'שָׁלוֹםe\u0301\u0323\u0302ﷺ',
  /** Nothing that a line could end at. */
  unbroken: 'W',
  /** What addresses, numbers and the ends of words look like to an expression. */
  almost: 'a@a.-_ 1,1.',
} as const;
export type Filling = keyof typeof fillings;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** As many characters as people count in the filling, not cut within one of its signs. */
export function filled(filling: Filling, characters: number): string {
  const once = Array.from(segmenter.segment(fillings[filling]), ({ segment }) => segment);
  let text = '';
  let length = 0;
  for (let at = 0; ; at += 1) {
    const next = once[at % once.length] as string;
    const more = Array.from(next).length;
    if (length + more > characters) return text === '' ? 'x'.repeat(characters) : text;
    text += next;
    length += more;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of what has no bound but the body's. */
const unbounded = 400;

function largestText({ format, pattern, maxLength = unbounded }: Schema, filling: Filling): string {
  if (format === 'uri') return `https://shop.example/${'a-b.c/'.repeat(maxLength / 6)}`.slice(0, maxLength);
  if (format === 'email') return `${'a.'.repeat(maxLength / 2).slice(0, maxLength - 15)}b@shop.example`;
  if (format === 'date-time') return '2026-01-31T12:00:00.123456789+00:00';
  if (pattern?.includes('{2}')) return pattern.includes('{4}') ? 'DEUTDEFF500' : 'DE';
  return filled(filling, maxLength);
}

/** Of a schema of the contract. `share`: of the rows of its lists, so that it fits. */
export const largestOf = (schema: object, filling: Filling, share = 1): unknown => largestBy(schema, filling, share);

function largestBy(schema: Schema, filling: Filling, share: number): unknown {
  if (schema.enum) return schema.enum.at(-1);
  if (schema.format === 'decimal')
    return schema['x-maximum'] === '1' ? '0.000000000000000001' : '999999999999999999.999999999999999999';
  if (Array.isArray(schema.type)) return largestText(schema, filling);
  switch (schema.type) {
    case 'object': {
      if (schema.properties)
        return Object.fromEntries(
          Object.entries(schema.properties).map(([name, each]) => [name, largestBy(each, filling, share)]),
        );
      const [each] = Object.values(schema.patternProperties ?? {});
      if (each)
        return Object.fromEntries(
          Array.from({ length: Math.ceil((schema.maxProperties ?? 50) * share) }, (_, at) => [
            `${at}`.padEnd(40, 'k'),
            largestBy(each, filling, share),
          ]),
        );
      return largestObject(schema['x-maxBytes'] ?? 1000, filling);
    }
    case 'array':
      return Array.from({ length: Math.max(1, Math.floor((schema.maxItems ?? 100) * share)) }, () =>
        largestBy(schema.items ?? {}, filling, share),
      );
    case 'integer':
      return schema.maximum ?? Number.MAX_SAFE_INTEGER;
    case 'boolean':
      return true;
    default:
      return largestText(schema, filling);
  }
}

/** As many names as fit, nested, with numbers that no float holds. */
function largestObject(bytesMax: number, filling: Filling): unknown {
  const text = filled(filling, 12);
  const rows: unknown[] = [];
  const row = { [text]: [[[{ a: 0.1, b: text }]]], c: null };
  const bytes = Buffer.byteLength(JSON.stringify(row)) + 1;
  for (let left = bytesMax - 20; left > bytes; left -= bytes) rows.push(row);
  return { rows };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** As many rows as fit into a body. */
export function largestBody(make: (share: number) => unknown): string {
  let [least, most] = [0, 1];
  if (bytesOf(make(1)) <= usualBodyBytes) return JSON.stringify(make(1));
  for (let step = 0; step < 12; step += 1) {
    const middle = (least + most) / 2;
    if (bytesOf(make(middle)) <= usualBodyBytes) least = middle;
    else most = middle;
  }
  return JSON.stringify(make(least));
}

/** Its last value is one that cannot be, so that all others were read before. */
export function wrongAtTheEnd(value: unknown): unknown {
  if (Array.isArray(value)) return [...value.slice(0, -1), wrongAtTheEnd(value.at(-1))];
  if (!isObject(value)) return { wrong: true };
  const [name = 'wrong', last] = Object.entries(value).at(-1) ?? [];
  return { ...value, [name]: wrongAtTheEnd(last) };
}

const room = usualBodyBytes - 400;
const times = (text: string, left = room): string => text.repeat(Math.floor(left / Buffer.byteLength(text)));
const listOf = (text: string): string => `[${times(`${text},`)}0]`;

/** What is as large as a body may be, whoever it is sent to; `names`: what the endpoint reads. */
export function hostileBodies(names: readonly string[]): Readonly<Record<string, string>> {
  const everywhere = (value: string): string => `{${names.map((name) => `${JSON.stringify(name)}:${value}`).join()}}`;
  const share = Math.floor(room / Math.max(1, names.length)) - 60;
  return {
    'short numbers and a long one': `{"meta":[${times('1,')}1234567890.1234567891]}`,
    'long numbers': `{"meta":[${times('1e-9,', 25_000)}${times('1,', room - 26_000)}1]}`,
    'too many long numbers': `{"meta":${listOf('0.1234567890123456')}}`,
    'lists in lists': `{"meta":${listOf(`${'['.repeat(28)}${']'.repeat(28)}`)}}`,
    'many names': `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join()}}`,
    escapes: `{"meta":"${times('\\u00e9\\"')}\\u001f"}`,
    'half of a pair': `{"meta":["${times('\\ud83d\\ude00')}\\ud83d"]}`,
    'not ended': `{"meta":${listOf('{"a":"b"}').slice(0, -1)}`,
    'texts everywhere': everywhere(`"${times('a.b@', share)}"`),
    'pictures everywhere': everywhere(`"${times('👨‍👩‍👧‍👦', share)}"`),
    'digits everywhere': everywhere(`"${times('9', share)}"`),
    'lists everywhere': everywhere(`[${times('{},', share)}{}]`),
    'names everywhere': everywhere(
      `{${Array.from({ length: Math.floor(share / 12) }, (_, at) => `"${at}":{}`).join()}}`,
    ),
    spaces: `{"meta": ${times(' ')}1}`,
  };
}

/** Bodies of forms, as large as they may be; `names`: the fields that one reads. */
export function hostileForms(names: readonly string[]): Readonly<Record<string, string>> {
  const share = Math.floor(room / Math.max(1, names.length)) - 30;
  const everywhere = (text: string, left = share): string =>
    names.map((name) => `${encodeURIComponent(name)}=${times(text, left)}`).join('&');
  return {
    'many fields': times('a=&'),
    'the same field': times(`${names[0] ?? 'a'}=1&`),
    'texts everywhere': everywhere('a.@'),
    'signs everywhere': everywhere(encodeURIComponent('👨‍👩‍👧‍👦')),
    'percents everywhere': everywhere('%'),
    'spaces everywhere': everywhere('+'),
    'digits everywhere': everywhere('9'),
    'lines of a multipart form': times('Content-Disposition: form-data; name="List-Unsubscribe"\r\n'),
    'empty lines': times('\r\n'),
  };
}
