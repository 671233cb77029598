/** What each state of a checkout shows, and whether the page must look again by itself. */
import { type CheckoutState, isCredited } from '../checkouts/checkout-state.ts';
import { type Html, html } from '../web/html.ts';
import type { PageLook } from '../web/page-layout.ts';
import type { TextKey } from '../web/texts/page-texts.ts';
import { type ContactProblem, contactForm } from './contact-form.ts';
import { methodChoice } from './method-choice.ts';
import { dateTag, timeTag } from './number-text.ts';
import { paySection } from './pay-section.ts';
import { currentStep, paymentList, stepper } from './payment-progress.ts';
import type { PayInstructions, PublicCheckout } from './public-checkout.ts';
import { rateDetails } from './rate-details.ts';

export type Rendering = {
  readonly contactProblem?: ContactProblem | undefined;
  /** Buttons that only the sandbox has. */
  readonly sandbox?: { readonly canPay: boolean; readonly canMine: boolean; readonly hasFailed: boolean } | undefined;
};

type Shown = {
  readonly look: PageLook;
  readonly checkout: PublicCheckout;
  readonly now: Date;
  readonly rendering: Rendering;
};

export function stateSections(
  look: PageLook,
  checkout: PublicCheckout,
  now: Date,
  rendering: Rendering,
): { main: Html; isChanging: boolean } {
  const { main, isChanging } = byState[checkout.state];
  return { main: main({ look, checkout, now, rendering }), isChanging };
}

/** One sentence about where things stand. `tone` is said by words too: colour alone means nothing. */
function state(
  { look, checkout }: Shown,
  title: TextKey,
  more: Html,
  {
    tone = 'plain',
    icon = 'info',
    clock = false,
  }: { tone?: 'plain' | 'good' | 'alert'; icon?: 'wait' | 'info' | 'done'; clock?: Html | false } = {},
): Html {
  const text = look.say(title);
  return html`<section class="card state ${tone}" id="state" data-announce="${text}">
<h2><span class="mark ${icon}" aria-hidden="true"></span><span class="text">${text}</span>${clock}</h2>
${more}
${exceptionNotes(look, checkout)}
</section>`;
}

function exceptionNotes({ say }: PageLook, { exceptions, lost }: PublicCheckout): Html {
  const notes: TextKey[] = [...lost];
  if (exceptions.includes('REORGED')) notes.push('reorganised');
  if (exceptions.includes('WRONG_ASSET')) notes.push('wrongAsset');
  if (exceptions.includes('OVERPAID') || exceptions.includes('DUPLICATE')) notes.push('overpaid');
  return html`${notes.map((note) => html`<p class="note">${say(note)}</p>`)}`;
}

const created = ({ look, checkout }: Shown): Html =>
  html`${methodChoice(look, checkout)}${leaveLink(look, checkout, 'cancel')}`;

function pending(shown: Shown): Html {
  const { look, checkout, now, rendering } = shown;
  const { pay, payments } = checkout;
  // Enough has arrived, and only the decision about it is still to be made.
  if (pay === null) return processing(shown);
  const { say } = look;
  const isRest = payments.length > 0;
  const minutes = Math.max(0, Math.ceil((pay.payUntil.getTime() - now.getTime()) / 60_000));
  const clock =
    minutes > 0 &&
    html`<span class="clock" role="timer" aria-live="off" data-until="${pay.payUntil.toISOString()}" ${clockTexts(look)}>${say('minutesLeft', { minutes })}</span>`;
  const until = html`<p class="quiet">${
    minutes > 0 && html`${say.html('payUntil', { time: timeTag(look.language, pay.payUntil) })}. `
  }${say('updatesItself')}</p>`;
  const received = isRest && html`${receivedAndMissing(shown)}${paymentList(look, payments)}`;
  return html`${state(shown, isRest ? 'partialTitle' : 'waiting', html`${until}${received}`, { icon: 'wait', clock })}
${pay.isOutdated ? newQuoteForm(shown, pay) : html`${paySection(look, checkout.id, pay)}${sandboxButtons(shown)}`}
${contactForm(look, checkout, pay, rendering.contactProblem)}
${rateDetails(look, pay)}
<p class="links" id="links"><a href="/${look.language}/checkout/${checkout.id}/methods">${say('otherMethod')}</a></p>
${!isRest && leaveLink(look, checkout, 'cancel')}`;
}

/** What the script says aloud when so many minutes are left, and no oftener. */
const announcedMinutes = [10, 5, 1];
const clockTexts = ({ say }: PageLook): Html =>
  html`${announcedMinutes.map((minutes) => html` data-at-${minutes}="${say('minutesLeft', { minutes })}"`)}`;

const receivedAndMissing = ({ look: { say }, checkout: { payments, pay } }: Shown): Html =>
  html`<dl class="facts">
<div><dt>${say('received')}</dt><dd>${payments.map(({ amount, assetCode }) => html`<span class="each">${amount} ${assetCode}</span>`)}</dd></div>
${pay && html`<div><dt>${say('missing')}</dt><dd>${pay.amount} ${pay.assetCode}</dd></div>`}
</dl>`;

function processing(shown: Shown): Html {
  const { look, checkout } = shown;
  const step = currentStep(checkout);
  const isMarketMissing = checkout.exceptions.includes('NO_MARKET');
  const text = isMarketMissing ? 'marketText' : step === 'stepConverting' ? 'convertingText' : 'processingText';
  const more = html`${stepper(look, checkout)}
<p>${look.say(text)}</p>
${paymentList(look, checkout.payments)}`;
  return html`${state(shown, 'processingTitle', more, { icon: 'wait' })}${sandboxButtons(shown)}${leaveLink(look, checkout, 'return')}`;
}

