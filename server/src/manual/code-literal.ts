/** A JSON value as it is written in a program: short ones on a line, others a line per entry. */

type Syntax = {
  readonly object: readonly [open: string, close: string];
  readonly pair: (name: string, value: string) => string;
  readonly text: (text: string) => string;
  readonly nothing: string;
  /** Between the brackets of an object that stands on a line. */
  readonly room: string;
};

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const isName = (name: string): boolean => /^[a-z]\w*$/i.test(name);

export const syntaxes = {
  js: {
    object: ['{', '}'],
    pair: (name, value) => `${isName(name) ? name : quoted(name)}: ${value}`,
    text: quoted,
    nothing: 'null',
    room: ' ',
  },
  php: {
    object: ['[', ']'],
    pair: (name, value) => `${quoted(name)} => ${value}`,
    text: quoted,
    nothing: 'null',
    room: '',
  },
  ruby: {
    object: ['{', '}'],
    pair: (name, value) => (isName(name) ? `${name}: ${value}` : `${quoted(name)} => ${value}`),
    text: quoted,
    nothing: 'nil',
    room: ' ',
  },
} as const satisfies Record<string, Syntax>;

const lineMax = 72;

export function literal(value: unknown, syntax: Syntax, indent = ''): string {
  if (value === null || value === undefined) return syntax.nothing;
  if (typeof value === 'string') return syntax.text(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? (['[', ']'] as const) : syntax.object;
  const entriesAt = (inner: string): string[] =>
    isList
      ? value.map((each) => literal(each, syntax, inner))
      : Object.entries(value).map(([name, each]) => syntax.pair(name, literal(each, syntax, inner)));
  const room = isList ? '' : syntax.room;
  const onLine = `${open}${room}${entriesAt(indent).join(', ')}${room}${close}`;
  if (entriesAt(indent).length === 0) return `${open}${close}`;
  if (onLine.length + indent.length <= lineMax && !onLine.includes('\n')) return onLine;
  const inner = `${indent}  `;
  return `${open}\n${entriesAt(inner)
    .map((entry) => `${inner}${entry},\n`)
    .join('')}${indent}${close}`;
}
