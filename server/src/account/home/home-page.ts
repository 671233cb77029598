/** Home: what waits, what came in, what there is. Every number leads to the rows that make it up. */
import type { WalletRecord } from '@quittance/contract/wallet';
import { findAsset } from '../../catalog/asset-catalog.ts';
import type { NeedDeps } from '../../finding/needs-you.ts';
import { decimal, formatDecimal, plus } from '../../money/decimal.ts';
import type { RequestRefundDeps } from '../../refunds/request-refund.ts';
import { openMax } from '../../reports/today-numbers.ts';
import { totalValue } from '../../wallets/read-wallets.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { coinText, listed, numberText, priceHtml } from '../../web/number-text.ts';
import { checkoutTable } from '../checkouts/checkout-list-page.ts';
import { newLinkButton, newLinkPath } from '../checkouts/payment-link-page.ts';
import { exportButton } from '../exports/list-reply.ts';
import { accountPage, type PageNews } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { longDay } from '../frame/day-text.ts';
import { balancePath } from '../money/balances-page.ts';
import { dayFigures, fixedMoney, moneyOf } from './home-days.ts';
import type { HomeFacts } from './home-facts.ts';
import { closedItem } from './needs-you-page.ts';
import { needsYouPath } from './needs-you-path.ts';
import { setUpPath, setUpPlaces } from './set-up-steps.ts';

type Deps = NeedDeps & RequestRefundDeps;

const checkouts = '/account/checkouts';

export function homePage(deps: Deps, look: AccountLook, facts: HomeFacts, news: PageNews): Html {
  const { say } = look;
  const today = facts.days.at(-1);
  const announce = say('homeAnnounced', {
    credited: today ? moneyOf(look, facts.currency, today.credited) : '',
    // What chains take back can be more than what came in.
    paid: Math.max(0, today?.paid ?? 0),
  });
  return accountPage(look, {
    title: longDay(look, facts.day),
    documentTitle: say('home'),
    actions: html`${exportButton(look, '/account/days/export')}${newLinkButton(look)}`,
    news: { ...news, announce },
    main: html`<div class="strips" id="strips">${setUpStrip(look, facts)}${awayStrip(look, facts)}</div>
<div class="work part" id="home" data-parts><div id="home-work" data-parts>${needsPart(deps, look, facts)}${dayFigures(look, facts)}</div>
<div class="rail" id="home-rail" data-parts>${todayPart(look, facts)}${balancesPart(deps, look, facts)}</div></div>
${newestPart(deps, look, facts)}`,
  });
}

const part = (id: string, title: string, more: HtmlValue, inside: HtmlValue): Html =>
  html`<section class="part" id="${id}" aria-labelledby="h-${id}"><div class="part-head"><h2 id="h-${id}">${title}</h2>${more}</div>
${inside}</section>`;

function setUpStrip({ say, language }: AccountLook, { setUp }: HomeFacts): Html | false {
  if (setUp === null) return false;
  const { steps: all, left } = setUp;
  const done = all.length - left.length;
  const steps = left.map(
    (step, at) => html`${at > 0 && ' · '}<a href="${setUpPlaces[step].path}">${say(`setUp_${step}`)}</a>`,
  );
  const [doneText, allText] = [done, all.length].map((count) => numberText(language, String(count)));
  return html`<section class="todo" aria-label="${say('setUp')}"><svg class="ring" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/><circle cx="12" cy="12" r="10" pathLength="100" stroke-dashoffset="${100 - Math.round((100 * done) / all.length)}"/></svg><span><b>${say('setUpDone', { done: doneText ?? '', all: allText ?? '' })}</b> <span class="quiet">${say('setUpLeft')}</span> ${steps}</span><a class="btn" href="${setUpPath}">${say('setUpGoOn')}${icon('right')}</a></section>`;
}

/** Only when a network is away. */
const awayStrip = ({ say, language }: AccountLook, { away }: HomeFacts): Html | false =>
  away.length > 0 &&
  html`<p class="notice wait">${icon('info')}<span><b>${say('networksAway', { count: away.length, names: listed(language, away) })}</b> ${say('nothingIsLost')}</span></p>`;

