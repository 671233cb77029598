/**
 * Sentences with their values filled in. Texts are parsed once per process and when they are needed, numbers written as
 * the language writes them.
 */
import { type Html, type HtmlValue, html } from '../html.ts';
import { choosePieces, type MessagePart, type Piece, parseMessage } from './message-format.ts';

type Values = Readonly<Record<string, string | number>>;

export type SayIn<Key extends string> = {
  (key: Key, values?: Values): string;
  /** The same with markup for values: the text stays one sentence, in the word order of its language. */
  html(key: Key, values: Readonly<Record<string, HtmlValue>>): Html;
};

type Texts<Key extends string> = Readonly<Record<Key | 'direction', string>>;

/** A number and the code of its coin stay in this order in languages that are written to the left. */
export const inWrittenOrder = (direction: string, text: string): string =>
  direction === 'rtl' ? `\u2066${text}\u2069` : text;

/**
 * `isolatesValues`: where names, addresses and ids are filled in, which keep their own direction in a language that is
 * written to the left.
 */
export function createSayers<Language extends string, Key extends string>(
  texts: Readonly<Record<Language, Texts<Key>>>,
  { isolatesValues }: { readonly isolatesValues: boolean },
): (language: Language) => SayIn<Key> {
  const sayers = new Map<Language, SayIn<Key>>();
  return (language) => {
    const say = sayers.get(language) ?? createSay(language, texts[language], isolatesValues);
    sayers.set(language, say);
    return say;
  };
}

function createSay<Key extends string>(language: string, texts: Texts<Key>, isolatesValues: boolean): SayIn<Key> {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const parsed = new Map<Key, readonly MessagePart[]>();

  const inOrder = (message: string): string =>
    message.replaceAll(/\{\w+\}\u00a0\{\w+\}/g, (pair) => inWrittenOrder(texts.direction, pair));
  function pieces(key: Key, values: Readonly<Record<string, HtmlValue>>): Piece[] {
    const parts = parsed.get(key) ?? parseMessage(inOrder(texts[key]));
    parsed.set(key, parts);
    return choosePieces(parts, rules, (name) => {
      const value = values[name];
      if (typeof value !== 'number') throw new Error(`the text ${key} needs the number ${name}`);
      return value;
    });
  }
  function valueOf<T>(key: Key, values: Readonly<Record<string, T>>, name: string): T {
    const value = values[name];
    if (value === undefined) throw new Error(`the text ${key} needs ${name}`);
    return value;
  }
  const isIsolated = isolatesValues && texts.direction === 'rtl';
  const written = (value: string | number): string => {
    if (typeof value === 'number') return numbers.format(value);
    return isIsolated ? `\u2068${value}\u2069` : value;
  };

  const say = (key: Key, values: Values = {}): string =>
    pieces(key, values)
      .map((piece) =>
        'text' in piece ? piece.text : written('name' in piece ? valueOf(key, values, piece.name) : piece.number),
      )
      .join('');
  const sayHtml: SayIn<Key>['html'] = (key, values) =>
    html`${pieces(key, values).map((piece): HtmlValue => {
      if ('text' in piece) return piece.text;
      const value = 'name' in piece ? valueOf(key, values, piece.name) : piece.number;
      if (typeof value === 'number') return written(value);
      return isIsolated ? html`<bdi>${value}</bdi>` : value;
    })}`;
  return Object.assign(say, { html: sayHtml });
}
