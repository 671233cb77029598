/** Buttons that open a wallet: an app by its link, or one in the browser; and what to do when none answers. */
import type { BrowserWallet } from '../networks/port/payer-instructions.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { Say } from '../web/texts/page-texts.ts';
import { copyButton, targetButton } from './copy-buttons.ts';
import type { PayInstructions } from './public-checkout.ts';
import { signingPath } from './wallet-signing-routes.ts';

export const hasWalletButtons = ({ instructions: { link, wallet } }: PayInstructions): boolean =>
  link.href !== null || wallet !== null;

export function walletButtons({ say }: PageLook, checkoutId: string, pay: PayInstructions, shownWith: string): Html {
  const { link, wallet } = pay.instructions;
  const isMain = shownWith !== 'by-2';
  return html`<div class="${shownWith}">
${link.href !== null && html`<a class="btn primary big wide"${isMain && html` id="open-wallet"`} data-opens href="${link.href}">${icon('wallet')}${say('openWallet')}</a>`}
${wallet?.kind === 'eip1193' && walletButton(say, wallet, pay.networkName)}
${wallet?.kind === 'freighter' && signingButton(say, checkoutId, pay.network)}
</div>`;
}

const asked = (say: Say): Html => html` data-asked="${say('walletAsked')}" data-refused="${say('walletRefused')}"`;

function walletButton(
  say: Say,
  { chainId, to, value, data, unknownChain }: Extract<BrowserWallet, { kind: 'eip1193' }>,
  network: string,
): Html {
  const texts = html`${asked(say)} data-unknown="${say('walletLacksNetwork', { network })}"`;
  const chain = html` data-chain="${chainId}"${unknownChain && html` data-add="${JSON.stringify(unknownChain)}"`}`;
  return html`<button type="button" class="btn big wide" hidden data-wallet${chain} data-to="${to}" data-value="${value}" data-data="${data ?? ''}"${texts}>${say('browserWallet')}</button>`;
}

const signingButton = (say: Say, checkoutId: string, network: string): Html =>
  html`<button type="button" class="btn big wide" hidden data-freighter data-signing="${signingPath(checkoutId, network)}"${asked(say)}>${say('browserWallet')}</button>`;

/** Opened by the script when no wallet app has answered the link: what is needed to pay by hand. */
export function walletSheet(look: PageLook, pay: PayInstructions, shownWith: string): Html | false {
  const { say } = look;
  const { joint } = pay;
  if (pay.instructions.link.href === null) return false;
  return html`<dialog class="dialog" id="no-wallet" aria-labelledby="no-wallet-title">
<h2 id="no-wallet-title">${say('walletSilentTitle')}</h2>
<p class="quiet">${say('walletSilentText')}</p>
${byHand(look, pay, shownWith)}
${joint && byHand(look, joint, 'by-2')}
<form method="dialog" class="actions"><button class="btn">${say('close')}</button></form>
</dialog>`;
}

function byHand({ say, language }: PageLook, pay: PayInstructions, shownWith: string): Html {
  const { amount, memo } = pay;
  const { link, wallets } = pay.instructions;
  const address = memo === null ? 'byHandAddress' : 'byHandMemo';
  const words = { invoice: 'byHandInvoice', address, account: address } as const;
  return html`<div class="by-hand ${shownWith}">
<ul class="small"><li>${say(words[pay.instructions.target])}</li><li>${say('byHandLink')}</li></ul>
${memo !== null && copyButton(say, 'Memo', memo)}${targetButton(say, pay)}${copyButton(say, 'Amount', amount)}
${
  link.href !== null &&
  html`${copyButton(say, 'Link', link.href)}<a class="btn" data-opens href="${link.href}">${icon('refresh')}${say('tryAgain')}</a>`
}
${wallets.length > 0 && html`<p class="small quiet">${say('walletsKnown', { wallets: new Intl.ListFormat(language).format(wallets) })}</p>`}</div>`;
}
