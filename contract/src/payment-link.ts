/** Payment links: an address that can be paid many times, for a product, a donation, or amounts that a shop signs. */
import type { Static } from 'typebox';
import { checkoutRecord, pageSettings } from './checkout.ts';
import { Type } from './json-schema.ts';
import { decimalInput, decimalText } from './money.ts';
import { createdBetween, nextPage, pageQuery } from './page.ts';
import { absentWord, customObject, here, idInput, idText, named, nullable, timestamp, url } from './text.ts';

export const paymentLinkStates = ['ACTIVE', 'CLOSED'] as const;

const paymentLinkState = Type.Enum([...paymentLinkStates], {
  title: 'PaymentLinkState',
  description: 'ACTIVE: it can be paid. CLOSED: nobody can begin to pay it any more.',
});

const linkId = (otherNames: readonly string[] = ['paymentLinkId']) => idInput('Id of the payment link.', otherNames);

export const paymentLinkBody = Type.Object(
  {
    description: Type.String({ minLength: 1, maxLength: 200, description: 'What is paid for, as the payer reads it.' }),
    currency: Type.String({
      minLength: 1,
      maxLength: 12,
      description: 'Currency code from GET /currencies in which the amount is written.',
      ...named(['billingCurrency']),
    }),
    amount: Type.Optional(
      decimalInput({ description: 'What every payment is for. Left out: the payer says how much.', minimum: '0' }),
    ),
    amountMin: Type.Optional(
      decimalInput({ description: 'Without `amount`: the least that a payer can say.', minimum: '0' }),
    ),
    amountMax: Type.Optional(
      decimalInput({ description: 'Without `amount`: the most that a payer can say.', minimum: '0' }),
    ),
    signedOnly: Type.Boolean({
      default: false,
      description:
        'Without `amount`: the amount and a reference stand in the address, signed with the secret of the link ' +
        '(GET /payment-link/secret). What is not signed, or was changed, is refused, and each reference can be paid once.',
    }),
    paymentsMax: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description:
          'After so many payments nobody can choose a way to pay any more. A payment counts from that choice on, until ' +
          'its window ends without money. Left out: there is no limit.',
      }),
    ),
    settlementAsset: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 80,
        description: 'Of every checkout of the link, as in POST /checkout. Left out: what the account has set then.',
        ...named(['settlementCurrency']),
        ...absentWord('default'),
      }),
    ),
    webhook: Type.Optional(url("URL on the merchant's server that receives the events of every checkout of the link.")),
    pageSettings: Type.Unsafe<Static<typeof pageSettings>>({ ...pageSettings, default: {} }),
    meta: Type.Optional(customObject('Anything; it becomes the `meta` of every checkout of the link.')),
  },
  { title: 'NewPaymentLink', description: 'A new payment link. It is never changed, only closed.' },
);

export const paymentLinkRecord = Type.Object(
  {
    id: idText('Id of the payment link.'),
    timestamp: timestamp('When the link was created.'),
    state: paymentLinkState,
    closedTime: nullable(timestamp('When it was closed. Null: it is not.')),
    url: Type.String({ format: 'uri', description: 'The page of the link: to be shared, printed, or put on a page.' }),
    description: Type.String({ description: 'What is paid for.' }),
    currency: Type.String({ description: 'Code of the currency.' }),
    amount: nullable(decimalText('What every payment is for. Null: the payer says, or who signs.')),
    amountMin: nullable(decimalText('The least that a payer can say.')),
    amountMax: nullable(decimalText('The most that a payer can say.')),
    signedOnly: Type.Boolean({ description: 'Whether amount and reference must be signed.' }),
    paymentsMax: nullable(Type.Integer({ description: 'After so many payments it takes no more, as in POST.' })),
    settlementAsset: nullable(Type.String({ description: 'What was asked for. Null: what the account has set.' })),
    webhook: nullable(Type.String({ description: 'Where events of its checkouts go.' })),
    checkoutsMade: Type.Integer({
      description:
        'How often somebody went on to pay it, also where no way to pay was chosen within a day and the checkout is gone.',
    }),
    checkoutsPaid: Type.Integer({ description: 'How many of them were credited.' }),
    amountPaid: decimalText('The prices of those that were credited, added up, in the currency of the link.'),
    meta: Type.Optional(
      Type.Unsafe<unknown>({ description: 'What was posted as meta. Absent when nothing was posted.' }),
    ),
  },
  { title: 'PaymentLink', description: 'A payment link.' },
);

export const paymentLinkReply = Type.Object(
  { paymentLink: paymentLinkRecord },
  { title: 'PaymentLinkReply', description: 'A payment link.' },
);

export const paymentLinkQuery = Type.Object({ id: linkId() });

export const paymentLinkCloseBody = Type.Object(
  { id: linkId() },
  { title: 'ClosePaymentLinkRequest', description: 'Which link is to be closed.' },
);

export const paymentLinkSecretReply = Type.Object(
  { id: idText('Id of the payment link.'), secret: Type.String({ description: 'Signs amounts for this link only.' }) },
  { title: 'PaymentLinkSecret', description: 'What amounts of a link are signed with.' },
);

export const paymentLinksQuery = Type.Object({
  ...pageQuery,
  state: Type.Optional(here(paymentLinkState, 'Only links in this state.')),
  ...createdBetween('payment links'),
});

export const paymentLinksReply = Type.Object(
  { paymentLinks: Type.Array(paymentLinkRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'PaymentLinkList', description: 'A page of payment links.' },
);

export const paymentLinkCheckoutsQuery = Type.Object({ ...pageQuery, id: linkId() });

export const paymentLinkCheckoutsReply = Type.Object(
  { checkouts: Type.Array(checkoutRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'PaymentLinkCheckouts', description: 'A page of the checkouts of a link.' },
);

export type PaymentLinkBody = Static<typeof paymentLinkBody>;
export type PaymentLinkRecord = Static<typeof paymentLinkRecord>;
export type PaymentLinksQuery = Static<typeof paymentLinksQuery>;
export type PaymentLinkCheckoutsQuery = Static<typeof paymentLinkCheckoutsQuery>;
