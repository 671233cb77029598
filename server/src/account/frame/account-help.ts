/** Help, in the top line: what *Needs you* is, where developers read on, whom to ask, and the keys where there is a keyboard. */
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { AccountLook } from './account-look.ts';
import { menuFor } from './account-menu.ts';
import { keyRows } from './account-overlays.ts';

export const manual = '/docs';
export const apiDescription = '/api/v1/openapi.json';

export function helpMenu(look: AccountLook): Html | false {
  const { say, signedIn } = look;
  if (!signedIn?.merchant) return false;
  const areas = menuFor(look);
  const needsYou = areas.find(({ text }) => text === 'menuNeedsYou');
  const developers = areas.find(({ text }) => text === 'menuDevelopers');
  const tryIt = developers?.pages.find(({ text }) => text === 'menuTryIt');
  return html`<details class="own helping" name="top"><summary class="btn quiet icon">${icon('help')}<span class="unseen">${say('help')}</span></summary>
<div class="own-menu">${needsYou && html`<div><h2><a href="${needsYou.path}">${say('menuNeedsYou')}</a></h2><p class="small">${say('helpNeedsYou')}</p></div>`}
${developers && html`<div><h2>${say('menuDevelopers')}</h2><p class="bar">${tryIt && html`<a href="${tryIt.path}">${say('menuTryIt')}</a>`}<a href="${manual}">${say('manual')}</a><a href="${apiDescription}">${say('apiDescription')}</a></p></div>`}
${askOperator(look)}
<div class="desk needs-script"><h2>${say('keyList')}</h2>${keyRows(look)}</div></div></details>`;
}

const askOperator = ({ say, supportContact }: AccountLook): Html | false =>
  supportContact !== null &&
  html`<div id="ask-operator"><h2>${say('helpAsk')}</h2><p class="small">${say('helpAskMeans')}</p><p class="breaks"><a href="${supportContact.href}">${supportContact.text}</a></p></div>`;
