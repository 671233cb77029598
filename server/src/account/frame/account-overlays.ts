/** What lies over a page once the script opens it: the palette, in which one searches, and the list of keys. */
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { AccountLook } from './account-look.ts';
import { actionsFor, menuFor } from './account-menu.ts';

export const searchPath = '/account/search';

/** As templates: what is not open is in no page, for nobody. */
export const overlays = (look: AccountLook): Html | false =>
  look.signedIn?.merchant !== undefined &&
  look.signedIn.merchant !== null &&
  overlaysFor(look, { path: searchPath, label: searchLabel(look) }, keyRows(look));

/** Nobody is offered what their role does not search by. */
export const searchLabel = ({ say, may }: Pick<AccountLook, 'say' | 'may'>): string =>
  say(may('seeCustomers') ? 'findAnything' : 'findNoEmail');

/** Where the palette looks, and by what it says it looks; what each key does. */
export const overlaysFor = (look: AccountLook, search: { path: string; label: string }, rows: Html): Html =>
  html`<template id="palette">${palette(look, search)}</template>
<template id="keys">${keys(look, rows)}</template>`;

const palette = ({ say }: AccountLook, { path, label }: { path: string; label: string }): Html =>
  html`<dialog class="dialog palette" aria-label="${say('search')}"><form action="${path}" role="search"><label>${icon('search')}<span class="unseen">${label}</span><input name="q" type="search" maxlength="200" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="${label}"></label></form>
<p class="unseen" role="status"></p><div class="hits"></div>
<footer aria-hidden="true"><span><span class="key">${say('keyUp')}</span> <span class="key">${say('keyDown')}</span> ${say('paletteMove')}</span><span><span class="key">${say('keyEnter')}</span> ${say('paletteOpen')}</span><span><span class="key">${say('keyEscape')}</span> ${say('paletteClose')}</span></footer></dialog>`;

const keys = ({ say }: AccountLook, rows: Html): Html =>
  html`<dialog class="dialog" aria-labelledby="h-keys"><h2 id="h-keys">${say('keyList')}</h2>
${rows}
<form method="dialog" class="actions"><button class="btn" autofocus>${say('close')}</button></form></dialog>`;

/** What each key of `web/js/keys.mjs` does, and where single ones are switched off. */
export function keyRows(look: AccountLook): Html {
  const { say } = look;
  const making = actionsFor(look).flatMap(({ text, key }) => (key === null ? [] : [[say(text), key] as const]));
  const places = menuFor(look).map(({ text, key }) => [say(text), key] as const);
  return keyRowsWith(look, making, places);
}

/** `making`: one key each. `places`: one each, after `g`. */
export function keyRowsWith(
  { say, hasKeys }: AccountLook,
  making: readonly (readonly [string, string])[],
  places: readonly (readonly [string, string])[],
): Html {
  const row = (name: string, ...pressed: string[]): Html =>
    html`<div><dt>${name}</dt><dd>${pressed.map((key) => html`<kbd class="key">${key}</kbd> `)}</dd></div>`;
  return html`<dl class="kv">${row(say('search'), '/')}${row(say('search'), say('keyCtrl'), 'K')}${row(say('keyRows'), 'j', 'k')}${row(say('keyOpens'), say('keyEnter'))}${making.map(([name, key]) => row(name, key))}${places.map(([name, key]) => row(name, 'g', key))}${row(say('keys'), '?')}</dl>
${!hasKeys && html`<p class="small">${say('keysAreOff')}</p>`}<p class="small quiet">${say('keysSwitch')} <a href="/account/my-sign-in#keys-switch">${say('menuMySignIn')}</a></p>`;
}
