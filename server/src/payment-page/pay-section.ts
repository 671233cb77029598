/**
 * How much to send, and where: the code for a wallet, the code of the address alone for apps that read nothing else,
 * and the code of the joint network if there is one. The customer switches between them: above the code where they are two ways to pay, else below it, where few look for the other code.
 * A memo comes before the address, because people forget it.
 */
import { paymentUnits } from '../catalog/payment-units.ts';
import type { PayerField } from '../networks/port/payer-instructions.ts';
import { inGroupsOfFour } from '../web/address-groups.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinHtml, coinText, numberText } from '../web/number-text.ts';
import { checkoutPath, type PagePlace } from '../web/page-language.ts';
import type { PageLook } from '../web/page-layout.ts';
import { qrCode } from '../web/qr-code.ts';
import type { Say } from '../web/texts/page-texts.ts';
import { copyButton, copyNamed, targetButton } from './copy-buttons.ts';
import { lengthClass } from './hero-amount.ts';
import type { PayInstructions, PublicCheckout } from './public-checkout.ts';
import { hasPart } from './state-view.ts';
import { hasWalletButtons, walletButtons, walletSheet } from './wallet-buttons.ts';
import { someOf, wayTitle } from './way-text.ts';

export function paySection(look: PageLook, checkout: PublicCheckout, pay: PayInstructions): Html {
  const { say, language } = look;
  const { joint } = pay;
  const { addressOnly } = pay.instructions;
  const shownWith = addressOnly ? 'by-1 by-0' : 'by-1';
  // Where the address alone is another one than that of the link, only it is read and copied beside its code.
  const alone = addressOnly && addressOnly.qrText !== pay.address ? addressOnly.qrText : null;
  const valuesWith = alone === null ? shownWith : 'by-1';
  const label = qrLabel(look, pay);
  const segments: Segment[] = [{ way: '1', name: joint ? wayTitle(language, pay.wayName) : say('qrForWallet') }];
  if (joint) segments.push({ way: '2', name: wayTitle(language, joint.wayName) });
  if (addressOnly) segments.push({ way: '0', name: say('qrForExchange') });
  const choice = segments.length > 1 && segmentsOf(look, checkout, segments);
  const hint =
    addressOnly &&
    html`${!joint && html`<p class="small quiet by-1">${say(pay.memo === null ? 'qrForWalletHint' : 'qrForWalletHintMemo')}</p>`}<p class="small quiet by-0">${addressOnly.hint?.[language] ?? say('qrForExchangeHint')}</p>`;
  return html`<section class="pay-grid" id="pay" aria-label="${label}">
${exact(look, pay, shownWith, hasPart(checkout))}
${joint && exact(look, joint, 'by-2', false)}
${joint && choice}
<div class="codes">
${pay.codeText !== null && zoomable(say, 1, 'by-1', qrCode(pay.codeText, label))}
${joint && joint.codeText !== null && zoomable(say, 2, 'by-2', qrCode(joint.codeText, qrLabel(look, joint)))}
${addressOnly && zoomable(say, 0, 'by-0', qrCode(addressOnly.qrText, say('qrAddressLabel')))}
</div>
<div class="side stack">
${joint && hint}
${copies(say, pay, valuesWith)}
${alone !== null && html`<div class="copies by-0" role="group" aria-label="${say('copy')}">${copyButton(say, 'Address', alone)}${copyButton(say, 'Amount', pay.amount)}</div>`}
${joint && copies(say, joint, 'by-2')}
<div class="notice fail" id="copy-failed" hidden>${icon('alert')}<span><span>${say('copyFailed')}</span> <span class="mono value"></span></span></div>
</div>
<div class="under">
${!joint && html`${choice}${hint}`}
${values(look, pay, valuesWith)}
${alone !== null && html`<dl class="values by-0"><div><dt>${say('toAddress')}</dt><dd>${inGroupsOfFour(alone)}</dd></div></dl>`}
${joint && values(look, joint, 'by-2')}
${
  // An empty dock would lie over what is copied above it.
  (hasWalletButtons(pay) || (joint !== null && hasWalletButtons(joint))) &&
  html`<div class="dock">
${walletButtons(look, checkout.id, pay, shownWith)}
${joint && walletButtons(look, checkout.id, joint, 'by-2')}
<p class="notice" id="wallet-says" role="status" hidden></p>
</div>`
}
</div>
${walletSheet(look, pay, shownWith)}
${notes(look, pay, shownWith)}
${joint && notes(look, joint, 'by-2')}
</section>`;
}

const qrLabel = ({ say, language }: PageLook, { amount, assetCode }: PayInstructions): string =>
  say('qrLabel', { amount: numberText(language, amount), asset: assetCode });

const exact = ({ say, language }: PageLook, pay: PayInstructions, shownWith: string, isRest: boolean): Html =>
  html`<div class="exact ${shownWith}"><p class="small quiet">${say(isRest ? 'sendRest' : 'sendExactly')}</p>
<div class="amount${lengthClass(coinText(language, pay.amount, pay.assetCode), 13, 20)}">${coinHtml(language, pay.amount, pay.assetCode)}</div>
${pay.offeredAs ? html`<p class="small quiet">${pay.offeredAs.howTo[language]}</p>` : html`<p class="only small decide">${icon('decide')}<span>${say('onlyThis', { asset: someOf(language, pay.assetName), network: pay.networkName })}</span></p>`}</div>`;

