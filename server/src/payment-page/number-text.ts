/**
 * Numbers, dates and times as a language writes them. Prices go to Intl as text, which it formats digit by digit, so no
 * amount ever becomes a float. What is typed into a wallet is not written here: that is a plain decimal everywhere.
 */

import { type Html, html } from '../web/html.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import type { ChargeLine } from './charge-lines.ts';

/** `1,234.50 USD`: with the code, because $ and kr mean something else in every country. */
export function priceText(language: PageLanguage, amount: string, currency: string): string {
  return `${numberText(language, amount)}\u00a0${currency}`;
}

/** With exactly the decimals it comes with. */
function numberText(language: PageLanguage, number: string): string {
  const decimals = number.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return format.format(number as Intl.StringNumericLiteral);
}

/** `2 × 9.99` or `19 %`. */
export function detailText(language: PageLanguage, detail: NonNullable<ChargeLine['detail']>): string {
  if ('percent' in detail) return `${numberText(language, detail.percent)}\u00a0%`;
  return `${numberText(language, detail.pieces)} × ${numberText(language, detail.each)}`;
}

/** The server does not know where the customer is: times are in UTC and say so, until the script makes them local. */
export function timeTag(language: PageLanguage, date: Date): Html {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' } as const;
  const text = new Intl.DateTimeFormat(language, options).format(date);
  return html`<time datetime="${date.toISOString()}" data-local="time">${text}\u00a0UTC</time>`;
}

export const dateText = (language: PageLanguage, date: Date): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' }).format(date)}\u00a0UTC`;

export const dateTag = (language: PageLanguage, date: Date): Html =>
  html`<time datetime="${date.toISOString()}" data-local="date">${dateText(language, date)}</time>`;
