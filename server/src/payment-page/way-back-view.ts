/** How payers get back what nobody was credited for: by a link to their own address, or by asking the shop. */
import { type Html, html } from '../web/html.ts';
import { type IconName, icon } from '../web/icons.ts';
import { dateTag } from '../web/number-text.ts';
import { checkoutPath } from '../web/page-language.ts';
import { askShop } from './ask-shop.ts';
import { keptAddress, wholeEmail } from './contact-form.ts';
import type { PublicOffer } from './public-way-back.ts';
import { isUnderWay, refundList } from './refund-list.ts';
import type { Shown } from './state-view.ts';

/** `excess`: the order is paid and this is beyond it. `part`: the order is not paid, and paying the rest is better. */
type Kind = 'excess' | 'part';
const mailAbout = { excess: 'excessMailSubject', part: 'partMailSubject' } as const;

/** Whoever has the page's link need not be the payer: so nothing is sent to an address that is typed in here. */
export function wayBackPart(shown: Shown, kind: Kind): Html | false {
  const { wayBack } = shown.checkout;
  if (!wayBack) return false;
  const { offers, kept } = wayBack;
  const isWithShop = kept !== 'nothing' || offers.some(({ state }) => state === 'offered');
  const { refunds } = shown.checkout;
  const ordered = refunds.filter(isUnderWay);
  // What came back of an excess is listed with its transaction, and what is under way for days likewise: a sentence would only repeat it.
  const told = offers.filter(({ state }) =>
    state === 'returned' ? kind === 'part' : state !== 'sending' || ordered.length === 0,
  );
  const notices = told.filter(isFirstOfItsState).map((offer) => notice(shown, offer, kind));
  const list = kind === 'part' && refundList(shown, ordered);
  if (notices.length === 0 && !list && !isWithShop) return false;
  return html`<div class="stack" id="way-back">
${notices}${list}
${isWithShop && kind === 'excess' && keptAddress(shown)}
${canBeMailed(shown) ? byMail(shown, kind) : isWithShop && byShop(shown, kind)}
</div>`;
}

/** Whether the page can do no more than send the payer to the shop. */
export function onlyShopGivesBack(shown: Shown): boolean {
  const { wayBack } = shown.checkout;
  const isWithShop = wayBack && (wayBack.kept !== 'nothing' || wayBack.offers.some(({ state }) => state === 'offered'));
  return isWithShop === true && !canBeMailed(shown);
}

/** Whether all that had come is on its way back, so that nobody should pay a rest of it. */
export const isGoingBack = ({ checkout: { wayBack } }: Shown): boolean =>
  wayBack?.kept === 'nothing' && wayBack.offers.some(({ state }) => state !== 'returned');

/** Several refunds in the same state are told of in one sentence. */
const isFirstOfItsState = ({ state }: PublicOffer, at: number, all: readonly PublicOffer[]): boolean =>
  all.findIndex((other) => other.state === state) === at;

function canBeMailed({ look, checkout: { wayBack }, rendering: { wayBackProblem } }: Shown): boolean {
  const isRefused = wayBackProblem === 'little' || wayBackProblem === 'shop';
  return look.sendsMail && wayBack?.kept === 'something' && wayBack.maskedEmail !== null && !isRefused;
}

function notice(shown: Shown, { state, goodUntil, canSendAgain }: PublicOffer, kind: Kind): Html | false {
  const { say, language } = shown.look;
  const email = emailTag(shown);
  const said = (tone: 'wait' | 'paid', mark: IconName, text: Html | string): Html =>
    html`<p class="notice ${tone}">${icon(mark)}<span>${text}</span></p>`;
  if (state === 'approving')
    return said(
      'wait',
      'clock',
      shown.checkout.goesBackToPayer ? say('backToAccountAtShop') : say.html('excessAtShop', { email }),
    );
  if (state === 'sending')
    return said('wait', 'clock', say(shown.checkout.goesBackToPayer ? 'backToAccountOnItsWay' : 'excessOnItsWay'));
  if (state === 'returned') return said('paid', 'check', say('refundDone'));
  if (state === 'offered' || goodUntil === null) return false;
  const sent = said('wait', 'mail', say.html('excessLinkSent', { email, date: dateTag(language, goodUntil) }));
  const again = html`<button class="btn">${icon('refresh')}${say('excessSendAgain')}</button>`;
  const ask = askShop(shown, mailAbout[kind]);
  const hasMail = shown.checkout.helpEmail !== null;
  return html`${sent}
<p class="small quiet">${say('linkNotThere')}</p>
${(canSendAgain || hasMail) && html`<div class="bar">${canSendAgain && askForm(shown, again)}${hasMail && ask}</div>`}
${!hasMail && ask}`;
}

function byMail(shown: Shown, kind: Kind): Html {
  const { look, rendering, checkout } = shown;
  const { say } = look;
  const { goesBackToPayer } = checkout;
  const strength = kind === 'excess' ? 'primary big wide' : 'wide';
  return html`${rendering.wayBackProblem === 'later' && html`<p class="notice fail" role="alert">${icon('alert')}<span>${say('excessLater')}</span></p>`}
<p>${goesBackToPayer ? say('backToAccount') : say.html(kind === 'excess' ? 'excessByMail' : 'partByMail', { email: emailTag(shown) })}</p>
${askForm(shown, html`<button class="btn ${strength}">${goesBackToPayer ? say('sendItBack') : html`${icon('mail')}${say('excessSendLink')}`}</button>`)}`;
}

const emailTag = ({ checkout: { wayBack } }: Shown): Html => wholeEmail(wayBack?.maskedEmail ?? '');

const askForm = ({ look: { language }, checkout }: Shown, button: Html): Html =>
  html`<form method="post" action="${checkoutPath(language, checkout, 'ask-back')}">${button}</form>`;

function byShop(shown: Shown, kind: Kind): Html {
  const { look, checkout, rendering } = shown;
  const { say } = look;
  const { helpEmail, wayBack } = checkout;
  const isTooLittle = wayBack?.kept === 'tooLittle' || rendering.wayBackProblem === 'little';
  const asking = kind === 'part' ? 'askForItBack' : helpEmail === null ? 'overpaid' : 'excessAskShop';
  const strength = kind === 'excess' ? 'primary big wide' : 'wide';
  return html`<p>${say(isTooLittle ? 'excessTooLittle' : asking)}</p>
${askShop(shown, mailAbout[kind], strength)}`;
}
