/** What a state of a checkout puts on the page. */
import { type Html, html } from '../web/html.ts';
import { type IconName, icon } from '../web/icons.ts';
import { priceText } from '../web/number-text.ts';
import { checkoutPath } from '../web/page-language.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { TextKey } from '../web/texts/page-texts.ts';
import type { ContactProblem } from './contact-form.ts';
import type { Price } from './hero-amount.ts';
import { orderName } from './page-setting.ts';
import type { PayInstructions, PublicCheckout } from './public-checkout.ts';
import type { LostPayment } from './public-payment.ts';
import type { WayBackProblem } from './public-way-back.ts';
import { shopMail } from './shop-mail.ts';

export type Rendering = {
  readonly contactProblem?: ContactProblem | undefined;
  /** Why what the payer asked for back was not set aside. */
  readonly wayBackProblem?: WayBackProblem | undefined;
  /** Buttons that only the sandbox has. */
  readonly sandbox?: { readonly canPay: boolean; readonly canMine: boolean; readonly hasFailed: boolean } | undefined;
};

export type Shown = {
  readonly look: PageLook;
  readonly checkout: PublicCheckout;
  readonly now: Date;
  readonly rendering: Rendering;
};

export type StateView = {
  /** The title of the tab. */
  readonly tab: string;
  /** When a page without JavaScript looks again by itself: `soon` while something is happening. */
  readonly looksAgain: 'soon' | 'later' | 'never';
  /** The large price on the shop's plane. */
  readonly head?: { readonly label: string; readonly price: Price; readonly isCompact?: true };
  readonly main: Html;
  /** The whole page looks different, to celebrate the payment: see "The moment" in css/pay.css. */
  readonly isMoment?: boolean;
};

export type Tone = 'paid' | 'wait' | 'decide' | 'fail' | '';

/**
 * The state of the payment: a mark, a sentence, and what follows from it. It gets the focus when it changes, so that a
 * screen reader reads it out. Words and a shape always say the same as the colour: not everybody sees colours.
 */
export function stateCard(
  shown: Shown,
  {
    pill,
    tone = '',
    mark,
    title,
    text,
  }: { pill?: Html | string; tone?: Tone; mark?: IconName; title: string; text?: string },
  more: Html | false = false,
): Html {
  return html`<section class="stack" id="state" role="status" tabindex="-1" data-announce="${title}">
${pill !== undefined && html`<p><span class="state pill ${tone}">${mark && icon(mark)}${pill}</span></p>`}
<div${tone !== '' && html` class="${tone}"`}><h2 class="marked">${pill === undefined && mark && icon(mark)}${title}</h2>${text !== undefined && html`<p class="quiet">${text}</p>`}</div>
${exceptionNotes(shown)}
${more}
</section>`;
}

export const totalOf = ({ checkout }: Shown): Price => ({ amount: checkout.total, currency: checkout.currency });

/** Whether something has come that counts; what this order cannot be paid with does not. */
export const hasPart = ({ sums }: Pick<PublicCheckout, 'sums'>): boolean => sums.received.length > 0;

/** As soon as a part has come, the headline is what is still missing; undefined: nothing has. */
export function restHead({ look, checkout }: Pick<Shown, 'look' | 'checkout'>): StateView['head'] | undefined {
  const { sums, currency } = checkout;
  if (!hasPart(checkout) || sums.missingPrice === null) return undefined;
  const received = priceText(look.language, sums.receivedPrice, currency);
  return {
    label: `${look.say('missing')} · ${look.say('alreadyReceived', { amount: received })}`,
    price: { amount: sums.missingPrice, currency },
  };
}

export const tabOf = ({ look: { say }, checkout }: Shown, key: TextKey): string => `${say(key)} · ${checkout.shopName}`;

