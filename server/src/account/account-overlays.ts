/** What lies over a page once the script opens it: the palette, in which one searches, and the list of keys. */
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { AccountLook } from './account-look.ts';
import { actionsFor, menuFor } from './account-menu.ts';

export const searchPath = '/account/search';

/** As templates: what is not open is in no page, for nobody. */
export const overlays = (look: AccountLook): Html | false =>
  look.signedIn?.merchant !== undefined &&
  look.signedIn.merchant !== null &&
  html`<template id="palette">${palette(look)}</template>
<template id="keys">${keys(look)}</template>`;

const palette = ({ say }: AccountLook): Html =>
  html`<dialog class="dialog palette" aria-label="${say('search')}"><form action="${searchPath}" role="search"><label>${icon('search')}<span class="unseen">${say('findAnything')}</span><input name="q" type="search" maxlength="200" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="${say('findAnything')}"></label></form>
<p class="unseen" role="status"></p><div class="hits"></div>
<footer aria-hidden="true"><span><span class="key">${say('keyUp')}</span> <span class="key">${say('keyDown')}</span> ${say('paletteMove')}</span><span><span class="key">${say('keyEnter')}</span> ${say('paletteOpen')}</span><span><span class="key">${say('keyEscape')}</span> ${say('paletteClose')}</span></footer></dialog>`;

const keys = (look: AccountLook): Html =>
  html`<dialog class="dialog" aria-labelledby="h-keys"><h2 id="h-keys">${look.say('keyList')}</h2>
${keyRows(look)}
<form method="dialog" class="actions"><button class="btn" autofocus>${look.say('close')}</button></form></dialog>`;

/** What each key of `web/js/keys.mjs` does, and where single ones are switched off. */
export function keyRows(look: AccountLook): Html {
  const { say, hasKeys } = look;
  const row = (name: string, ...pressed: string[]): Html =>
    html`<div><dt>${name}</dt><dd>${pressed.map((key) => html`<kbd class="key">${key}</kbd> `)}</dd></div>`;
  const making = actionsFor(look).filter(({ key }) => key !== null);
  return html`<dl class="kv">${row(say('search'), '/')}${row(say('search'), say('keyCtrl'), 'K')}${row(say('keyRows'), 'j', 'k')}${row(say('keyOpens'), say('keyEnter'))}${making.map(({ text, key }) => row(say(text), key ?? ''))}${menuFor(look).map(({ text, key }) => row(say(text), 'g', key))}${row(say('keys'), '?')}</dl>
${!hasKeys && html`<p class="small">${say('keysAreOff')}</p>`}<p class="small quiet">${say('keysSwitch')} <a href="/account/my-sign-in#keys-switch">${say('menuMySignIn')}</a></p>`;
}
