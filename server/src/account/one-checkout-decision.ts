/**
 * The one decision about a checkout, with its answers side by side: what each does is said in money before it is pressed.
 * Each answer is a form of its own, because only some of them are signed with a passkey.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { homeNetwork } from '../catalog/network-catalog.ts';
import { hostedCheckoutUrl } from '../checkouts/checkout-record.ts';
import { formatUnits } from '../money/amount.ts';
import type { PricedRefund } from '../refunds/price-refund.ts';
import type { RequestRefundDeps } from '../refunds/request-refund.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { AccountLook } from './account-look.ts';
import { amountsText, unitsText } from './checkout-words.ts';
import type { CheckoutView } from './one-checkout-facts.ts';
import { accountField, orderProof, signing } from './sign-in-parts.ts';

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
  if (first === undefined)
    return html`<section class="stack" id="decision" aria-labelledby="h-decision">${title}<p class="quiet">${say('othersDecide')}</p></section>`;
  return html`<section class="stack decides" id="decision" aria-labelledby="h-decision">${title}
<div class="choices" role="radiogroup" aria-labelledby="h-decision">${answers.map(
    (answer) =>
      html`<label class="choice"><input type="radio" name="answer" value="${answer}"${answer === first && html` checked`}><b>${say(`choice_${answer}`)}</b><span>${say(`choiceHelp_${answer}`)}</span></label>`,
  )}</div>
${answers.map((answer) => html`<div class="when-${answer} stack">${answerForm(deps, look, view, answer)}</div>`)}</section>`;
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

/** Who gives back small amounts only does so where the account says which are. */
export const mayRefund = (look: AccountLook): boolean => {
  const grant = look.signedIn?.grant('refund');
  return grant === 'proof' || (grant === 'smallProof' && hasSupportLimit(look)) || onlyPrepares(look);
};

const hasSupportLimit = ({ signedIn }: AccountLook): boolean => (signedIn?.merchant?.supportLimit ?? null) !== null;

const onlyPrepares = (look: AccountLook): boolean => look.signedIn?.grant('refund') === 'prepare';

function answerForm(deps: RequestRefundDeps, look: AccountLook, view: CheckoutView, answer: Answer): Html | Html[] {
  const { say } = look;
  const { checkout } = view.dossier;
  if (answer === 'refund') return view.refundable.map((priced) => refundForm(deps, look, checkout.id, priced));
  if (answer === 'rest') {
    const url = hostedCheckoutUrl(deps, checkout);
    return html`<div class="copyfield"><span class="value mono">${url}</span><button class="btn" type="button" data-copy="${url}" data-copied="${say('copied')}">${icon('copy')}${say('restButton')}</button></div>`;
  }
  const amounts = amountsText(deps, look, view.waiting);
  const button = say(answer === 'accept' ? 'acceptButton' : 'keepButton', { amounts });
  return html`<form method="post" action="/account/checkouts/${checkout.id}/${answer}">${accountField(look)}<button class="btn primary">${button}</button></form>`;
}

/** How much is filled in with all of it: the passkey signs a number. */
export function refundForm(deps: RequestRefundDeps, look: AccountLook, id: string, priced: PricedRefund): Html {
  const { say } = look;
  const { asset: assetId, network, context, units } = priced;
  const asset = findAsset(deps.assets, assetId);
  const code = asset?.assetCode ?? assetId;
  const key = `${network}-${code}`;
  // An exchange on Stellar needs a memo besides: the page at the link asks for both.
  const isPrepared = onlyPrepares(look);
  const signsOrders = (look.signedIn?.person.passkeys ?? 0) > 0;
  const takesAddress = network !== homeNetwork.id;
  return html`<form class="form" method="post" action="/account/checkouts/${id}/refund"${!isPrepared && signing(look)}>${accountField(look)}<input type="hidden" name="context" value="${context}"><input type="hidden" name="asset" value="${assetId}"><input type="hidden" name="network" value="${network}">
<div class="field"><label for="amount-${key}">${say('refundAmount', { code })}</label><input class="input mono" id="amount-${key}" name="amount" required maxlength="60" inputmode="decimal" value="${formatUnits(units, asset?.ledgerScale ?? 0)}" aria-describedby="amount-help-${key}"><p class="help" id="amount-help-${key}">${say('refundAtMost', { amount: unitsText(deps, look, priced) })}</p></div>
${takesAddress && html`<div class="field"><label for="address-${key}">${say('refundAddress')}</label><input class="input mono" id="address-${key}" name="address" maxlength="2048" autocomplete="off" spellcheck="false" aria-describedby="address-help-${key}"><p class="help" id="address-help-${key}">${say('refundAddressHelp')}</p></div>`}
${
  context === 'COMPLETED_CHECKOUT'
    ? html`<fieldset class="rows"><legend>${say('refundFee')}</legend><label class="choice"><input type="radio" name="fee" value="customer" checked><b>${say('feePaidBy_customer')}</b><span>${say('feeComesOff')}</span></label><label class="choice"><input type="radio" name="fee" value="merchant"><b>${say('feePaidBy_merchant')}</b><span>${say('feeComesOn')}</span></label></fieldset>`
    : html`<input type="hidden" name="fee" value="customer"><p class="help">${say('feeComesOff')}</p>`
}
${!isPrepared && orderProof(look)}
<div class="bar"><button class="btn primary">${say(isPrepared ? 'refundAskButton' : 'refundButton', { code })}</button>${(isPrepared || signsOrders) && html`<span class="small quiet">${say(isPrepared ? 'refundOthersApprove' : 'asksForPasskey')}</span>`}</div></form>`;
}
