/**
 * Every sentence with which the API refuses something, found where it is written: in the calls that make failures
 * (`lib/errors`). Read from the source, which is what runs here, so none can be forgotten and none is told twice. What a
 * sentence fills in stands in braces, by the name that the source has for it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { onceMade } from '../lib/once-made.ts';
import { argumentsAt, literalsIn, placeholder, textsIn } from './source-texts.ts';

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
  /^(?:account\/(?!exports\/export-api)|(?:bank-files|catalog|db|emails|finding|invoices|jobs|manual|merchants|money|operator|payment-page|people(?!\/demand-known-hands)|site|watching|web|bridge|sending)\/)|wallets\/(?:own-money|\S*withdraw)|send-test-event|http\/event-streams|\.test\.ts$/;

/** Where networks say what is wrong with an address, and why they would not carry a payment. */
const saidByNetworks = /^networks\/.*(?:-destination|-payment|-sender|bolt11|held-fee)\.ts$/;

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
  // The page of a payment link says these to whoever opened it.
  ...['link_amount_unreadable', 'link_amount_decimals', 'link_amount_too_small', 'link_amount_too_large'],
]);

/** Files whose functions give problems as plain sentences, and with which status these are answered. */
const plainProblems: Readonly<Record<string, number>> = {
  'account/exports/export-api-routes.ts': 400,
  'auth/verify-basic.ts': 403,
  'auth/verify-digest.ts': 401,
  'checkouts/checkout-problems.ts': 400,
  'counterparties/save-target-account.ts': 400,
  'counterparties/target-account.ts': 400,
  'deposits/deposit-problems.ts': 400,
  'http/read-input.ts': 400,
  'http/readiness.ts': 503,
  'payment-links/payment-link-problems.ts': 400,
  'pricing/quote.ts': 422,
  'wallets/leaving-errors.ts': 422,
  'wallets/read-transfer-order.ts': 400,
  'wallets/swap-terms.ts': 400,
  'webhooks/webhook-url-problems.ts': 400,
};

/** Reasons that are told with a failure made elsewhere: why nothing can be paid with, and why money must stay. */
const reasons = /^(?:method_|advice_|leave_|network_away$|nothing_takes_it$|nothing_is_sent$|cannot_send_now$)/;
/** Of them those that are also told when only the moment is bad. */
const passing = /^(?:method_|advice_|network_away$|nothing_takes_it$|cannot_send_now$)/;

/** Reading all of our own source takes a while. */
export const apiSentences = onceMade(readApiSentences);

export function readApiSentences(): ApiSentence[] {
  const sources = readSources();
  const makers = new Map(
    sources.flatMap(({ source }) => Object.entries(makersIn(source)).filter(([name]) => isExported(source, name))),
  );
  const found = sources.flatMap(({ path, source }) => {
    const status = plainStatus(path);
    const imported = [...makers].filter(([name]) => isImported(source, name));
    const named = sentencesIn(source, Object.fromEntries(imported));
    const isNew = ({ sentence }: ApiSentence): boolean => !named.some((each) => each.sentence === sentence);
    return [...named, ...(status === undefined ? [] : plainSentencesIn(source, status).filter(isNew))];
  });
  const seen = new Set<string>();
  return (
    found
      .filter(({ name, sentence }) => (name === null ? hasWords(sentence) : /[ {]/.test(sentence)))
      .filter(({ name }) => !onlyForPeople.has(name ?? ''))
      .flatMap(withStatuses)
      // Of two that differ only in what they are filled in with, the one with a name is kept.
      .toSorted((a, b) => Number(a.name === null) - Number(b.name === null))
      .filter(({ name, sentence, status }) => {
        const same = sentence.replaceAll(filledIn, '{}');
        const told = hasWords(sentence) ? `${status} ${same}` : `${status} ${name} ${sentence}`;
        const isNew = !seen.has(told);
        seen.add(told);
        return isNew;
      })
      .toSorted((a, b) => a.status - b.status)
  );
}

function readSources(): { readonly path: string; readonly source: string }[] {
  const folder = new URL('../', import.meta.url);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return paths
    .filter((path) => /^(?!networks\/)[^/]+\/(?:[^/]+\/)?[^/]+\.ts$/.test(path) || saidByNetworks.test(path))
    .filter((path) => !notOfTheApi.test(path))
    .toSorted()
    .map((path) => ({ path, source: readFileSync(new URL(path, folder), 'utf8') }));
}

const plainStatus = (path: string): number | undefined =>
  plainProblems[path] ?? (/^networks\/.*(?:-destination|bolt11)\.ts$/.test(path) ? 400 : undefined);

const isExported = (source: string, name: string): boolean => source.includes(`export const ${name} = `);

const isImported = (source: string, name: string): boolean =>
  new RegExp(`^import [^;]*\\b${name}\\b`, 'm').test(source);

/** A reason is told with whatever status its failure has. */
function withStatuses(each: ApiSentence): ApiSentence[] {
  const name = each.name ?? (each.sentence.endsWith('{sentence}') ? 'method_' : ''); // The name of what it says.
  if (!reasons.test(name)) return [each];
  const lasting = { ...each, status: 422 };
  return passing.test(name) ? [lasting, { ...each, status: 503, isForNow: true }] : [lasting];
}

export const filledIn = /\{[^}]+\}/g;

