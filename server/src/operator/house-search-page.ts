/** One field for everything in the house: accounts, what is in them, the operator's own money, and pages by their names. */
import { iconOfHit, type Link, linksFound, named, pathOfHit, searchField } from '../account/frame/search-page.ts';
import type { HouseThing, OwnThing } from '../finding/house-search-store.ts';
import type { HouseFound } from '../finding/search-house.ts';
import { type Html, html } from '../web/html.ts';
import { merchantsPath } from './merchants-page.ts';
import { withdrawalsPath } from './money-page.ts';
import { findLabel, houseSearchPath, operatorPage } from './operator-layout.ts';
import type { OperatorLook } from './operator-look.ts';
import { operatorMenuFor } from './operator-menu.ts';
import { suspensePath } from './suspense-page.ts';

export type HouseSearchFacts = {
  readonly text: string;
  readonly found: HouseFound;
  /** Of the accounts in which something was found, by their ids. */
  readonly names: ReadonlyMap<string, string>;
  /** So many of a kind are shown. */
  readonly limit: number;
};

export const houseSearchPage = (look: OperatorLook, facts: HouseSearchFacts): Html =>
  operatorPage(look, {
    title: look.say('search'),
    main: html`${searchField(look, { path: houseSearchPath, label: findLabel, text: facts.text })}
${linksFound(look, groupsOf(look, facts))}`,
  });

const groupsOf = (look: OperatorLook, facts: HouseSearchFacts): (readonly [string, readonly Link[]])[] => [
  ['Merchants', merchantLinks(facts)],
  ['In accounts', facts.found.things.map((thing) => thingLink(look, facts, thing))],
  ['In the house', facts.found.own.map(ownLink)],
  [look.say('foundPages'), named(facts.text, pagesOf(look))],
];

function merchantLinks({ text, found: { merchants }, limit }: HouseSearchFacts): Link[] {
  const links = merchants.map(({ id, name, suspendedAt }): Link => {
    const more = html`${suspendedAt && 'suspended · '}<span class="mono">${id}</span>`;
    return { path: `${merchantsPath}/${id}`, icon: 'users', name, more };
  });
  const all = `${merchantsPath}?${new URLSearchParams({ q: text }).toString()}`;
  return merchants.length < limit ? links : [...links, { path: all, icon: 'search', name: 'All that fit' }];
}

/** Whose it is, and no more: what is in it is shown where it is looked at. */
function thingLink(look: OperatorLook, { names }: HouseSearchFacts, thing: HouseThing): Link {
  const { kind, id, merchantId, checkoutId } = thing;
  const to = pathOfHit({ kind, id, ...(checkoutId !== null && { checkoutId }) });
  return {
    path: `${merchantsPath}/${merchantId}?${new URLSearchParams({ to }).toString()}`,
    icon: iconOfHit(thing),
    name: `${look.say(`found_${kind}`)} of ${names.get(merchantId) ?? merchantId}`,
    more: html`<span class="mono">${id}</span>`,
  };
}

const ownLink = ({ kind, id }: OwnThing): Link =>
  kind === 'withdrawal'
    ? {
        path: `${withdrawalsPath}/${id}`,
        icon: 'wallet',
        name: 'Withdrawal',
        more: html`<span class="mono">${id}</span>`,
      }
    : { path: `${suspensePath}/${id}`, icon: 'help', name: 'Suspense', more: html`<span class="mono">${id}</span>` };

const pagesOf = (look: OperatorLook): Link[] =>
  operatorMenuFor(look).map(({ path, icon, text }) => ({ path, icon, name: text }));
