/** An address for the receipt and one for a refund, both optional. Once money has arrived, only a receipt can be had. */
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { checkoutPath } from '../web/page-language.ts';
import type { TextKey } from '../web/texts/page-texts.ts';
import { type Fold, fold } from './help-folds.ts';
import type { PayInstructions } from './public-checkout.ts';
import type { Shown } from './state-view.ts';

/** `refundAddressOurs`: the payment itself goes to this address, so nobody could be paid back there. */
export type ContactMistake = 'emailWrong' | 'refundAddressWrong' | 'refundAddressOurs';

export type ContactProblem = {
  readonly mistake: ContactMistake;
  readonly email: string;
  readonly address: string;
};

/**
 * `reloads`: without JavaScript the page does so by itself, and the drawer is opened by a link to a page that does not.
 * Where something was saved the drawer is open anyway and says so; what changes it is one tap away, likewise.
 */
export function contactFold(shown: Shown, { reloads }: { readonly reloads: boolean }): Fold | false {
  const { look, checkout } = shown;
  const { contact, pay } = checkout;
  const { say, language, sendsReceipts } = look;
  const hasEmail = sendsReceipts && contact.maskedEmail !== null;
  const hasAddress = contact.refundEnding !== null;
  const takesEmail = sendsReceipts && (contact.canChange || !hasEmail);
  const takesAddress = contact.canChange && pay?.takesRefundAddress === true;
  const isTooLate = !contact.canChange && !hasAddress && pay?.takesRefundAddress === true;
  const isKept = hasEmail || hasAddress;
  if (!takesEmail && !takesAddress && !isKept && !isTooLate) return false;

  const key = titleOf(shown);
  const title = say(key);
  const kept = html`${hasEmail && keptEmail(shown)}
${keptAddress(shown)}
${isTooLate && html`<p>${say('refundAddressLate')}</p>`}`;
  const href = checkoutPath(language, { ...checkout, place: { ...checkout.place, open: 'contact' } });
  const form = html`<form class="stack" method="post" action="${checkoutPath(language, checkout, 'contact')}">
${takesEmail && emailField(shown)}
${takesAddress && addressField(shown, pay)}
<input type="hidden" name="network" value="${pay?.network}">
<div><button class="btn">${say(key === 'receiptByMail' ? 'sendReceipt' : 'save')}</button></div>
</form>`;
  const isAllKept = (hasEmail || !takesEmail) && (hasAddress || !takesAddress);
  const change = say(isAllKept ? 'changeContact' : 'changeOrAddContact');
  const isLink = reloads && !isTyping(shown);
  const changes = html`${isLink && html`<noscript><p><a href="${href}">${change}</a></p></noscript>`}
<details class="change${isLink && ' with-script'}" id="change-contact"${isTyping(shown) && html` open`}><summary>${change}</summary>${form}</details>`;
  const content = html`${contact.canChange && html`<p>${say(sendsReceipts ? 'contactText' : 'refundContactText')}</p>`}
${kept}
${(takesEmail || takesAddress) && (isKept ? changes : form)}`;
  const mark = key === 'receiptByMail' ? 'mail' : 'back';
  return fold('contact', mark, title, content, isTyping(shown) || isKept);
}

/** Where the shop is told to send money back. */
export const keptAddress = ({ look: { say }, checkout: { contact } }: Shown): Html | false =>
  contact.refundEnding !== null &&
  saved(say.html('refundAddressKept', { address: html`<span class="mono nowrap">…${contact.refundEnding}</span>` }));

const keptEmail = ({ look: { say }, checkout: { contact } }: Shown): Html =>
  saved(say.html('emailKept', { email: wholeEmail(contact.maskedEmail ?? '') }));

/** No line begins with the @, and in a text from right to left the address still reads from left to right. */
export function wholeEmail(masked: string): Html {
  const [name = '', domain = ''] = masked.split('@');
  return html`<bdi><span class="nowrap">${name}@</span>${domain}</bdi>`;
}

const saved = (text: Html): Html => html`<p class="notice paid">${icon('check')}<span>${text}</span></p>`;

/** A reload would take away what is half typed. */
export const isTyping = ({ checkout, rendering: { contactProblem } }: Shown): boolean =>
  checkout.place.open === 'contact' || contactProblem !== undefined;

/** Where the receipt goes, for those who have paid; else there is the fold, to which the form leads back too. */
export const receiptLine = ({ look: { say, sendsReceipts }, checkout: { contact } }: Shown): Html | false =>
  sendsReceipts &&
  contact.maskedEmail !== null &&
  html`<p class="small quiet" id="contact">${say.html('emailKept', { email: wholeEmail(contact.maskedEmail) })}</p>`;

export const receiptFold = (shown: Shown): Fold | false =>
  shown.look.sendsReceipts && shown.checkout.contact.maskedEmail === null && contactFold(shown, { reloads: false });

function titleOf({ look: { sendsReceipts }, checkout }: Shown): TextKey {
  if (!sendsReceipts) return 'refundContact';
  return checkout.contact.canChange || checkout.pay !== null ? 'contact' : 'receiptByMail';
}

function emailField({ look: { say }, rendering: { contactProblem: problem } }: Shown): Html {
  const isRefused = problem?.mistake === 'emailWrong';
  return html`<div class="field"><label for="email">${say('email')}</label>
<input class="input" id="email" name="email" type="email" autocomplete="email" maxlength="254" value="${problem?.email ?? ''}"${isRefused && html` ${refused} aria-describedby="contact-problem"`}>
${isRefused && mistakeText(say('emailWrong'))}</div>`;
}

function addressField({ look: { say }, rendering: { contactProblem } }: Shown, pay: PayInstructions): Html {
  const names = { network: pay.networkName };
  const problem = contactProblem?.mistake === 'emailWrong' ? undefined : contactProblem;
  const describedBy = `${problem ? 'contact-problem ' : ''}refund-address-help`;
  return html`<div class="field"><label for="refund-address">${say('refundAddress', names)}</label>
<input class="input" id="refund-address" name="refundAddress" maxlength="200" autocomplete="off" spellcheck="false" autocapitalize="none" value="${contactProblem?.address ?? ''}"${problem && html` ${refused}`} aria-describedby="${describedBy}">
${problem && mistakeText(say(problem.mistake, names))}
<span class="small quiet" id="refund-address-help">${say('refundAddressHelp', { coin: pay.assetName })}</span></div>`;
}

/** A field whose value was refused gets the focus again. */
const refused = html`aria-invalid="true" autofocus`;

const mistakeText = (text: string): Html =>
  html`<span class="error" id="contact-problem" role="alert">${icon('alert')}${text}</span>`;
