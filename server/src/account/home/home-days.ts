/** What came in day by day: bars for who points, and the same numbers as a table for who reads or listens. */
import { findCurrency } from '../../catalog/currency-catalog.ts';
import {
  type Decimal,
  decimal,
  divide,
  formatDecimal,
  formatFixed,
  isLess,
  minus,
  sum,
  times,
  zero,
} from '../../money/decimal.ts';
import type { ShownDay } from '../../reports/read-days.ts';
import { barChart, scaleOf } from '../../web/bar-chart.ts';
import { type Html, html } from '../../web/html.ts';
import { numberText, percentText, priceText } from '../../web/number-text.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { dayText, shortDay } from '../frame/day-text.ts';
import { type HomeFacts, shownDays } from './home-facts.ts';

export const fixedMoney = (currency: string, value: Decimal): string =>
  formatFixed(value, findCurrency(currency)?.decimals ?? 2);

export const moneyOf = ({ language }: AccountLook, currency: string, value: Decimal): string =>
  priceText(language, fixedMoney(currency, value), currency);

const labelEvery = 6;

export function dayFigures(look: AccountLook, { days, currency, day: today }: HomeFacts): Html {
  const { say, language } = look;
  const [before, shown] = [days.slice(0, -shownDays), days.slice(-shownDays)];
  const valueText = ({ credited, isKnown }: ShownDay): string =>
    isKnown ? moneyOf(look, currency, credited) : say('notCounted');
  const bars = shown.map((each) => ({
    value: each.credited,
    title: `${shortDay(look, each.day)}: ${valueText(each)}`,
    href: pathOf(each),
    isMarked: each.day === today,
  }));
  const scale = scaleOf(shown.map(({ credited }) => credited));
  const labels = shown.filter((_, at) => at % labelEvery === 0).map(({ day }) => shortDay(look, day));
  const rows = shown
    .toReversed()
    .map(
      (each) =>
        html`<tr><th scope="row"><a href="${pathOf(each)}">${dayText(look, each.day)}</a></th><td class="n">${numberText(language, String(each.paid))}</td><td class="n">${valueText(each)}</td></tr>`,
    );
  const isAny = shown.some(({ paid, credited }) => paid !== 0 || credited.digits !== 0n);
  const total = sum(shown, ({ credited }) => credited);
  return html`<section class="part" id="days" aria-labelledby="h-days"><div class="part-head"><h2 id="h-days">${say('creditedDays', { count: shownDays })}</h2>${isAny && html`<span class="more quiet">${say('inAll', { amount: moneyOf(look, currency, total) })}${comparison(look, { before, shown }, total)}</span>`}</div>
${isAny ? figure() : html`<p class="lead">${say('noDays')}</p>`}
${!shown.every(({ isKnown }) => isKnown) && html`<p class="small quiet">${say('daysBeingCounted')}</p>`}${shown.some(({ isValued }) => !isValued) && html`<p class="small quiet">${say('daysWorthUnknown')}</p>`}</section>`;

  function figure(): Html {
    return html`${barChart({ bars, scale: scale.map((value) => wholeMoney(look, currency, value)), top: scale[0] ?? zero, labels })}
<details class="numbers" id="days-numbers"><summary>${say('asTable')}</summary><table class="table"><thead><tr><th scope="col">${say('day')}</th><th scope="col" class="n">${say('paid')}</th><th scope="col" class="n">${say('credited')}</th></tr></thead><tbody>${rows}</tbody></table></details>`;
  }
}

const pathOf = ({ day }: ShownDay): string => `/account/checkouts?credited=${day}`;

/** Round numbers of a scale need no cents, unless they have some. */
const wholeMoney = ({ language }: AccountLook, currency: string, value: Decimal): string =>
  priceText(language, formatDecimal(value), currency);

/** Only where there is something to compare with, and all of it is known. */
function comparison(
  { say, language }: AccountLook,
  { before, shown }: { readonly before: readonly ShownDay[]; readonly shown: readonly ShownDay[] },
  total: Decimal,
): Html | false {
  const former = sum(before, ({ credited }) => credited);
  const isKnown = [...before, ...shown].every((each) => each.isKnown && each.isValued);
  if (!isKnown || !isLess(zero, former)) return false;
  const change = divide(times(minus(total, former), decimal(100)), former, 0, 'half-up');
  if (change.digits === 0n) return html`, ${say('asBefore')}`;
  const isMore = change.digits > 0n;
  const percent = percentText(language, formatDecimal(isMore ? change : minus(zero, change)));
  return html`, <span${isMore && html` class="up"`}>${say(isMore ? 'moreThanBefore' : 'lessThanBefore', { percent })}</span>`;
}
