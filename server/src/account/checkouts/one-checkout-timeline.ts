/** What happened to a checkout, newest first: payments, credits, refunds, webhooks and what people decided. */
import { findAsset } from '../../catalog/asset-catalog.ts';
import { findNetwork, printedAddress } from '../../catalog/network-catalog.ts';
import type { Checkout, Commitment, Payment, Settlement } from '../../checkouts/checkout.ts';
import { isAlive } from '../../checkouts/checkout-state.ts';
import type { Refund } from '../../checkouts/refund.ts';
import { paperOfCause, type StatusMail } from '../../checkouts/status-mail-store.ts';
import type { TimelineRow } from '../../checkouts/timeline-store.ts';
import type { StoredPaper } from '../../papers/paper-store.ts';
import { publicPayment } from '../../payment-page/public-payment.ts';
import type { RequestRefundDeps } from '../../refunds/request-refund.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { type IconName, icon } from '../../web/icons.ts';
import { coinText } from '../../web/number-text.ts';
import type { DeliveryRow } from '../../webhooks/webhook-log-store.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { bookingRows } from '../frame/booking-rows.ts';
import { dayText } from '../frame/day-text.ts';
import { mailBouncedText, mailOutcomeText } from '../frame/mail-outcome-text.ts';
import { momentText } from '../frame/moment-text.ts';
import { isAtBank, shortened, transactionName, transactionText } from '../frame/money-words.ts';
import { accountField } from '../sign-in/sign-in-parts.ts';
import { amountsText, unitsText } from './checkout-words.ts';
import type { CheckoutView } from './one-checkout-facts.ts';

type Happened = {
  readonly at: Date;
  /** A bank tells the day and no hour. */
  readonly day?: string;
  readonly tone?: 'paid' | 'wait' | 'decide' | 'fail';
  readonly icon: IconName;
  readonly title: string;
  readonly more?: HtmlValue;
};

export function timelinePart(deps: RequestRefundDeps, look: AccountLook, view: CheckoutView): Html {
  const { say } = look;
  const happened = allOf(deps, look, view).toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return html`<section class="part" aria-labelledby="h-happened"><div class="part-head"><h2 id="h-happened">${say('whatHappened')}</h2></div>
${view.dossier.commitments.length === 0 && html`<p class="quiet part-body">${say('emptyTimeline')}</p>`}
<ol class="timeline">${happened.map(
    ({ at, day, tone, icon: sign, title, more }) =>
      html`<li${tone && html` class="${tone}"`}><span class="dot">${icon(sign)}</span><p class="head"><b>${title}</b>${day === undefined ? momentText(look, at) : html`<time datetime="${day}">${dayText(look, day)}</time>`}</p>${more && html`<div class="quiet small">${more}</div>`}</li>`,
  )}</ol></section>`;
}

function allOf(deps: RequestRefundDeps, look: AccountLook, view: CheckoutView): Happened[] {
  const { dossier, waiting, timeline, deliveries, mails, papers, now } = view;
  const { checkout, commitments, payments, settlements, refunds } = dossier;
  const { say } = look;
  const waits: Happened[] =
    waiting.length === 0
      ? []
      : [
          {
            at: now,
            tone: 'decide',
            icon: 'decide',
            title: say('happened_waits'),
            more: say('setApart', { amounts: amountsText(deps, look, waiting) }),
          },
        ];
  return [
    ...waits,
    ...timeline.flatMap((row) => noted(deps, look, row)).toReversed(),
    ...mails.flatMap((mail) => ofMail(look, mail, papers)).toReversed(),
    ...deliveries.map((delivery) => ofDelivery(look, checkout.id, delivery)),
    ...refunds.flatMap((refund) => ofRefund(deps, look, view, refund)).toReversed(),
    ...settlements.flatMap((settlement) => ofSettlement(deps, look, settlement)).toReversed(),
    // What was left of a payment came with it.
    ...payments
      .filter(({ restOf }) => restOf === null)
      .map((payment) => ofPayment(deps, look, view, payment))
      .toReversed(),
    ...commitments.map((commitment) => ofCommitment(deps, look, commitment)).toReversed(),
    {
      at: checkout.createdAt,
      icon: 'plus',
      title: say(howMade(checkout)),
      more:
        checkout.apiKey !== null && say.html('madeByKey', { key: html`<span class="mono">${checkout.apiKey}</span>` }),
    },
  ];
}

