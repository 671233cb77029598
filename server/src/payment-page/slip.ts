/** The receipt as a slip of paper: on the screen when all went well, and whenever the page is printed. */
import { type Html, html } from '../web/html.ts';
import { coinText, priceText, rateText, slipDateTag } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import { orderCode } from './order-section.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { acceptedText, excessRows, isPaidAtOnce, paidPrice } from './receipt-rows.ts';
import type { Shown } from './state-view.ts';
import { worthBeside } from './worth-beside.ts';

/** Where the screen has other things to say: paper shows this, and nothing else of the sheet. */
export function slipOnPaper(shown: Shown): Html {
  const accepted = acceptedText(shown.look, shown.checkout);
  return html`<div class="on-paper" id="on-paper">${slip(shown, false)}${accepted !== null && html`<p>${accepted}</p>`}</div>`;
}

export const slip = ({ look, checkout }: Shown, isShown = true): Html => {
  const { say, language } = look;
  const rates = new Set(checkout.payments.flatMap(({ rate }) => (rate === null ? [] : [rateText(language, rate)])));
  const isAccepted = checkout.sums.acceptedPrice !== null;
  return html`<div class="out" id="slip"><div class="shade"><div class="out-in">
<section class="slip" aria-labelledby="slip-title">
<header><h2 id="slip-title">${say('receipt')}<br><span class="small quiet"${isShown && html` id="order-code"`}>${orderCode(look, checkout)}</span></h2><span class="stamp">${say('paid')}</span></header>
<dl class="kv">
${paidWith(look, checkout)}
${excessRows(look, checkout).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
${checkout.completedAt && html`<div><dt>${say('paidWhen')}</dt><dd>${slipDateTag(language, checkout.completedAt, checkout.timeZone)}</dd></div>`}
${rates.size > 0 && html`<div><dt>${say('rate')}</dt><dd>${[...rates].map((rate) => html`<span class="each">${rate}</span>`)}</dd></div>`}
${isAccepted && html`<div><dt>${say('orderDue')}</dt><dd>${priceText(language, checkout.total, checkout.currency)}</dd></div>`}
<div class="sum"><dt>${say(isAccepted ? 'paid' : 'total')}</dt><dd>${priceText(language, paidPrice(checkout), checkout.currency)}</dd></div>
</dl>
</section>
</div></div></div>`;
};

/** One row for each payment: what was sent by which network, and, where one alone is not the total, what each was worth. */
function paidWith({ say, language }: PageLook, checkout: PublicCheckout): Html[] {
  const { payments, currency } = checkout;
  const isAtOnce = isPaidAtOnce(checkout);
  return payments.map((payment) => {
    const { amount, assetCode, networkName } = payment;
    const below = isAtOnce ? networkName : (worthBeside(language, payment, currency) ?? false);
    return html`<div><dt>${isAtOnce ? say('paidWith') : networkName}</dt><dd>${coinText(language, amount, assetCode)}${below !== false && html`<br><span class="quiet">${below}</span>`}</dd></div>`;
  });
}
