/** What is paid for, by whom and to whom; and the code to give when asking for help. */

import { type Html, html } from '../web/html.ts';
import { priceText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import { ourName } from '../web/plain-page.ts';
import { addressText } from './buyer-lines.ts';
import { type ChargeLine, detailText, labelText } from './charge-lines.ts';
import { type NamedOrder, orderName } from './page-setting.ts';
import type { PublicCheckout } from './public-checkout.ts';

type Order = Pick<PublicCheckout, 'lines' | 'total' | 'currency' | 'buyer' | 'sellerEmail' | 'shopName'>;

/** On a phone the head has one line, with room for so many letters of the order's number. */
const headRoom = 18;

export function orderSection(look: PageLook, order: Order & NamedOrder): Html {
  const { say } = look;
  return html`<section class="order" id="order" aria-labelledby="order-title">
<h2 id="order-title">${say('order')}</h2>
${orderName(order).length > headRoom && html`<p class="small whole">${orderCode(look, order)}</p>`}
${orderTable(look, order)}
${(order.sellerEmail !== null || order.buyer !== null) && parties(look, order)}
</section>`;
}

export const orderTable = ({ say, language }: PageLook, { lines, total, currency }: Order): Html =>
  html`<table><tbody>${lines.map((line) => {
    const detail = detailText(language, line);
    return html`<tr><th scope="row">${labelText(say, line)}${detail !== null && html` <span class="by${isOfPieces(line) && ' pieces'}">${detail}</span>`}</th><td>${priceText(language, line.amount, currency)}</td></tr>`;
  })}</tbody>
<tfoot><tr><th scope="row">${say('total')}</th><td>${priceText(language, total, currency)}</td></tr></tfoot></table>`;

/** How many and at what price stands below a name, which may end in a number itself; a rate stays beside its tax. */
const isOfPieces = ({ detail }: ChargeLine): boolean => detail !== null && 'pieces' in detail;

function parties(look: PageLook, { shopName, sellerEmail, buyer }: Order): Html {
  const { say } = look;
  return html`<dl class="parties">
${sellerEmail !== null && html`<div><dt>${say('seller')}</dt><dd>${shopName}<br><a href="mailto:${sellerEmail}">${sellerEmail}</a></dd></div>`}
${buyer !== null && html`<div><dt>${say('buyer')}</dt><dd>${buyer.map((line, at) => html`${at > 0 && html`<br>`}${addressText(look, line)}`)}</dd></div>`}
</dl>`;
}

/** At the end of the page: who the shop is. */
export const trustLine = ({ say }: PageLook, { shopName, legalLine, legalLinks }: Trusted): Html =>
  html`<footer class="foot" id="foot"><span>${legalLine ?? shopName}</span>${legalNames.map((name) => {
    const href = legalLinks?.[name] ?? null;
    return href !== null && html`<a href="${href}" target="_blank" rel="noopener noreferrer">${say(name)}</a>`;
  })}<span class="push">${say('paymentBy', { service: ourName })}</span></footer>`;

const legalNames = ['legalNotice', 'privacy', 'terms'] as const;

type Trusted = Pick<PublicCheckout, 'shopName'> & Partial<Pick<PublicCheckout, 'legalLine' | 'legalLinks'>>;

/** What the shop's support asks for, in letters that nobody takes for others. */
export const orderCode = ({ say }: PageLook, order: NamedOrder): Html =>
  say.html('orderNamed', {
    code: html`<span class="mono${orderName(order).length <= headRoom && ' nowrap'}">${orderName(order)}</span>`,
  });
