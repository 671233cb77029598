/** A receipt, an invoice or a credit note that somebody of the shop sends: its number, its sum, and a button to it. */
import type { StoredPaper } from '../papers/paper-store.ts';
import { html } from '../web/html.ts';
import { paperDate, priceText } from '../web/number-text.ts';
import { type PageLanguage, sayIn } from '../web/texts/page-texts.ts';
import type { MailLook } from './find-mail-look.ts';
import { footLines, helpMail, type MailShop, mailFrame } from './mail-frame.ts';
import { button, heading, hero, link, paragraph, smallPrint } from './mail-parts.ts';
import { oneLine, wordsOfShop } from './one-line.ts';
import type { Email } from './send-email.ts';

export type PaperMailFacts = {
  readonly paper: StoredPaper;
  readonly shop: MailShop;
  readonly look: MailLook;
  readonly url: string;
};

const titles = {
  receipt: 'paperMail_receipt',
  invoice: 'paperMail_invoice',
  creditNote: 'paperMail_creditNote',
} as const;

export function paperEmail(
  language: PageLanguage,
  { paper, shop, look, url }: PaperMailFacts,
): Omit<Email, 'id' | 'to'> {
  const say = sayIn(language);
  const { kind, number, issuedAt, facts } = paper;
  const name = oneLine(shop.shopName);
  const subject = `${say(titles[kind], { number })} · ${name}`;
  const title = say(titles[kind], { number: wordsOfShop(number) });
  const total = priceText(language, facts.total, facts.currency);
  const day = paperDate(language, issuedAt, facts.timeZone);
  const text = say('paperMailText', { shop: wordsOfShop(name) });
  const common = { language, shop, reason: say('paperMailReason', { shop: wordsOfShop(name) }) };
  return {
    language,
    subject,
    text: [
      ...(facts.isSandbox ? [say('sandbox')] : []),
      title,
      `${total} · ${day}`,
      '',
      text,
      '',
      url,
      '',
      ...footLines(common),
      '',
    ].join('\n'),
    ...mailFrame({
      ...common,
      look,
      subject,
      glance: `${total} · ${day}`,
      isSandbox: facts.isSandbox,
      helpUrl: helpMail(shop, number),
      sheet: (style) => html`${heading(style, title)}
${hero(style, total)}
${smallPrint(style, day, 4)}
${paragraph(style, text, 16)}
${button(style, { text: say('paperMailButton'), url })}
${smallPrint(style, link(style, url), 12)}`,
    }),
  };
}
