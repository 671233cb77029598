/** One field for everything: pages and actions by their names, and what of the account a text may mean. */
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import type { Customer } from '../../counterparties/customer-store.ts';
import type { Hit, HitKind } from '../../finding/search.ts';
import type { StoredPaper } from '../../papers/paper-store.ts';
import type { AccountPermission } from '../../people/roles.ts';
import type { Transfer } from '../../wallets/transfer.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { type IconName, icon } from '../../web/icons.ts';
import { priceText } from '../../web/number-text.ts';
import {
  checkoutPrice,
  customerName,
  orderOf,
  sentenceOf,
  stateMark,
  unitsText,
  type WordDeps,
} from '../checkouts/checkout-words.ts';
import { papersPath } from '../customers/paper-list-filter.ts';
import { accountPage } from './account-layout.ts';
import type { AccountLook } from './account-look.ts';
import { actionsFor, menuFor } from './account-menu.ts';
import { searchLabel, searchPath } from './account-overlays.ts';

/** Where each kind of thing is shown, and who may open that. */
const places = {
  checkout: { may: 'seeCheckouts', path: ({ id }) => `/account/checkouts/${id}`, icon: 'receipt' },
  refund: { may: 'seeCheckouts', path: ({ checkoutId }) => `/account/checkouts/${checkoutId}`, icon: 'back' },
  transfer: { may: 'seeBalances', path: ({ id }) => `/account/transfers/${id}`, icon: 'send' },
  deposit: { may: 'seeBalances', path: ({ id }) => `/account/balances/deposit/${id}`, icon: 'download' },
  swap: { may: 'seeBalances', path: ({ id }) => `/account/balances/swap/${id}`, icon: 'swap' },
  customer: { may: 'seeCustomers', path: ({ id }) => `/account/customers/${id}`, icon: 'users' },
  beneficiary: { may: 'seeBalances', path: () => '/account/transfers/destinations', icon: 'users' },
  targetAccount: { may: 'seeBalances', path: () => '/account/transfers/destinations', icon: 'wallet' },
} as const satisfies Record<
  HitKind,
  { readonly may: AccountPermission; readonly path: (hit: Hit) => string; readonly icon: IconName }
>;

export const iconOfHit = ({ kind }: Pick<Hit, 'kind'>): IconName => places[kind].icon;

/** Where in the account a hit is shown. */
export const pathOfHit = (hit: Hit): string => places[hit.kind].path(hit);

export const mayOpen = ({ may }: AccountLook, { kind }: Hit): boolean => may(places[kind].may);

/** At most. */
export const checkoutsShown = 8;

export type Found = {
  readonly text: string;
  readonly hits: readonly Hit[];
  readonly checkouts: ReadonlyMap<string, CheckoutDossier>;
  readonly customers: ReadonlyMap<string, Customer>;
  readonly transfers: ReadonlyMap<string, Transfer>;
  /** Whose number begins with the text. */
  readonly papers: readonly StoredPaper[];
};

export const searchPage = (deps: WordDeps, look: AccountLook, found: Found): Html =>
  accountPage(look, {
    title: look.say('search'),
    main: html`${searchField(look, { path: searchPath, label: searchLabel(look), text: found.text })}
${foundPart(deps, look, found)}`,
  });

export const searchField = (
  { say }: AccountLook,
  { path, label, text }: { readonly path: string; readonly label: string; readonly text: string },
): Html =>
  html`<form class="filters" action="${path}" role="search"><label class="unseen" for="q">${label}</label><input class="input searching" id="q" name="q" type="search" maxlength="200" autocomplete="off" value="${text}" placeholder="${label}"><button class="btn">${icon('search')}${say('search')}</button></form>`;

export type Link = { readonly path: string; readonly icon: IconName; readonly name: string; readonly more?: HtmlValue };

function foundPart(deps: WordDeps, look: AccountLook, found: Found): Html {
  const { say } = look;
  return linksFound(look, [
    [
      say('foundThings'),
      [
        ...found.papers.map((paper) => paperLink(look, paper)),
        ...found.hits.map((hit) => linkOf(deps, look, found, hit)),
        ...moreOf(look, found),
      ],
    ],
    [
      say('foundActions'),
      named(
        found.text,
        actionsFor(look).map((action) => ({ ...action, name: say(action.text) })),
      ),
    ],
    [say('foundPages'), named(found.text, pagesOf(look))],
  ]);
}

/** The palette shows this part, too. Groups in which there is nothing are left out. */
export function linksFound({ say }: AccountLook, groups: readonly (readonly [string, readonly Link[]])[]): Html {
  const shown = groups.filter(([, links]) => links.length > 0);
  const count = shown.reduce((sum, [, links]) => sum + links.length, 0);
  return html`<div class="hits" id="found" data-said="${count === 0 ? say('foundNothing') : say('foundCount', { count })}">${count === 0 && html`<p class="lead">${say('foundNothing')}</p>`}${shown.map(
    ([name, links]) => html`<section><h2 class="group">${name}</h2><ul>${links.map(item)}</ul></section>`,
  )}</div>`;
}

/** The list has the others, where there are more than are shown here. */
const moreOf = ({ say }: AccountLook, { text, checkouts }: Found): Link[] =>
  checkouts.size < checkoutsShown
    ? []
    : [
        {
          path: `/account/checkouts?${new URLSearchParams({ search: text }).toString()}`,
          icon: 'search',
          name: say('foundAll'),
        },
      ];

const item = ({ path, icon: sign, name, more }: Link): Html =>
  html`<li><a href="${path}">${icon(sign)}<span>${name}</span>${more && html`<span class="more">${more}</span>`}</a></li>`;

/** The first page of an area is called as the area is. */
const pagesOf = (look: AccountLook): Link[] =>
  menuFor(look).flatMap(({ icon: sign, text: area, pages }) =>
    pages.map(({ path, text }) => ({
      path,
      icon: sign,
      name: look.say(text),
      ...(text !== area && { more: look.say(area) }),
    })),
  );

/** Those whose names have every word of the text in them. */
export function named<L extends Link>(text: string, links: readonly L[]): readonly L[] {
  const words = text.toLowerCase().split(/\s+/);
  return links.filter(({ name, more }) => {
    const all = `${name} ${typeof more === 'string' ? more : ''}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

const paperLink = (look: AccountLook, { id, kind, number, facts }: StoredPaper): Link => ({
  path: `${papersPath}/${id}`,
  icon: 'receipt',
  name: `${look.say(`paperKind_${kind}`)} ${number}`,
  more: priceText(look.language, facts.total, facts.currency),
});

function linkOf(deps: WordDeps, look: AccountLook, found: Found, hit: Hit): Link {
  const { kind, id } = hit;
  const place = { path: pathOfHit(hit), icon: iconOfHit(hit) };
  const [dossier, customer, transfer] = [found.checkouts.get(id), found.customers.get(id), found.transfers.get(id)];
  if (kind === 'checkout' && dossier)
    return {
      ...place,
      name: orderOf(dossier.checkout),
      more: html`${stateMark(look, sentenceOf(dossier, look.now))} <span class="nowrap">· ${checkoutPrice(look, dossier.checkout)}</span>`,
    };
  if (kind === 'customer' && customer) return { ...place, name: customerName(customer), more: customer.email };
  if (kind === 'transfer' && transfer)
    return { ...place, name: look.say('transferTitle', { amount: unitsText(deps, look, transfer) }), more: id };
  return { ...place, name: look.say(`found_${kind}`), more: id };
}
