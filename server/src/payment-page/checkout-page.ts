/**
 * The hosted page in every state. It works without JavaScript: forms, links, and a reload while something may change.
 * With JavaScript, the script replaces the parts of #live (each has an id) by those of a newer rendering.
 */
import { ground } from '../web/ground.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { priceHtml, priceText } from '../web/number-text.ts';
import { checkoutPath } from '../web/page-language.ts';
import { type PageLook, pageLayout } from '../web/page-layout.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { helpFolds } from './help-folds.ts';
import { heroClass } from './hero-amount.ts';
import { methodChoice } from './method-choice.ts';
import { orderCode, orderSection, trustLine } from './order-section.ts';
import type { PublicCheckout } from './public-checkout.ts';
import { methodsPath, type Rendering, restHead, type StateView } from './state-view.ts';
import { stateView } from './state-views.ts';

/**
 * For browsers without JavaScript. A reload moves what somebody is reading and costs a screen reader its place, so it is
 * rare as long as nothing has been seen: a payment takes minutes to make, and a link looks again at once. It is more
 * frequent while something is on its way, and there is none while a form is open.
 */
const refreshSeconds = { soon: 10, later: 30, never: undefined } as const;

/** What the script needs to keep a page fresh. Left out, the page stays as it is. */
export type LiveTies = { readonly version: string; readonly networks: readonly string[] };

export type PageOptions = {
  readonly now: Date;
  readonly live?: LiveTies | undefined;
  readonly rendering?: Rendering | undefined;
  readonly notice?: string | undefined;
  /** Where a browser finds this page by a plain request. Left out: it stays at the address that it has. */
  readonly ownPath?: string | undefined;
  /** The address of the page in another language; left out: the checkout's own. */
  readonly inLanguage?: ((language: PageLanguage) => string) | undefined;
};

export function checkoutPage(look: PageLook, checkout: PublicCheckout, options: PageOptions): Html {
  const { now, live, rendering = {} } = options;
  const ownPath = live && checkoutPath(look.language, checkout);
  return page(look, checkout, stateView({ look, checkout, now, rendering }), { ...options, ownPath });
}

/** The choice of a method as a page of its own: to change it, or when the chosen one turned out to be unavailable. */
export function methodsPage(
  look: PageLook,
  checkout: PublicCheckout,
  options: PageOptions & { readonly isUnavailable: boolean },
): Html {
  const { say, language } = look;
  const main = html`${
    options.isUnavailable &&
    html`<p class="notice fail" id="problem" role="alert">${icon('alert')}<span>${say('unavailable')}</span></p>`
  }
${methodChoice(look, checkout)}
${checkout.pay && html`<p class="small" id="links"><a href="${checkoutPath(language, checkout)}">${say('backToPayment')}</a></p>`}
${helpFolds({ look, checkout })}`;
  const view: StateView = {
    tab: say('tabChoose', { amount: priceText(language, checkout.total, checkout.currency), shop: checkout.shopName }),
    looksAgain: 'never',
    head: restHead({ look, checkout }) ?? {
      label: say('toPay'),
      price: { amount: checkout.total, currency: checkout.currency },
    },
    main,
  };
  return page(look, checkout, view, { ...options, ownPath: methodsPath(look, checkout) });
}

function page(look: PageLook, checkout: PublicCheckout, view: StateView, options: PageOptions): Html {
  const { live, now, notice, ownPath } = options;
  const inLanguage = options.inLanguage ?? ((language) => checkoutPath(language, checkout));
  const { shopName } = checkout;
  const { head, isMoment = false } = view;
  return pageLayout(look, {
    title: view.tab,
    refreshSeconds: refreshSeconds[view.looksAgain],
    refreshTo: ownPath,
    notice,
    page: html`<div id="live" class="pay${isMoment && ' moment'}" data-parts data-now="${now.toISOString()}"${ownPath !== undefined && html` data-page="${ownPath}"`}${live && liveData(look, checkout, live)}>
${ground(look, { shopName, inLanguage, isCompact: head?.isCompact, more: head && due(look, checkout, head) })}
<main id="sheet"${!isMoment && html` class="sheet"`} data-parts>
${view.main}
</main>
${!isMoment && orderSection(look, checkout)}
${trustLine(look, checkout)}
</div>`,
  });
}

/** On every page, also when the payment is over: a reorganisation or a refund can still change it. */
function liveData({ say }: PageLook, { id, choiceId }: PublicCheckout, { version, networks }: LiveTies): Html {
  const tips = networks.length > 0 ? `?tips=${networks.join(',')}` : '';
  return html` data-version="${version}" data-choice="${choiceId ?? ''}" data-events="/ajax/checkout/${id}/events${tips}" data-poll="/ajax/checkout/${id}/version${tips}" data-offline="${say('offline')}"`;
}

/** How much, as the largest thing on the page, and the code to give when asking for help. */
function due(look: PageLook, checkout: PublicCheckout, { label, price }: NonNullable<StateView['head']>): Html {
  const { say, language } = look;
  return html`<div class="due">
<p>${label}</p>
<h1 class="${heroClass(look, price)}"><span class="unseen">${say('labelled', { name: label })} </span>${priceHtml(language, price.amount, price.currency)}</h1>
<p class="code"><span id="order-code">${orderCode(look, checkout)}</span><a class="see" href="#order">${say('seeItems')}</a></p>
</div>`;
}
