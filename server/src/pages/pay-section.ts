/** Where to send what: the heart of the page. A memo comes before the address, because it is what people forget. */
import { type Html, html } from './html.ts';
import { paymentLink } from './payment-link.ts';
import type { PayInstructions } from './public-checkout.ts';
import { qrCode } from './qr-code.ts';
import type { Say } from './texts/page-texts.ts';

export function paySection(say: Say, pay: PayInstructions, options: { isRest: boolean }): Html {
  const { amount, assetCode, address, memo } = pay;
  const link = paymentLink(pay);
  const names = { asset: pay.assetName, network: pay.networkName };
  return html`<section class="pay" aria-labelledby="send">
<h2 id="send" class="label">${say(options.isRest ? 'sendRest' : 'sendExactly')}</h2>
<p class="amount"><span class="copied">${amount}</span> ${assetCode}</p>
<p class="quiet">${say('assetOnNetwork', names)}</p>
${qrCode(link.qrText, say('qrLabel', { amount, asset: assetCode }))}
${link.href !== null && html`<p><a class="button" href="${link.href}">${say('openWallet')}</a></p>`}
${
  memo !== null &&
  html`<h3 class="label">${say('memo')}</h3>
<p class="code"><span class="copied">${memo}</span></p>
<p class="warning">${say('memoWarning')}</p>`
}
<h3 class="label">${say('toAddress')}</h3>
<p class="code"><span class="copied">${inGroupsOfFour(address)}</span></p>
<p class="quiet">${say('onlyThis', names)}</p>
<p class="quiet">${say('exchangeHint')}</p>
</section>`;
}

/** The gaps are made by the stylesheet: what a customer selects and copies is the address without spaces. */
const inGroupsOfFour = (address: string): Html[] =>
  (address.match(/.{1,4}/gsu) ?? []).map((group) => html`<span class="group">${group}</span><wbr>`);
