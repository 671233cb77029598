/** What the account says. A language is a file and a line here; a sentence that is missing in it does not compile. */
import { createRequire } from 'node:module';
import { createSayers, type SayIn } from '../../web/texts/say.ts';
import { englishAccountTexts } from './english-account-texts.ts';

export type AccountTextKey = keyof typeof englishAccountTexts;
export type AccountTexts = Readonly<Record<AccountTextKey, string>>;
export type AccountSay = SayIn<AccountTextKey>;

const load = createRequire(import.meta.url);

/** Loaded when somebody first reads it: all of them together are a tenth of what a process loads before it can start. */
export const accountLanguages = {
  en: englishAccountTexts,
  get de(): AccountTexts {
    return (load('./german-account-texts.ts') as typeof import('./german-account-texts.ts')).germanAccountTexts;
  },
  get pt(): AccountTexts {
    return (
      load('./portuguese/portuguese-account-texts.ts') as typeof import('./portuguese/portuguese-account-texts.ts')
    ).portugueseAccountTexts;
  },
  get es(): AccountTexts {
    return (load('./spanish/spanish-account-texts.ts') as typeof import('./spanish/spanish-account-texts.ts'))
      .spanishAccountTexts;
  },
  get it(): AccountTexts {
    return (load('./italian/italian-account-texts.ts') as typeof import('./italian/italian-account-texts.ts'))
      .italianAccountTexts;
  },
  get tr(): AccountTexts {
    return (load('./turkish/turkish-account-texts.ts') as typeof import('./turkish/turkish-account-texts.ts'))
      .turkishAccountTexts;
  },
  get pl(): AccountTexts {
    return (load('./polish/polish-account-texts.ts') as typeof import('./polish/polish-account-texts.ts'))
      .polishAccountTexts;
  },
  get fr(): AccountTexts {
    return (load('./french/french-account-texts.ts') as typeof import('./french/french-account-texts.ts'))
      .frenchAccountTexts;
  },
  get ar(): AccountTexts {
    return (load('./arabic/arabic-account-texts.ts') as typeof import('./arabic/arabic-account-texts.ts'))
      .arabicAccountTexts;
  },
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

type FieldKey = Extract<AccountTextKey, `field_${string}`>;

export const hasFieldName = (key: string): key is FieldKey =>
  key.startsWith('field_') && Object.hasOwn(englishAccountTexts, key);

type AuditKey = Extract<AccountTextKey, `audit_${string}`>;

export const hasAuditText = (key: string): key is AuditKey =>
  key.startsWith('audit_') && Object.hasOwn(englishAccountTexts, key);
