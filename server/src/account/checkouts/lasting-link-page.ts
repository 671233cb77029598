/** Payment links that can be paid many times: all of them, a new one, and one with its code and its button. */
import type { CheckoutDossier } from '../../checkouts/checkout.ts';
import type { GatewayError } from '../../lib/errors.ts';
import type { ShownLink } from '../../payment-links/list-payment-links.ts';
import type { PaymentLink } from '../../payment-links/payment-link.ts';
import { linkPrice } from '../../payment-page/link-page.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { priceText } from '../../web/number-text.ts';
import { qrCode } from '../../web/qr-code.ts';
import { copyField, pagerOf, partOf } from '../developers/developer-parts.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import { doneNotice } from '../frame/money-words.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';
import { checkoutTable } from './checkout-list-page.ts';
import type { WordDeps } from './checkout-words.ts';
import { payButtonCode, payButtonText } from './pay-button.ts';
import { newLinkPath } from './payment-link-page.ts';

export const linksPath = '/account/payment-links';
export const newLastingLinkPath = `${linksPath}/new`;

const crumb = ({ say }: AccountLook): Html => html`<a href="${linksPath}">${say('paymentLinks')}</a>`;

const newButton = ({ say, may }: AccountLook): Html | false =>
  may('charge') &&
  html`<a class="btn primary" href="${newLastingLinkPath}">${icon('plus')}${say('newLastingLink')}</a>`;

const stateText = ({ say }: AccountLook, { closedAt }: PaymentLink): Html => {
  const tone = closedAt ? 'none' : 'paid';
  return html`<span class="state ${tone}">${icon(tone)}${say(closedAt ? 'linkIsClosed' : 'linkIsActive')}</span>`;
};

/** What a payment is for; of an open amount, who says it. */
export function askedText({ say, language }: AccountLook, { asks, currency }: PaymentLink): string {
  if (asks.kind === 'fixed') return priceText(language, linkPrice(currency, asks.amount), currency);
  return say(asks.kind === 'open' ? 'linkAsks_open' : 'linkAsks_signed');
}

const paidText = ({ say, language }: AccountLook, { link, sums }: ShownLink): string =>
  say('linkPaidTimes', {
    count: sums.paid,
    amount: priceText(language, linkPrice(link.currency, sums.amountPaid), link.currency),
  });

export function linksPage(
  look: AccountLook,
  {
    items,
    next,
    isFirst,
  }: { readonly items: readonly ShownLink[]; readonly next: string | null; readonly isFirst: boolean },
): Html {
  const { say } = look;
  const once = look.may('charge') && html`<p class="part small"><a href="${newLinkPath}">${say('linkForOne')}</a></p>`;
  const rows = items.map((shown) => {
    const { link } = shown;
    return html`<tr><th scope="row"><a href="${linksPath}/${link.id}">${link.description}</a><span class="sub">${askedText(look, link)} · ${paidText(look, shown)}</span></th><td>${stateText(look, link)}</td><td class="n desk">${askedText(look, link)}</td><td class="n desk">${paidText(look, shown)}</td><td class="n quiet desk">${momentText(look, link.createdAt)}</td></tr>`;
  });
  return accountPage(look, {
    title: say('paymentLinks'),
    actions: items.length > 0 && newButton(look),
    main:
      items.length === 0
        ? html`<div class="empty">${icon('link')}<p>${say('linksLead')}</p>${newButton(look)}</div>${once}`
        : html`<p class="lead">${say('linksLead')}</p>
<div class="scroll part" tabindex="0" role="region" aria-label="${say('paymentLinks')}"><table class="table list names"><thead><tr><th scope="col">${say('linkFor')}</th><th scope="col">${say('checkoutState')}</th><th scope="col" class="n desk">${say('linkAmount')}</th><th scope="col" class="n desk">${say('paidAmount')}</th><th scope="col" class="n desk">${say('checkoutTime')}</th></tr></thead><tbody>${rows}</tbody></table></div>${pagerOf(look, linksPath, { next, isFirst })}${once}`,
  });
}

/** As it was typed. */
export const lastingLinkFields = [
  'description',
  'currency',
  'asks',
  'amount',
  'amountMin',
  'amountMax',
  'paymentsMax',
] as const;
export type LastingLinkForm = Readonly<Record<(typeof lastingLinkFields)[number], string>>;

