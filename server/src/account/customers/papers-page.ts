/** Papers: the list with its tabs, search and filters. */
import type { Customer } from '../../counterparties/customer-store.ts';
import { dayOf } from '../../lib/local-day.ts';
import { compare, decimal, zero } from '../../money/decimal.ts';
import type { ListedPaper } from '../../papers/list-papers.ts';
import type { StoredPaper } from '../../papers/paper-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { priceText } from '../../web/number-text.ts';
import { periods } from '../checkouts/checkout-list-filter.ts';
import { customerName } from '../checkouts/checkout-words.ts';
import { pagerOf } from '../developers/developer-parts.ts';
import { exportButton } from '../exports/list-reply.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { dayText } from '../frame/day-text.ts';
import { type AskedPapers, isPaperFiltered, paperListPath, papersPath, paperTabs } from './paper-list-filter.ts';

export type PapersFacts = {
  readonly asked: AskedPapers;
  readonly items: readonly ListedPaper[];
  /** What the shop calls each order, by the id of its checkout. */
  readonly orders: ReadonlyMap<string, string>;
  readonly next: string | null;
  /** A search fits more than it shows. */
  readonly isCut: boolean;
  /** Of the filter; null: there is none, or it was deleted. */
  readonly customer: Customer | null;
};

export function papersPage(look: AccountLook, facts: PapersFacts): Html {
  const { say } = look;
  const { asked, items } = facts;
  const isUnused = items.length === 0 && !isPaperFiltered(asked) && asked.cursor === '';
  const rest = paperListPath(asked).split('?')[1] ?? '';
  return accountPage(look, {
    title: say('papers'),
    actions: items.length > 0 && exportButton(look, paperListPath(asked, {}, `${papersPath}/export`)),
    main: isUnused
      ? html`<div class="empty">${icon('receipt')}<p>${say('noPapers')}</p></div>`
      : html`<nav class="tabs" aria-label="${say('paperKinds')}">${paperTabs.map((tab) => html`<a href="${paperListPath(asked, { tab })}"${tab === asked.tab && html` aria-current="page"`}>${say(`paperTab_${tab}`)}</a>`)}</nav>
${searchBar(look, facts)}
${
  items.length === 0
    ? html`<div class="empty">${icon('search')}<p>${say('noPaperFits')}</p><a class="btn" href="${papersPath}">${say('allPapers')}</a></div>`
    : paperTable(look, facts)
}
${facts.isCut && html`<p class="small quiet">${say('papersCut')}</p>`}
${pagerOf(look, papersPath, { next: facts.next, isFirst: asked.cursor === '', rest })}`,
  });
}

function searchBar(look: AccountLook, { asked, customer }: PapersFacts): Html {
  const { say } = look;
  const label = say(look.may('seeCustomers') ? 'paperSearch' : 'paperSearchNoCustomer');
  const kept = Object.entries({
    tab: asked.tab === 'all' ? '' : asked.tab,
    period: asked.period,
    customer: asked.customer,
  });
  const chip = (name: 'period' | 'customer' | 'search', text: string): Html =>
    html`<a class="chip on" href="${paperListPath(asked, { [name]: '' })}"><span class="unseen">${say(`filter_${name}`)}: </span>${text}<span class="unseen">, ${say('removeFilter')}</span>${icon('x')}</a>`;
  return html`<form class="filters" method="get" action="${papersPath}" role="search">${kept.map(([name, value]) => value !== '' && html`<input type="hidden" name="${name}" value="${value}">`)}<label class="unseen" for="search">${label}</label><input class="input searching" id="search" name="search" type="search" maxlength="200" value="${asked.search}" placeholder="${label}"><button class="btn">${icon('search')}${say('customerSearchButton')}</button></form>
<div class="filters" role="group" aria-label="${say('checkoutFilters')}">${
    asked.period === ''
      ? html`<details class="own" name="filter"><summary class="chip">${icon('plus')}${say('filter_period')}</summary><div class="own-menu">${periods.map((each) => html`<a class="btn quiet wide" href="${paperListPath(asked, { period: each })}">${say(`period_${each}`)}</a>`)}</div></details>`
      : chip('period', say(`period_${periods.find((each) => each === asked.period) ?? '7'}`))
  }${asked.customer !== '' && chip('customer', customer ? customerName(customer) : asked.customer)}${asked.search !== '' && chip('search', asked.search)}</div>`;
}

/** In characters: with more than these a phone has too little room beside it. */
const longPrice = 12;

function paperTable(look: AccountLook, { items, orders }: PapersFacts): Html {
  const { say } = look;
  const sees = look.may('seeCustomers');
  const row = (listed: ListedPaper): Html => {
    const { paper } = listed;
    const { facts } = paper;
    const total = priceText(look.language, facts.total, facts.currency);
    const day = issueDay(look, paper);
    const buyer = sees && facts.buyer ? customerName(facts.buyer) : null;
    return html`<tr><th scope="row" class="nowrap"><a href="${papersPath}/${paper.id}">${paper.number}</a><span class="sub">${say(`paperKind_${paper.kind}`)}</span></th><td class="desk">${say(`paperKind_${paper.kind}`)}</td><td class="desk">${day}</td><td class="desk roomy nowrap"><a href="/account/checkouts/${paper.checkoutId}">${orders.get(paper.checkoutId) ?? paper.checkoutId}</a></td>${sees && html`<td class="desk roomy wrap breaks">${buyer ?? '–'}</td>`}<td>${markOf(look, listed)}</td><td class="n${total.length > longPrice && ' long'}">${total}<span class="sub">${day}</span></td></tr>`;
  };
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('papers')}"><table class="table list"><thead><tr><th scope="col">${say('paperNumber')}</th><th scope="col" class="desk">${say('paperKind')}</th><th scope="col" class="desk">${say('paperDay')}</th><th scope="col" class="desk roomy">${say('order')}</th>${sees && html`<th scope="col" class="desk roomy">${say('customer')}</th>`}<th scope="col">${say('paperMark')}</th><th scope="col" class="n">${say('paperTotal')}</th></tr></thead><tbody>${items.map(row)}</tbody></table></div>`;
}

/** The day that the paper itself says. */
export const issueDay = (look: AccountLook, { issuedAt, facts }: StoredPaper): string =>
  dayText(look, dayOf(facts.timeZone, issuedAt));

const tones = { PAID: 'paid', REFUNDED: 'none', CANCELLED: 'none' } as const;

export function markOf({ say, language }: AccountLook, { paper, mark, credited }: ListedPaper): Html {
  if (mark === null) return html`<span class="quiet">–</span>`;
  const { currency } = paper.facts;
  const isPart = mark === 'PAID' && compare(decimal(credited), zero) > 0;
  return html`<span class="state ${tones[mark]}">${icon(tones[mark])}${say(`paperMark_${mark}`)}</span>${isPart && html`<span class="small quiet desk roomy"> · ${say('paperCreditedSum')} ${priceText(language, credited, currency)}</span>`}`;
}
