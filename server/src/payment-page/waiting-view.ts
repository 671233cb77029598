/** While money is expected: the whole price, the rest of it, or the rest after the time to pay. */
import { decimal, divide, formatDecimal, times } from '../money/decimal.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText, dateTag, needsDay, priceText, timeLeftText, timeTag } from '../web/number-text.ts';
import { checkoutPath } from '../web/page-language.ts';
import type { TextKey } from '../web/texts/page-texts.ts';
import { contactFold, isTyping } from './contact-form.ts';
import { helpFolds } from './help-folds.ts';
import { paySection } from './pay-section.ts';
import { paymentsFold } from './payment-progress.ts';
import type { PayInstructions } from './public-checkout.ts';
import type { PublicSum } from './public-sums.ts';
import { rateFold } from './rate-details.ts';
import { worthyText } from './receipt-rows.ts';
import {
  exceptionNotes,
  hasPart,
  leaveLink,
  methodsPath,
  newQuoteForm,
  restHead,
  type Shown,
  type StateView,
  sandboxButtons,
  stateCard,
  tabOf,
  totalOf,
} from './state-view.ts';
import { isGoingBack, wayBackPart } from './way-back-view.ts';
import { wayTitle } from './way-text.ts';
import { worthBeside } from './worth-beside.ts';

export function pendingView(shown: Shown, pay: PayInstructions): StateView {
  const { look, checkout } = shown;
  const { say } = look;
  const isRest = hasPart(checkout);
  const isGone = checkout.keptPlace?.isGone === true;
  // In the sandbox somebody presses a button and looks.
  const isHappening = isRest || shown.rendering.sandbox?.canPay === true;
  return {
    tab: isRest ? missingTab(shown) : tabOf(shown, 'tabWaiting'),
    looksAgain: isTyping(shown) ? 'never' : isHappening ? 'soon' : 'later',
    head: headOf(shown),
    main: html`${waiting(shown, pay, isRest ? 'partialTitle' : 'waiting')}
${wayChanged(shown)}
${placeNotice(shown)}
${isGone ? '' : pay.isOutdated ? newInvoiceForm(shown, pay) : paySection(look, checkout, pay)}
${!isGone && !pay.isOutdated && sandboxButtons(shown)}
${isRest && html`${arrivedAndMissing(shown, pay)}${partNext(shown, pay)}`}
${!isGone && untilOnPaper(shown, pay)}
<p class="small quiet" id="links">${!isGone && validity(shown, pay)} ${isRest && html`${say('partSafeText')} `}<a href="${methodsPath(look, checkout)}">${say(isRest ? 'payRestOtherwise' : 'otherMethod')}</a></p>
${helpFolds(shown, { first: [isRest && paymentsFold(look, checkout, 'whatArrived'), rateFold(look, pay), contactFold(shown, { reloads: true })], reloads: true })}
${leaveLink(shown, isRest ? 'return' : 'cancel')}`,
  };
}

/** Of a link that can be paid only so often: whoever transfers is told how long that waits, and when it is too late. */
function placeNotice({ look: { say, language }, checkout: { keptPlace } }: Shown): Html | false {
  if (!keptPlace) return false;
  if (keptPlace.isGone)
    return html`<p class="notice decide" id="place" role="alert">${icon('decide')}<span><b>${say('linkUsedUpTitle')}.</b> ${say('placeGoneText')}</span></p>`;
  return html`<p class="notice wait" id="place">${icon('clock')}<span>${say.html('placeKept', { date: dateTag(language, keptPlace.until) })}</span></p>`;
}

/** Shown by the script when another window or device has chosen. */
const wayChanged = ({ look: { say } }: Shown): Html =>
  html`<p class="notice decide" id="way-changed" tabindex="-1" hidden>${icon('alert')}<span>${say('wayChanged')}</span></p>`;

