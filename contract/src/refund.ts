/**
 * Refunds: what asks for one, and how it is shown in replies and in the events REFUND_COMPLETED, REFUND_PARTIAL and
 * REFUND_FAILED.
 */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalInput, decimalText } from './money.ts';
import { createdBetween, nextPage, pageQuery } from './page.ts';
import { customObject, here, idInput, idText, memoType, nullable, textOrNumber, timestamp } from './text.ts';
import { approvalLimit } from './transfer.ts';

export const refundContexts = ['COMPLETED_CHECKOUT', 'UNDERPAID_CHECKOUT', 'OVERPAID_CHECKOUT'] as const;
export const refundStates = [
  'AWAITING_APPROVAL',
  'CLAIMABLE',
  'SENDING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'EXPIRED',
] as const;
export const refundBases = ['PAID_UNITS', 'BILLING_RATE', 'CURRENT_RATE'] as const;
export const feePayers = ['customer', 'merchant'] as const;

const refundContext = Type.Enum([...refundContexts], {
  title: 'RefundContext',
  description:
    'What is refunded: an underpayment, what arrived beyond the price (an excess, a duplicate, another asset), or what ' +
    'was credited.',
});

const refundBasis = Type.Enum([...refundBases], {
  title: 'RefundBasis',
  description:
    'How much a refund of what was credited is: the units that were paid, the billed amount at the rates of the ' +
    'checkout, or at the rates of now.',
});

const feePayer = Type.Enum([...feePayers], { title: 'FeePayer', description: "Who bears the network's fee." });

export const refundBody = Type.Object(
  {
    checkoutId: idInput('Id of the checkout.'),
    context: Type.Optional(
      here(
        refundContext,
        'What is refunded. Without it, what waits in suspense; when nothing does, what was credited. A checkout with the ' +
          'exception NO_MARKET can be refunded like an underpayment once its window is over.',
      ),
    ),
    amount: Type.Optional(
      decimalInput({
        description: 'How much, in units of the refunded asset. Without it, everything that can be refunded.',
        minimum: '0',
      }),
    ),
    asset: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description:
          'Id of the asset. Of what waits in suspense, the asset that was paid. Of what was credited, the credited ' +
          'asset (the default, unless it travels on no network) or the one that was paid; it is taken from what is ' +
          'available in it.',
      }),
    ),
    network: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'Network to send on. Without it, the one it was paid on, if the asset travels there.',
      }),
    ),
    address: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description:
          'Where to send it. Without it, the reply has a link where the customer enters the address. Must be left out at ' +
          'banks, where money goes back only to the account that it came from.',
      }),
    ),
    memo: Type.Optional(textOrNumber(200, 'Memo of the address, where it needs one.')),
    memoType: Type.Optional(memoType),
    basis: Type.Optional(
      here(
        refundBasis,
        'How much a refund of what was credited is. Without it, PAID_UNITS in the asset that was paid, and BILLING_RATE ' +
          'in another asset.',
      ),
    ),
    feePaidBy: Type.Optional(
      here(
        feePayer,
        "Who bears the network's fee. Of what waits in suspense the customer, unless said otherwise; of what was " +
          'credited the merchant, if enough is available.',
      ),
    ),
    meta: Type.Optional(customObject('Anything; shown with the refund.')),
  },
  { title: 'NewRefund', description: 'A new refund.' },
);

const refundRate = Type.Object(
  {
    code: Type.String({ description: 'Code of the currency.' }),
    usd: decimalText('Dollars for one.'),
    at: timestamp('When the rate was read.'),
  },
  { title: 'RefundRate', description: 'A rate that a refund was priced with.' },
);

