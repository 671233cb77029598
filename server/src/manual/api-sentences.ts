/**
 * Every sentence with which the API refuses something, found where it is written: in the calls that make failures
 * (`lib/errors`). Read from the source, which is what runs here, so none can be forgotten and none is told twice. What a
 * sentence fills in stands in braces, by the name that the source has for it.
 */
import { globSync, readFileSync } from 'node:fs';

export type ApiSentence = {
  /** The name that it or its failure has; null: a sentence for programs that needs none. */
  readonly name: string | null;
  readonly status: number;
  readonly sentence: string;
  /** The same request may succeed later: answered with Retry-After. */
  readonly isForNow: boolean;
};

/** What people alone can run into, at their pages or at the operator's command line. */
const notOfTheApi =
  /^(?:account\/(?!export-api)|catalog|db|emails|finding|invoices|jobs|manual|merchants|money|networks|operator|payment-page|people|site|watching|web|bridge|sending)|wallets\/(?:own-money|\S*withdraw)|send-test-event|http\/(?:readiness|event-streams)|\.test\.ts$/;

/** Failures of these names are answered to people only, though a slice of the API makes them. */
const onlyForPeople = new Set([
  ...['support_limit_none', 'needs_passkey', 'no_receipt_to_send', 'no_trusted_email'],
  ...[
    'not_suspended',
    'destination_changed',
    'fee_rose',
    'too_long_for_pdf',
    'camt_needs_currency',
    'camt_needs_rates',
  ],
]);

/** Files whose functions give problems as plain sentences, and with which status these are answered. */
const plainProblems: Readonly<Record<string, number>> = {
  'account/export-api-routes.ts': 400,
  'auth/verify-basic.ts': 403,
  'auth/verify-digest.ts': 401,
  'checkouts/checkout-problems.ts': 400,
  'counterparties/save-target-account.ts': 400,
  'counterparties/target-account.ts': 400,
  'http/read-input.ts': 400,
  'wallets/read-transfer-order.ts': 400,
  'wallets/swap-terms.ts': 400,
};

/** Reasons that are told with a failure made elsewhere: why nothing can be paid with, and why money must stay. */
const reasons = /^(?:method_|advice_|leave_|nothing_takes_it$|nothing_is_sent$)/;

export function readApiSentences(): ApiSentence[] {
  const folder = new URL('../', import.meta.url);
  const files = globSync('*/*.ts', { cwd: folder }).filter((path) => !notOfTheApi.test(path));
  const found = files.toSorted().flatMap((path) => {
    const source = readFileSync(new URL(path, folder), 'utf8');
    const status = plainProblems[path];
    const named = sentencesIn(source);
    const isNew = ({ sentence }: ApiSentence): boolean => !named.some((each) => each.sentence === sentence);
    return [...named, ...(status === undefined ? [] : plainSentencesIn(source, status).filter(isNew))];
  });
  const seen = new Set<string>();
  return found
    .filter(({ name, sentence }) => (name === null ? hasWords(sentence) : /[ {]/.test(sentence)))
    .filter(({ name }) => !onlyForPeople.has(name ?? ''))
    .map((each) => (reasons.test(each.name ?? '') ? { ...each, status: 422 } : each))
    .filter(({ name, sentence, status }) => {
      const told = sentence.includes(' ') ? `${status} ${sentence}` : `${status} ${name} ${sentence}`;
      const isNew = !seen.has(told);
      seen.add(told);
      return isNew;
    })
    .toSorted((a, b) => a.status - b.status);
}

const filledIn = /\{[^}]+\}/g;

/** What is filled in whole, by a network say, has no words of its own. */
export const hasWords = (sentence: string): boolean => /[a-z]{2,} /.test(sentence.replaceAll(filledIn, ' '));

