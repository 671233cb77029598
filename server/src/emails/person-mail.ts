/** The frame of every e-mail to people of the account: plain, in their language and in its direction. */
import { type Html, html } from '../web/html.ts';
import type { SupportContact } from '../web/support-contact.ts';
import { isPageLanguage, isToTheLeft, type PageLanguage } from '../web/texts/page-texts.ts';
import { type MailSay, sayInMail } from './texts/mail-texts.ts';

/** A language that somebody chose in a later release is English here. */
export const mailLanguage = (code: string): PageLanguage => (isPageLanguage(code) ? code : 'en');

/** Below every message: whom to ask; null: nobody is named. */
export const askLine = (say: MailSay, contact: SupportContact | null): string[] =>
  contact === null ? [] : ['', say('askOperator', { contact: contact.href.replace(/^mailto:/, '') })];

export const personMailHtml = (language: PageLanguage, body: Html, contact: SupportContact | null): string =>
  html`<!doctype html>
<html lang="${language}" dir="${isToTheLeft(language) ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"></head>
<body>${body}${contact !== null && html`<p>${sayInMail(language).html('askOperator', { contact: html`<a href="${contact.href}" dir="ltr">${contact.text}</a>` })}</p>`}</body></html>
`.toString();
