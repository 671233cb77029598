/**
 * Numbers, dates and times as a language writes them. Intl gets prices as text and formats every digit, so no amount
 * ever becomes a float. Amounts for a wallet are not written here: they are plain decimals in every language.
 */

import { hours } from '../lib/clock.ts';
import { type Html, html } from './html.ts';
import { dateFormat, numberFormat } from './intl-formats.ts';
import { isToTheLeft, keepOrder, type PageLanguage } from './texts/page-texts.ts';

/** Currencies of states, for which Intl has symbols. It would accept `BTC` too, but knows nothing about it. */
const isoCurrencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

type Part = { readonly text: string; readonly isUnit: boolean };

/**
 * `€1,234.50` or `1.234,50 €`. If several currencies share a symbol, Intl says which one it is (`US$`). A code that is
 * no ISO currency is written after the number.
 */
export const priceText = (language: PageLanguage, amount: string, currency: string): string =>
  keepOrder(
    language,
    priceParts(language, amount, currency)
      .map(({ text }) => text)
      .join(''),
  );

/** The same for headlines, with the unit in a smaller size. */
export const priceHtml = (language: PageLanguage, amount: string, currency: string): Html =>
  withUnit(language, priceParts(language, amount, currency));

/** `0,00136872 BTC`, `9,90 EUR`: on the screen. What is copied, scanned or linked is the plain decimal. */
export const coinText = (language: PageLanguage, amount: string, code: string): string =>
  keepOrder(language, `${numberText(language, amount, leastDecimals(code))}${noBreak}${code}`);

export const coinHtml = (language: PageLanguage, amount: string, code: string): Html =>
  withUnit(language, coinParts(language, amount, code));

/** `1 BTC = 55.555,56 €` */
export const rateText = (
  language: PageLanguage,
  { code, price, currency }: Readonly<Record<'code' | 'price' | 'currency', string>>,
): string => keepOrder(language, `1${noBreak}${code} = ${priceText(language, price, currency)}`);

/** `19 %`, `19%` or `%19`. As a unit, because Intl would multiply a percentage by a hundred. */
export const percentText = (language: PageLanguage, percent: string): string =>
  numberFormat(language, { style: 'unit', unit: 'percent', ...exactly(percent) }).format(
    percent as Intl.StringNumericLiteral,
  );

/** Between a number and its unit: no line may end there. */
const noBreak = '\u00a0';

/** Intl writes the hyphen of keyboards, which is shorter than a digit, and after which a line may end. */
const minus = '\u2212';

const withUnit = (language: PageLanguage, parts: readonly Part[]): Html =>
  html`<bdi${isToTheLeft(language) && html` dir="ltr"`}>${parts.map(({ text, isUnit }) => (isUnit ? html`<span class="unit">${text}</span>` : text))}</bdi>`;

const coinParts = (language: PageLanguage, amount: string, code: string): Part[] => [
  { text: `${numberText(language, amount, leastDecimals(code))}${noBreak}`, isUnit: false },
  { text: code, isUnit: true },
];

/** What Intl puts around Arabic numbers. Where every amount keeps its order, it would turn prices and not coins. */
const directions = /[\u061c\u200e\u200f]/gu;

function priceParts(language: PageLanguage, amount: string, currency: string): Part[] {
  if (!isoCurrencies.has(currency)) return coinParts(language, amount, currency);
  const format = numberFormat(language, { style: 'currency', currency, ...exactly(amount) });
  return format.formatToParts(amount as Intl.StringNumericLiteral).map(({ type, value }) => ({
    text: type === 'minusSign' ? minus : value.replaceAll(directions, ''),
    isUnit: type === 'currency',
  }));
}

/** Money of a state is never written with half of its decimals: nobody transfers 9.9 euros. */
export const leastDecimals = (code: string): number =>
  isoCurrencies.has(code)
    ? (numberFormat('en', { style: 'currency', currency: code }).resolvedOptions().minimumFractionDigits ?? 0)
    : 0;