/** What is filled in whole, by a network say, has no words of its own. */
export const hasWords = (sentence: string): boolean => /[a-z]{2,} /.test(sentence.replaceAll(filledIn, ' '));

/** Whatever ends like a sentence. */
export const plainSentencesIn = (source: string, status: number): ApiSentence[] =>
  textsIn(source.replaceAll(/\/\*\*?[^]*?\*\//g, ''), true)
    .filter((text) => text.endsWith('.') && text.split(' ').length > 2)
    .map((sentence) => ({ name: null, status, sentence, isForNow: false }));

/** A function that makes failures: where its arguments have the name and the sentence, and with which status it answers. */
export type Maker = {
  readonly name: number | string | null;
  readonly sentence: number;
  readonly status: number | 'given';
  readonly isForNow?: boolean;
};

const commonMakers: Readonly<Record<string, Maker>> = {
  tryLater: { name: 0, sentence: 1, status: 503, isForNow: true },
  invalidRequest: { name: null, sentence: 0, status: 400 },
  notAuthenticated: { name: 'not_authenticated', sentence: 0, status: 401 },
  notAllowed: { name: 'not_allowed', sentence: 0, status: 403 },
  errorAnswer: { name: null, sentence: 1, status: 'given' },
  'new SendRefused': { name: null, sentence: 1, status: 422 },
};

/** `imported`: functions of other files that it calls. */
export function sentencesIn(source: string, imported: Readonly<Record<string, Maker>> = {}): ApiSentence[] {
  const makers = { ...imported, ...commonMakers, ...makersIn(source) };
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
  const { name = null, sentence = 0, status = 400, isForNow = false } = maker ?? {};
  const text = parts[sentence] ?? '';
  // tryLater(code, sentence, seconds, status)
  const own = call === 'tryLater' ? parts[3] : status === 'given' ? parts[0] : undefined;
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
    /^\s*(?:export )?const (\w+) = \(([^)]*)\)[^=]*=>\s*((?:new GatewayError|new SendRefused|tryLater|invalidRequest)\([^]*?\));$/gm,
  )) {
    const names = parameters.split(',').map((each) => /\w+/.exec(each)?.[0] ?? '');
    const sentence = names.findIndex(
      (each) =>
        /^(message|sentence|problem|problems|why|text|reason)$/.test(each) &&
        new RegExp(
          `message(?:: ${each}|,| \\}|: \\[${each}\\])|(?:tryLater|SendRefused)\\([^,]+, \\[?${each}|invalidRequest\\(\\[?${each}`,
        ).test(body),
    );
    if (sentence === -1) continue;
    const code = names.indexOf('code');
    const fixed = /(?:code: |tryLater\()'(\w+)'/.exec(body)?.[1] ?? null;
    const status = /httpStatus: (\d{3})|, \d+, (\d{3})/.exec(body);
    const isForNow = body.startsWith('tryLater');
    const usual = isForNow ? 503 : body.startsWith('new SendRefused') ? 422 : 400;
    const answered = Number(status?.[1] ?? status?.[2] ?? usual);
    made[name] = { name: code === -1 ? fixed : code, sentence, status: answered, isForNow };
  }
  return { ...madeByOthers(source, { ...commonMakers, ...made }), ...made }; // Who says its own status keeps it.
}

/** Functions that only call another one with what they are given. */
function madeByOthers(source: string, makers: Readonly<Record<string, Maker>>): Record<string, Maker> {
  const made: Record<string, Maker> = {};
  for (const match of source.matchAll(/^\s*(?:export )?const (\w+) = \(([^)]*)\)[^=]*=>\s*(\w+)\(/gm)) {
    const [all, name = '', parameters = '', called = ''] = match;
    const maker = Object.hasOwn(makers, called) ? makers[called] : undefined;
    if (!maker) continue;
    const given = argumentsAt(source, match.index + all.length).parts.map((part) => part.trim());
    const names = parameters.split(',').map((each) => /\w+/.exec(each)?.[0] ?? '');
    const sentence = names.findIndex((each) => given[maker.sentence]?.replace(/^\[(.*)\]$/, '$1') === each);
    const code = typeof maker.name === 'number' ? (literalsIn(given[maker.name] ?? '')[0] ?? null) : maker.name;
    if (sentence !== -1) made[name] = { ...maker, name: code, sentence };
  }
  return made;
}