export function newLastingLinkPage(
  look: AccountLook,
  {
    currencies,
    form,
    problem,
  }: { readonly currencies: readonly string[]; readonly form: LastingLinkForm; readonly problem: GatewayError | null },
): Html {
  const { say } = look;
  const options = currencies.map(
    (code) => html`<option value="${code}"${code === form.currency && html` selected`}>${code}</option>`,
  );
  const asks = (kind: 'fixed' | 'open' | 'signed'): Html =>
    html`<label class="choice"><input type="radio" name="asks" value="${kind}"${form.asks === kind && html` checked`}><b>${say(`linkAsks_${kind}`)}</b><span>${say(`linkAsksMeans_${kind}`)}</span></label>`;
  const typedField = (
    name: 'amount' | 'amountMin' | 'amountMax' | 'paymentsMax',
    label: string,
    help: Html | false = false,
  ): Html =>
    html`<div class="field"><label for="${name}">${label}</label><input class="input mono" id="${name}" name="${name}" maxlength="40" inputmode="decimal" autocomplete="off" value="${form[name]}"${help && html` aria-describedby="${name}-help"`}>${help}</div>`;
  return accountPage(look, {
    title: say('newLastingLink'),
    crumb: crumb(look),
    main: html`<p class="lead">${say('lastingLinkText')}</p>${problemNotice(look, problem)}
<form class="form part" method="post" action="${newLastingLinkPath}">${accountField(look)}
<div class="field"><label for="description">${say('linkFor')}</label><input class="input" id="description" name="description" required maxlength="200" value="${form.description}"></div>
<div class="field"><label for="currency">${say('linkCurrency')}</label><span class="select"><select class="input" id="currency" name="currency">${options}</select></span></div>
<fieldset class="rows"><legend>${say('linkAsks')}</legend>${asks('fixed')}${asks('open')}${asks('signed')}</fieldset>
${typedField('amount', say('linkAmountFixed'))}
${typedField('amountMin', say('linkLeast'))}
${typedField('amountMax', say('linkMost'))}
${typedField('paymentsMax', say('linkPaymentsMax'), html`<p class="help" id="paymentsMax-help">${say('linkPaymentsMaxHelp')}</p>`)}
<div class="bar"><button class="btn primary">${say('makeLink')}</button></div></form>`,
  });
}

export type LinkFacts = ShownLink & {
  readonly url: string;
  /** Null: nothing is signed, or who looks may not sign. */
  readonly secret: string | null;
  readonly checkouts: readonly CheckoutDossier[];
  readonly now: Date;
  readonly isClosedNow: boolean;
};

export function oneLinkPage(deps: WordDeps, look: AccountLook, facts: LinkFacts): Html {
  const { say } = look;
  const { link, url, secret, sums, checkouts, now } = facts;
  const here = `${linksPath}/${link.id}`;
  const isOpen = link.closedAt === null;
  return accountPage(look, {
    title: link.description,
    crumb: crumb(look),
    main: html`${facts.isClosedNow && doneNotice(say('linkDid_closed'))}
<p>${stateText(look, link)} · ${askedText(look, link)} · ${paidText(look, facts)}${link.paymentsMax !== null && html` · ${say('linkLimit', { count: link.paymentsMax })}`}</p>
<div class="part form">${copyField(look, say('pageLink'), url)}
<span class="qr">${qrCode(url, say('linkCode'))}</span>
<p class="bar"><a class="btn" href="${here}/code.svg" download>${icon('download')}${say('linkCodeFile', { kind: 'SVG' })}</a><a class="btn" href="${here}/code.png" download>${icon('download')}${say('linkCodeFile', { kind: 'PNG' })}</a><a class="btn" href="${here}/print" target="_blank" rel="noopener">${icon('print')}${say('linkPrint')}</a><a class="btn" href="${url}" target="_blank" rel="noopener noreferrer">${icon('out')}${say('openPage')}</a></p></div>
${isOpen && (link.asks.kind === 'signed' ? secret !== null && partOf('secret', say('linkSecret'), html`<div class="stack"><p class="lead">${say('linkSecretText')}</p><div class="form">${copyField(look, say('linkSecret'), secret)}</div></div>`) : buttonPart(look, link, url))}
${partOf('checkouts', say('linkCheckouts'), checkouts.length === 0 ? html`<p class="lead">${say('linkNoCheckouts')}</p>` : html`<p class="lead">${say('linkBegun', { count: sums.made })}</p>${checkoutTable(deps, look, { items: checkouts, customers: new Map(), now })}`)}
${isOpen && look.may('charge') && html`<form class="form part" method="post" action="${here}/close">${accountField(look)}<div class="bar"><button class="btn">${say('linkClose')}</button></div><p class="help">${say('linkCloseMeans')}</p></form>`}`,
  });
}

/** What is pasted into any page, and how it looks there. */
function buttonPart(look: AccountLook, link: PaymentLink, url: string): Html {
  const { say } = look;
  const text = payButtonText(look, link);
  const fixed = link.asks.kind === 'fixed';
  return partOf(
    'button',
    say('linkButton'),
    html`<div class="stack"><p class="lead">${say('linkButtonText')}</p>
<p><a class="pay-button" href="${url}" target="_blank" rel="noopener noreferrer">${text}</a></p>
<div class="form">${copyField(look, say('linkButtonPage'), payButtonCode(url, text, 'link'))}
${fixed && copyField(look, say('linkButtonStraight'), payButtonCode(url, text, 'form'))}</div></div>`,
  );
}
