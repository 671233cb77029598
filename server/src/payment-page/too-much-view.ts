/** Paid, and more than that: both amounts, how to get the rest back, and nobody is sent away before having read it. */
import { decimal, formatDecimal, isLess, minus } from '../money/decimal.ts';
import { type Html, html } from '../web/html.ts';
import { coinText, priceText } from '../web/number-text.ts';
import { receiptFold, receiptLine } from './contact-form.ts';
import { helpFolds } from './help-folds.ts';
import { papers } from './papers.ts';
import { paymentList, paymentsFold } from './payment-progress.ts';
import type { PublicSum } from './public-sums.ts';
import { acceptedText, paidPrice } from './receipt-rows.ts';
import { refundList } from './refund-list.ts';
import { slipOnPaper } from './slip.ts';
import { leaveLink, type Shown, type StateView, stateCard, tabOf } from './state-view.ts';
import { onlyShopGivesBack, wayBackPart } from './way-back-view.ts';
import { worthBeside } from './worth-beside.ts';

export function tooMuchView(shown: Shown): StateView {
  const { look, checkout } = shown;
  const { say } = look;
  const accepted = acceptedText(look, checkout);
  const isBack = isAllBack(shown);
  const isTwice = !isBack && hasArrivedTwice(shown);
  const text = say(
    isBack
      ? 'excessBackText'
      : isTwice
        ? 'arrivedTwiceText'
        : onlyShopGivesBack(shown)
          ? 'tooMuchTextShop'
          : 'tooMuchText',
  );
  const title = isBack ? returnedTitle(shown) : isTwice ? say('arrivedTwiceTitle') : excessTitle(shown);
  return {
    tab: tabOf(shown, isBack ? 'tabPaid' : 'tabPaidTooMuch'),
    looksAgain: 'never',
    head: { label: say('paid'), price: { amount: paidPrice(checkout), currency: checkout.currency } },
    main: html`${stateCard(shown, { tone: 'paid', mark: 'paid', pill: say(accepted === null ? 'paidInFull' : 'paid'), title, text })}
${accepted !== null && html`<p class="small" id="accepted">${accepted}</p>`}
${sumsTable(shown)}
${isTwice && paymentList(look, checkout.payments)}
${wayBackPart(shown, 'excess')}
${refundList(shown)}
${isBack && networkFee(shown)}
${receiptLine(shown)}
${papers(shown)}
${leaveLink(shown, 'return')}
${helpFolds(shown, { first: [!isTwice && paymentsFold(look, checkout, 'paymentDetails'), receiptFold(shown)] })}
${slipOnPaper(shown)}`,
  };
}

const isAllBack = ({ checkout: { sums } }: Shown): boolean =>
  sums.returned.length > 0 && sums.returned.length === sums.excess.length;

/** Two payments of the same amount, of which the whole of one is too much: nobody reads that as a wrong amount. */
function hasArrivedTwice({ checkout: { payments, sums } }: Shown): boolean {
  const [excess, ...others] = sums.excess;
  if (!excess || others.length > 0 || payments.length !== 2) return false;
  return payments.every(({ amount, assetCode }) => amount === excess.amount && assetCode === excess.assetCode);
}

export function excessTitle(shown: Shown): string {
  const { say } = shown.look;
  const [excess, ...others] = shown.checkout.sums.excess;
  if (!excess || others.length > 0) return say('paidTwiceTitle');
  return say('tooMuchTitle', { amount: worthText(shown, excess) });
}

function returnedTitle(shown: Shown): string {
  const { say, language } = shown.look;
  const amounts = shown.checkout.sums.returned.map((sum) => worthText(shown, sum));
  return say('excessBackTitle', { amount: new Intl.ListFormat(language).format(amounts) });
}

/** Why less came back than was too much. */
function networkFee({ look: { say, language }, checkout: { sums } }: Shown): Html | false {
  const [excess, ...others] = sums.excess;
  const [returned] = sums.returned;
  if (!excess || !returned || others.length > 0) return false;
  const fee = minus(decimal(excess.amount), decimal(returned.amount));
  const text = coinText(language, formatDecimal(fee), excess.assetCode);
  return (
    isLess(decimal('0'), fee) && html`<p class="small quiet" id="back-fee">${say('excessBackFee', { fee: text })}</p>`
  );
}

/** In money where the quote says what it is worth, else in coins. */
const worthText = (
  { look: { language }, checkout: { currency } }: Shown,
  { price, amount, assetCode }: PublicSum,
): string => (price === null ? coinText(language, amount, assetCode) : priceText(language, price, currency));

function sumsTable({ look: { say, language }, checkout: { sums, currency } }: Shown): Html {
  const all = [...(sums.due ? [sums.due] : []), ...sums.received, ...sums.excess];
  const hasWorth = all.some((sum) => worthBeside(language, sum, currency) !== null);
  const row = (name: string, sum: PublicSum): Html =>
    html`<tr><th scope="row">${name}</th><td class="n">${coinText(language, sum.amount, sum.assetCode)}</td>${hasWorth && html`<td class="n">${worthBeside(language, sum, currency) ?? ''}</td>`}</tr>`;
  // Only numbers that fit on no phone may be broken.
  const isLong = all.some(({ amount, price }) => `${amount}${price ?? ''}`.length > 26);
  return html`<table class="table${isLong && ' long'}" id="sums"><tbody>
${sums.due && row(say('orderDue'), sums.due)}
${sums.received.map((sum) => row(say('youSent'), sum))}
</tbody><tfoot>${sums.excess.map((sum) => row(say('tooMuch'), sum))}</tfoot></table>`;
}
