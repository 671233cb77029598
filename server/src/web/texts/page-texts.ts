/**
 * What the pages say. A language is a file and a line here; a sentence that is missing in it does not compile. The pages
 * speak more languages than a checkout can be created with, whose list is the API's (`catalog/language-catalog.ts`).
 */
import { arabicTexts } from './arabic-texts.ts';
import { englishTexts } from './english-texts.ts';
import { frenchTexts } from './french-texts.ts';
import { germanTexts } from './german-texts.ts';
import { italianTexts } from './italian-texts.ts';
import { arabicPaperTexts } from './papers/arabic-paper-texts.ts';
import { englishPaperTexts } from './papers/english-paper-texts.ts';
import { frenchPaperTexts } from './papers/french-paper-texts.ts';
import { germanPaperTexts } from './papers/german-paper-texts.ts';
import { italianPaperTexts } from './papers/italian-paper-texts.ts';
import { polishPaperTexts } from './papers/polish-paper-texts.ts';
import { portuguesePaperTexts } from './papers/portuguese-paper-texts.ts';
import { spanishPaperTexts } from './papers/spanish-paper-texts.ts';
import { turkishPaperTexts } from './papers/turkish-paper-texts.ts';
import { polishTexts } from './polish-texts.ts';
import { portugueseTexts } from './portuguese-texts.ts';
import { createSayers, inWrittenOrder, type SayIn } from './say.ts';
import { spanishTexts } from './spanish-texts.ts';
import { turkishTexts } from './turkish-texts.ts';

/** A language has its words for papers in a file of their own. */
export type PaperTexts = Readonly<Record<keyof typeof englishPaperTexts, string>>;
export type PageTexts = Readonly<Record<keyof typeof englishTexts, string>>;
export type TextKey = keyof PageTexts | keyof PaperTexts;

export const pageLanguages = {
  en: { ...englishTexts, ...englishPaperTexts },
  de: { ...germanTexts, ...germanPaperTexts },
  pt: { ...portugueseTexts, ...portuguesePaperTexts },
  es: { ...spanishTexts, ...spanishPaperTexts },
  it: { ...italianTexts, ...italianPaperTexts },
  tr: { ...turkishTexts, ...turkishPaperTexts },
  pl: { ...polishTexts, ...polishPaperTexts },
  fr: { ...frenchTexts, ...frenchPaperTexts },
  ar: { ...arabicTexts, ...arabicPaperTexts },
} as const satisfies Record<string, PageTexts & PaperTexts>;

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
