/** Parts that pages of the operator's area are made of. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { formatUnits } from '../money/amount.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText } from '../web/number-text.ts';

export const part = (id: string, title: string, inside: HtmlValue, more: HtmlValue = false): Html =>
  html`<section class="part" id="${id}"><div class="part-head"><h2 id="h-${id}">${title}</h2>${more}</div>
${inside}</section>`;

/** A table that is wider than a phone can be moved, also by keys. */
export const tableIn = (id: string, head: Html, rows: readonly Html[], kind = 'list'): Html =>
  html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="h-${id}"><table class="table ${kind}"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;

export const stateMark = (tone: 'paid' | 'decide' | 'fail' | 'wait', text: HtmlValue): Html =>
  html`<span class="state ${tone}">${icon(tone)}${text}</span>`;

export const emptyPart = (text: string): Html => html`<p class="lead">${text}</p>`;

/** Nobody can be sure in which time zone staff are, so it is said. */
export const houseMoment = (moment: Date): Html => {
  const text = moment.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return html`<time datetime="${moment.toISOString()}">${text} UTC</time>`;
};

export function unitsOf(
  assets: AssetCatalog,
  { asset: id, units }: { readonly asset: string; readonly units: bigint },
): string {
  const asset = findAsset(assets, id);
  return coinText('en', formatUnits(units, asset?.ledgerScale ?? 0), asset?.assetCode ?? id);
}