function completed(shown: Shown): Html {
  const { look, checkout } = shown;
  const { say, language } = look;
  const notes: TextKey[] = [];
  if (checkout.state === 'DELAYED_COMPLETED') notes.push('lateText');
  if (checkout.state === 'RESOLVED') notes.push('acceptedText');
  const more = html`${checkout.completedAt && html`<p>${say.html('completedText', { date: dateTag(language, checkout.completedAt) })}</p>`}
${notes.map((note) => html`<p>${say(note)}</p>`)}
${stepper(look, checkout)}
${paymentList(look, checkout.payments)}`;
  return html`${state(shown, 'completedTitle', more, { tone: 'good', icon: 'done' })}
${leaveLink(look, checkout, 'return')}
${checkout.canReturn && checkout.completedAt && goingBack(shown, checkout.completedAt)}
<p class="links" id="papers"><button type="button" class="link" hidden data-print>${say('print')}</button>
${checkout.hasInvoice && html`<a href="/${language}/invoice/${checkout.id}">${say('invoice')}</a>`}</p>`;
}

const redirectSeconds = 15;

/** Hidden until the script counts down. Whoever needs more time stays (WCAG 2.2.1). */
const goingBack = ({ look: { say, language }, checkout }: Shown, completedAt: Date): Html =>
  html`<p class="links" id="going-back" hidden data-back="/${language}/return-from-hosted-checkout/${checkout.id}" data-since="${completedAt.toISOString()}"><span data-countdown>${Array.from(
    { length: redirectSeconds },
    (_, at) =>
      html`<span data-second="${redirectSeconds - at}" hidden>${say('goingBack', { seconds: redirectSeconds - at })}</span>`,
  )}</span> <button type="button" class="link" data-stay>${say('stayHere')}</button></p>`;

function revivable(shown: Shown): Html {
  const { look, checkout } = shown;
  const { say, language } = look;
  const { pay } = checkout;
  const methodsHref = `/${language}/checkout/${checkout.id}/methods`;
  const title = checkout.state === 'CANCELED' ? 'canceledTitle' : 'expiredTitle';
  return html`${state(shown, title, html`<p>${say('stillCredited')}</p>`)}
${pay && newQuoteForm(shown, pay)}
<p class="links" id="links"><a class="${pay ? '' : 'button'}" href="${methodsHref}">${say(pay ? 'otherMethod' : 'newQuote')}</a></p>
${leaveLink(look, checkout, 'cancel')}`;
}

const newQuoteForm = ({ look: { say, language }, checkout }: Shown, { network, assetId }: PayInstructions): Html =>
  html`<form class="card bare" id="new-quote" method="post" action="/${language}/checkout/${checkout.id}/commit">
<input type="hidden" name="method" value="${network} ${assetId}">
<button class="button">${say('newQuote')}</button>
</form>`;

function underpaid(shown: Shown): Html {
  const { look, checkout } = shown;
  const { say } = look;
  const more = html`<p>${say('underpaidText')}</p>
${receivedAndMissing(shown)}
<p>${say('askForItBack')}</p>`;
  return html`${state(shown, 'underpaidTitle', more, { tone: 'alert' })}
${checkout.pay && !checkout.pay.isOutdated && paySection(look, checkout.id, checkout.pay)}
${sandboxButtons(shown)}
${leaveLink(look, checkout, 'return')}`;
}

const refunded = (shown: Shown): Html =>
  html`${state(shown, 'refundedTitle', html`<p>${shown.look.say('refundedText')}</p>`)}${leaveLink(shown.look, shown.checkout, 'return')}`;

function sandboxButtons({ look: { say, language }, checkout, rendering: { sandbox } }: Shown): Html | false {
  if (!sandbox || !(sandbox.canPay || sandbox.canMine)) return false;
  return html`<form class="card sandbox" id="sandbox" method="post" action="/${language}/checkout/${checkout.id}/sandbox">
${sandbox.hasFailed && html`<p class="warning" role="alert">${say('sandboxFailed')}</p>`}
${sandbox.canPay && html`<button class="button second" name="action" value="pay">${say('sandboxPay')}</button>`}
${sandbox.canMine && html`<button class="button second" name="action" value="mine">${say('sandboxMine')}</button>`}
</form>`;
}

/** Both ways lead through our own redirects, which know the shop's URLs. */
function leaveLink({ language, say }: PageLook, checkout: PublicCheckout, way: 'return' | 'cancel'): Html | false {
  const { id, state } = checkout;
  if (way === 'return')
    return (
      checkout.canReturn &&
      html`<p class="links" id="leave"><a class="${isCredited(state) ? 'button' : ''}" href="/${language}/return-from-hosted-checkout/${id}">${say('backToShop')}</a></p>`
    );
  const isOver = state === 'EXPIRED' || state === 'CANCELED';
  return (
    checkout.canCancel &&
    html`<p class="links" id="leave"><a href="/${language}/cancel-hosted-checkout/${id}">${say(isOver ? 'backToShop' : 'cancel')}</a></p>`
  );
}

const byState: Record<CheckoutState, { main: (shown: Shown) => Html; isChanging: boolean }> = {
  CREATED: { main: created, isChanging: false },
  PENDING: { main: pending, isChanging: true },
  PROCESSING: { main: processing, isChanging: true },
  COMPLETED: { main: completed, isChanging: false },
  DELAYED_COMPLETED: { main: completed, isChanging: false },
  RESOLVED: { main: completed, isChanging: false },
  EXPIRED: { main: revivable, isChanging: true },
  CANCELED: { main: revivable, isChanging: true },
  UNDERPAID: { main: underpaid, isChanging: true },
  REFUNDED: { main: refunded, isChanging: false },
};
