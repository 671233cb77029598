/** Which state of a checkout shows what. */
import type { CheckoutState } from '../checkouts/checkout-state.ts';
import { html } from '../web/html.ts';
import { priceText } from '../web/number-text.ts';
import { helpFolds } from './help-folds.ts';
import { methodChoice } from './method-choice.ts';
import { refundedView, revivableView } from './over-view.ts';
import { paidView } from './paid-view.ts';
import { paymentsFold } from './payment-progress.ts';
import { processingView } from './processing-view.ts';
import { asksForMoney } from './shown-state.ts';
import { hasPart, leaveLink, type Shown, type StateView, stateCard, tabOf, totalOf } from './state-view.ts';
import { pendingView, underpaidView } from './waiting-view.ts';
import { wayBackPart } from './way-back-view.ts';

export const stateView = (shown: Shown): StateView =>
  shown.checkout.isSuspended && asksForMoney(shown.checkout.state)
    ? suspendedView(shown)
    : byState[shown.checkout.state](shown);

/** Nobody is asked for money that the shop may not take, and who has paid already reads what becomes of it. */
function suspendedView(shown: Shown): StateView {
  const { look, checkout } = shown;
  const { say } = look;
  return {
    tab: tabOf(shown, 'suspendedTitle'),
    looksAgain: 'later',
    head: { label: say('total'), price: totalOf(shown) },
    main: html`${stateCard(shown, { tone: 'decide', mark: 'decide', title: say('suspendedTitle'), text: say('suspendedText') })}
${wayBackPart(shown, 'part')}
${helpFolds(shown, { first: [checkout.payments.length > 0 && paymentsFold(look, checkout, 'whatArrived')], reloads: true })}
${leaveLink(shown, 'return')}`,
  };
}

function createdView(shown: Shown): StateView {
  const { look, checkout } = shown;
  const amount = priceText(look.language, checkout.total, checkout.currency);
  return {
    tab: look.say('tabChoose', { amount, shop: checkout.shopName }),
    looksAgain: 'never',
    head: { label: look.say('toPay'), price: totalOf(shown) },
    main: html`${methodChoice(look, checkout)}${helpFolds(shown)}${leaveLink(shown, 'cancel')}`,
  };
}

/** Late money is there before it is final, and then no price must be asked for as if nothing had come. */
function overView(shown: Shown): StateView {
  return hasPart(shown.checkout) ? underpaidView(shown) : revivableView(shown);
}

/** When the time is over a rate may be missing: then nobody can say how much to send, whatever has come. */
function openView(shown: Shown): StateView {
  const { pay } = shown.checkout;
  return pay === null ? overView(shown) : pendingView(shown, pay);
}

const byState: Record<CheckoutState, (shown: Shown) => StateView> = {
  CREATED: createdView,
  PENDING: openView,
  PROCESSING: processingView,
  COMPLETED: paidView,
  DELAYED_COMPLETED: paidView,
  RESOLVED: paidView,
  EXPIRED: overView,
  CANCELED: overView,
  UNDERPAID: underpaidView,
  REFUNDED: refundedView,
};
