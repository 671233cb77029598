/** What is paid for, by whom and to whom; and the code to give when asking for help. */

import { type Html, html } from '../web/html.ts';
import type { PageLook } from '../web/page-layout.ts';
import { labelText } from './charge-lines.ts';
import { detailText, priceText } from './number-text.ts';
import type { PublicCheckout } from './public-checkout.ts';

type Order = Pick<PublicCheckout, 'lines' | 'total' | 'currency' | 'buyer' | 'sellerEmail' | 'shopName'>;

export function orderSection(look: PageLook, order: Order): Html {
  const { say } = look;
  return html`<section class="card order" id="order" aria-labelledby="order-title">
<h2 id="order-title">${say('order')}</h2>
${orderTable(look, order)}
${(order.sellerEmail !== null || order.buyer !== null) && parties(look, order)}
</section>`;
}

export const orderTable = ({ say, language }: PageLook, { lines, total, currency }: Order): Html =>
  html`<table><tbody>${lines.map(
    (line) =>
      html`<tr><th scope="row">${labelText(say, line)}${line.detail !== null && html` <small>${detailText(language, line.detail)}</small>`}</th><td>${priceText(language, line.amount, currency)}</td></tr>`,
  )}</tbody>
<tfoot><tr><th scope="row">${say('total')}</th><td>${priceText(language, total, currency)}</td></tr></tfoot></table>`;

export const parties = ({ say }: PageLook, { shopName, sellerEmail, buyer }: Order): Html =>
  html`<dl class="parties">
${sellerEmail !== null && html`<div><dt>${say('seller')}</dt><dd>${shopName}<br><a href="mailto:${sellerEmail}">${sellerEmail}</a></dd></div>`}
${buyer !== null && html`<div><dt>${say('buyer')}</dt><dd>${buyer.map((line, at) => html`${at > 0 && html`<br>`}${line}`)}</dd></div>`}
</dl>`;

/** Who is paid, at the top of every page that a shop dresses. */
export const shopLine = ({ brand }: PageLook, shopName: string): Html =>
  html`<p class="shop">${brand.logoSrc !== null && html`<img src="${brand.logoSrc}" alt="" height="32"> `}${shopName}</p>`;

/** On every state: it is what support asks for. */
export const orderCode = ({ say }: PageLook, id: string): Html =>
  html`<p class="code-line" id="order-code">${say('orderCode')} <span class="mono copied">${id}</span></p>`;