function ofCommitment(deps: RequestRefundDeps, look: AccountLook, commitment: Commitment): Happened {
  const { asset, network, address, committedAt, expiresAt } = commitment;
  return {
    at: committedAt,
    icon: 'receipt',
    title: look.say('happened_chosen', {
      asset: findAsset(deps.assets, asset)?.assetCode ?? asset,
      network: findNetwork(network)?.name ?? network,
    }),
    more: look.say.html('payTo', {
      address: html`<span class="mono breaks">${isAtBank(network) ? printedAddress(network, address) : shortened(address)}</span>`,
      until: momentText(look, expiresAt),
    }),
  };
}

function ofPayment(deps: RequestRefundDeps, look: AccountLook, view: CheckoutView, payment: Payment): Happened {
  const { say } = look;
  const { dossier } = view;
  const { amount, assetCode, isConfirmed, confirmations, confirmationsRequired } = publicPayment(
    deps,
    dossier,
    payment,
  );
  const text = coinText(look.language, amount, assetCode);
  const booking = view.bookings.get(payment.id);
  const reference = dossier.commitments.find(({ id }) => id === payment.commitmentId)?.memo ?? null;
  const isBooked = payment.blockHeight !== null;
  const link = booking
    ? bookingRows(look, { network: payment.network, booking, reference, isBooked })
    : transactionText(deps, payment.network, payment.txHash);
  const isReversed = payment.state === 'REVERSED'; // It had arrived: the timeline says what was taken back, and when.
  if (!isAlive(payment) && !isReversed)
    return {
      at: payment.firstSeenAt,
      tone: 'fail',
      icon: 'fail',
      title: say('happened_paymentGone', { amount: text }),
      more: link,
    };
  const depth = say('confirmationsSoFar', { done: confirmations, count: confirmationsRequired });
  return {
    at: payment.firstSeenAt,
    ...(isBooked && booking?.day && { day: booking.day }),
    ...(!isReversed && { tone: isConfirmed ? 'paid' : 'wait' }),
    icon: isConfirmed || isReversed ? 'link' : 'clock',
    title: say(isConfirmed || isReversed ? 'happened_paymentArrived' : 'happened_paymentSeen', { amount: text }),
    // A bank books it or not: there is nothing to count.
    more: booking ? link : html`${confirmationsRequired > 0 && !isReversed && html`${depth} · `}${link}`,
  };
}

function ofSettlement(
  deps: RequestRefundDeps,
  look: AccountLook,
  { parts, settledAt, reversedAt }: Settlement,
): Happened[] {
  const { say } = look;
  const credited = parts.map(({ creditedAsset: asset, netUnits }) => ({ asset, units: BigInt(netUnits) }));
  const fees = parts.map(({ creditedAsset: asset, feeUnits }) => ({ asset, units: BigInt(feeUnits) }));
  const amount = amountsText(
    deps,
    look,
    credited.filter(({ units }) => units > 0n),
  );
  const fee = amountsText(
    deps,
    look,
    fees.filter(({ units }) => units > 0n),
  );
  return [
    {
      at: settledAt,
      tone: 'paid',
      icon: 'check',
      title: say('happened_credited', { amount }),
      ...(fee !== '' && { more: say('creditFee', { amount: fee }) }),
    },
    ...(reversedAt
      ? [{ at: reversedAt, tone: 'fail', icon: 'fail', title: say('happened_creditTakenBack'), more: amount } as const]
      : []),
  ];
}

function ofRefund(deps: RequestRefundDeps, look: AccountLook, { sentNames }: CheckoutView, refund: Refund): Happened[] {
  const { say } = look;
  const { id, state, requestedAt, endedAt, network, txHash } = refund;
  const amount = unitsText(deps, look, refund);
  const asked: Happened = {
    at: requestedAt,
    icon: 'send',
    title: say('happened_refundAsked', { amount }),
    more: say(`refundState_${state}`),
  };
  const name = sentNames.get(id);
  if (state === 'SENDING' && findNetwork(network)?.knownAs) {
    const filed = name !== undefined && sentRows(deps, look, network, name);
    return [{ ...asked, tone: 'wait', more: html`${say(filed ? 'refundInFile' : 'refundWaitsForFile')}${filed}` }];
  }
  if (!endedAt) return [{ ...asked, tone: 'wait' }];
  const isSent = state === 'COMPLETED' || refund.cameBackUnits > 0n;
  const sent = unitsText(deps, look, { asset: refund.asset, units: refund.sentUnits });
  return [
    { ...asked, more: false },
    {
      at: endedAt,
      tone: isSent ? 'paid' : 'fail',
      icon: isSent ? 'send' : 'fail',
      title: isSent ? say('happened_refundSent', { amount: sent }) : say('happened_refundEnded', { amount }),
      more: isSent && txHash !== null ? sentRows(deps, look, network, txHash) : say(`refundState_${state}`),
    },
    ...cameBack(deps, look, refund),
  ];
}

