/** How far a payment has come: seen, confirmed, converted where that is needed, credited. */
import { isCredited } from '../checkouts/checkout-state.ts';
import { type Html, html } from '../web/html.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { Say, TextKey } from '../web/texts/page-texts.ts';
import type { PublicCheckout } from './public-checkout.ts';
import type { PublicPayment } from './public-payment.ts';

type Step = 'stepSeen' | 'stepConfirming' | 'stepConverting' | 'stepCredited';

export const stepsOf = ({ isConverted }: Pick<PublicCheckout, 'isConverted'>): Step[] =>
  isConverted
    ? ['stepSeen', 'stepConfirming', 'stepConverting', 'stepCredited']
    : ['stepSeen', 'stepConfirming', 'stepCredited'];

/** The step that is going on; all before it are done, and none is once the shop is credited. */
export function currentStep(checkout: Pick<PublicCheckout, 'state' | 'payments' | 'isConverted'>): Step | null {
  if (isCredited(checkout.state)) return null;
  if (checkout.payments.some((payment) => !payment.isConfirmed)) return 'stepConfirming';
  return checkout.isConverted ? 'stepConverting' : 'stepCredited';
}

export function stepper({ say }: PageLook, checkout: PublicCheckout): Html {
  const steps = stepsOf(checkout);
  const current = currentStep(checkout);
  const at = current === null ? steps.length : steps.indexOf(current);
  return html`<ol class="steps" aria-label="${say('progress')}">${steps.map((step, position) => {
    const state = position < at ? 'done' : position === at ? 'now' : 'next';
    const current = position === at && html` aria-current="step"`;
    return html`<li class="${state}"${current}>${position === at && step === 'stepConfirming' ? slowest(say, checkout.payments) : say(step satisfies TextKey)}${position < at && html`<span class="unseen"> (${say('stepIsDone')})</span>`}</li>`;
  })}</ol>`;
}

export const paymentList = (look: PageLook, payments: readonly PublicPayment[]): Html =>
  html`<ul class="payments">${payments.map(
    (payment) => html`<li>
<p class="payment"><strong>${payment.amount} ${payment.assetCode}</strong> <span>${confirmationText(look.say, payment)}</span></p>
<p class="quiet">${look.say('transaction')} (${payment.networkName})${
      payment.href !== null &&
      html` · <a href="${payment.href}" target="_blank" rel="noopener noreferrer">${look.say('seeTransaction')}</a>`
    }</p>
<p class="mono hash copied">${payment.txHash}</p>
</li>`,
  )}</ul>`;

/** What the payment that lacks most confirmations says about itself. */
function slowest(say: Say, payments: readonly PublicPayment[]): string {
  const [last] = payments
    .filter(({ isConfirmed }) => !isConfirmed)
    .sort((a, b) => b.confirmationsRequired - b.confirmations - (a.confirmationsRequired - a.confirmations));
  return last ? confirmationText(say, last) : say('confirmed');
}

const confirmationText = (say: Say, { isConfirmed, confirmations, confirmationsRequired }: PublicPayment): string =>
  isConfirmed ? say('confirmed') : say('confirmations', { count: confirmations, required: confirmationsRequired });