/** A part has come, and the time is over, whether that part is final yet or not. */
export function underpaidView(shown: Shown): StateView {
  const { look, checkout } = shown;
  const { say } = look;
  const { pay } = checkout;
  if (isGoingBack(shown)) return goingBackView(shown);
  const canChoose = checkout.state !== 'UNDERPAID';
  return {
    tab: missingTab(shown),
    looksAgain: isTyping(shown) ? 'never' : 'later',
    head: headOf(shown),
    main: html`${underpaid(shown)}
${pay && html`${wayChanged(shown)}${paySection(look, checkout, pay)}`}
${sandboxButtons(shown)}
${pay && arrivedAndMissing(shown, pay)}
${(pay || !canChoose) && html`<p class="small quiet" id="next">${say(pay ? 'underpaidNext' : 'shopDecides')}</p>`}
${canChoose && html`<p class="small quiet" id="links">${say('partSafeText')} <a href="${methodsPath(look, checkout)}">${say('payRestOtherwise')}</a></p>`}
${wayBackPart(shown, 'part')}
${helpFolds(shown, { first: [paymentsFold(look, checkout, 'whatArrived'), contactFold(shown, { reloads: true })], reloads: true })}
${leaveLink(shown, 'return')}`,
  };
}

/** All that had come is on its way back: whoever paid a rest now would have to pay the whole again. */
function goingBackView(shown: Shown): StateView {
  const { look, checkout } = shown;
  return {
    tab: tabOf(shown, 'refundTitle'),
    looksAgain: 'later',
    head: { label: look.say('total'), price: totalOf(shown) },
    main: html`${stateCard(shown, { title: look.say('refundTitle'), text: look.say('underpaidTitle') })}
${wayBackPart(shown, 'part')}
${helpFolds(shown, { first: [paymentsFold(look, checkout, 'whatArrived')], reloads: true })}
${leaveLink(shown, 'return')}`,
  };
}

/** What it counts for may surprise: who sent what was asked for, but late, is told why something is missing. */
function underpaid(shown: Shown): Html {
  const { say } = shown.look;
  const { exceptions, pay } = shown.checkout;
  const title = say('underpaidTitle');
  const text = say(exceptions.includes('LATE') && !pay?.offeredAs ? 'underpaidLateText' : 'underpaidText');
  return html`<section class="stack" id="state" role="status" tabindex="-1" data-announce="${title}">
<div class="now decide">${icon('decide')}<h2>${title}</h2></div>
${arrivedLine(shown)}
<p class="small quiet">${text}${pay && ` ${say('underpaidRest')}`}</p>
${exceptionNotes(shown)}
</section>`;
}

/** An invoice is over one amount: the rest needs another one, at the same price only while prices are held. */
function newInvoiceForm(shown: Shown, pay: PayInstructions): Html {
  const { say, language } = shown.look;
  if (pay.offeredAs) return newQuoteForm(shown, pay, html`${pay.offeredAs.button[language]}`); // Its price is the bill.
  if (!shown.checkout.arePricesHeld) return newQuoteForm(shown, pay);
  return newQuoteForm(
    shown,
    pay,
    html`${say('payWithBy', { asset: pay.assetName, way: wayTitle(language, pay.wayName) })}`,
  );
}

/** A sentence, a clock, and the time as a line. */
function waiting(shown: Shown, pay: PayInstructions, title: TextKey): Html {
  const { look, checkout, now } = shown;
  const seconds = Math.max(0, Math.ceil((pay.payUntil.getTime() - now.getTime()) / 1000));
  const wholeSeconds = pay.windowMs / 1000; // the whole length of the line
  const text = look.say(title);
  const isLong = wholeSeconds > countedSeconds && seconds > countedSeconds;
  const clock =
    seconds > 0 &&
    html`<time class="clock" role="timer" aria-live="off" datetime="PT${seconds}S" data-until="${pay.payUntil.toISOString()}" data-whole="${wholeSeconds}"${pay.isFollowed && html` data-followed`}${isLong && html` data-hours="${Math.floor(seconds / 3600)}"`}${clockTexts(shown)}>${isLong ? timeLeftText(look.language, seconds) : clockText(seconds)}</time>`;
  return html`<section class="stack" id="state" role="status" tabindex="-1" data-announce="${text}">
<div class="now"><span class="pulse"></span><h2>${text}</h2>${clock}</div>
${
  hasPart(checkout)
    ? arrivedLine(shown)
    : seconds > 0 && line(Math.min(100, Math.round((seconds * 100) / wholeSeconds)), 'time-line')
}
${seconds > 0 && checkNow(shown)}
${exceptionNotes(shown)}
</section>`;
}

/** Without a script the page looks again by itself only now and then, and not at all while somebody types. */
const checkNow = ({ look: { say, language }, checkout }: Shown): Html =>
  html`<noscript><p class="small"><a href="${checkoutPath(language, { ...checkout, place: { ...checkout.place, open: null } })}">${say('checkNow')}</a></p></noscript>`;