/** At a bank it is looked for by its name, and nobody knows what that is unless it says so. */
const sentRows = (deps: RequestRefundDeps, look: AccountLook, network: string, txHash: string): Html => {
  const text = transactionText(deps, network, txHash);
  if (!findNetwork(network)?.knownAs) return text;
  return html`<dl class="kv booking"><div><dt>${transactionName(look, network)}</dt><dd>${text}</dd></div></dl>`;
};

function cameBack(deps: RequestRefundDeps, look: AccountLook, refund: Refund): Happened[] {
  const { state, asset, cameBackUnits: units, cameBackAt, failure } = refund;
  if (cameBackAt === null) return [];
  const amount = unitsText(deps, look, { asset, units });
  const title = look.say('happened_refundCameBack', { amount });
  return [{ at: cameBackAt, tone: 'fail', icon: 'fail', title, more: failure ?? look.say(`refundState_${state}`) }];
}

function ofDelivery(look: AccountLook, checkoutId: string, delivery: DeliveryRow): Happened {
  const { say } = look;
  const { id, state, eventType, deliveredAt, createdAt, attempts } = delivery;
  const status = attempts.at(-1)?.responseStatus ?? null;
  const canResend = look.may('webhooks') && (state === 'DELIVERED' || state === 'FAILED');
  return {
    at: deliveredAt ?? createdAt,
    ...(state === 'DELIVERED' && { tone: 'paid' }),
    ...(state === 'FAILED' && { tone: 'fail' }),
    icon: 'hook',
    title: say('happened_webhook', { type: eventType }),
    more: html`${say(`deliveryState_${state}`)}${status !== null && html` · ${String(status)}`}${canResend && html` <form class="inline" method="post" action="/account/checkouts/${checkoutId}/resend">${accountField(look)}<input type="hidden" name="delivery" value="${id}"><button class="btn quiet small">${say('resendWebhook')}</button></form>`}`,
  };
}

function ofMail(look: AccountLook, mail: StatusMail, papers: readonly StoredPaper[]): Happened[] {
  const { outcome, endedAt, bouncedAt } = mail;
  const more = mailOutcomeText(look, mail);
  if (more === null) return [];
  const title = look.say('happened_mail', { about: mailAbout(look, mail, papers) });
  const isBad = outcome === 'refused' || outcome === 'unreachable';
  return [
    { at: endedAt, icon: 'mail', title, more, ...(isBad && { tone: 'fail' as const }) },
    ...(bouncedAt
      ? [{ at: bouncedAt, icon: 'mail', tone: 'fail', title, more: mailBouncedText(look, mail) } as const]
      : []),
  ];
}

function mailAbout({ say }: AccountLook, { kind, cause }: StatusMail, papers: readonly StoredPaper[]): string {
  if (kind === 'receipt') return say('paperKind_receipt');
  if (kind !== 'paper') return say(`mails_${kind}`);
  return papers.find(({ id }) => paperOfCause(cause) === id)?.number ?? '';
}

const told = [
  ...(['underpayment_accepted', 'excess_accepted', 'canceled', 'refund_approved', 'refund_claimed'] as const),
  ...(['chosen_again', 'contact_left', 'receipt_sent_again', 'no_market'] as const),
  ...(['late_payment_valued', 'quote_outrun', 'payment_assigned', 'acceptance_void'] as const),
];

/** What the rest of the timeline does not say already. */
function noted(deps: RequestRefundDeps, look: AccountLook, { at, what, why }: TimelineRow): Happened[] {
  const { say } = look;
  if (what === 'paper_sent')
    return [{ at, icon: 'mail', title: say('happened_paper_sent', { number: String(why['number']) }) }];
  if (what === 'payment_reversed') {
    const amount = unitsText(deps, look, { asset: String(why['asset']), units: BigInt(String(why['units'])) });
    const title = say('happened_paymentReversed', { amount });
    return [
      { at, tone: 'fail', icon: 'fail', title, ...(typeof why['reason'] === 'string' && { more: why['reason'] }) },
    ];
  }
  // What is announced first and booked later says it twice.
  if (what === 'payment_seen' && typeof why['instructed'] === 'string')
    return [{ at, icon: 'info', title: say('happened_paymentOrdered', { amount: why['instructed'] }) }];
  const known = told.find((each) => each === what);
  return known ? [{ at, icon: 'info', title: say(`happened_${known}`) }] : [];
}

function howMade({ origin, apiKey }: Pick<Checkout, 'origin' | 'apiKey'>) {
  if (origin === 'PAYMENT_LINK') return 'happened_fromLink';
  return apiKey === null ? 'happened_linkMade' : 'happened_created';
}
