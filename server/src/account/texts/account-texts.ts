/** What the account says. A language is a file and a line here; a sentence that is missing in it does not compile. */
import { createSayers, type SayIn } from '../../web/texts/say.ts';
import { englishAccountTexts } from './english-account-texts.ts';
import { germanAccountTexts } from './german-account-texts.ts';

export type AccountTextKey = keyof typeof englishAccountTexts;
export type AccountTexts = Readonly<Record<AccountTextKey, string>>;
export type AccountSay = SayIn<AccountTextKey>;

export const accountLanguages = {
  en: englishAccountTexts,
  de: germanAccountTexts,
} as const satisfies Record<string, AccountTexts>;

export type AccountLanguage = keyof typeof accountLanguages;

export const isAccountLanguage = (code: string): code is AccountLanguage => Object.hasOwn(accountLanguages, code);

export const sayInAccount: (language: AccountLanguage) => AccountSay = createSayers<AccountLanguage, AccountTextKey>(
  accountLanguages,
);

type ProblemKey = Extract<AccountTextKey, `problem_${string}`>;

export const hasProblemText = (key: string): key is ProblemKey =>
  key.startsWith('problem_') && Object.hasOwn(englishAccountTexts, key);

type AuditKey = Extract<AccountTextKey, `audit_${string}`>;

export const hasAuditText = (key: string): key is AuditKey =>
  key.startsWith('audit_') && Object.hasOwn(englishAccountTexts, key);