type Segment = { readonly way: NonNullable<PagePlace['way']>; readonly name: string };

/**
 * The stylesheet shows what belongs to the checked button. Without a script nothing else on the page would learn of it:
 * there the segments are links, so that the address says which one it is, and a reload and other languages keep it.
 */
function segmentsOf({ say, language }: PageLook, checkout: PublicCheckout, segments: readonly Segment[]): Html {
  const chosen = segments.find(({ way }) => way === checkout.place.way) ?? segments[0];
  const label = html`aria-label="${say('qrKind')}"`;
  return html`<div class="seg with-script" role="radiogroup" ${label}>${segments.map((each) => {
    const { way, name } = each;
    return html`<label><input type="radio" name="code" id="by-${way}" value="${way}"${each === chosen && html` checked`}>${name}</label>`;
  })}</div>
<noscript><nav class="seg" ${label}>${segments.map((each) => {
    const href = checkoutPath(language, { ...checkout, place: { ...checkout.place, way: each.way } });
    return html`<a href="${href}"${each === chosen && html` aria-current="true"`}>${each.name}</a>`;
  })}</nav></noscript>`;
}

/** A tap makes the code as large as the screen, another tap makes it small again; no script is needed. */
const zoomable = (say: Say, at: number, shownWith: string, code: Html): Html =>
  html`<label class="zoom ${shownWith}"><input type="checkbox" id="zoom-${at}" aria-label="${say('enlargeCode')}"><span class="qr">${code}</span></label>`;

function copies(say: Say, pay: PayInstructions, shownWith: string): Html {
  const { amount, memo } = pay;
  const { link, target } = pay.instructions;
  if (target === 'account') return html``; // What an account needs is copied where it is shown, line by line.
  return html`<div class="copies${memo !== null && ' four'} ${shownWith}" role="group" aria-label="${say('copy')}">
${memo !== null && copyButton(say, 'Memo', memo)}
${targetButton(say, pay)}${copyButton(say, 'Amount', amount)}${link.href !== null && copyButton(say, 'Link', link.href)}
</div>`;
}

function values(look: PageLook, pay: PayInstructions, shownWith: string): Html {
  const { say } = look;
  const { address, memo } = pay;
  const { fields, target: kind } = pay.instructions;
  if (kind === 'invoice') return invoice(say, address, shownWith);
  if (kind === 'account')
    return html`<dl class="values lines ${shownWith}">${fieldList(look, fields)}${amountLine(look, pay)}</dl>`;
  return html`<dl class="values ${shownWith}">
${memo !== null && fields.length > 0 && html`<div><dt class="way">${say('wayOne')}</dt></div>`}
${
  memo !== null &&
  html`<div><dt>${say('memo')}</dt><dd class="mono memo">${memo}</dd><dd class="warning">${icon('alert')}${say('memoWarning')}</dd></div>`
}
<div><dt>${say('toAddress')}</dt><dd>${inGroupsOfFour(address)}</dd></div>
${fieldList(look, fields)}
</dl>`;
}

const fieldList = ({ say, language }: PageLook, fields: readonly PayerField[]): Html[] =>
  fields.map(
    ({ name, shortName, value, form, hint }) =>
      html`<div><dt>${name[language]}</dt><dd>${form === 'code' ? inGroupsOfFour(value) : value}</dd>${hint && html`<dd class="warning">${icon('alert')}${hint[language]}</dd>`}
<dd>${copyNamed(say, shortName[language], value)}</dd></div>`,
  );

const amountLine = ({ say, language }: PageLook, { amount, assetCode }: PayInstructions): Html =>
  html`<div><dt>${say('copyAmount')}</dt><dd>${coinText(language, amount, assetCode)}</dd><dd>${copyNamed(say, say('copyAmount'), amount)}</dd></div>`;

/** An invoice has hundreds of letters that nobody compares: both ends are shown, and the whole text on request. */
const invoice = (say: Say, text: string, shownWith: string): Html =>
  html`<details class="invoice-text ${shownWith}"><summary><span class="unseen">${say('labelled', { name: say('toInvoice') })} </span><span class="mono">${text.slice(0, 12)} … ${text.slice(-6)}</span><span class="push small quiet"><span class="more">${say('showAll')}</span><span class="less">${say('showLess')}</span></span></summary>
<p class="mono small quiet">${text}</p></details>`;

function notes({ say, language }: PageLook, pay: PayInstructions, shownWith: string): Html {
  const { assetCode, instructions } = pay;
  const unit = paymentUnits.get(assetCode);
  return html`<div class="notes small quiet ${shownWith}">${unit && html`<p>${unit.meaning[language]}</p>`}
${instructions.takes && html`<p>${instructions.takes[language]}</p>`}
${instructions.isPaidFromExchanges && html`<p>${say('exchangeHint')}</p>`}</div>`;
}
