/** The hosted page in every state. It works without JavaScript: forms, links, and a reload while something may change. */
import { type CheckoutState, isCredited } from '../checkouts/checkout-state.ts';
import { type Html, html } from './html.ts';
import { checkoutPath } from './page-language.ts';
import { type PageLook, pageLayout } from './page-layout.ts';
import { paySection } from './pay-section.ts';
import type { PublicCheckout, PublicMethod, PublicPayment } from './public-checkout.ts';
import type { PageLanguage, Say } from './texts/page-texts.ts';

const refreshSeconds = 10;

type Shown = { readonly look: PageLook; readonly checkout: PublicCheckout; readonly now: Date };

export function checkoutPage(look: PageLook, checkout: PublicCheckout, now: Date): Html {
  const shown = { look, checkout, now };
  const { main, isChanging } = byState[checkout.state];
  return page(shown, main(shown), { isChanging });
}

/** The choice of a method apart from the state: to change it, or after one turned out to be unavailable. */
export function methodsPage(
  look: PageLook,
  checkout: PublicCheckout,
  now: Date,
  options: { isUnavailable: boolean },
): Html {
  const shown = { look, checkout, now };
  const { say } = look;
  return page(
    shown,
    html`${options.isUnavailable && html`<p class="warning" role="alert">${say('unavailable')}</p>`}
${methodChoice(shown)}
${checkout.pay && html`<p class="links"><a href="${pathOf(shown)}">${say('backToPayment')}</a></p>`}`,
    { isChanging: false },
  );
}

function page(shown: Shown, main: Html, options: { isChanging: boolean }): Html {
  const { look, checkout } = shown;
  const inLanguage = (language: PageLanguage): string => checkoutPath(language, checkout);
  return pageLayout(look, {
    title: `${look.say('title')} – ${checkout.shopName}`,
    refreshSeconds: options.isChanging ? refreshSeconds : undefined,
    inLanguage,
    main: html`<header>
<p class="shop">${checkout.shopName}</p>
<h1><span class="label">${look.say('total')}</span> <span class="price">${checkout.total} ${checkout.currency}</span></h1>
</header>
${main}
${order(look.say, checkout)}`,
  });
}

function methodChoice({ look, checkout }: Shown): Html {
  const { say } = look;
  const action = `/${look.language}/checkout/${checkout.id}/commit`;
  const isPriced = checkout.methods.every((method) => method.amount !== null);
  return html`<section aria-labelledby="choose">
<h2 id="choose">${say('chooseMethod')}</h2>
${!isPriced && html`<p class="quiet">${say('amountWhenChosen')}</p>`}
<ul class="methods">${checkout.methods.map((method) => html`<li>${methodButton(say, action, method)}</li>`)}</ul>
</section>
${checkout.state === 'CREATED' && leaveLink(look, checkout, 'cancel')}`;
}

const methodButton = (say: Say, action: string, method: PublicMethod): Html =>
  html`<form method="post" action="${action}">
<input type="hidden" name="network" value="${method.network}">
<input type="hidden" name="asset" value="${method.assetId}">
<button class="method"><img src="${method.imageSrc}" alt="" width="40" height="40">
<span class="method-text"><strong>${method.assetName}</strong>
${method.amount !== null && html`<span class="method-amount">${method.amount} ${method.assetCode}</span>`}
<small>${say('assetOnNetwork', { asset: method.assetCode, network: method.networkName })}</small></span></button>
</form>`;

function pending(shown: Shown): Html {
  const { look, checkout, now } = shown;
  const { pay, payments } = checkout;
  // Enough has arrived, and only the decision about it is still to be made.
  if (pay === null) return processing(shown);
  const { say } = look;
  const isRest = payments.length > 0;
  const minutes = Math.max(0, Math.ceil((pay.payUntil.getTime() - now.getTime()) / 60_000));
  return html`${isRest ? partial(say, checkout) : html`<p class="state" role="status">${say('waiting')}</p>`}
${
  minutes > 0 &&
  html`<p class="until"><time datetime="${pay.payUntil.toISOString()}">${say('payUntil', {
    time: timeText(look.language, pay.payUntil),
    minutes,
  })}</time></p>`
}
${paySection(say, pay, { isRest })}
<p class="links"><a href="/${look.language}/checkout/${checkout.id}/methods">${say('otherMethod')}</a></p>
${!isRest && leaveLink(look, checkout, 'cancel')}`;
}

const partial = (say: Say, checkout: PublicCheckout): Html =>
  html`<section class="state" role="status"><h2>${say('partialTitle')}</h2>${receivedAndMissing(say, checkout)}</section>`;

const receivedAndMissing = (say: Say, { payments, pay }: PublicCheckout): Html =>
  html`<dl class="facts">
<dt>${say('received')}</dt><dd>${payments.map(({ amount, assetCode }) => html`<div>${amount} ${assetCode}</div>`)}</dd>
${pay && html`<dt>${say('missing')}</dt><dd>${pay.amount} ${pay.assetCode}</dd>`}
</dl>`;

function processing({ look: { say }, checkout }: Shown): Html {
  return html`<section class="state" role="status">
<h2>${say('processingTitle')}</h2>
<p>${say('processingText')}</p>
${paymentList(say, checkout.payments)}
</section>`;
}

