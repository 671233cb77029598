/** What was sent back, where to, and by which transaction; and what is ordered and not there yet. */

import { inGroupsOfFour } from '../web/address-groups.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText, paperDay } from '../web/number-text.ts';
import type { PublicRefund } from './public-refund.ts';
import type { Shown } from './state-view.ts';
import { sentName } from './transaction-name.ts';

export const isUnderWay = ({ underWay }: PublicRefund): boolean => underWay !== null;

export const refundList = (
  shown: Shown,
  /** Left out: all. */
  refunds: readonly PublicRefund[] = shown.checkout.refunds,
): Html | false =>
  refunds.length > 0 &&
  html`<ul class="payments" id="refunds">${refunds.map((refund) => html`<li>${refund.underWay === null ? sent(shown, refund) : ordered(shown, refund, refund.underWay)}</li>`)}</ul>`;

function sent({ look }: Shown, refund: PublicRefund): Html {
  const { say } = look;
  const { network, networkName, address, isToAccount, txHash, href } = refund;
  return html`
<p class="payment"><strong>${amountOf(look, refund)}</strong> <span class="state paid">${icon('paid')}${say('refunded')}</span></p>
${address !== null && html`<p class="quiet">${say(isToAccount ? 'sentToAccount' : 'sentBackTo')}</p><p>${inGroupsOfFour(address)}</p>`}
${txHash !== null && html`<p class="quiet">${sentName(look, network)} (${networkName})${href !== null && html` · <a href="${href}" target="_blank" rel="noopener noreferrer">${say('seeTransaction')}</a>`}</p><p class="mono hash">${txHash}</p>`}
`;
}

/** It may still fail, so nothing is promised: what was done, how long that takes as a rule, and who knows more. */
function ordered(
  { look, checkout }: Shown,
  refund: PublicRefund,
  { since, takes }: NonNullable<PublicRefund['underWay']>,
): Html {
  const { say, language } = look;
  const date = paperDay(language, since, checkout.timeZone);
  return html`
<p class="payment"><strong>${amountOf(look, refund)}</strong> <span class="state wait">${icon('wait')}${say('refundOrdered')}</span></p>
${refund.address !== null && html`<p class="quiet">${say('toThisAccount')}</p><p>${inGroupsOfFour(refund.address)}</p>`}
<p class="then">${say('refundOrderedOn', { date, takes: takes[language] })}</p>
<p class="small quiet">${say('refundMayFail')}</p>
`;
}

const amountOf = ({ language }: Shown['look'], { amount, assetCode }: PublicRefund): string =>
  coinText(language, amount, assetCode);
