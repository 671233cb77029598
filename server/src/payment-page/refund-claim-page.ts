/** Where a customer says to which address a refund shall go. A form and no script. */
import type { Refund } from '../checkouts/refund.ts';
import { type Html, html } from '../web/html.ts';
import { type PageLook, pageLayout } from '../web/page-layout.ts';
import type { PageLanguage } from '../web/texts/page-texts.ts';
import { orderCode, shopLine } from './order-section.ts';

/** What the page may know of a refund. */
export type ShownRefund = {
  readonly checkoutId: string;
  readonly shopName: string;
  readonly state: Refund['state'];
  /** This and the others as wallets there write it. */
  readonly amount: string;
  /** Without the fee, where the customer bears it. */
  readonly sentAmount: string;
  /** Null when the merchant bears it. */
  readonly fee: string | null;
  readonly asset: string;
  readonly network: string;
  /** Whether an address there is an invoice, which must be over what is sent. */
  readonly isByInvoice: boolean;
  /** Whether addresses there may need a memo. */
  readonly hasMemos: boolean;
  readonly address: string | null;
  readonly txHash: string | null;
  readonly href: string | null;
};

export type ClaimProblem = 'refundBadAddress' | 'refundUnavailable';

export const claimPath = (language: PageLanguage, checkoutId: string, token: string): string =>
  `/${language}/checkout/${checkoutId}/refund?token=${encodeURIComponent(token)}`;

export function claimPage(
  look: PageLook,
  refund: ShownRefund,
  token: string,
  tried: { readonly problem: ClaimProblem; readonly address: string } | null = null,
): Html {
  const { say } = look;
  const { amount, sentAmount, asset, network, fee, isByInvoice } = refund;
  const form = html`<p>${say('refundText', { amount, asset })}</p>
${fee !== null && html`<p class="quiet">${say('refundFee', { fee, asset })}</p>`}
<p>${isByInvoice ? say('refundInvoice', { amount: `${sentAmount} ${asset}` }) : say('refundWhereTo')}</p>
${tried && html`<p class="warning" id="claim-problem" role="alert">${say(tried.problem, { network })}</p>`}
<form method="post" action="/${look.language}/checkout/${refund.checkoutId}/refund">
<input type="hidden" name="token" value="${token}">
<p class="field"><label for="address">${say(isByInvoice ? 'claimInvoice' : 'claimAddress', { asset, network })}</label>
<input id="address" name="address" required maxlength="2048" autocomplete="off" autocapitalize="off" spellcheck="false" value="${tried?.address ?? ''}"${tried && html` aria-invalid="true" aria-describedby="claim-problem"`}></p>
${
  refund.hasMemos &&
  html`<p class="field"><label for="memo">${say('refundMemo')}</label>
<input id="memo" name="memo" maxlength="64" autocomplete="off" spellcheck="false"></p>`
}
<p class="quiet">${say('refundFinal')}</p>
<button class="button">${say('refundSend')}</button>
</form>`;
  return refundPage(look, refund, token, say('refundTitle'), form);
}

export function claimedPage(look: PageLook, refund: ShownRefund, token: string): Html {
  const { say } = look;
  const isDone = refund.state === 'COMPLETED';
  const { sentAmount: amount, asset, txHash, href } = refund;
  const facts = html`<p>${say(isDone ? 'refundDoneText' : 'refundSendingText', { amount, asset })}</p>
<p class="mono copied">${refund.address}</p>
${
  txHash !== null &&
  html`<p class="quiet">${say('transaction')}${
    href !== null && html` · <a href="${href}" target="_blank" rel="noopener noreferrer">${say('seeTransaction')}</a>`
  }</p>
<p class="mono hash copied">${txHash}</p>`
}`;
  return refundPage(look, refund, token, say(isDone ? 'refundDone' : 'refundSending'), facts);
}

const refundPage = (look: PageLook, refund: ShownRefund, token: string, title: string, content: Html): Html =>
  pageLayout(look, {
    title,
    inLanguage: (language) => `${claimPath(language, refund.checkoutId, token)}&language=${language}`,
    main: html`<div class="card plain-page">${shopLine(look, refund.shopName)}
<h1>${title}</h1>
${content}
${orderCode(look, refund.checkoutId)}</div>`,
  });
