/** One checkout: a sentence, the decision with its sum, then the timeline; facts in the rail. */
import { findCurrency } from '../../catalog/currency-catalog.ts';
import { findNetwork } from '../../catalog/network-catalog.ts';
import type { Checkout } from '../../checkouts/checkout.ts';
import { standingSettlement } from '../../checkouts/checkout-facts.ts';
import { hostedCheckoutUrl } from '../../checkouts/checkout-record.ts';
import { readCharge } from '../../checkouts/read-charge.ts';
import { type ChargeLine, chargeLines, detailText, labelText } from '../../payment-page/charge-lines.ts';
import type { RequestRefundDeps } from '../../refunds/request-refund.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { countryText } from '../../web/intl-formats.ts';
import { numberText, priceText } from '../../web/number-text.ts';
import { paperPath } from '../../web/paper-path.ts';
import { eInvoiceNote } from '../customers/e-invoice-words.ts';
import { papersPath } from '../customers/paper-list-filter.ts';
import { accountPage, type PageNews } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';
import {
  checkoutPrice,
  checkoutPriceHtml,
  customerName,
  metaPairs,
  orderOf,
  sentenceOf,
  sentenceText,
  stateMark,
} from './checkout-words.ts';
import { approvalParts, takeBackParts } from './one-checkout-approval.ts';
import { decisionPart } from './one-checkout-decision.ts';
import { type CheckoutView, canBeCanceled } from './one-checkout-facts.ts';
import { ledgerPart } from './one-checkout-ledger.ts';
import { mayRefund, refundForm } from './one-checkout-refund.ts';
import { timelinePart } from './one-checkout-timeline.ts';

export const deeds = ['Accept', 'Keep', 'Cancel', 'Resend', 'Receipt', 'Ask', 'Approve', 'Refuse'] as const;
export type Deed = (typeof deeds)[number];

type ShownCheckout = {
  readonly did: Deed | null;
  readonly news: PageNews;
  /** Somebody came to send money back. */
  readonly isRefundOpen: boolean;
};

export function oneCheckoutPage(
  deps: RequestRefundDeps & { readonly sendsEmail: boolean },
  look: AccountLook,
  view: CheckoutView,
  { did, news, isRefundOpen }: ShownCheckout,
): Html {
  const { say } = look;
  const { dossier, now } = view;
  const { checkout } = dossier;
  const sentence = sentenceOf(dossier, now);
  const name = orderOf(checkout);
  return accountPage(look, {
    title: say('orderTitle', { name }),
    crumb: html`<a href="/account/checkouts">${say('checkouts')}</a> <span class="quiet">/ ${name}</span>`,
    actions: actions(deps, look, view),
    news,
    main: html`${did !== null && html`<p class="notice paid" role="status">${icon('check')}<span>${say(`did${did}`)}</span></p>`}
<div class="bar wide-gap"><p class="amount hero">${checkoutPriceHtml(look, checkout)}</p>${stateMark(look, sentence, true)}</div>
<p class="lead">${sentenceText(deps, look, sentence, now)}</p>
${!isRefundOpen && sendBackPart(look, view)}<div class="work part" data-parts><div data-parts>${approvalParts(deps, look, view)}${takeBackParts(deps, look, view)}${decisionPart(deps, look, view)}${timelinePart(deps, look, view)}${furtherPart(deps, look, view, isRefundOpen)}</div>
<div class="rail" data-parts>${chargePart(look, checkout)}${papersPart(look, view)}${customerPart(look, view)}${metaPart(look, checkout)}${ledgerPart(deps, look, view.entries)}</div></div>`,
  });
}

function actions(deps: RequestRefundDeps, look: AccountLook, { dossier, customer }: CheckoutView): Html {
  const { say, language } = look;
  const { checkout } = dossier;
  // A receipt belongs to our page; an order with a page of the shop's own has an invoice only.
  const url = checkout.type === 'HOSTED' ? hostedCheckoutUrl(deps, checkout) : null;
  const isPaid = standingSettlement(dossier) !== undefined;
  const receipt = `${deps.originFor(checkout.merchantId)}${paperPath(language, { kind: 'receipt', id: checkout.id })}`;
  return html`${url !== null && html`<button class="btn quiet" type="button" data-copy="${url}" data-copied="${say('copied')}">${icon('copy')}${say('pageLink')}</button><a class="btn quiet" href="${url}" target="_blank" rel="noopener noreferrer">${icon('out')}${say('openPage')}</a>`}${isPaid && url !== null && html`<a class="btn" href="${receipt}" target="_blank" rel="noopener noreferrer">${icon('receipt')}${say('receipt')}</a>`}${isPaid && customer && html`<a class="btn" href="/account/checkouts/${checkout.id}/invoice" target="_blank" rel="noopener noreferrer">${icon('receipt')}${say('invoice')}</a>`}`;
}

/** What was credited and can be sent back, by whoever looks; undefined: nothing, or something else is to be decided first. */
const refundOfCredit = (look: AccountLook, { waiting, refundable }: CheckoutView) =>
  waiting.length === 0 && mayRefund(look) ? refundable[0] : undefined;

export const sendBackPath = (id: string): string => `/account/checkouts/${id}?refund=open#refund`;

/** Who walks through the set-up paid the first link themselves, and now learns how money goes back. */
const sendBackPart = (look: AccountLook, view: CheckoutView): Html | false =>
  look.isSettingUp &&
  isOwnLink(view.dossier.checkout) &&
  view.dossier.refunds.length === 0 &&
  refundOfCredit(look, view) !== undefined &&
  html`<p class="notice paid" id="send-back">${icon('check')}<span>${look.say('firstArrived')}</span><a class="btn primary" href="${sendBackPath(view.dossier.checkout.id)}">${look.say('choice_refund')}</a></p>`;

