/** The frame of every e-mail to people of the account: plain, in their language and in its direction. */
import { type Html, html } from '../web/html.ts';
import { isPageLanguage, isToTheLeft, type PageLanguage } from '../web/texts/page-texts.ts';

/** A language that somebody chose in a later release is English here. */
export const mailLanguage = (code: string): PageLanguage => (isPageLanguage(code) ? code : 'en');

export const personMailHtml = (language: PageLanguage, body: Html): string =>
  html`<!doctype html>
<html lang="${language}" dir="${isToTheLeft(language) ? 'rtl' : 'ltr'}"><head><meta charset="utf-8"></head>
<body>${body}</body></html>
`.toString();
