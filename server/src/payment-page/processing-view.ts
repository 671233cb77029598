/** Money was seen, and the network or the market takes its time. */
import { findNetwork } from '../catalog/network-catalog.ts';
import { html } from '../web/html.ts';
import { contactFold, isTyping } from './contact-form.ts';
import { helpFolds } from './help-folds.ts';
import { currentStep, paymentList, slowest, stepper } from './payment-progress.ts';
import type { PublicWay } from './public-coins.ts';
import type { PublicPayment } from './public-payment.ts';
import { leaveLink, type Shown, type StateView, sandboxButtons, stateCard, tabOf, totalOf } from './state-view.ts';
import { timeText } from './way-text.ts';

export function processingView(shown: Shown): StateView {
  const { look, checkout } = shown;
  const { say } = look;
  const isConfirmed = currentStep(checkout) !== 'stepConfirming';
  const isMarketMissing = checkout.exceptions.includes('NO_MARKET');
  const text = isMarketMissing
    ? 'marketText'
    : !isConfirmed
      ? isByBank(shown)
        ? 'bankProcessingText'
        : 'processingText'
      : checkout.isConverted
        ? 'convertingText'
        : 'creditingText';
  const said = isConfirmed
    ? ({ tone: 'paid', mark: 'paid', pill: say('confirmed'), title: say('convertingTitle') } as const)
    : ({ tone: 'wait', mark: 'wait', pill: slowest(say, checkout.payments), title: say('processingTitle') } as const);
  return {
    tab: tabOf(shown, isConfirmed ? 'tabConfirmed' : 'tabSeen'),
    looksAgain: isTyping(shown) ? 'never' : 'soon',
    head: { label: say('total'), price: totalOf(shown) },
    main: html`${stateCard(shown, { ...said, text: isConfirmed ? say(text) : `${say(text)}${usualTime(shown)}` }, html`${stepper(look, checkout)}${paymentList(look, checkout.payments, checkout.payments.length === 1)}`)}
${sandboxButtons(shown)}
${leaveLink(shown, 'return')}
${helpFolds(shown, { first: [contactFold(shown, { reloads: true })], reloads: true })}`,
  };
}

/** No network confirms what a bank has yet to book. */
const isByBank = ({ checkout: { payments } }: Shown): boolean =>
  payments.every(({ network, isConfirmed }) => isConfirmed || findNetwork(network)?.type === 'BANK');

/** As the choice of a way said it. */
function usualTime({ look, checkout: { coins, payments } }: Shown): string {
  const ways = coins.flatMap((coin) => coin.ways);
  const isOf = (payment: PublicPayment) => (way: PublicWay) =>
    way.network === payment.network && way.assetCode === payment.assetCode;
  const [duration] = payments.flatMap((payment) => {
    const way = ways.find(isOf(payment));
    return (way && timeText(look, way)) ?? [];
  });
  return duration === undefined ? '' : ` ${look.say('usually', { duration })}`;
}
