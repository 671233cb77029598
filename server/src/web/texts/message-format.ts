/**
 * The part of ICU messages that our texts use: `{name}`, and `{count, plural, one {# minute} other {# minutes}}` with
 * `#` for the number. Which form a number takes is the language's business (CLDR, through Intl.PluralRules).
 */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'number' }
  | { readonly kind: 'plural'; readonly name: string; readonly forms: ReadonlyMap<string, readonly MessagePart[]> };

const placeholder = /^\{(\w+)\}/;
const pluralStart = /^\{(\w+), plural, /;
const formStart = /^\s*(\w+) \{/;

export function parseMessage(message: string): readonly MessagePart[] {
  const { parts, rest } = parseParts(message, false);
  if (rest !== '') throw new Error(`a brace too many in the text ${JSON.stringify(message)}`);
  return parts;
}

/** Up to the end, or inside a form up to the brace that closes it. */
function parseParts(message: string, isForm: boolean): { parts: MessagePart[]; rest: string } {
  const parts: MessagePart[] = [];
  let rest = message;
  while (rest !== '' && !rest.startsWith('}')) {
    const value = placeholder.exec(rest);
    const plural = pluralStart.exec(rest);
    if (value) {
      parts.push({ kind: 'value', name: value[1] ?? '' });
      rest = rest.slice(value[0].length);
    } else if (plural) {
      const { forms, rest: after } = parseForms(rest.slice(plural[0].length));
      parts.push({ kind: 'plural', name: plural[1] ?? '', forms });
      rest = after;
    } else if (isForm && rest.startsWith('#')) {
      parts.push({ kind: 'number' });
      rest = rest.slice(1);
    } else {
      const text = (isForm ? /^[^{}#]+/ : /^[^{}]+/).exec(rest)?.[0];
      if (text === undefined) throw new Error(`a placeholder that nobody understands: ${rest}`);
      parts.push({ kind: 'text', text });
      rest = rest.slice(text.length);
    }
  }
  return { parts, rest };
}

function parseForms(message: string): { forms: Map<string, readonly MessagePart[]>; rest: string } {
  const forms = new Map<string, readonly MessagePart[]>();
  let rest = message;
  for (let start = formStart.exec(rest); start; start = formStart.exec(rest)) {
    const { parts, rest: after } = parseParts(rest.slice(start[0].length), true);
    if (!after.startsWith('}')) throw new Error(`a plural form is not closed: ${message}`);
    forms.set(start[1] ?? '', parts);
    rest = after.slice(1);
  }
  if (!rest.startsWith('}') || !forms.has('other')) throw new Error(`a plural needs "other" and an end: ${message}`);
  return { forms, rest: rest.slice(1) };
}

/** The pieces of a message in order: its own words as text, and every value by its name, for the caller to fill in. */
export type Piece = { readonly text: string } | { readonly name: string } | { readonly number: number };

export function choosePieces(
  parts: readonly MessagePart[],
  rules: Intl.PluralRules,
  numberOf: (name: string) => number,
): Piece[] {
  const inForm = (form: readonly MessagePart[], number: number): Piece[] =>
    form.flatMap((part) => (part.kind === 'number' ? [{ number }] : choosePieces([part], rules, numberOf)));
  return parts.flatMap((part): Piece[] => {
    if (part.kind === 'text') return [{ text: part.text }];
    if (part.kind === 'value') return [{ name: part.name }];
    if (part.kind === 'number') return [{ text: '#' }];
    const number = numberOf(part.name);
    const form = part.forms.get(rules.select(number)) ?? part.forms.get('other') ?? [];
    return inForm(form, number);
  });
}
