/** When the time to pay is over, or the payment was cancelled or sent back: the page always says what can be done. */
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { coinText, dateTag, needsDay, timeTag } from '../web/number-text.ts';
import { contactFold, isTyping } from './contact-form.ts';
import { fold, helpFolds } from './help-folds.ts';
import { papers } from './papers.ts';
import type { PayInstructions } from './public-checkout.ts';
import { refundList } from './refund-list.ts';
import {
  leaveLink,
  methodsPath,
  newQuoteForm,
  type Shown,
  type StateView,
  stateCard,
  tabOf,
  totalOf,
} from './state-view.ts';
import { excessTitle } from './too-much-view.ts';
import { wayBackPart } from './way-back-view.ts';

/**
 * Expired or cancelled: a new quote opens it again, and a payment that is still on its way counts too. Where no way to
 * pay was ever chosen nothing can be on its way; where one was, but nobody knows a rate now, only the price is missing.
 */
export function revivableView(shown: Shown): StateView {
  const { look, checkout } = shown;
  const { say, language } = look;
  const { pay, commitmentId, sums } = checkout;
  // What is asked for now is worked out anew after the time: it is not what the customer was told then.
  const { due } = sums;
  const canBeUnderWay = commitmentId !== null;
  const isCanceled = checkout.state === 'CANCELED';
  const byBank = pay?.offeredAs; // It has no price that moves, and takes days.
  const title = say(isCanceled ? 'canceledTitle' : byBank ? 'expiredTitle' : 'quoteOverTitle');
  const expired = pay && !isCanceled && expiredText(shown, pay);
  const card = stateCard(shown, {
    ...(expired && { pill: expired, mark: 'clock' }),
    title,
    text: say(isCanceled ? 'canceledText' : byBank ? 'bankOverText' : 'quoteOverText'),
  });
  return {
    tab: tabOf(shown, isCanceled ? 'tabCanceled' : 'tabExpired'),
    looksAgain: isTyping(shown) ? 'never' : 'later',
    head: { label: say('toPay'), price: totalOf(shown) },
    main: html`${card}
${
  pay
    ? newQuoteForm(shown, pay, byBank ? html`${byBank.button[language]}` : undefined)
    : html`<p class="dock" id="new-quote"><a class="btn primary big wide" href="${methodsPath(look, checkout)}">${say('payAfterAll')}</a></p>`
}
${canBeUnderWay && html`<p class="notice wait" id="already-sent">${icon('eye')}<span><b>${say('alreadySent')}</b> ${say(byBank ? 'bankSentText' : 'alreadySentText')}</span></p>`}
${
  due &&
  !byBank &&
  html`<dl class="kv" id="old-quote"><div><dt>${say('oldQuote')}</dt><dd>${coinText(language, due.amount, due.assetCode)}</dd></div></dl>`
}
${pay && html`<p class="small" id="links"><a href="${methodsPath(look, checkout)}">${say('otherMethod')}</a></p>`}
${leaveLink(shown, 'cancel')}
${helpFolds(shown, { first: [canBeUnderWay && fold('sees-nothing', 'eye', say('sentSeesNothing'), byBank ? say('bankSeesNothingText', { usually: say('usually', { duration: byBank.takes[language] }) }) : say('sentSeesNothingText')), pay && contactFold(shown, { reloads: true })], reloads: true })}`,
  };
}

const expiredText = ({ look: { say, language }, now }: Shown, { payUntil }: PayInstructions): Html =>
  needsDay(payUntil, now)
    ? say.html('expiredOn', { date: dateTag(language, payUntil) })
    : say.html('expiredAt', { time: timeTag(language, payUntil) });

export function refundedView(shown: Shown): StateView {
  const { say } = shown.look;
  return {
    tab: tabOf(shown, 'tabRefunded'),
    looksAgain: 'never',
    head: { label: say('total'), price: totalOf(shown) },
    main: html`${stateCard(shown, { title: say('refundedTitle'), text: say('refundedText') })}
${isMoreHeld(shown) && html`<p class="notice decide" id="more-came">${icon('info')}<b>${excessTitle(shown)}</b></p>${wayBackPart(shown, 'excess')}`}
${refundList(shown)}
${shown.checkout.completedAt !== null && papers(shown)}
${leaveLink(shown, 'return')}
${helpFolds(shown)}`,
  };
}

/** Something came after all had been sent back: it can be asked for like any excess. */
const isMoreHeld = ({ checkout: { wayBack } }: Shown): boolean =>
  wayBack !== null && (wayBack.kept !== 'nothing' || wayBack.offers.some(({ state }) => state !== 'returned'));