/** Nobody watches seconds for days: more than this is told in days and hours, and told anew once an hour. */
const countedSeconds = 3600;

/** As the script writes it from then on, so that nothing moves when it begins. */
const clockText = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

const line = (percent: number, kind: string): Html =>
  html`<svg class="line ${kind}" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent}" height="1"/></svg>`;

/** When so many minutes are left, the script tells screen readers; more often would disturb. */
const announcedMinutes = [10, 5, 1];
const clockTexts = ({ look: { say } }: Shown): Html =>
  html`${announcedMinutes.map((minutes) => html` data-at-${minutes}="${say('minutesLeft', { minutes })}"`)}`;

/** What has come is said below, once. */
function headOf(shown: Shown): NonNullable<StateView['head']> {
  const { say } = shown.look;
  const rest = restHead(shown);
  return rest
    ? { label: say('missing'), price: rest.price, isCompact: true }
    : { label: say('toPay'), price: totalOf(shown), isCompact: true };
}

function missingTab({ look: { say, language }, checkout }: Shown): string {
  const { currency, shopName, sums } = checkout;
  return `${say('tabMissing', { amount: priceText(language, sums.missingPrice ?? '0', currency) })} · ${shopName}`;
}

/** What has come, as a bar and in a line, and that nobody need worry about it: who has to pay again reads this first. */
function arrivedLine({ look: { say, language }, checkout: { sums, total, currency } }: Shown): Html {
  const arrived = sums.received.map((sum) => worthyText({ language }, sum, currency));
  const percent = divide(times(decimal(sums.receivedPrice), decimal(100)), decimal(total), 0, 'down');
  return html`${line(Number(formatDecimal(percent)), 'thick paid')}
<p class="small only paid">${icon('check')}<span>${say('labelled', { name: say('received') })} ${new Intl.ListFormat(language, { type: 'unit' }).format(arrived)}. ${say('partSafe')}</span></p>`;
}

/** Only paper shows this, and until when: a code that nobody can scan in time and what a screen says are of no use there. */
function arrivedAndMissing({ look: { say, language }, checkout, now }: Shown, pay: PayInstructions): Html {
  const { sums, currency } = checkout;
  const inMoney = (sum: Pick<PublicSum, 'assetCode' | 'price'>): Html | false => {
    const worth = worthBeside(language, sum, currency);
    return worth !== null && html` <span class="quiet">· ${worth}</span>`;
  };
  return html`<dl class="kv paper-first" id="arrived">
<div><dt>${say('received')}</dt><dd>${sums.received.map(
    (sum) => html`<span class="each">${coinText(language, sum.amount, sum.assetCode)}${inMoney(sum)}</span>`,
  )}</dd></div>
<div class="sum"><dt>${say('missing')}</dt><dd>${coinText(language, pay.amount, pay.assetCode)}${inMoney({ assetCode: pay.assetCode, price: sums.missingPrice })}</dd></div>
${pay.payUntil > now && html`<div class="on-paper"><dt>${say('quoteValid')}</dt><dd>${dateTag(language, pay.payUntil)}</dd></div>`}
</dl>`;
}

/** After the time the page says the same: see `underpaidNext`. */
const partNext = (shown: Shown, pay: PayInstructions): Html | false =>
  pay.payUntil > shown.now &&
  html`<p class="small quiet" id="next">${payBy(shown, pay)}. ${shown.look.say('partNext')}</p>`;

/** A transfer is ordered from paper too, days later. In its own line, because links are not printed. */
const untilOnPaper = (shown: Shown, pay: PayInstructions): Html | false =>
  isToldOnPaper(shown, pay) && html`<p class="small quiet" id="until">${payBy(shown, pay)}.</p>`;

const isToldOnPaper = ({ checkout, now }: Shown, { payUntil, instructions }: PayInstructions): boolean =>
  instructions.target === 'account' && payUntil > now && !hasPart(checkout);

const validity = (shown: Shown, pay: PayInstructions): Html =>
  html`${pay.payUntil > shown.now && !hasPart(shown.checkout) && !isToldOnPaper(shown, pay) && html`${payBy(shown, pay)}. `}${shown.look.say('waitingText')}`;

const payBy = ({ look: { say, language }, now }: Shown, { payUntil }: PayInstructions): Html =>
  needsDay(payUntil, now)
    ? say.html('payUntilDay', { date: dateTag(language, payUntil) })
    : say.html('payUntil', { time: timeTag(language, payUntil) });
