/** What the timeline says of a payment that the network took back. */

import type { Owner } from './owner-jobs.ts';
import type { ReversedPayment } from './take-back-payment.ts';

export const reversalNote = (network: string, { payment, units, reason }: ReversedPayment) => ({
  ...ownerOf(payment),
  what: 'payment_reversed',
  why: { network, tx: payment.tx_hash, asset: payment.asset, units: units.toString(), reason },
});

export const ownerOf = ({ purpose, merchant_id, owner_id }: ReversedPayment['payment']): Owner => ({
  purpose,
  merchantId: merchant_id,
  checkoutId: owner_id,
});
