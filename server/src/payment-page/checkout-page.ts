/**
 * The hosted page in every state. It works without JavaScript: forms, links, and a reload while something may change.
 * With it, the script replaces the parts of #live (each has an id) by those of a newer rendering.
 */
import { type Html, html } from '../web/html.ts';
import { checkoutPath } from '../web/page-language.ts';
import { type PageLook, pageLayout } from '../web/page-layout.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { methodChoice } from './method-choice.ts';
import { priceText } from './number-text.ts';
import { orderCode, orderSection, shopLine } from './order-section.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { type Rendering, stateSections } from './state-sections.ts';

const refreshSeconds = 10;

/** What the script needs to keep a page fresh. Left out, the page stays as it is. */
export type LiveTies = { readonly version: string; readonly networks: readonly string[] };

export type PageOptions = {
  readonly now: Date;
  readonly live?: LiveTies | undefined;
  readonly rendering?: Rendering | undefined;
  readonly notice?: string | undefined;
  /** Where the page is in another language; at the checkout unless told. */
  readonly inLanguage?: ((language: PageLanguage) => string) | undefined;
};

export function checkoutPage(look: PageLook, checkout: PublicCheckout, options: PageOptions): Html {
  const { main, isChanging } = stateSections(look, checkout, options.now, options.rendering ?? {});
  return page(look, checkout, main, { ...options, isChanging });
}

/** The choice of a method apart from the state: to change it, or after one turned out to be unavailable. */
export function methodsPage(
  look: PageLook,
  checkout: PublicCheckout,
  options: PageOptions & { readonly isUnavailable: boolean },
): Html {
  const { say } = look;
  const main = html`${options.isUnavailable && html`<p class="card warning" role="alert">${say('unavailable')}</p>`}
${methodChoice(look, checkout)}
${checkout.pay && html`<p class="links"><a href="${checkoutPath(look.language, checkout)}">${say('backToPayment')}</a></p>`}`;
  return page(look, checkout, main, { now: options.now, isChanging: false });
}

function page(
  look: PageLook,
  checkout: PublicCheckout,
  main: Html,
  { isChanging, live, now, notice, ...options }: PageOptions & { readonly isChanging: boolean },
): Html {
  const inLanguage = options.inLanguage ?? ((language) => checkoutPath(language, checkout));
  return pageLayout(look, {
    title: `${look.say('title')} – ${checkout.shopName}`,
    refreshSeconds: isChanging ? refreshSeconds : undefined,
    inLanguage,
    notice,
    main: html`<div id="live" class="page" data-now="${now.toISOString()}"${live && liveData(look, checkout.id, live)}>
${header(look, checkout)}
<div class="column" id="column">
${main}
</div>
${orderSection(look, checkout)}
${orderCode(look, checkout.id)}
</div>`,
  });
}

/** Left out where nothing can change any more would be wrong: a reorganisation or a refund changes even the last page. */
function liveData({ say }: PageLook, id: string, { version, networks }: LiveTies): Html {
  const tips = networks.length > 0 ? `?tips=${networks.join(',')}` : '';
  return html` data-version="${version}" data-events="/ajax/checkout/${id}/events${tips}" data-poll="/ajax/checkout/${id}/version${tips}" data-offline="${say('offline')}"`;
}

function header(look: PageLook, { shopName, total, currency, pay, payments, state }: PublicCheckout): Html {
  const { say, language } = look;
  const isPayable = pay !== null && (state === 'PENDING' || state === 'UNDERPAID');
  return html`<header id="head">
${shopLine(look, shopName)}
<h1><span class="unseen">${say('total')}: </span>${priceText(language, total, currency)}</h1>
${
  isPayable &&
  html`<p class="due">${say(payments.length > 0 ? 'sendRest' : 'sendExactly')}
<strong class="due-amount"><span class="copied">${pay.amount}</span> ${pay.assetCode}</strong>
<small>${say('assetOnNetwork', { asset: pay.assetName, network: pay.networkName })}</small></p>`
}
</header>`;
}
