/** Events: what the service sends to a webhook, when, and what it tells. */
import type { TSchema } from 'typebox';
import { checkoutRecord } from './checkout.ts';
import { depositPayment, depositRecord } from './deposit.ts';
import { Type } from './json-schema.ts';
import { refundRecord } from './refund.ts';
import { swapRecord } from './swap.ts';
import { here, idText, timestamp } from './text.ts';
import { transferRecord } from './transfer.ts';

const aboutCheckout = Type.Object(
  { checkout: here(checkoutRecord, 'The checkout as it was then.') },
  { title: 'CheckoutEventData', description: 'What an event of a checkout tells.' },
);

const aboutRefund = Type.Object(
  {
    checkout: here(checkoutRecord, 'The checkout as it was then.'),
    refund: here(refundRecord, 'The refund that it is about.'),
  },
  { title: 'RefundEventData', description: 'What an event of a refund tells.' },
);

const aboutDeposit = Type.Object(
  {
    deposit: here(depositRecord, 'The deposit as it was then, with its latest ten payments.'),
    payment: here(depositPayment, 'The payment that it is about.'),
  },
  { title: 'DepositEventData', description: 'What an event of a custom deposit tells.' },
);

const aboutSwap = Type.Object(
  { swap: here(swapRecord, 'The swap as it was then.') },
  { title: 'SwapEventData', description: 'What an event of a swap tells.' },
);

const aboutTransfer = Type.Object(
  { transfer: here(transferRecord, 'The transfer as it was then.') },
  { title: 'TransferEventData', description: 'What an event of a transfer tells.' },
);

const aboutNothing = Type.Object(
  {
    id: idText('An id that belongs to nothing.'),
    message: Type.String({ description: 'That it is a test.' }),
    timestamp: timestamp('When it was asked for.'),
  },
  { title: 'TestEventData', description: 'What a test event tells: nothing happened.' },
);

/** Every event: when it is sent, and the data that come with it. */
const told = {
  CHECKOUT_COMPLETED: { when: 'A checkout was paid, and the account is credited.', data: aboutCheckout },
  CHECKOUT_UNDERPAID: {
    when:
      'Too little was paid for a checkout, and its window is over. Accept it (POST /checkout/accept-underpayment) or refund it ' +
      '(POST /refund).',
    data: aboutCheckout,
  },
  UNDERPAID_ACCEPTED: {
    when: 'Less than the price was accepted, and the account is credited with it.',
    data: aboutCheckout,
  },
  CHECKOUT_REVERSED: {
    when: 'A reorganisation of its network took back what a checkout was credited for. The credit is taken back, too.',
    data: aboutCheckout,
  },
  REFUND_COMPLETED: {
    when: 'A refund has arrived, and with it everything that was received, or all that came beyond the price, is given back.',
    data: aboutRefund,
  },
  REFUND_PARTIAL: {
    when: 'A refund of a part has arrived, or a part of a refund came back after it had arrived (`refund.cameBack`).',
    data: aboutRefund,
  },
  REFUND_FAILED: {
    when:
      'The network did not take a refund, or gave all of it back after it had arrived (`refund.cameBack`). The money is back ' +
      'where it came from.',
    data: aboutRefund,
  },
  DEPOSIT_PENDING: {
    when: 'A payment to a custom deposit was seen. Left out where a payment is final at once.',
    data: aboutDeposit,
  },
  DEPOSIT_COMPLETED: { when: 'A payment to a custom deposit is credited.', data: aboutDeposit },
  DEPOSIT_REVERSED: {
    when: 'A reorganisation of its network took back a payment to a custom deposit, and with it the credit.',
    data: aboutDeposit,
  },
  SWAP_COMPLETED: { when: 'A swap is done, and the account is credited.', data: aboutSwap },
  SWAP_FAILED: {
    when: 'A swap could not be done. What was to be given is available again.',
    data: aboutSwap,
  },
  TRANSFER_COMPLETED: {
    when: 'A transfer has arrived. Told again when a part of it came back afterwards (`transfer.cameBack`).',
    data: aboutTransfer,
  },
  TRANSFER_FAILED: {
    when:
      'A transfer cannot be sent, or all of it came back after it had arrived (`transfer.cameBack`). Everything but what it ' +
      'cost is available again.',
    data: aboutTransfer,
  },
  TEST: {
    when: 'Somebody tries out a webhook in the account. Sent once, whatever is answered.',
    data: aboutNothing,
  },
} as const satisfies Record<string, { when: string; data: TSchema }>;

export type EventType = keyof typeof told;

export type WebhookEvent = { readonly type: EventType; readonly when: string; readonly body: TSchema };

/** `CHECKOUT_COMPLETED` is the component `CheckoutCompletedEvent`. */
const nameOf = (type: string): string =>
  `${type
    .split('_')
    .map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
    .join('')}Event`;

export const events: readonly WebhookEvent[] = (Object.keys(told) as EventType[]).map((type) => {
  const { when, data } = told[type];
  const body = Type.Object(
    { eventType: Type.Enum([type], { description: 'Which event it is.' }), data },
    { title: nameOf(type), description: when },
  );
  return { type, when, body };
});
