/** What arrived for a checkout or a deposit, in numbers: their lists of payments show only the newest. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { decimalText } from './money.ts';

export const paymentTotal = Type.Object(
  {
    network: Type.String({ description: 'Network id.' }),
    assetId: Type.String({ description: 'Id of the asset that arrived.' }),
    assetCode: Type.String({ description: 'Code of the asset that arrived.' }),
    count: Type.Integer({ description: 'How many payments have arrived, confirmed or not.' }),
    amount: decimalText('Their sum.'),
    crumbCount: Type.Integer({
      description: 'How many more were too small to count by themselves and are in no payment yet.',
    }),
    crumbAmount: decimalText("Their sum. Once it is worth it (the network's minimum) they become one payment."),
  },
  { title: 'PaymentTotal', description: 'What arrived on one network in one asset.' },
);

export const paymentTotals = Type.Array(paymentTotal, {
  description: 'Number and sum of everything that arrived, by network and asset, also of what is not listed.',
});

export type PaymentTotal = Static<typeof paymentTotal>;
