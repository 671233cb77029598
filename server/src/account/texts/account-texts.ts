/** What the account says. A language is a file and a line here; a sentence that is missing in it does not compile. */
import { createSayers, type SayIn } from '../../web/texts/say.ts';
import { arabicAccountTexts } from './arabic/arabic-account-texts.ts';
import { englishAccountTexts } from './english-account-texts.ts';
import { frenchAccountTexts } from './french/french-account-texts.ts';
import { germanAccountTexts } from './german-account-texts.ts';
import { italianAccountTexts } from './italian/italian-account-texts.ts';
import { polishAccountTexts } from './polish/polish-account-texts.ts';
import { portugueseAccountTexts } from './portuguese/portuguese-account-texts.ts';
import { spanishAccountTexts } from './spanish/spanish-account-texts.ts';
import { turkishAccountTexts } from './turkish/turkish-account-texts.ts';

export type AccountTextKey = keyof typeof englishAccountTexts;
export type AccountTexts = Readonly<Record<AccountTextKey, string>>;
export type AccountSay = SayIn<AccountTextKey>;

export const accountLanguages = {
  en: englishAccountTexts,
  de: germanAccountTexts,
  pt: portugueseAccountTexts,
  es: spanishAccountTexts,
  it: italianAccountTexts,
  tr: turkishAccountTexts,
  pl: polishAccountTexts,
  fr: frenchAccountTexts,
  ar: arabicAccountTexts,
} as const satisfies Record<string, AccountTexts>;

export type AccountLanguage = keyof typeof accountLanguages;

export const isAccountLanguage = (code: string): code is AccountLanguage => Object.hasOwn(accountLanguages, code);

export const sayInAccount: (language: AccountLanguage) => AccountSay = createSayers<AccountLanguage, AccountTextKey>(
  accountLanguages,
  { isolatesValues: true },
);

type ProblemKey = Extract<AccountTextKey, `problem_${string}`>;

export const hasProblemText = (key: string): key is ProblemKey =>
  key.startsWith('problem_') && Object.hasOwn(englishAccountTexts, key);

type AuditKey = Extract<AccountTextKey, `audit_${string}`>;

export const hasAuditText = (key: string): key is AuditKey =>
  key.startsWith('audit_') && Object.hasOwn(englishAccountTexts, key);
