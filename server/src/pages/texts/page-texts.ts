/** What the pages say, in every language of the catalogue. A sentence that is missing somewhere does not compile. */
import { englishTexts } from './english-texts.ts';
import { frenchTexts } from './french-texts.ts';
import { germanTexts } from './german-texts.ts';
import { italianTexts } from './italian-texts.ts';
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

export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

export const sayIn =
  (language: PageLanguage): Say =>
  (key, values = {}) =>
    pageLanguages[language][key].replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the text ${key} needs ${name}`);
      return String(value);
    });
