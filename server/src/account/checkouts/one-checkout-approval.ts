/** Refunds of a checkout that wait for somebody else: what would be done, who asked, and the two answers. And those that have not left. */
import type { Refund } from '../../checkouts/refund.ts';
import { apiKeyOf, isKeyActor } from '../../http/actor.ts';
import type { RequestRefundDeps } from '../../refunds/request-refund.ts';
import { type Html, html } from '../../web/html.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { addressText, goalRows } from '../frame/money-words.ts';
import { accountField, approvalAnswers, proofField, proving } from '../sign-in/sign-in-parts.ts';
import { unitsText } from './checkout-words.ts';
import type { AskedRefund, CheckoutView } from './one-checkout-facts.ts';

export const approvalParts = (deps: RequestRefundDeps, look: AccountLook, { dossier, toApprove }: CheckoutView) =>
  toApprove.map((asked) => approvalPart(deps, look, dossier.checkout.id, asked));

function approvalPart(deps: RequestRefundDeps, look: AccountLook, checkoutId: string, asked: AskedRefund): Html {
  const { say } = look;
  const { refund, isOwn } = asked;
  const path = `/account/checkouts/${checkoutId}/refunds/${refund.id}`;
  const mayApprove = look.may('approve');
  return html`<section class="stack part approval" aria-labelledby="h-${refund.id}"><div class="part-head"><h2 id="h-${refund.id}">${say('approvalTitle', { amount: unitsText(deps, look, refund) })}</h2></div>
<p>${say('approvalAsked', { who: askerText(look, asked) })} ${whereTo(look, refund)}</p>
<dl class="kv">${goalRows(look, { ...refund, address: null })}</dl>
${isOwn ? html`<p class="quiet">${say('approvalOwn')}</p>${takeBackForm(look, path)}` : mayApprove ? approvalAnswers(look, path) : html`<p class="quiet">${say('othersDecide')}</p>`}</section>`;
}

export const takeBackParts = (deps: RequestRefundDeps, look: AccountLook, { dossier, toTakeBack }: CheckoutView) =>
  toTakeBack.map((refund) => {
    const path = `/account/checkouts/${dossier.checkout.id}/refunds/${refund.id}/cancel`;
    const { say } = look;
    return html`<section class="stack part" aria-labelledby="h-${refund.id}"><div class="part-head"><h2 id="h-${refund.id}">${say('unsentTitle', { amount: unitsText(deps, look, refund) })}</h2></div>
<form class="form" method="post" action="${path}"${proving(look)}>${accountField(look)}${proofField(look)}<div class="bar"><button class="btn">${say('takeBackButton')}</button><span class="small quiet">${say(refund.state === 'CLAIMABLE' ? 'unsentLinkMeans' : 'unsentMeans')}</span></div></form></section>`;
  });

function askerText({ say }: AccountLook, { asker, name }: AskedRefund): string {
  if (asker === undefined || asker === 'payer') return say('askedByPayer');
  if (isKeyActor(asker)) return say('askedByKey', { key: apiKeyOf(asker) });
  return name ?? say('askedBySomebody');
}

const whereTo = ({ say }: AccountLook, { network, address }: Refund): Html | string =>
  address === null ? say('approvalByLink') : say.html('approvalTo', { address: addressText(network, address) });

/** Whoever asked needs no proof to want it no more. */
const takeBackForm = (look: AccountLook, path: string): Html =>
  html`<form class="form" method="post" action="${path}/refuse"${proving(look)}>${accountField(look)}<div class="bar"><button class="btn">${look.say('takeBackButton')}</button></div></form>`;
