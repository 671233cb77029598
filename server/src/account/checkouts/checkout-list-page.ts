/** The list of checkouts: tabs, filters as chips that live in the address, a row for each, older ones by a link. */
import { findAsset } from '../../catalog/asset-catalog.ts';
import { findNetwork } from '../../catalog/network-catalog.ts';
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import { isAlive } from '../../checkouts/checkout-state.ts';
import { matchesMax } from '../../checkouts/match-checkouts.ts';
import type { Customer } from '../../counterparties/customer-store.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { exportButton } from '../exports/list-reply.ts';
import { accountPage, type PageNews } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { dayText } from '../frame/day-text.ts';
import {
  type AskedFilters,
  anyNetwork,
  exportPath,
  type FilterName,
  filterNames,
  isFiltered,
  listPath,
  periods,
  tabs,
} from './checkout-list-filter.ts';
import {
  amountsText,
  checkoutPrice,
  customerName,
  orderOf,
  sentenceOf,
  shortMoment,
  stateMark,
  type WordDeps,
} from './checkout-words.ts';
import { newLinkButton } from './payment-link-page.ts';

export type ListFacts = {
  readonly asked: AskedFilters;
  readonly items: readonly CheckoutDossier[];
  /** Of the list and of the filter, by id; empty for who may not see them. */
  readonly customers: ReadonlyMap<string, Customer>;
  /** Where older ones begin; null: there are none. */
  readonly next: string | null;
  /** A search found more than it shows. */
  readonly isCut: boolean;
  /** What can be filtered by. */
  readonly networks: readonly string[];
  readonly now: Date;
  readonly news: PageNews;
};

export const checkoutListPage = (deps: WordDeps, look: AccountLook, facts: ListFacts): Html =>
  accountPage(look, {
    title: look.say('checkouts'),
    actions: isUnused(facts)
      ? false
      : html`${facts.items.length > 0 && exportButton(look, exportPath(facts.asked))}${newLinkButton(look)}`,
    news: facts.news,
    main: html`<nav class="tabs" aria-label="${look.say('states')}">${shownTabs(facts.asked).map(
      (tab) =>
        html`<a href="${listPath(facts.asked, { tab })}"${tab === facts.asked.tab && html` aria-current="page"`}>${look.say(`tab_${tab}`)}</a>`,
    )}</nav>
${facts.items.length === 0 ? emptyPart(deps, look, facts) : html`${filterBar(deps, look, facts)}${table(deps, look, facts)}`}`,
  });

const shownTabs = ({ tab: here }: AskedFilters) => tabs.filter((tab) => tab !== 'paying' || tab === here);

/** Nobody has ordered anything yet. */
const isUnused = ({ items, asked }: ListFacts): boolean =>
  items.length === 0 && !isFiltered(asked) && asked.cursor === '';

function emptyPart(deps: WordDeps, look: AccountLook, facts: ListFacts): Html {
  const { say } = look;
  if (isUnused(facts))
    return html`<div class="empty">${icon('receipt')}<p>${say('noCheckouts')}</p>${newLinkButton(look)}</div>`;
  return html`${filterBar(deps, look, facts)}<div class="empty">${icon('search')}<p>${say('noneFits')}</p>${cutNote(look, facts)}<a class="btn" href="/account/checkouts">${say('showAll')}</a></div>`;
}

/** Under the list: nobody takes it for all that fits. */
const cutNote = ({ say }: AccountLook, { isCut }: ListFacts): Html | false =>
  isCut && html`<p class="small quiet">${say('searchIsCut', { count: matchesMax })}</p>`;

/** In characters: with more than these a phone has too little room beside it. */
const longPrice = 12;

type RowFacts = Pick<ListFacts, 'items' | 'customers' | 'now'>;

function table(deps: WordDeps, look: AccountLook, facts: ListFacts): Html {
  const { say } = look;
  const { items, asked, next } = facts;
  return html`${checkoutTable(deps, look, facts)}
${cutNote(look, facts)}<div class="older"><span>${say('shownOfMany', { count: items.length })}</span>${asked.cursor !== '' && html`<a class="btn" href="${listPath(asked)}">${say('newestCheckouts')}</a>`}${next !== null && html`<a class="btn" rel="next" href="${listPath(asked, { cursor: next })}">${say('olderCheckouts')}${icon('right')}</a>`}</div>`;
}