function completed({ look, checkout }: Shown): Html {
  const { say } = look;
  return html`<section class="state good" role="status">
<h2>${say('completedTitle')}</h2>
${checkout.completedAt && html`<p>${say('completedText', { date: dateText(look.language, checkout.completedAt) })}</p>`}
${checkout.isOverpaid && html`<p>${say('overpaid')}</p>`}
${paymentList(say, checkout.payments)}
</section>
${leaveLink(look, checkout, 'return')}`;
}

function revivable(shown: Shown): Html {
  const { look, checkout } = shown;
  const { say } = look;
  const { pay } = checkout;
  return html`<section class="state" role="status">
<h2>${say(checkout.state === 'CANCELED' ? 'canceledTitle' : 'expiredTitle')}</h2>
<p>${say('stillCredited')}</p>
</section>
${
  pay &&
  html`<form method="post" action="/${look.language}/checkout/${checkout.id}/commit">
<input type="hidden" name="network" value="${pay.network}">
<input type="hidden" name="asset" value="${pay.assetId}">
<button class="button">${say('newQuote')}</button>
</form>`
}
<p class="links"><a class="${pay ? '' : 'button'}" href="/${look.language}/checkout/${checkout.id}/methods">${say(
    pay ? 'otherMethod' : 'newQuote',
  )}</a></p>
${leaveLink(look, checkout, 'cancel')}`;
}

function underpaid({ look, checkout }: Shown): Html {
  const { say } = look;
  return html`<section class="state" role="status">
<h2>${say('underpaidTitle')}</h2>
<p>${say('underpaidText')}</p>
${receivedAndMissing(say, checkout)}
</section>
${checkout.pay && paySection(say, checkout.pay, { isRest: true })}
${leaveLink(look, checkout, 'return')}`;
}

const refunded = ({ look, checkout }: Shown): Html =>
  html`<section class="state" role="status">
<h2>${look.say('refundedTitle')}</h2>
<p>${look.say('refundedText')}</p>
</section>
${leaveLink(look, checkout, 'return')}`;

const paymentList = (say: Say, payments: readonly PublicPayment[]): Html =>
  html`<ul class="payments">${payments.map(
    (payment) => html`<li>
<p><strong>${payment.amount} ${payment.assetCode}</strong> <span class="progress">${
      payment.isConfirmed
        ? say('confirmed')
        : say('confirmations', { count: payment.confirmations, required: payment.confirmationsRequired })
    }</span></p>
<p class="quiet">${say('transaction')} (${payment.networkName})</p>
<p class="hash">${payment.txHash}</p>
</li>`,
  )}</ul>`;

/** Both ways lead through our own redirects, which know the shop's URLs. */
function leaveLink({ language, say }: PageLook, checkout: PublicCheckout, way: 'return' | 'cancel'): Html | false {
  const { id, state } = checkout;
  if (way === 'return')
    return (
      checkout.canReturn &&
      html`<p class="links"><a class="${isCredited(state) ? 'button' : ''}" href="/${language}/return-from-hosted-checkout/${id}">${say(
        'backToShop',
      )}</a></p>`
    );
  const isOver = state === 'EXPIRED' || state === 'CANCELED';
  return (
    checkout.canCancel &&
    html`<p class="links"><a href="/${language}/cancel-hosted-checkout/${id}">${say(isOver ? 'backToShop' : 'cancel')}</a></p>`
  );
}

const order = (say: Say, checkout: PublicCheckout): Html =>
  html`<section class="order" aria-labelledby="order">
<h2 id="order">${say('order')}</h2>
<table><tbody>${checkout.lines.map(
    ({ label, detail, amount }) =>
      html`<tr><th scope="row">${label}${detail !== null && html` <small>${detail}</small>`}</th><td>${amount}</td></tr>`,
  )}</tbody>
<tfoot><tr><th scope="row">${say('total')}</th><td>${checkout.total} ${checkout.currency}</td></tr></tfoot></table>
<p class="quiet">${say('reference')} <span class="copied">${checkout.id}</span></p>
</section>`;

const pathOf = ({ look, checkout }: Shown): string => checkoutPath(look.language, checkout);

/** The server does not know where the customer is, so times are in UTC and say so. */
const timeText = (language: PageLanguage, date: Date): string =>
  `${new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' }).format(date)}\u00a0UTC`;

const dateText = (language: PageLanguage, date: Date): string =>
  `${new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' }).format(date)}\u00a0UTC`;

/** What each state shows, and whether the page must look again by itself. */
const byState: Record<CheckoutState, { main: (shown: Shown) => Html; isChanging: boolean }> = {
  CREATED: { main: methodChoice, isChanging: false },
  PENDING: { main: pending, isChanging: true },
  PROCESSING: { main: processing, isChanging: true },
  COMPLETED: { main: completed, isChanging: false },
  DELAYED_COMPLETED: { main: completed, isChanging: false },
  RESOLVED: { main: completed, isChanging: false },
  EXPIRED: { main: revivable, isChanging: true },
  CANCELED: { main: revivable, isChanging: true },
  UNDERPAID: { main: underpaid, isChanging: true },
  REFUNDED: { main: refunded, isChanging: false },
};
