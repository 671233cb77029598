/** Which state of a checkout shows what. */
import type { CheckoutState } from '../checkouts/checkout-state.ts';
import { html } from '../web/html.ts';
import { priceText } from '../web/number-text.ts';
import { helpFolds } from './help-folds.ts';
import { methodChoice } from './method-choice.ts';
import { refundedView, revivableView } from './over-view.ts';
import { paidView } from './paid-view.ts';
import { processingView } from './processing-view.ts';
import { leaveLink, type Shown, type StateView, totalOf } from './state-view.ts';
import { pendingView, underpaidView } from './waiting-view.ts';

export const stateView = (shown: Shown): StateView => byState[shown.checkout.state](shown);

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

const byState: Record<CheckoutState, (shown: Shown) => StateView> = {
  CREATED: createdView,
  PENDING: pendingView,
  PROCESSING: processingView,
  COMPLETED: paidView,
  DELAYED_COMPLETED: paidView,
  RESOLVED: paidView,
  EXPIRED: revivableView,
  CANCELED: revivableView,
  UNDERPAID: underpaidView,
  REFUNDED: refundedView,
};