export function checkoutTable(deps: WordDeps, look: AccountLook, facts: RowFacts): Html {
  const { say } = look;
  const sees = look.may('seeCustomers');
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('checkouts')}"><table class="table list"><thead><tr><th scope="col">${say('order')}</th><th scope="col">${say('checkoutState')}</th><th scope="col" class="n">${say('price')}</th><th scope="col" class="n desk">${say('paidAmount')}</th><th scope="col" class="desk">${say('network')}</th>${sees && html`<th scope="col" class="desk roomy">${say('customer')}</th>`}<th scope="col" class="n desk">${say('checkoutTime')}</th></tr></thead>
<tbody>${facts.items.map((dossier) => row(deps, look, facts, dossier))}</tbody></table></div>`;
}

function row(deps: WordDeps, look: AccountLook, { customers, now }: RowFacts, dossier: CheckoutDossier): Html {
  const { checkout, payments, commitments } = dossier;
  const came = payments.filter(isAlive);
  const rail = came.at(-1) ?? commitments.at(-1);
  const asset = rail && findAsset(deps.assets, rail.asset);
  const customer = checkout.customerId === null ? undefined : customers.get(checkout.customerId);
  const name = customer && customerName(customer);
  const when = shortMoment(look, checkout.createdAt, now);
  const price = checkoutPrice(look, checkout);
  return html`<tr><th scope="row"><a href="/account/checkouts/${checkout.id}">${orderOf(checkout)}</a>${name !== undefined && html`<span class="sub cramped">${name}</span>`}</th><td class="wrap">${stateMark(look, sentenceOf(dossier, now))}</td><td class="n${price.length > longPrice && ' long'}">${price}<span class="sub">${when}</span></td><td class="n desk">${came.length > 0 ? amountsText(deps, look, paidSums(came)) : '–'}</td><td class="desk">${rail ? html`<span class="with-coin">${asset && html`<img class="coin small" src="${asset.imageSrc}" alt="" width="18" height="18">`}${findNetwork(rail.network)?.name ?? rail.network}</span>` : '–'}</td>${look.may('seeCustomers') && html`<td class="desk roomy wrap">${name ?? '–'}</td>`}<td class="n quiet desk">${when}</td></tr>`;
}

/** What came, by asset. */
export function paidSums(payments: CheckoutDossier['payments']): { asset: string; units: bigint }[] {
  const sum = new Map<string, bigint>();
  for (const { asset, units } of payments) sum.set(asset, (sum.get(asset) ?? 0n) + units);
  return Array.from(sum, ([asset, units]) => ({ asset, units }));
}

function filterBar(deps: WordDeps, look: AccountLook, facts: ListFacts): Html {
  const { asked } = facts;
  const { say } = look;
  const assetNames = new Map(deps.assets.assets.map(({ assetCode, id }) => [assetCode, id]));
  const choices: Readonly<Partial<Record<FilterName, readonly (readonly [string, string])[]>>> = {
    period: periods.map((each) => [each, say(`period_${each}`)]),
    network: [anyNetwork, ...facts.networks].map((id) => [
      id,
      id === anyNetwork ? say('anyNetwork') : (findNetwork(id)?.name ?? id),
    ]),
    asset: [...assetNames.keys()].map((code) => [code, code]),
  };
  const isOffered = (name: FilterName): boolean => name !== 'customer' && name !== 'credited';
  const shown = filterNames.filter((name) => isOffered(name) || asked[name] !== '');
  return html`<div class="filters" role="group" aria-label="${say('checkoutFilters')}">${shown.map((name) => {
    const value = asked[name];
    const options = choices[name];
    if (value !== '') {
      const customer = name === 'customer' ? facts.customers.get(value) : undefined;
      const text =
        options?.find(([each]) => each === value)?.[1] ??
        (customer ? customerName(customer) : valueText(look, name, value));
      return html`<a class="chip on" href="${listPath(asked, { [name]: '' })}"><span class="unseen">${filterName(look, name)}: </span>${text}<span class="unseen">, ${say('removeFilter')}</span>${icon('x')}</a>`;
    }
    const inside = options
      ? options.map(
          ([each, text]) => html`<a class="btn quiet wide" href="${listPath(asked, { [name]: each })}">${text}</a>`,
        )
      : filterForm(look, asked, name);
    return html`<details class="own" name="filter"><summary class="chip">${icon('plus')}${filterName(look, name)}</summary><div class="own-menu">${inside}</div></details>`;
  })}</div>`;
}

/** Nobody is offered what their role does not search by. */
const filterName = ({ say, may }: AccountLook, name: FilterName): string =>
  name === 'search' && !may('seeCustomers') ? say('filterSearchNoEmail') : say(`filter_${name}`);

function valueText(look: AccountLook, name: FilterName, value: string): string {
  if (name === 'credited') return look.say('creditedOn', { day: dayText(look, value) });
  return name === 'period' ? dayText(look, value) : value;
}

function filterForm(look: AccountLook, asked: AskedFilters, name: FilterName): Html {
  const others = Object.entries(asked).filter(([key, value]) => key !== name && key !== 'cursor' && value !== '');
  return html`<form class="form" action="/account/checkouts">${others.map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`)}
<div class="field"><label for="by-${name}">${filterName(look, name)}</label><input class="input" id="by-${name}" name="${name}" maxlength="200" required autocomplete="off"${name === 'amount' && html` inputmode="decimal"`}></div><button class="btn">${look.say('applyFilter')}</button></form>`;
}