/** What a sentence looks like when it is answered. */
export const answeredAs = (sentence: string): RegExp => {
  const parts = sentence.replace(/\.$/, '').split(filledIn);
  return new RegExp(parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.+'), 'i');
};

/** Whatever ends like a sentence. */
export const plainSentencesIn = (source: string, status: number): ApiSentence[] =>
  textsIn(source.replaceAll(/\/\*\*?[^]*?\*\//g, ''), true)
    .filter((text) => text.endsWith('.') && text.split(' ').length > 2)
    .map((sentence) => ({ name: null, status, sentence, isForNow: false }));

/** A function that makes failures: where its arguments have the name and the sentence, and with which status it answers. */
type Maker = { readonly name: number | string | null; readonly sentence: number; readonly status: number | 'given' };

const commonMakers: Readonly<Record<string, Maker>> = {
  tryLater: { name: 0, sentence: 1, status: 503 },
  invalidRequest: { name: null, sentence: 0, status: 400 },
  notAuthenticated: { name: 'not_authenticated', sentence: 0, status: 401 },
  notAllowed: { name: 'not_allowed', sentence: 0, status: 403 },
  errorAnswer: { name: null, sentence: 1, status: 'given' },
};

export function sentencesIn(source: string): ApiSentence[] {
  const makers = { ...commonMakers, ...makersIn(source) };
  const calls = new RegExp(`(?<![\\w.])(?:new GatewayError|told|notFound|${Object.keys(makers).join('|')})\\(`, 'g');
  const found: ApiSentence[] = [];
  /** Inside which failure a sentence stands: it has that one's status. */
  const around: { readonly end: number; readonly status: number; readonly isForNow: boolean }[] = [];
  for (const match of source.matchAll(calls)) {
    const begin = match.index + match[0].length;
    const { parts, end } = argumentsAt(source, begin);
    while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) < begin) around.pop();
    const call = match[0].slice(0, -1);
    const outer = around.at(-1) ?? { status: 400, isForNow: false };
    if (call === 'told') {
      const [name] = literalsIn(parts[0] ?? '');
      const sentences = literalsIn(parts[1] ?? '');
      // Said by somebody else, such as a network about an address.
      const said = sentences.length > 0 ? sentences : [`{${placeholder(parts[1] ?? '')}}`];
      for (const sentence of said)
        found.push({ name: name ?? null, status: outer.status, sentence, isForNow: outer.isForNow });
      continue;
    }
    if (call === 'notFound') {
      for (const what of literalsIn(parts[0] ?? ''))
        found.push({
          name: 'not_found',
          status: 404,
          sentence: `There is no ${what} with the id {id}.`,
          isForNow: false,
        });
      continue;
    }
    const made = call === 'new GatewayError' ? fromObject(parts[0] ?? '') : fromMaker(makers[call], call, parts);
    around.push({ end, status: made.status, isForNow: made.isForNow });
    for (const sentence of made.sentences)
      found.push({ name: made.name, status: made.status, sentence, isForNow: made.isForNow });
  }
  return found;
}

type Made = {
  readonly name: string | null;
  readonly status: number;
  readonly isForNow: boolean;
  readonly sentences: readonly string[];
};

function fromObject(text: string): Made {
  const fields = new Map(
    argumentsAt(`${text.trim().slice(1, -1)})`, 0).parts.map((part) => {
      const [, name = '', value = ''] = /^\s*(?:\/\/.*\n\s*)*(\w+):?([^]*)$/.exec(part) ?? [];
      return [name, value];
    }),
  );
  const status = Number(/\d{3}/.exec(fields.get('httpStatus') ?? '')?.[0] ?? 400);
  const message = fields.get('message') ?? '';
  return {
    name: literalsIn(fields.get('code') ?? '')[0] ?? null,
    status,
    isForNow: fields.has('headers') && /retry-after/.test(text),
    sentences: /\btold\(/.test(message) ? [] : literalsIn(message),
  };
}

function fromMaker(maker: Maker | undefined, call: string, parts: readonly string[]): Made {
  const { name = null, sentence = 0, status = 400 } = maker ?? {};
  const text = parts[sentence] ?? '';
  const isForNow = call === 'tryLater';
  // tryLater(code, sentence, seconds, status)
  const own = isForNow ? parts[3] : status === 'given' ? parts[0] : undefined;
  return {
    name: typeof name === 'number' ? (literalsIn(parts[name] ?? '')[0] ?? null) : name,
    status: Number(/\d{3}/.exec(own ?? '')?.[0] ?? (status === 'given' ? 400 : status)),
    isForNow,
    sentences: /\btold\(/.test(text) ? [] : literalsIn(text),
  };
}

/** Functions of a file whose callers give the name, the sentence or both. */
function makersIn(source: string): Record<string, Maker> {
  const made: Record<string, Maker> = {};
  for (const [, name = '', parameters = '', body = ''] of source.matchAll(
    /^(?:export )?const (\w+) = \(([^)]*)\)[^=]*=>\s*(new GatewayError\(\{[^]*?\}\)|tryLater\([^]*?\));$/gm,
  )) {
    const names = parameters.split(',').map((each) => /\w+/.exec(each)?.[0] ?? '');
    const sentence = names.findIndex(
      (each) =>
        new RegExp(`message(?:: ${each}|,| \\}|: \\[${each}\\])|tryLater\\([^,]+, \\[?${each}`).test(body) &&
        /^(message|sentence|problem|problems|why|text)$/.test(each),
    );
    if (sentence === -1) continue;
    const code = names.indexOf('code');
    const [, fixed = null] = /code: '(\w+)'|tryLater\('(\w+)'/.exec(body) ?? [];
    const status = /httpStatus: (\d{3})|, \d+, (\d{3})/.exec(body);
    const usual = body.startsWith('tryLater') ? 503 : 400;
    made[name] = { name: code === -1 ? fixed : code, sentence, status: Number(status?.[1] ?? status?.[2] ?? usual) };
  }
  return made;
}

/** The arguments of a call, as they are written; `begin` is behind its bracket. */
function argumentsAt(source: string, begin: number): { readonly parts: string[]; readonly end: number } {
  const parts: string[] = [];
  let depth = 0;
  let from = begin;
  let at = begin;
  for (; at < source.length; at += 1) {
    const letter = source[at] ?? '';
    if (`'"\``.includes(letter)) at = endOfText(source, at);
    else if (source.startsWith('//', at)) at = source.indexOf('\n', at);
    else if ('([{'.includes(letter)) depth += 1;
    else if (')]}'.includes(letter)) {
      if (depth === 0) break;
      depth -= 1;
    } else if (letter === ',' && depth === 0) {
      parts.push(source.slice(from, at));
      from = at + 1;
    }
  }
  const last = source.slice(from, at);
  return { parts: last.trim() === '' ? parts : [...parts, last], end: at };
}

/** Where a text in quotes ends, with whatever is filled into it. */
function endOfText(source: string, begin: number): number {
  const quote = source[begin];
  for (let at = begin + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === quote) return at;
    else if (quote === '`' && source.startsWith('${', at)) at = argumentsAt(source, at + 2).end;
  }
  return source.length;
}

/** The texts of an expression: those with a plus between them are one. A choice between several gives all of them. */
const literalsIn = (expression: string): string[] => textsIn(expression, false);

/** `isDeep`: also those inside brackets. */
function textsIn(expression: string, isDeep: boolean): string[] {
  const found: string[] = [];
  let isContinued = false;
  for (let at = 0; at < expression.length; at += 1) {
    const letter = expression[at] ?? '';
    if (`'"\``.includes(letter)) {
      const end = endOfText(expression, at);
      const text = spoken(expression.slice(at + 1, end), letter === '`');
      if (isContinued) found.push(`${found.pop() ?? ''}${text}`);
      else found.push(text);
      at = end;
      isContinued = /^\s*\+/.test(expression.slice(end + 1));
    } else if (expression.startsWith('//', at)) at = expression.indexOf('\n', at);
    else if (letter === '(' && !isDeep) at = argumentsAt(expression, at + 1).end;
  }
  return found;
}

function spoken(text: string, isTemplate: boolean): string {
  const plain = text.replaceAll(/\\(.)/g, '$1');
  if (!isTemplate) return plain;
  let said = '';
  for (let at = 0; at < text.length; at += 1) {
    if (!text.startsWith('${', at)) {
      said += text[at] === '\\' ? (text[(at += 1)] ?? '') : text[at];
      continue;
    }
    const { parts, end } = argumentsAt(text, at + 2);
    said += `{${placeholder(parts.join(','))}}`;
    at = end;
  }
  return said;
}

/** What is filled in, by its name: `JSON.stringify(network.name)` is a name. */
function placeholder(expression: string): string {
  const words = expression
    .replaceAll(/'[^']*'|JSON\.stringify|\.(?:slice|join|length|trim|toString|text)\b|String\(/g, ' ')
    .match(/[A-Za-z]\w*/g);
  const name = words?.at(-1) ?? 'value';
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}
