/**
 * The one decision about a checkout, with its answers side by side: what each does is said in money before it is pressed.
 * Each answer is a form of its own, because only some of them are signed with a passkey.
 */
import { hostedCheckoutUrl } from '../../checkouts/checkout-record.ts';
import type { RequestRefundDeps } from '../../refunds/request-refund.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';
import { amountsText } from './checkout-words.ts';
import type { CheckoutView } from './one-checkout-facts.ts';
import { hasSupportLimit, isBackToPayer, leftFor, mayRefund, refundForm } from './one-checkout-refund.ts';

type Answer = 'accept' | 'keep' | 'refund' | 'rest';

export function decisionPart(deps: RequestRefundDeps, look: AccountLook, view: CheckoutView): Html | false {
  const { dossier, waiting } = view;
  if (waiting.length === 0) return false;
  const { say } = look;
  const isUnderpaid = dossier.checkout.state === 'UNDERPAID';
  const amounts = amountsText(deps, look, waiting);
  const answers = answersOf(look, view);
  const title = html`<div class="part-head"><h2 id="h-decision">${say(isUnderpaid ? 'decisionUnderpaid' : 'decisionSurplus', { amounts })}</h2></div>`;
  const [first] = answers;
  const helpOf = (answer: Answer): string => say(answer === 'refund' ? refundHelp(view) : `choiceHelp_${answer}`);
  if (first === undefined)
    return html`<section class="stack" id="decision" aria-labelledby="h-decision">${title}<p class="quiet">${say('othersDecide')}</p></section>`;
  return html`<section class="stack decides" id="decision" aria-labelledby="h-decision">${title}
<div class="choices" role="radiogroup" aria-labelledby="h-decision">${answers.map(
    (answer) =>
      html`<label class="choice"><input type="radio" name="answer" value="${answer}"${answer === first && html` checked`}><b>${say(`choice_${answer}`)}</b><span>${helpOf(answer)}</span></label>`,
  )}</div>
${answers.map((answer) => html`<div class="when-${answer} stack">${answerForm(deps, look, view, answer)}</div>`)}</section>`;
}

/** Where it goes. */
function refundHelp(view: CheckoutView): 'choiceHelp_refund' | 'choiceHelp_refundBack' | 'choiceHelp_refundLeft' {
  const { refundable } = view;
  if (refundable.every(({ network }) => isBackToPayer(network))) return 'choiceHelp_refundBack';
  const isLeft = refundable.some(({ network }) => leftFor(view, network) !== null);
  return isLeft ? 'choiceHelp_refundLeft' : 'choiceHelp_refund';
}

function answersOf(look: AccountLook, { dossier, waiting, refundable }: CheckoutView): Answer[] {
  const isUnderpaid = dossier.checkout.state === 'UNDERPAID';
  const grant = look.signedIn?.grant('decideCheckouts');
  const mayDecide = grant === 'yes' || (grant === 'small' && hasSupportLimit(look));
  const canKeep = waiting.some(({ context }) => context === 'OVERPAID_CHECKOUT');
  return [
    ...(isUnderpaid && mayDecide ? (['accept'] as const) : []),
    ...(mayRefund(look) && refundable.length > 0 ? (['refund'] as const) : []),
    ...(!isUnderpaid && canKeep && mayDecide ? (['keep'] as const) : []),
    ...(isUnderpaid && dossier.checkout.type === 'HOSTED' && look.may('charge') ? (['rest'] as const) : []),
  ];
}

function answerForm(deps: RequestRefundDeps, look: AccountLook, view: CheckoutView, answer: Answer): Html | Html[] {
  const { say } = look;
  const { checkout } = view.dossier;
  if (answer === 'refund') return view.refundable.map((priced) => refundForm(deps, look, view, priced));
  if (answer === 'rest') {
    const url = hostedCheckoutUrl(deps, checkout);
    return html`<div class="copyfield"><span class="value mono">${url}</span><button class="btn" type="button" data-copy="${url}" data-copied="${say('copied')}">${icon('copy')}${say('restButton')}</button></div>`;
  }
  const amounts = amountsText(deps, look, view.waiting);
  const button = say(answer === 'accept' ? 'acceptButton' : 'keepButton', { amounts });
  return html`<form method="post" action="/account/checkouts/${checkout.id}/${answer}">${accountField(look)}<button class="btn primary">${button}</button></form>`;
}
