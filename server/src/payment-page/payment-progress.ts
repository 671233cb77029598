/** How far a payment has come: seen, confirmed, converted where that is needed, credited. */
import { findNetwork } from '../catalog/network-catalog.ts';
import { isCredited } from '../checkouts/checkout-state.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText } from '../web/number-text.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { Say, TextKey } from '../web/texts/page-texts.ts';
import { type Fold, fold } from './help-folds.ts';
import type { PublicCheckout } from './public-checkout.ts';
import type { PublicPayment } from './public-payment.ts';
import { paidName } from './transaction-name.ts';

type Step = 'stepSeen' | 'stepConfirming' | 'stepConverting' | 'stepCredited';

export const stepsOf = ({ isConverted }: Pick<PublicCheckout, 'isConverted'>): Step[] =>
  isConverted
    ? ['stepSeen', 'stepConfirming', 'stepConverting', 'stepCredited']
    : ['stepSeen', 'stepConfirming', 'stepCredited'];

/** The step that is going on; all before it are done. Null once the shop is credited. */
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
    const state = position < at ? 'done' : 'next';
    if (position === at) return html`<li class="now" aria-current="step">${say(goingOn[step])}</li>`;
    return html`<li class="${state}">${say(step satisfies TextKey)}${state === 'done' && html`<span class="unseen"> (${say('stepIsDone')})</span>`}</li>`;
  })}</ol>`;
}

/** A step that is not done is never called done. */
const goingOn = {
  stepSeen: 'stepSeen',
  stepConfirming: 'stepConfirmingNow',
  stepConverting: 'stepConverting',
  stepCredited: 'stepCreditingNow',
} as const satisfies Record<Step, TextKey>;

/** `isStateSaid`: the state of the only payment stands above already. */
export const paymentList = (look: PageLook, payments: readonly PublicPayment[], isStateSaid = false): Html =>
  html`<ul class="payments">${payments.map((payment) => {
    const { say, language } = look;
    const tone = payment.isConfirmed ? 'paid' : 'wait';
    const state = html`<span class="state ${tone}">${icon(tone)}${confirmationText(say, payment)}</span>`;
    return html`<li>
<p class="payment"><strong>${coinText(language, payment.amount, payment.assetCode)}</strong> ${!isStateSaid && state}</p>
${
  payment.txHash !== '' &&
  html`<p class="quiet">${paidName(look, payment.network)} (${payment.networkName})${
    payment.href !== null &&
    html` · <a href="${payment.href}" target="_blank" rel="noopener noreferrer">${say('seeTransaction')}</a>`
  }</p>
<p class="mono hash">${payment.txHash}</p>`
}
</li>`;
  })}</ul>`;

/** The list of payments, and the steps once the shop is credited, folded away. */
export const paymentsFold = (look: PageLook, checkout: PublicCheckout, title: TextKey): Fold | false =>
  checkout.payments.length > 0 &&
  fold(
    'payments',
    'link',
    look.say(title),
    html`${isCredited(checkout.state) && stepper(look, checkout)}${paymentList(look, checkout.payments)}`,
  );

/** The text of the payment that still needs the most confirmations. */
export function slowest(say: Say, payments: readonly PublicPayment[]): string {
  const last = slowestOf(payments);
  return last ? confirmationText(say, last) : say('confirmed');
}

const missingOf = ({ confirmations, confirmationsRequired }: PublicPayment): number =>
  confirmationsRequired - confirmations;

const slowestOf = (payments: readonly PublicPayment[]): PublicPayment | undefined =>
  payments.filter(({ isConfirmed }) => !isConfirmed).toSorted((a, b) => missingOf(b) - missingOf(a))[0];

/** A bank books a payment or not: there is nothing to count. */
function confirmationText(say: Say, payment: PublicPayment): string {
  if (payment.isConfirmed) return say('confirmed');
  if (findNetwork(payment.network)?.type === 'BANK') return say('stepConfirmingNow');
  return say('confirmations', { count: payment.confirmations, required: payment.confirmationsRequired });
}
