/** A payment link is one hosted checkout: what it is for, and then the link with its code. */
import { orderReferenceMax } from '@quittance/contract/checkout';
import type { Checkout } from '../../checkouts/checkout.ts';
import type { GatewayError } from '../../lib/errors.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { qrCode } from '../../web/qr-code.ts';
import { copyField } from '../developers/developer-parts.ts';
import { accountPage, problemNotice } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';
import { checkoutPrice, orderOf } from './checkout-words.ts';

export const newLinkPath = '/account/checkouts/new';

export const newLinkButton = ({ say, may }: AccountLook): Html | false =>
  may('charge') && html`<a class="btn primary" href="${newLinkPath}">${icon('plus')}${say('newLink')}</a>`;

const crumb = ({ say }: AccountLook, name: string): Html =>
  html`<a href="/account/checkouts">${say('checkouts')}</a> <span class="quiet">/ ${name}</span>`;

/** As it was typed. */
export type LinkForm = Readonly<Record<(typeof linkFields)[number], string>>;
export const linkFields = ['amount', 'currency', 'description', 'reference', 'email'] as const;

export function newLinkPage(
  look: AccountLook,
  {
    currencies,
    form,
    isFirst,
    problem,
  }: {
    readonly currencies: readonly string[];
    readonly form: LinkForm;
    readonly isFirst: boolean;
    readonly problem: GatewayError | null;
  },
): Html {
  const { say } = look;
  const options = currencies.map(
    (code) => html`<option value="${code}"${code === form.currency && html` selected`}>${code}</option>`,
  );
  return accountPage(look, {
    title: say('newLink'),
    crumb: crumb(look, say('newLink')),
    main: html`<p class="lead">${say(isFirst ? (look.isSandbox ? 'firstLinkSandbox' : 'firstLinkLive') : 'newLinkText')}</p>${problemNotice(look, problem)}
<form class="form part" method="post" action="${newLinkPath}">${accountField(look)}
<div class="field"><label for="amount">${say('linkAmount')}</label><input class="input mono" id="amount" name="amount" required maxlength="40" inputmode="decimal" autocomplete="off" value="${form.amount}"></div>
<div class="field"><label for="currency">${say('linkCurrency')}</label><span class="select"><select class="input" id="currency" name="currency">${options}</select></span></div>
<div class="field"><label for="description">${say('linkFor')}</label><input class="input" id="description" name="description" required maxlength="200" value="${form.description}"></div>
<div class="field"><label for="reference">${say('linkReference')}</label><input class="input" id="reference" name="reference" maxlength="${orderReferenceMax}" autocomplete="off" value="${form.reference}"></div>
<div class="field"><label for="email">${say('linkEmail')}</label><input class="input" id="email" name="email" type="email" maxlength="254" autocomplete="off" value="${form.email}" aria-describedby="email-help"><p class="help" id="email-help">${say('linkEmailHelp')}</p></div>
<div class="bar"><button class="btn primary">${say('makeLink')}</button></div></form>`,
  });
}

export function paymentLinkPage(
  look: AccountLook,
  { checkout, url, email }: { readonly checkout: Checkout; readonly url: string; readonly email: string | null },
): Html {
  const { say } = look;
  const mail = `mailto:${encodeURIComponent(email ?? '')}?subject=${encodeURIComponent(say('linkMailSubject', { name: orderOf(checkout) }))}&body=${encodeURIComponent(url)}`;
  return accountPage(look, {
    title: say('linkMade'),
    crumb: crumb(look, orderOf(checkout)),
    main: html`<p class="lead">${say('linkMadeText', { amount: checkoutPrice(look, checkout) })}</p>
<div class="part form">${copyField(look, say('pageLink'), url)}
<span class="qr">${qrCode(url, say('linkCode'))}</span></div>
${look.isSettingUp && html`<p class="part">${say(look.isSandbox ? 'firstPaySandbox' : 'firstPayLive')}</p>`}
<p class="bar part"><a class="btn" href="${mail}">${icon('mail')}${say('openMail')}</a><a class="btn${look.isSettingUp && ' primary'}" href="${url}" target="_blank" rel="noopener noreferrer">${icon('out')}${say('openPage')}</a><a class="btn" href="/account/checkouts/${checkout.id}">${say('toCheckout')}</a></p>`,
  });
}