/** Made by a person of the account, and not by its shop. */
export const isOwnLink = ({ type, apiKey }: Checkout): boolean => type === 'HOSTED' && apiKey === null;

/** What is done seldom: a refund of what was credited, the receipt once more, and cancelling. */
function furtherPart(
  deps: RequestRefundDeps & { readonly sendsEmail: boolean },
  look: AccountLook,
  view: CheckoutView,
  isRefundOpen: boolean,
): Html {
  const { dossier, receiptTo } = view;
  const { say } = look;
  const { id } = dossier.checkout;
  const priced = refundOfCredit(look, view);
  return html`${priced && html`<section class="part"><details class="fold" id="refund"${isRefundOpen && html` open`}><summary class="btn">${say('refundTitle')}</summary><div class="part-body">${refundForm(deps, look, view, priced)}</div></details></section>`}
${deps.sendsEmail && receiptTo !== null && html`<form class="part" method="post" action="/account/checkouts/${id}/receipt">${accountField(look)}<div class="bar"><button class="btn">${icon('mail')}${say('receiptAgain')}</button><span class="small quiet">${say('receiptAgainTo', { email: receiptTo })}</span></div></form>`}
${canBeCanceled(dossier) && look.may('charge') && html`<form class="part" method="post" action="/account/checkouts/${id}/cancel">${accountField(look)}<button class="btn danger">${say('cancelCheckout')}</button></form>`}`;
}

const pairs = (rows: readonly (readonly [string, string])[], isMono = false): Html[] =>
  rows.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd${isMono && html` class="mono breaks"`}>${value}</dd></div>`,
  );

function chargePart(look: AccountLook, checkout: Checkout): Html {
  const { say, language } = look;
  const label = (line: ChargeLine): string =>
    [labelText(say, line), detailText(language, line) ?? []].flat().join(', ');
  return html`<section class="part"><div class="part-head"><h2>${say('charge')}</h2></div><dl class="kv held">${pairs(
    linesOf(checkout).map((line) => [label(line), numberText(language, line.amount)] as const),
  )}<div class="sum"><dt>${say('total')}</dt><dd>${checkoutPrice(look, checkout)}</dd></div></dl></section>`;
}

function linesOf(checkout: Checkout): ChargeLine[] {
  const charge = readCharge(checkout);
  return charge ? chargeLines(charge, findCurrency(checkout.billingCurrency)?.decimals ?? 2) : [];
}

/** What was issued about it. */
const papersPart = (look: AccountLook, { papers }: CheckoutView): Html | false =>
  papers.length > 0 &&
  html`<section class="part"><div class="part-head"><h2>${look.say('papers')}</h2></div><dl class="kv">${papers.map(({ id, kind, number, facts }) => html`<div><dt><a href="${papersPath}/${id}">${number}</a> <span class="small quiet">${look.say(`paperKind_${kind}`)}</span></dt><dd>${priceText(look.language, facts.total, facts.currency)}</dd></div>`)}</dl></section>`;

function customerPart(look: AccountLook, { customer, dossier, invoice, leftAddress }: CheckoutView): Html {
  const { say, language } = look;
  const { customerId } = dossier.checkout;
  const country = customer?.fields.countrycode;
  const name = country && countryText(language, country);
  const hidden = customerId !== null && !look.may('seeCustomers');
  return html`<section class="part"><div class="part-head"><h2>${say('customer')}</h2>${customer && html`<a href="/account/customers/${customer.id}">${say('theirCheckouts')}</a>`}</div>${
    customer
      ? html`<dl class="kv">${pairs([[say('customerName'), customerName(customer)], [say('email'), customer.email], ...(name ? [[say('customerCountry'), name] as const] : [])])}</dl>`
      : html`<p class="quiet">${say(hidden ? 'customerHidden' : 'customerUnknown')}</p>`
  }${invoice && eInvoiceNote(look, invoice)}${leftAddress && html`<dl class="kv" id="left-address"><div><dt>${say('leftAddress', { network: findNetwork(leftAddress.network)?.name ?? leftAddress.network })}</dt><dd class="mono breaks">${leftAddress.address}</dd></div></dl>`}</section>`;
}

function metaPart({ say }: AccountLook, checkout: Checkout): Html | false {
  const rows = metaPairs(checkout);
  return (
    rows.length > 0 &&
    html`<section class="part"><div class="part-head"><h2>${say('meta')}</h2></div><dl class="kv">${pairs(rows, true)}</dl></section>`
  );
}

/** The link is shown once: whoever has it says where the money goes. */
export function claimPage(
  look: AccountLook,
  made: { readonly checkoutId: string; readonly url: string; readonly amount: string; readonly email: string | null },
): Html {
  const { say } = look;
  const { url, email } = made;
  const mail = `mailto:${encodeURIComponent(email ?? '')}?subject=${encodeURIComponent(say('claimMailSubject'))}&body=${encodeURIComponent(url)}`;
  return accountPage(look, {
    title: say('claimMade'),
    main: html`<p class="lead">${say('claimMadeText', { amount: made.amount })}</p>
<div class="copyfield part"><span class="value mono">${url}</span><button class="btn" type="button" data-copy="${url}" data-copied="${say('copied')}">${icon('copy')}${say('copy')}</button></div>
<p class="bar part"><a class="btn" href="${mail}">${icon('mail')}${say('openMail')}</a>${look.isSettingUp && html`<a class="btn" href="${url}" target="_blank" rel="noopener noreferrer">${icon('out')}${say('openPage')}</a>`}<a class="btn" href="/account/checkouts/${made.checkoutId}">${say('toCheckout')}</a></p>`,
  });
}
