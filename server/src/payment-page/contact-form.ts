/** An address for the receipt and one for a refund: optional, and closed as soon as money has arrived. */
import { type Html, html } from '../web/html.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { PayInstructions, PublicCheckout } from './public-checkout.ts';

export type ContactProblem = {
  readonly field: 'email' | 'refundAddress';
  readonly email: string;
  readonly address: string;
};

export function contactForm(
  look: PageLook,
  { id, contact }: PublicCheckout,
  pay: PayInstructions,
  problem?: ContactProblem,
): Html | false {
  const { say, language, sendsReceipts } = look;
  const hasEmail = sendsReceipts && contact.maskedEmail !== null;
  const { takesRefundAddress } = pay;
  const kept = html`${hasEmail && html`<p>${say('emailKept', { email: contact.maskedEmail ?? '' })}</p>`}
${contact.hasRefundAddress && html`<p>${say('refundAddressKept')}</p>`}`;
  const isKept = hasEmail || contact.hasRefundAddress;
  if (!contact.canChange || !(sendsReceipts || takesRefundAddress))
    return isKept && html`<section class="card quiet" id="contact">${kept}</section>`;
  const names = { network: pay.networkName };
  const invalid = (field: ContactProblem['field']): Html | false =>
    problem?.field === field && html` aria-invalid="true" aria-describedby="contact-problem"`;
  return html`<details class="card" id="contact"${(problem || isKept) && html` open`}><summary>${say(sendsReceipts ? 'contact' : 'refundContact')}</summary>
<form method="post" action="/${language}/checkout/${id}/contact">
<p class="quiet">${say(sendsReceipts ? 'contactText' : 'refundContactText')}</p>
${kept}
${problem && html`<p class="warning" id="contact-problem" role="alert">${say(problem.field === 'email' ? 'emailWrong' : 'refundAddressWrong', names)}</p>`}
${
  sendsReceipts &&
  html`<p class="field"><label for="email">${say('email')}</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${problem?.email ?? ''}"${invalid('email')}></p>`
}
${
  takesRefundAddress &&
  html`<p class="field"><label for="refund-address">${say('refundAddress', names)}</label>
<input id="refund-address" name="refundAddress" maxlength="200" autocomplete="off" spellcheck="false" autocapitalize="none" value="${problem?.address ?? ''}"${invalid('refundAddress')}></p>`
}
<input type="hidden" name="network" value="${pay.network}">
<button class="button second">${say('save')}</button>
</form></details>`;
}