export const refundRecord = Type.Object(
  {
    id: idText('Id of the refund.'),
    checkoutId: idText('Id of the checkout.'),
    context: refundContext,
    state: Type.Enum([...refundStates], {
      title: 'RefundState',
      description:
        'AWAITING_APPROVAL: another API key must approve it. CLAIMABLE: waits for the address of the customer. SENDING: ' +
        'on its way, or waiting because the payment that it gives back is no longer confirmed; until it is signed it can ' +
        'be cancelled. COMPLETED: it has arrived; a bank may still give it back, in part or whole (`cameBack`). FAILED, ' +
        'CANCELED and EXPIRED: nothing was sent, or all of it came back, and the money is where it came from, but for ' +
        '`failureCost`.',
    }),
    timestamp: timestamp('When it was asked for.'),
    endTime: nullable(timestamp('When it was completed or given up; of one that came back whole, when it did.')),
    assetId: Type.String({ description: 'Id of the refunded asset.' }),
    assetCode: Type.String({ description: 'Code of the refunded asset.' }),
    network: Type.String({ description: 'Network id.' }),
    amount: decimalText('What is refunded.'),
    fee: decimalText("The network's fee as it was estimated, in the refunded asset."),
    feePaidBy: feePayer,
    amountSent: decimalText('What the customer gets.'),
    basis: here(refundBasis, 'How the amount was found.'),
    rates: Type.Array(refundRate, { description: 'The rates that were used.' }),
    address: nullable(
      Type.String({
        description: 'Where it is sent; null until the customer has said so. Over Pix, the payment that goes back.',
      }),
    ),
    memo: nullable(Type.String({ description: 'Memo of the address.' })),
    memoType: nullable(Type.String({ description: 'Kind of the memo.' })),
    holder: nullable(
      Type.String({ description: 'Name of whoever holds the account; null on networks that ask for none.' }),
    ),
    claimExpirationTime: nullable(timestamp('Until when the customer can enter the address.')),
    tx: nullable(Type.String({ description: 'Hash of the transaction.' })),
    failure: nullable(Type.String({ description: 'Why it failed, in one sentence.' })),
    failureCost: nullable(
      decimalText(
        'What the network took for an attempt that failed, in the refunded asset: it was charged to whoever bears the ' +
          'fee. Null unless FAILED.',
      ),
    ),
    cameBack: Type.Optional(
      decimalText(
        'What came back after it had arrived: the customer does not have it, and it can be refunded again. Absent while ' +
          'nothing has.',
      ),
    ),
    meta: Type.Optional(Type.Unsafe<unknown>({ description: 'What was posted as meta.' })),
  },
  { title: 'Refund', description: 'A refund as it is shown in replies and webhooks.' },
);

export const refundReply = Type.Object(
  {
    refund: refundRecord,
    approvalLimit: Type.Optional(approvalLimit),
    claimUrl: Type.Optional(
      Type.String({
        format: 'uri',
        description:
          'Where the customer enters the address. Shown once: send it to the customer and to nobody else, for whoever ' +
          'opens it decides where the money goes.',
      }),
    ),
  },
  { title: 'RefundReply', description: 'A refund, and what to do next.' },
);

export const refundQuery = Type.Object({ id: idInput('Id of the refund.', ['refundId']) });
export const refundsQuery = Type.Object({
  ...pageQuery,
  checkoutId: Type.Optional(
    idInput('Only of this checkout: all of them, oldest first, whatever else is asked for.', ['id']),
  ),
  state: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `Only refunds in one of these states, with commas between them: ${refundStates.join(', ')}.`,
    }),
  ),
  ...createdBetween('refunds'),
});
export const refundsReply = Type.Object(
  {
    refunds: Type.Array(refundRecord, { description: 'Newest first; of one checkout oldest first.' }),
    next: nextPage,
  },
  { title: 'RefundList', description: 'A page of refunds.' },
);
export const refundApproveBody = Type.Object(
  { id: idInput('Id of the refund.', ['refundId']) },
  { title: 'ApproveRefundRequest', description: 'Which refund is approved.' },
);
export const refundCancelBody = Type.Object(
  { id: idInput('Id of the refund.', ['refundId']) },
  { title: 'CancelRefundRequest', description: 'Which refund is to be cancelled.' },
);

export type RefundBody = Static<typeof refundBody>;
export type RefundRecord = Static<typeof refundRecord>;
