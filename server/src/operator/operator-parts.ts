/** Parts that pages of the operator's area are made of. */
import { agoText } from '../account/frame/ago-text.ts';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { formatUnits } from '../money/amount.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText } from '../web/number-text.ts';
import { houseZone } from './house-facts.ts';
import type { Tone } from './house-sentence.ts';
import type { OperatorLook } from './operator-look.ts';
import { isIn, operatorMenu } from './operator-menu.ts';

/** Without a name of its own: the table in it has one, and two landmarks of one name are one too many. */
export const part = (id: string, title: string, inside: HtmlValue, more: HtmlValue = false): Html =>
  html`<section class="part" id="${id}"><div class="part-head"><h2 id="h-${id}">${title}</h2>${more}</div>
${inside}</section>`;

/** A table that is wider than a phone can be moved, also by keys. */
export const tableIn = (id: string, head: Html, rows: readonly Html[], kind = 'list'): Html =>
  html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-${id}"><table class="table ${kind}"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;

export const stateMark = (tone: Tone | 'wait' | 'none', text: HtmlValue): Html =>
  html`<span class="state ${tone}">${icon(tone)}${text}</span>`;

export const emptyPart = (text: string): Html => html`<p class="lead">${text}</p>`;

/** Nobody can be sure in which time zone staff are, so it is said. */
/** A day that is told without an hour, such as that of a booking. */
export const houseDay = (day: string): Html =>
  html`<time datetime="${day}">${new Date(`${day}T00:00:00Z`).toLocaleString('en', { dateStyle: 'medium', timeZone: 'UTC' })}</time>`;

export const houseMoment = (moment: Date): Html => {
  const text = moment.toLocaleString('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: houseZone,
  });
  return html`<time datetime="${moment.toISOString()}">${text} ${houseZone}</time>`;
};

export const houseAgo = (look: OperatorLook, moment: Date): Html => agoText(look, moment, look.now);

export function unitsOf(
  assets: AssetCatalog,
  { asset: id, units }: { readonly asset: string; readonly units: bigint },
): string {
  const asset = findAsset(assets, id);
  return coinText('en', formatUnits(units, asset?.ledgerScale ?? 0), asset?.assetCode ?? id);
}

export const countText = (count: number, most: number): string =>
  count >= most ? `${most.toLocaleString('en')}+` : count.toLocaleString('en');

/** A link only where there is such a page, and this role may open it. */
export const linkTo = (look: OperatorLook, path: string, text: HtmlValue, className = ''): Html => {
  const page = operatorMenu.find((each) => isIn(path, each.path));
  const isOpen = page !== undefined && look.staffMay(page.may);
  return isOpen
    ? html`<a${className && html` class="${className}"`} href="${path}">${text}</a>`
    : html`<span${className && html` class="${className}"`}>${text}</span>`;
};
