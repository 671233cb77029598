/** Reports that are sums of closed days: taxes and fees. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalText } from './money.ts';
import { covered } from './report.ts';
import { nullable } from './text.ts';

const value = (what: string) => nullable(decimalText(`${what} in the account currency; null without a rate.`));

const ofAsset = {
  assetId: Type.String({ description: 'Asset id.' }),
  assetCode: Type.String({ description: 'Asset code.' }),
};

const taxTotal = Type.Object(
  {
    billingCurrency: Type.String({ description: 'Currency of the charges.' }),
    gross: decimalText('What was credited, less what was refunded: net and tax.'),
    net: decimalText('Without taxes.'),
    tax: decimalText('All taxes.'),
    grossValue: value('Gross'),
    netValue: value('Net'),
    taxValue: value('Tax'),
  },
  { title: 'TaxTotal', description: 'What was sold in one billing currency.' },
);

const taxRow = Type.Object(
  {
    country: nullable(
      Type.String({
        description: 'Country of the customer when the checkout was made, as two letters; null: not known.',
      }),
    ),
    taxName: nullable(Type.String({ description: 'Name of the tax in the charge; null: without a tax.' })),
    rate: nullable(decimalText('Its rate in decimal notation, as in the charge: 0.19 means 19 %.')),
    billingCurrency: Type.String({ description: 'Currency of the charges.' }),
    base: decimalText('The net amount that it is a tax on.'),
    tax: decimalText('The tax.'),
    baseValue: value('The net amount'),
    taxValue: value('The tax'),
    entries: Type.Integer({ description: 'How many entries of the ledger that is.' }),
  },
  { title: 'TaxRow', description: 'What was sold to one country with one tax.' },
);

export const taxReportReply = Type.Object(
  {
    report: covered,
    totals: Type.Array(taxTotal, {
      description: 'What all rows come to, by billing currency. A net amount with several taxes is counted once.',
    }),
    rows: Type.Array(taxRow, {
      description: 'By country, tax and rate. With a minus, more was refunded than credited.',
    }),
  },
  { title: 'TaxReport', description: 'The taxes of a period.' },
);

const feeTotal = Type.Object(
  { ...ofAsset, amount: decimalText('All fees of the period.'), value: value('Its worth') },
  { title: 'FeeTotal', description: 'The fees in one asset.' },
);

const feeRow = Type.Object(
  {
    month: Type.String({ description: 'Month, such as 2026-10.' }),
    kind: Type.Enum(['settlement', 'deposit', 'swap', 'transfer', 'network'], {
      title: 'FeeKind',
      description:
        'What it was taken for. network: what a transfer paid for the network, also for an attempt that failed. What ' +
        'networks took for refunds is part of what was refunded.',
    }),
    ...ofAsset,
    amount: decimalText('What was taken; with a minus, more was given back.'),
    entries: Type.Integer({ description: 'How many entries of the ledger that is.' }),
    value: value('Its worth, each at the rate of its hour,'),
  },
  { title: 'FeeRow', description: 'The fees of one kind in one month and one asset.' },
);

export const feeReportReply = Type.Object(
  {
    report: covered,
    totals: Type.Array(feeTotal, {
      description: 'By asset: what the line of fees in the statement says, without its minus.',
    }),
    rows: Type.Array(feeRow, { description: 'By month, kind and asset.' }),
  },
  { title: 'FeeReport', description: 'The fees of a period.' },
);

export type TaxReportRecord = Static<typeof taxReportReply>;
export type FeeReportRecord = Static<typeof feeReportReply>;
