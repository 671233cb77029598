/** Reports that are lists: what happened on closed days of an account, row by row, in the order of time. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalText } from './money.ts';
import { nextPage, pageQuery } from './page.ts';
import { covered, statementLine, statementQuery } from './report.ts';
import { here, nullable, timestamp } from './text.ts';

export const reportListQuery = Type.Object({ ...statementQuery.properties, ...pageQuery });

const ofAsset = {
  assetId: Type.String({ description: 'Asset id.' }),
  assetCode: Type.String({ description: 'Asset code.' }),
};

const value = nullable(decimalText('Its worth in the account currency at the rate of its hour; null without a rate.'));

const ledgerPayment = Type.Object(
  {
    network: Type.String({ description: 'Network id.' }),
    ...ofAsset,
    amount: decimalText('What counted of what was paid; with a minus where the credit was taken back.'),
  },
  {
    title: 'CheckoutLedgerPayment',
    description: 'What was paid for it; null for refunds and what was kept of an excess.',
  },
);

const ledgerRate = Type.Object(
  {
    basis: Type.String({
      description:
        'QUOTE: as offered to the payer; RATE_OF_ARRIVAL: of a payment that came late, or whose coin had fallen further ' +
        'than its quote covers; RATE_OF_ACCEPTANCE: of one that was too little; PAID_UNITS, BILLING_RATE, CURRENT_RATE: how a refund was priced.',
    }),
    price: nullable(decimalText('One of what was paid, in the billing currency; null where no such rate was used.')),
    sources: Type.Array(Type.String(), { description: 'Where the rate came from.' }),
  },
  { title: 'CheckoutLedgerRate', description: 'The rate by which it was priced.' },
);

const checkoutLedgerRow = Type.Object(
  {
    timestamp: timestamp('When it was booked.'),
    kind: Type.String({ description: 'Kind of the entry in the ledger, as in `GET /ledger-entries`.' }),
    line: statementLine,
    reference: Type.String({ description: 'Reference of the entry in the ledger.' }),
    checkoutId: nullable(Type.String({ description: 'Checkout.' })),
    refundId: nullable(Type.String({ description: 'Refund, if it is about one.' })),
    order: nullable(Type.String({ description: 'What the shop calls it: its reference, or what `meta` has as one.' })),
    customerId: nullable(Type.String({ description: 'Customer, if the checkout has one.' })),
    country: nullable(
      Type.String({
        description: 'Country of the customer when the checkout was made, as two letters; null: not known.',
      }),
    ),
    price: nullable(decimalText('Price of the checkout.')),
    billingCurrency: nullable(Type.String({ description: 'Currency of the price.' })),
    paid: nullable(ledgerPayment),
    rate: nullable(ledgerRate),
    ...ofAsset,
    amount: decimalText('Credited, before the fee; with a minus, what was taken.'),
    fee: decimalText('Fee of the service.'),
    value,
    feeValue: value,
    transactions: Type.Array(Type.String(), { description: 'Transactions of the payments, or of the refund.' }),
  },
  { title: 'CheckoutLedgerRow', description: 'A credit, a refund, or what was taken back of either.' },
);

const lineTotal = Type.Object(
  {
    line: statementLine,
    ...ofAsset,
    amount: decimalText('What all rows come to.'),
    entries: Type.Integer({ description: 'How many entries of the ledger that is.' }),
    value: nullable(decimalText('Worth, valued and rounded as in the statement; null without a rate.')),
  },
  { title: 'CheckoutLedgerTotal', description: 'What a line of the statement comes to in one asset.' },
);

export const checkoutLedgerReply = Type.Object(
  {
    report: covered,
    totals: nullable(Type.Array(lineTotal, { description: 'Of the whole period; only on the first page.' })),
    rows: Type.Array(checkoutLedgerRow, { description: 'In the order of time.' }),
    next: nextPage,
  },
  { title: 'CheckoutLedger', description: 'A page of credits and refunds.' },
);

const assetAmount = Type.Object(
  { ...ofAsset, amount: decimalText('So much of it.') },
  { title: 'AssetAmount', description: 'So much of an asset.' },
);

const amountOfAsset = (description: string) => nullable(here(assetAmount, description));

const disposalKind = Type.Enum(['transfer', 'refund', 'return', 'swap', 'conversion', 'attempt'], {
  title: 'DisposalKind',
  description:
    'transfer, refund: sent; return: a refund of what had never been credited; swap; conversion: a payment that was credited ' +
    'in another asset; attempt: what a transfer or refund cost that failed. What was undone is a row of its own, with a minus ' +
    'and the worth that it had.',
});

const disposalBeneficiary = Type.Object(
  { id: Type.String({ description: 'Its id.' }), name: Type.String({ description: 'Its name.' }) },
  { title: 'DisposalBeneficiary', description: 'Whose target account that is.' },
);

const disposalRow = Type.Object(
  {
    timestamp: timestamp('When it was confirmed, and booked as gone.'),
    kind: disposalKind,
    reference: Type.String({ description: 'Reference of the entry in the ledger.' }),
    subjectId: Type.String({ description: 'Id of the transfer, refund or swap; of a conversion, of the checkout.' }),
    checkoutId: nullable(Type.String({ description: 'Checkout, if it is about one.' })),
    order: nullable(Type.String({ description: 'What the shop calls the checkout.' })),
    ...ofAsset,
    amount: decimalText('What left, without its fee.'),
    value,
    received: amountOfAsset('What was given for it, before the fee; null where it was sent.'),
    fee: amountOfAsset('The fee; null for an attempt, which is its own.'),
    feeValue: value,
    network: nullable(Type.String({ description: 'Network on which it was sent or paid.' })),
    address: nullable(Type.String({ description: 'Where it was sent.' })),
    memo: nullable(Type.String({ description: 'Memo, if it was sent with one.' })),
    target: nullable(Type.String({ description: 'Label of the target account, if it was sent to one.' })),
    beneficiary: nullable(disposalBeneficiary),
    transactions: Type.Array(Type.String(), { description: 'Its transaction, or those of the payments.' }),
  },
  { title: 'Disposal', description: 'Something that left the account.' },
);

const disposalTotal = Type.Object(
  {
    kind: disposalKind,
    ...ofAsset,
    amount: decimalText('What all rows come to.'),
    entries: Type.Integer({ description: 'How many entries of the ledger that is.' }),
    value: nullable(decimalText('Worth, rounded once for a day as in the statement; null without a rate.')),
  },
  { title: 'DisposalTotal', description: 'What left in one way and one asset.' },
);

export const disposalsReply = Type.Object(
  {
    report: covered,
    totals: nullable(Type.Array(disposalTotal, { description: 'Of the whole period; only on the first page.' })),
    rows: Type.Array(disposalRow, { description: 'In the order of time.' }),
    next: nextPage,
  },
  { title: 'DisposalList', description: 'A page of what left the account.' },
);

export type DisposalRecord = Static<typeof disposalRow>;
export type DisposalTotalRecord = Static<typeof disposalTotal>;
export type CoveredRecord = Static<typeof covered>;
export type CheckoutLedgerRecord = Static<typeof checkoutLedgerRow>;
export type LineTotalRecord = Static<typeof lineTotal>;
