/** What the pages say, in every language of the catalogue. A sentence that is missing somewhere does not compile. */
import { type Html, type HtmlValue, html } from '../html.ts';
import { englishTexts } from './english-texts.ts';
import { frenchTexts } from './french-texts.ts';
import { germanTexts } from './german-texts.ts';
import { italianTexts } from './italian-texts.ts';
import { choosePieces, type MessagePart, type Piece, parseMessage } from './message-format.ts';
import { polishTexts } from './polish-texts.ts';
import { portugueseTexts } from './portuguese-texts.ts';
import { spanishTexts } from './spanish-texts.ts';
import { turkishTexts } from './turkish-texts.ts';

export type TextKey = keyof typeof englishTexts;
export type PageTexts = Readonly<Record<TextKey, string>>;

export const pageLanguages = {
  en: englishTexts,
  de: germanTexts,
  pt: portugueseTexts,
  es: spanishTexts,
  it: italianTexts,
  tr: turkishTexts,
  pl: polishTexts,
  fr: frenchTexts,
} as const satisfies Record<string, PageTexts>;

export type PageLanguage = keyof typeof pageLanguages;

export const isPageLanguage = (code: string): code is PageLanguage => Object.hasOwn(pageLanguages, code);

type Values = Readonly<Record<string, string | number>>;

export type Say = {
  (key: TextKey, values?: Values): string;
  /** The same with markup for values: the text stays one sentence, in the word order of its language. */
  html(key: TextKey, values: Readonly<Record<string, HtmlValue>>): Html;
};

const sayers = new Map<PageLanguage, Say>();

/** Texts are parsed once per process and when they are needed, numbers written as the language writes them. */
export function sayIn(language: PageLanguage): Say {
  const say = sayers.get(language) ?? createSay(language);
  sayers.set(language, say);
  return say;
}

function createSay(language: PageLanguage): Say {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const parsed = new Map<TextKey, readonly MessagePart[]>();

  function pieces(key: TextKey, values: Readonly<Record<string, HtmlValue>>): Piece[] {
    const parts = parsed.get(key) ?? parseMessage(pageLanguages[language][key]);
    parsed.set(key, parts);
    return choosePieces(parts, rules, (name) => {
      const value = values[name];
      if (typeof value !== 'number') throw new Error(`the text ${key} needs the number ${name}`);
      return value;
    });
  }
  function valueOf<T>(key: TextKey, values: Readonly<Record<string, T>>, name: string): T {
    const value = values[name];
    if (value === undefined) throw new Error(`the text ${key} needs ${name}`);
    return value;
  }
  const written = (value: string | number): string => (typeof value === 'number' ? numbers.format(value) : value);

  const say = (key: TextKey, values: Values = {}): string =>
    pieces(key, values)
      .map((piece) =>
        'text' in piece ? piece.text : written('name' in piece ? valueOf(key, values, piece.name) : piece.number),
      )
      .join('');
  const sayHtml: Say['html'] = (key, values) =>
    html`${pieces(key, values).map((piece): HtmlValue => {
      if ('text' in piece) return piece.text;
      const value = 'name' in piece ? valueOf(key, values, piece.name) : piece.number;
      return typeof value === 'number' ? written(value) : value;
    })}`;
  return Object.assign(say, { html: sayHtml });
}
