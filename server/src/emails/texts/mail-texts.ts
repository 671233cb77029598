/** What e-mails to people of the account say, in every language that pages have; what is missing does not compile. */
import type { PageLanguage } from '../../web/texts/page-texts.ts';
import { createSayers, type SayIn } from '../../web/texts/say.ts';
import { arabicMailTexts } from './arabic-mail-texts.ts';
import { englishMailTexts } from './english-mail-texts.ts';
import { frenchMailTexts } from './french-mail-texts.ts';
import { germanMailTexts } from './german-mail-texts.ts';
import { italianMailTexts } from './italian-mail-texts.ts';
import { polishMailTexts } from './polish-mail-texts.ts';
import { portugueseMailTexts } from './portuguese-mail-texts.ts';
import { spanishMailTexts } from './spanish-mail-texts.ts';
import { turkishMailTexts } from './turkish-mail-texts.ts';

export type MailTextKey = keyof typeof englishMailTexts;
export type MailTexts = Readonly<Record<MailTextKey, string>>;
export type MailSay = SayIn<MailTextKey>;

export const mailLanguages: Readonly<Record<PageLanguage, MailTexts>> = {
  en: englishMailTexts,
  de: germanMailTexts,
  pt: portugueseMailTexts,
  es: spanishMailTexts,
  it: italianMailTexts,
  tr: turkishMailTexts,
  pl: polishMailTexts,
  fr: frenchMailTexts,
  ar: arabicMailTexts,
};

export const sayInMail: (language: PageLanguage) => MailSay = createSayers<PageLanguage, MailTextKey>(mailLanguages, {
  isolatesValues: true,
});