/** One sentence for each thing that went otherwise than planned. */
export function exceptionNotes(shown: Pick<Shown, 'look' | 'checkout'>): Html {
  const { checkout } = shown;
  const { say } = shown.look;
  const { exceptions, lost, pay, helpEmail } = checkout;
  const isFolded = pay !== null && lost.length > 0;
  const notes: TextKey[] = isFolded ? [] : [...lost];
  const code = orderName(checkout);
  // What the network took back for good it does not confirm again.
  if (exceptions.includes('REORGED') && !lost.includes('takenBackText')) notes.push('reorganised');
  if (exceptions.includes('WRONG_ASSET')) notes.push('wrongAsset');
  const ask = (note: TextKey): Html | false =>
    note === 'wrongAsset' &&
    helpEmail !== null &&
    html` <a href="${shopMail(shown, helpEmail, 'helpMailSubject')}">${say('askShop')}</a>`;
  return html`${isFolded && lostFold(say, lost)}${notes.map((note) => html`<p class="notice decide">${icon('info')}<span>${say(note, { code })}${ask(note)}</span></p>`)}`;
}

const lostTitles = {
  replacedByOurs: 'transactionReplaced',
  replacedByOther: 'transactionLost',
  dropped: 'transactionDropped',
  takenBackText: 'transactionTakenBack',
} as const satisfies Record<LostPayment, TextKey>;

/** Above what is to be scanned and copied there is room for one line, about what happened last. */
const lostFold = (say: PageLook['say'], lost: PublicCheckout['lost']): Html =>
  html`<details class="notice decide" id="lost"><summary>${icon('info')}<b>${say(lostTitles[lost.at(-1) ?? 'dropped'])}</b><span class="chev">${icon('down')}</span></summary>
${lost.map((each) => html`<p>${say(each)}</p>`)}</details>`;

/** This and the path to cancel are redirects of ours, which know the shop's URLs. */
export const returnPath = ({ language }: PageLook, { id }: PublicCheckout): string =>
  `/${language}/return-from-hosted-checkout/${id}`;
export const cancelPath = ({ language }: PageLook, { id }: PublicCheckout): string =>
  `/${language}/cancel-hosted-checkout/${id}`;
export const methodsPath = ({ language }: PageLook, { id }: PublicCheckout): string =>
  `/${language}/checkout/${id}/methods`;

/** Back to the shop, as a quiet button beside what else there is to do. */
export function leaveLink({ look, checkout }: Shown, way: 'return' | 'cancel'): Html | false {
  const { say } = look;
  const isOver = checkout.state === 'EXPIRED' || checkout.state === 'CANCELED';
  if (way === 'cancel' && !isOver)
    return (
      checkout.canCancel &&
      html`<p class="small" id="leave"><a href="${cancelPath(look, checkout)}">${say('cancel')}</a></p>`
    );
  const href = way === 'return' ? returnPath(look, checkout) : cancelPath(look, checkout);
  const isThere = way === 'return' ? checkout.canReturn : checkout.canCancel;
  return isThere && html`<div id="leave"><a class="btn" href="${href}">${icon('left')}${say('backToShop')}</a></div>`;
}

export const newQuoteForm = (
  { look: { say, language }, checkout }: Shown,
  { network, assetId }: PayInstructions,
  label: Html = html`${icon('refresh')}${say('newQuote')}`,
): Html =>
  html`<form class="dock" id="new-quote" method="post" action="/${language}/checkout/${checkout.id}/commit">
<input type="hidden" name="method" value="${network} ${assetId}">
<button class="btn primary big wide">${label}</button>
</form>`;

export function sandboxButtons({ look: { say, language }, checkout, rendering: { sandbox } }: Shown): Html | false {
  if (!sandbox || !(sandbox.canPay || sandbox.canMine)) return false;
  return html`<form class="sandbox" id="sandbox" method="post" action="${checkoutPath(language, checkout, 'sandbox')}">
${sandbox.hasFailed && html`<p class="notice fail" role="alert">${icon('alert')}<span>${say('sandboxFailed')}</span></p>`}
${sandbox.canPay && html`<button class="btn wide" name="action" value="pay">${say('sandboxPay')}</button>`}
${sandbox.canMine && html`<button class="btn wide" name="action" value="mine">${say('sandboxMine')}</button>`}
</form>`;
}
