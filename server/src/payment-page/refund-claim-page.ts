/** Where a customer says to which address a refund shall go. A form without a script. */
import type { Refund } from '../checkouts/refund.ts';
import type { Destination } from '../networks/port/sending.ts';
import { inGroupsOfFour } from '../web/address-groups.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText, numberText, priceText } from '../web/number-text.ts';
import { checkoutPath } from '../web/page-language.ts';
import type { PageLook } from '../web/page-layout.ts';
import { sheetPage } from '../web/plain-page.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { orderCode, trustLine } from './order-section.ts';
import type { PublicCheckout } from './public-checkout.ts';

/** What the page may know of a refund. */
export type ShownRefund = {
  readonly checkoutId: string;
  /** The shop's own number of the order, if it gave one. */
  readonly orderReference: string | null;
  readonly shopName: string;
  readonly state: Refund['state'];
  /** This and the other amounts are written as wallets on this network write them. */
  readonly amount: string;
  /** Less the fee, if the customer pays it. */
  readonly sentAmount: string;
  /** Null when the merchant pays it. */
  readonly fee: string | null;
  readonly asset: string;
  /** What `amount` and `sentAmount` are worth in the currency of the bill; null where no quote says that. */
  readonly worth: { readonly whole: string; readonly sent: string; readonly currency: string } | null;
  readonly network: string;
  /** Whether an address there is an invoice, which must be for what is sent. */
  readonly isByInvoice: boolean;
  /** Whether addresses there may need a memo. */
  readonly hasMemos: boolean;
  readonly address: string | null;
  /** Of the sandbox's own wallet, which takes it back; null: there is none. */
  readonly testAddress: string | null;
  readonly txHash: string | null;
  readonly href: string | null;
  /** Whether the order has a page of ours to go back to. */
  readonly hasPage: boolean;
} & Pick<PublicCheckout, 'legalLine' | 'legalLinks'>;

export type ClaimProblem = 'refundBadAddress' | 'refundUnavailable';

export const claimPath = (language: PageLanguage, checkoutId: string, token: string): string =>
  `/${language}/checkout/${checkoutId}/refund?token=${encodeURIComponent(token)}`;

/** The same for the menu of languages, where English must be said, because the path alone leaves it to the browser. */
export const claimPathIn = (language: PageLanguage, checkoutId: string, token: string): string =>
  `${claimPath(language, checkoutId, token)}&language=${language}`;

/** Where the question is asked: a plain address, so that going back and forth in the browser asks it again. */
export function confirmPath(language: PageLanguage, checkoutId: string, token: string, to: Destination): string {
  const answer = new URLSearchParams({ address: to.address, memo: to.memo ?? '' });
  return `${claimPath(language, checkoutId, token)}&${answer.toString()}`;
}

export function claimPage(
  look: PageLook,
  refund: ShownRefund,
  token: string,
  tried: { readonly problem: ClaimProblem; readonly address: string } | null = null,
): Html {
  const { say, language } = look;
  const { amount, sentAmount, asset, network, fee, isByInvoice } = refund;
  const label = say(isByInvoice ? 'claimInvoice' : 'claimAddress', { asset, network });
  const form = html`<div id="state"><h2>${say('refundText', { amount: numberText(language, amount), asset: withWorth(look, refund, 'whole') })}</h2>
<p class="quiet">${fee !== null && html`${say('refundFee', { fee: numberText(language, fee), asset })} `}${isByInvoice ? say('refundInvoice', { amount: coinText(language, sentAmount, asset) }) : say('refundWhereTo')}</p></div>
<form class="stack" method="post" action="/${look.language}/checkout/${refund.checkoutId}/refund">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="step" value="check">
<div class="field"><label for="address">${label}</label>
<input class="input mono" id="address" name="address" required maxlength="2048" autocomplete="off" autocapitalize="off" spellcheck="false" value="${tried?.address ?? refund.testAddress ?? ''}"${tried && html` aria-invalid="true" aria-describedby="claim-problem" autofocus`}>
${tried && html`<span class="error" id="claim-problem" role="alert">${icon('alert')}${say(tried.problem, { network })}</span>`}${!tried && refund.testAddress !== null && html`<p class="help">${say('claimTestAddress')}</p>`}</div>
${
  refund.hasMemos &&
  html`<div class="field"><label for="memo">${say('refundMemo')}</label>
<input class="input" id="memo" name="memo" maxlength="64" autocomplete="off" spellcheck="false"></div>`
}
<p class="small quiet">${say('refundFinal')}</p>
<div class="dock"><button class="btn primary big wide">${say('refundCheck')}</button></div>
</form>`;
  return refundPage(look, refund, token, say('refundTitle'), form);
}

