/** What was sent back, where to, and by which transaction. */
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText } from '../web/number-text.ts';
import { inGroupsOfFour } from './address-groups.ts';
import type { Shown } from './state-view.ts';

export const refundList = ({ look: { say, language }, checkout: { refunds } }: Shown): Html | false =>
  refunds.length > 0 &&
  html`<ul class="payments" id="refunds">${refunds.map(
    ({ amount, assetCode, networkName, address, isToAccount, txHash, href }) => html`<li>
<p class="payment"><strong>${coinText(language, amount, assetCode)}</strong> <span class="state paid">${icon('paid')}${say('refunded')}</span></p>
${address !== null && html`<p class="quiet">${say(isToAccount ? 'sentToAccount' : 'sentBackTo')}</p><p>${inGroupsOfFour(address)}</p>`}
${txHash !== null && html`<p class="quiet">${say('transaction')} (${networkName})${href !== null && html` · <a href="${href}" target="_blank" rel="noopener noreferrer">${say('seeTransaction')}</a>`}</p><p class="mono hash">${txHash}</p>`}
</li>`,
  )}</ul>`;