function needsPart(deps: Deps, look: AccountLook, { needs }: HomeFacts): Html {
  const { say } = look;
  const { items, count, about } = needs;
  const all = html`<a href="${needsYouPath()}">${say('allNeeds', { count })}</a>`;
  return part(
    'needs',
    say('needsYou'),
    count > 0 && all,
    count === 0
      ? html`<p class="lead">${say('nothingNeedsYou')}</p>`
      : html`<ul class="asks">${items.map((need) => closedItem(deps, look, need, about, 'all'))}</ul>`,
  );
}

function todayPart(look: AccountLook, { today, days, currency, day }: HomeFacts): Html {
  const { say, language } = look;
  const credited = days.at(-1);
  const number = (count: number): string => numberText(language, String(count));
  const open = today.open >= openMax ? `${number(openMax)}+` : number(today.open);
  const stat = (path: string, label: string, amount: HtmlValue): Html =>
    html`<a class="stat" href="${path}"><span class="label">${label}</span><span class="amount">${amount}</span></a>`;
  const amount = credited && priceHtml(language, fixedMoney(currency, credited.credited), currency);
  return part(
    'today',
    say('today'),
    false,
    html`<div class="today">${stat(`${checkouts}?credited=${day}`, say('credited'), amount)}
${stat(`${checkouts}?tab=paid&credited=${day}`, say('paid'), number(credited?.paid ?? 0))}
${stat(`${checkouts}?tab=paying`, say('openNow'), open)}
${stat(`${checkouts}?period=${day}&network=ANY`, say('paidOfChosen'), today.committed === 0 ? '–' : say('countOf', { count: number(today.paid), all: number(today.committed) }))}</div>
${credited?.isValued === false && html`<p class="small quiet">${say('daysWorthUnknown')}</p>`}`,
  );
}

function balancesPart(deps: Deps, look: AccountLook, { wallets, currency }: HomeFacts): Html | false {
  if (wallets === null) return false;
  const { say, language } = look;
  const held = wallets.map((wallet) => ({ ...wallet, sum: sumOf(wallet) })).filter(({ sum }) => sum !== '0');
  const total = totalValue(wallets);
  const worth = (value: string): string => moneyOf(look, currency, decimal(value));
  const more = held.length > 0 && total !== null && html`<span class="more quiet">${worth(total)}</span>`;
  const lines = held.map((wallet) => {
    const { assetId, assetCode, name, sum, value } = wallet;
    const picture = findAsset(deps.assets, assetId)?.imageSrc;
    return html`<li>${picture !== undefined && html`<img class="coin small" src="${picture}" alt="" width="18" height="18">`}<a class="plain" href="${balancePath(deps, wallet)}">${name}</a><span class="sum">${coinText(language, sum, assetCode)}${value !== null && html`<small>${worth(value)}</small>`}</span></li>`;
  });
  return part(
    'balances',
    say('homeBalances'),
    more,
    held.length === 0 ? html`<p class="lead">${say('homeNoBalances')}</p>` : html`<ul class="line-list">${lines}</ul>`,
  );
}

/** What the value is of. */
const sumOf = ({ available, pending, reserved }: WalletRecord): string =>
  formatDecimal(plus(plus(decimal(available), decimal(pending)), decimal(reserved)));

function newestPart(deps: Deps, look: AccountLook, { newest, customers, now }: HomeFacts): Html {
  const { say } = look;
  const action =
    look.may('charge') && html`<p><a class="btn" href="${newLinkPath}">${icon('plus')}${say('newLink')}</a></p>`;
  return part(
    'newest',
    say('newestOrders'),
    newest.length > 0 && html`<a href="${checkouts}">${say('allOrders')}</a>`,
    newest.length === 0
      ? html`<div class="part-body"><p class="lead">${say('noCheckouts')}</p>${action}</div>`
      : checkoutTable(deps, look, { items: newest, customers, now }),
  );
}