/** The number alone, where a column or the line above it says of what. */
export const coinDigits = (language: PageLanguage, amount: string, code: string): string =>
  numberText(language, amount, leastDecimals(code));

/** The same as a plain decimal: for a field that is filled in, for a file, for a mail in one language. */
export function plainCoinDigits(amount: string, code: string): string {
  const [whole, decimals = ''] = amount.split('.');
  const filled = decimals.padEnd(leastDecimals(code), '0');
  return filled === '' ? amount : `${whole}.${filled}`;
}

/** Keeps exactly the decimals that the number has, and fills them up to so many. */
export const numberText = (language: PageLanguage, number: string, least = 0): string =>
  numberFormat(language, exactly(number, least))
    .formatToParts(number as Intl.StringNumericLiteral)
    .map(({ type, value }) => (type === 'minusSign' ? minus : value))
    .join('');

function exactly(number: string, least = 0): { minimumFractionDigits: number; maximumFractionDigits: number } {
  const decimals = Math.max(least, number.split('.')[1]?.length ?? 0);
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
}

/** Facts side by side, with the comma of the language. */
export const listed = (language: PageLanguage, facts: readonly string[]): string =>
  facts.join(language === 'ar' ? '، ' : ', ');

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const dayAndTime = { day: 'numeric', month: 'long', year: 'numeric', ...clock } as const;

const hoursWithoutDay = 6;

/** Whether a time alone would be taken for one of today, and is not. */
export const needsDay = (date: Date, now: Date): boolean =>
  Math.abs(date.getTime() - now.getTime()) > hours(hoursWithoutDay);

/**
 * Until when something can be done is said in the customer's own time: the server does not know where the customer is,
 * so it is in UTC and says so, until the script makes it local.
 */
export function timeTag(language: PageLanguage, date: Date): Html {
  const text = dateFormat(language, { ...clock, timeZone: 'UTC' }).format(date);
  return html`<time datetime="${date.toISOString()}" data-local="time">${text}\u00a0UTC</time>`;
}

export const dateText = (language: PageLanguage, date: Date): string =>
  `${dateFormat(language, { ...dayAndTime, timeZone: 'UTC' }).format(date)}${noBreak}UTC`;

export const dateTag = (language: PageLanguage, date: Date): Html =>
  html`<time datetime="${date.toISOString()}" data-local="date">${dateText(language, date)}</time>`;

/** `6 days 23 hours`, `5 hours`: what has begun is not counted, so nobody has less than it says. */
export function timeLeftText(language: PageLanguage, seconds: number): string {
  const [days, hoursLeft] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24];
  const written = (count: number, unit: 'day' | 'hour'): string =>
    numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  const parts = [...(days > 0 ? [written(days, 'day')] : []), ...(hoursLeft > 0 ? [written(hoursLeft, 'hour')] : [])];
  return parts.join(' ');
}

/**
 * When something was paid is said in the shop's time zone and names it, wherever the reader is: the slip, the papers and
 * the mail are about one payment, and must not have two dates. `15. November 2026 um 17:45 MEZ`.
 */
export const paperDate = (language: PageLanguage, date: Date, timeZone: string): string =>
  dateFormat(language, { ...dayAndTime, timeZoneName: 'short', timeZone }).format(date);

/** The day alone: an invoice is dated by it. */
export const paperDay = (language: PageLanguage, date: Date, timeZone: string): string =>
  dateFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(date);

/** The same of a day such as 2026-11-17. */
export const paperDayOf = (language: PageLanguage, day: string): string =>
  paperDay(language, new Date(`${day}T00:00:00Z`), 'UTC');

/** On a slip it stands beside its name, on the narrowest phone and in the longest language: `15. Nov. 2026, 17:45 MEZ`. */
export function slipDateTag(language: PageLanguage, date: Date, timeZone: string): Html {
  const format = dateFormat(language, { ...dayAndTime, month: 'short', timeZoneName: 'short', timeZone });
  return html`<time datetime="${date.toISOString()}">${format.format(date)}</time>`;
}
