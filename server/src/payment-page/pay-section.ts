/** Where to send what: the heart of the page. A memo comes before the address, because it is what people forget. */
import type { BrowserWallet } from '../networks/port/payer-instructions.ts';
import { type Html, html } from '../web/html.ts';
import type { PageLook } from '../web/page-layout.ts';
import { qrCode } from '../web/qr-code.ts';
import type { Say, TextKey } from '../web/texts/page-texts.ts';
import type { PayInstructions } from './public-checkout.ts';
import { signingPath } from './wallet-signing-routes.ts';

export function paySection({ say, language }: PageLook, checkoutId: string, pay: PayInstructions): Html {
  const { amount, assetCode, address, memo } = pay;
  const { link, fields, wallet } = pay.instructions;
  const { href, qrText } = link;
  const names = { asset: pay.assetName, network: pay.networkName };
  const label = say('qrLabel', { amount, asset: assetCode });
  return html`<section class="card pay" id="pay" aria-label="${label}">
${
  qrText === address
    ? html`<div class="codes">${qrCode(address, label)}</div>`
    : html`<fieldset class="codes"><legend class="unseen">${say('qrKind')}</legend>
<input class="unseen" type="radio" name="code" id="code-link" checked><input class="unseen" type="radio" name="code" id="code-address">
<div class="code-link">${qrCode(qrText, label)}</div>
<div class="code-address">${qrCode(address, say('qrAddressLabel'))}</div>
<div class="switch"><label for="code-link">${say('qrForWallet')}</label><label for="code-address">${say('qrForExchange')}</label></div>
<p class="quiet code-address">${say('qrForExchangeHint')}</p></fieldset>`
}
<div class="copies" role="group" aria-label="${say('copy')}">
${memo !== null && copyButton(say, 'Memo', memo)}
${copyButton(say, 'Address', address)}${copyButton(say, 'Amount', amount)}${href !== null && copyButton(say, 'Link', href)}
</div>
${href !== null && html`<p><a class="button" id="open-wallet" href="${href}">${say('openWallet')}</a></p>`}
${wallet?.kind === 'eip1193' && walletButton(say, wallet)}
${wallet?.kind === 'freighter' && signingButton(say, checkoutId, pay.network)}
<dl class="values">
${
  memo !== null &&
  html`<div><dt>${say('memo')}</dt><dd class="mono copied">${memo}</dd><dd class="warning">${say('memoWarning')}</dd></div>`
}
<div><dt>${say('toAddress')}</dt><dd class="mono copied">${inGroupsOfFour(address)}</dd></div>
${fields.map(
  ({ name, value }) => html`<div><dt>${name[language]}</dt><dd class="mono copied">${inGroupsOfFour(value)}</dd></div>`,
)}
</dl>
<p class="quiet">${say('onlyThis', names)}</p>
<p class="quiet">${say('exchangeHint')}</p>
</section>`;
}

/** Useless without the script, so hidden until it runs. What is copied is the value itself: no gaps, no unit. */
const copyButton = (say: Say, what: 'Address' | 'Amount' | 'Memo' | 'Link', value: string): Html =>
  html`<button type="button" class="copy" hidden data-copy="${value}" data-copied="${say(`copied${what}` satisfies TextKey)}" data-failed="${say('copyFailed')}"><span class="unseen">${say('copy')}: </span>${say(`copy${what}` satisfies TextKey)}</button>`;

const walletButton = (say: Say, { chainId, to, value, data }: Extract<BrowserWallet, { kind: 'eip1193' }>): Html =>
  html`<p hidden data-wallet><button type="button" class="button second" data-chain="${chainId}" data-to="${to}" data-value="${value}" data-data="${data ?? ''}" data-asked="${say('walletAsked')}" data-refused="${say('walletRefused')}">${say('browserWallet')}</button></p>`;

const signingButton = (say: Say, checkoutId: string, network: string): Html =>
  html`<p hidden data-freighter><button type="button" class="button second" data-signing="${signingPath(checkoutId, network)}" data-asked="${say('walletAsked')}" data-refused="${say('walletRefused')}">${say('browserWallet')}</button></p>`;

/** The gaps are made by the stylesheet: what a customer selects and copies is the address without spaces. */
const inGroupsOfFour = (address: string): Html[] =>
  (address.match(/.{1,4}/gsu) ?? []).map((group) => html`<span class="group">${group}</span><wbr>`);
