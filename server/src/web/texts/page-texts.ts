/**
 * What the pages say. A language is a file and a line here; a sentence that is missing in it does not compile. The pages
 * speak more languages than a checkout can be created with, whose list is the API's (`catalog/language-catalog.ts`).
 */
import { arabicTexts } from './arabic-texts.ts';
import { englishTexts } from './english-texts.ts';
import { frenchTexts } from './french-texts.ts';
import { germanTexts } from './german-texts.ts';
import { italianTexts } from './italian-texts.ts';
import { polishTexts } from './polish-texts.ts';
import { portugueseTexts } from './portuguese-texts.ts';
import { createSayers, inWrittenOrder, type SayIn } from './say.ts';
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
  ar: arabicTexts,
} as const satisfies Record<string, PageTexts>;

export type PageLanguage = keyof typeof pageLanguages;

export const languageCodes: readonly PageLanguage[] = Object.keys(pageLanguages) as PageLanguage[];

export const isPageLanguage = (code: string): code is PageLanguage => Object.hasOwn(pageLanguages, code);

export type Say = SayIn<TextKey>;

export const sayIn: (language: PageLanguage) => Say = createSayers<PageLanguage, TextKey>(pageLanguages, {
  isolatesValues: false,
});

export const isToTheLeft = (language: PageLanguage): boolean => pageLanguages[language].direction === 'rtl';

/** See `inWrittenOrder`. */
export const keepOrder = (language: PageLanguage, text: string): string =>
  inWrittenOrder(pageLanguages[language].direction, text);
