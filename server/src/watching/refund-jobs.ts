/** When a payment is taken back, refunds to who paid it are looked at again: what is gone is not given back out of what others paid. */
import { refundsToPayers } from '../checkouts/refund-store.ts';
import type { Tx } from '../db/database.ts';
import type { NewJob } from '../jobs/enqueue.ts';
import { ownerOf } from './reversal-note.ts';
import type { ReversedPayment } from './take-back-payment.ts';

export async function refundJobs(tx: Tx, reversed: readonly ReversedPayment[], runAt: Date): Promise<NewJob[]> {
  const owners = reversed.map(({ payment }) => ownerOf(payment)).filter(({ purpose }) => purpose === 'checkout');
  const keys = new Map(owners.map(({ merchantId, checkoutId: id }) => [`${merchantId}/${id}`, { merchantId, id }]));
  const refunds = await refundsToPayers(tx, [...keys.values()]);
  return refunds.map(({ merchantId, id }) => ({
    name: 'refund.advance',
    payload: { merchantId, transferId: id },
    runAt,
  }));
}
