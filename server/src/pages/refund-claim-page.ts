/** Where a customer says to which address a refund shall go. A form and no script. */
import type { Refund } from '../checkouts/refund.ts';
import { type Html, html } from './html.ts';
import { type PageLook, pageLayout } from './page-layout.ts';
import type { PageLanguage } from './texts/page-texts.ts';

/** What the page may know of a refund. */
export type ShownRefund = {
  readonly checkoutId: string;
  readonly state: Refund['state'];
  readonly amount: string;
  /** Null when the merchant bears it. */
  readonly fee: string | null;
  readonly asset: string;
  readonly network: string;
  /** Whether addresses there may need a memo. */
  readonly hasMemos: boolean;
  readonly address: string | null;
  readonly txHash: string | null;
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
  const { amount, asset, network, fee } = refund;
  return pageLayout(look, {
    title: say('refundTitle'),
    inLanguage: (language) => `${claimPath(language, refund.checkoutId, token)}&language=${language}`,
    main: html`<div class="card plain-page"><h1>${say('refundTitle')}</h1>
<p>${say('refundText', { amount, asset })}${fee !== null && html` (${say('refundFee', { fee, asset })})`}</p>
${tried && html`<p class="warning" id="claim-problem" role="alert">${say(tried.problem, { network })}</p>`}
<form method="post" action="/${look.language}/checkout/${refund.checkoutId}/refund">
<input type="hidden" name="token" value="${token}">
<label for="address">${say('claimAddress', { asset, network })}</label>
<input id="address" name="address" required maxlength="2048" autocomplete="off" autocapitalize="off" spellcheck="false" value="${tried?.address ?? ''}"${tried && html` aria-invalid="true" aria-describedby="claim-problem"`}>
${
  refund.hasMemos &&
  html`<label for="memo">${say('refundMemo')}</label>
<input id="memo" name="memo" maxlength="64" autocomplete="off" spellcheck="false">`
}
<p class="quiet">${say('refundFinal')}</p>
<button class="button">${say('refundSend')}</button>
</form></div>`,
  });
}

export function claimedPage(look: PageLook, refund: ShownRefund): Html {
  const { say } = look;
  const title = say(refund.state === 'COMPLETED' ? 'refundDone' : 'refundSending');
  return pageLayout(look, {
    title,
    main: html`<div class="card plain-page"><h1>${title}</h1>
<p>${say('refundSendingText', { amount: refund.amount, asset: refund.asset })}</p>
<p><code>${refund.address}</code></p>
${refund.txHash !== null && html`<p>${say('transaction')}: <code>${refund.txHash}</code></p>`}</div>`,
  });
}
