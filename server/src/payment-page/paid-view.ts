/** Paid: a check mark, and a receipt that comes out of a slot and is stamped; everything else is folded away. */
import { type Html, html } from '../web/html.ts';
import { coinText, priceHtml } from '../web/number-text.ts';
import { receiptFold, receiptLine } from './contact-form.ts';
import { fold, helpFolds } from './help-folds.ts';
import { heroClass } from './hero-amount.ts';
import { orderTable } from './order-section.ts';
import { papers } from './papers.ts';
import { paymentsFold } from './payment-progress.ts';
import { acceptedText, paidPrice } from './receipt-rows.ts';
import { isUnderWay, refundList } from './refund-list.ts';
import { slip, slipOnPaper } from './slip.ts';
import { exceptionNotes, leaveLink, returnPath, type Shown, type StateView, stateCard, tabOf } from './state-view.ts';
import { tooMuchView } from './too-much-view.ts';

export function paidView(shown: Shown): StateView {
  const { look, checkout } = shown;
  if (checkout.exceptions.some((each) => each === 'OVERPAID' || each === 'DUPLICATE')) return tooMuchView(shown);
  if (checkout.refunds.length > 0) return goesBackView(shown);
  return {
    tab: tabOf(shown, 'tabPaid'),
    looksAgain: 'never',
    isMoment: true,
    main: html`${moment(shown)}
${slip(shown)}
<div class="sheet" id="after" data-parts>
${wayBack(shown)}
${receiptLine(shown)}
${papers(shown)}
${helpFolds(shown, {
  first: [
    paymentsFold(look, checkout, 'paymentDetails'),
    fold('order-fold', 'receipt', look.say('order'), html`<div class="order">${orderTable(look, checkout)}</div>`),
    receiptFold(shown),
  ],
})}
</div>`,
  };
}

/** Paid, and a part or all of it goes back: nothing to celebrate, and no hurry back to the shop. */
function goesBackView(shown: Shown): StateView {
  const { look, checkout } = shown;
  const { say, language } = look;
  const ordered = checkout.refunds.filter(isUnderWay);
  const amounts = (ordered.length > 0 ? ordered : checkout.refunds).map(({ amount, assetCode }) =>
    coinText(language, amount, assetCode),
  );
  const amount = new Intl.ListFormat(language).format(amounts);
  const title = say(ordered.length > 0 ? 'refundOrderedTitle' : 'excessBackTitle', { amount });
  const note = noteOf(shown);
  return {
    tab: tabOf(shown, 'tabPaid'),
    looksAgain: 'never',
    head: { label: say('paid'), price: { amount: paidPrice(checkout), currency: checkout.currency } },
    main: html`${stateCard(shown, { tone: 'paid', mark: 'paid', pill: say('paid'), title, text: say('refundsOfPaidText') })}
${refundList(shown)}
${note !== null && html`<p class="small quiet">${note}</p>`}
${receiptLine(shown)}
${papers(shown)}
${leaveLink(shown, 'return')}
${helpFolds(shown, { first: [paymentsFold(look, checkout, 'paymentDetails'), receiptFold(shown)] })}
${slipOnPaper(shown)}`,
  };
}

/** What went otherwise than planned, and came to a good end. */
const noteOf = ({ look, checkout }: Shown): string | null =>
  checkout.state === 'DELAYED_COMPLETED' ? look.say('lateText') : acceptedText(look, checkout);

function moment(shown: Shown): Html {
  const { look, checkout } = shown;
  const { say, language } = look;
  const title = say('paidThanks');
  const note = noteOf(shown);
  const { currency } = checkout;
  const paid = paidPrice(checkout);
  return html`<section class="ground" id="state" role="status" tabindex="-1" aria-labelledby="done" data-announce="${title}">
<svg class="tick" viewBox="0 0 88 88" aria-hidden="true"><circle class="glow" cx="44" cy="44" r="43"/><circle class="ring" cx="44" cy="44" r="38"/><path class="mark" d="m28 45.500 11 11 21-23"/></svg>
<h1 id="done">${title}</h1>
<div class="${heroClass(look, { amount: paid, currency })}">${priceHtml(language, paid, currency)}</div>
<p>${say('paidTo', { shop: checkout.shopName })}</p>
${note !== null && html`<p class="small">${note}</p>`}
${exceptionNotes(shown)}
<div class="slot"></div>
</section>`;
}

const redirectSeconds = 15;

/** The countdown is hidden until the script counts. Whatever the payer does on the page stops it (WCAG 2.2.1). */
function wayBack({ look, checkout }: Shown): Html | false {
  const { say } = look;
  if (!checkout.canReturn) return false;
  const back = returnPath(look, checkout);
  const seconds = Array.from({ length: redirectSeconds }, (_, at) => redirectSeconds - at);
  return html`<div id="leave"><a class="btn primary big wide backing" href="${back}">${say('backToShop')}<span class="go" hidden></span></a></div>
${
  checkout.completedAt &&
  html`<p class="small quiet" id="going-back" hidden data-back="${back}" data-since="${checkout.completedAt.toISOString()}"><span data-countdown>${seconds.map(
    (each) => html`<span data-second="${each}" hidden>${say('goingBack', { seconds: each })}</span>`,
  )}</span> <button type="button" class="as-link" data-stay>${say('stayHere')}</button><span data-staying hidden>${say('staying')}</span></p>`
}`;
}