/** What was entered, once more and in groups that can be compared: nobody can take it back afterwards. */
export function confirmPage(look: PageLook, refund: ShownRefund, token: string, to: Destination): Html {
  const { say, language } = look;
  const amount = numberText(language, refund.sentAmount);
  const question = html`<div class="stack" id="state"><h2>${say('refundConfirm', { amount, asset: withWorth(look, refund, 'sent') })}</h2>
<p>${addressText(refund, to.address)}</p>
${to.memo !== null && html`<p>${say('labelled', { name: say('copyMemo') })} <span class="mono">${to.memo}</span></p>`}</div>
<p class="small quiet">${say('refundFinal')}</p>
<form class="stack" method="post" action="/${language}/checkout/${refund.checkoutId}/refund">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="address" value="${to.address}">
<input type="hidden" name="memo" value="${to.memo ?? ''}">
<div class="dock"><button class="btn primary big wide">${say('refundSend')}</button></div>
</form>
<p class="small"><a href="${claimPath(language, refund.checkoutId, token)}">${say('refundChange')}</a></p>`;
  return refundPage(look, refund, token, say('refundTitle'), question);
}

/** Whoever thinks in money learned on the page of the order what it is worth, and learns the same here. */
const withWorth = ({ language }: PageLook, { asset, worth }: ShownRefund, of: 'whole' | 'sent'): string =>
  worth === null ? asset : `${asset} (${priceText(language, worth[of], worth.currency)})`;

const addressText = ({ isByInvoice }: ShownRefund, address: string): Html =>
  isByInvoice ? html`<span class="mono">${address}</span>` : inGroupsOfFour(address);

export function claimedPage(look: PageLook, refund: ShownRefund, token: string): Html {
  const { say } = look;
  const isDone = refund.state === 'COMPLETED';
  const { txHash, href } = refund;
  const asset = withWorth(look, refund, 'sent');
  const amount = numberText(look.language, refund.sentAmount);
  const tone = isDone ? 'paid' : 'wait';
  const address = refund.address ?? '';
  const facts = html`<div class="stack" id="state">
<div class="${tone}"><h2 class="marked">${icon(tone)}<span>${say(isDone ? 'refundDoneText' : 'refundSendingText', { amount, asset })}</span></h2></div>
<p>${addressText(refund, address)}</p></div>
${
  txHash !== null &&
  html`<dl class="kv"><div><dt>${say('transaction')}</dt><dd><span class="mono">${txHash}</span>${
    href !== null && html`<br><a href="${href}" target="_blank" rel="noopener noreferrer">${say('seeTransaction')}</a>`
  }</dd></div></dl>`
}
${backToOrder(look, refund)}`;
  return refundPage(look, refund, token, say(isDone ? 'refundDone' : 'refundSending'), facts);
}

/** Where the shop can be asked, and the code to give there. */
export const backToOrder = (look: PageLook, refund: ShownRefund): Html =>
  html`${refund.hasPage && html`<p><a class="btn" href="${checkoutPath(look.language, { id: refund.checkoutId, language: 'auto' })}">${icon('left')}${look.say('backToOverview')}</a></p>`}`;

const refundPage = (look: PageLook, refund: ShownRefund, token: string, title: string, content: Html): Html =>
  sheetPage(look, {
    title,
    shopName: refund.shopName,
    inLanguage: (language) => claimPathIn(language, refund.checkoutId, token),
    ownPath: claimPath(look.language, refund.checkoutId, token),
    underTitle: html`<p class="code" id="order-code">${orderCode(look, { ...refund, id: refund.checkoutId })}</p>`,
    sheet: content,
    foot: trustLine(look, refund),
  });
