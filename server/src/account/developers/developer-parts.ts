/** Parts that the developers' pages share: their frame, a secret that is shown once, a list's end. */
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { apiDescription, manual } from '../frame/account-help.ts';
import { accountPage } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';

export const keysPath = '/account/developers/keys';
export const requestsPath = '/account/developers/requests';
export const webhooksPath = '/account/developers/webhooks';
export const tryItPath = '/account/developers/try-it';

export const developerPage = (
  look: AccountLook,
  page: { readonly name: AccountTextKey; readonly action?: HtmlValue; readonly main: Html },
): Html =>
  accountPage(look, {
    title: look.say('menuDevelopers'),
    documentTitle: `${look.say(page.name)} · ${look.say('menuDevelopers')}`,
    actions: html`<a class="btn" href="${manual}">${icon('help')}${look.say('manual')}</a><a class="btn" href="${apiDescription}">${icon('out')}${look.say('apiDescription')}</a>${page.action}`,
    main: page.main,
  });

/** A heading with its hairline, and what belongs to it. */
export const partOf = (id: string, title: string, body: HtmlValue, more: HtmlValue = false): Html =>
  html`<section class="part"><div class="part-head"><h2 id="h-${id}">${title}</h2>${more && html`<span class="more">${more}</span>`}</div>${body}</section>`;

export const copyField = ({ say }: AccountLook, name: string, value: string, shown: Html | string = value): Html =>
  html`<div class="field"><p class="label">${name}</p><div class="copyfield"><span class="value mono">${shown}</span><button class="btn needs-script" type="button" data-copy="${value}" data-copied="${say('copied')}" aria-label="${say('copy')}: ${name}">${icon('copy')}<span>${say('copy')}</span></button></div></div>`;

/** Nobody leaves a secret behind without having said that it is stored. */
export const storedForm = ({ say }: AccountLook, to: string, done: AccountTextKey): Html =>
  html`<form class="form" method="get" action="${to}"><label class="check"><input type="checkbox" required><span>${say('secretStored')}</span></label><button class="btn primary">${say(done)}</button></form>`;

/** Further rows, and the way back to the first: older and newest ones, if nothing else is said. `rest`: of the address. */
export const pagerOf = (
  { say }: AccountLook,
  path: string,
  { next, isFirst, rest = '' }: { readonly next: string | null; readonly isFirst: boolean; readonly rest?: string },
  words: { readonly first: AccountTextKey; readonly next: AccountTextKey } = { first: 'newest', next: 'older' },
): Html | false =>
  (next !== null || !isFirst) &&
  html`<p class="bar pager">${!isFirst && html`<a class="btn" href="${path}${rest && `?${rest}`}">${icon('left')}${say(words.first)}</a>`}${next !== null && html`<a class="btn" href="${path}?${rest && `${rest}&`}cursor=${next}" rel="next">${say(words.next)}${icon('right')}</a>`}</p>`;
