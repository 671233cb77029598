/** The job that looks again at the owner of money that came or was taken back. */
import type { NewJob } from '../jobs/enqueue.ts';
import type { PaymentPurpose } from '../payments/payment-store.ts';

export type Owner = { readonly purpose: PaymentPurpose; readonly merchantId: string; readonly checkoutId: string };

export function jobFor(network: string, { purpose, merchantId, checkoutId }: Owner, runAt: Date): NewJob[] {
  if (purpose === 'checkout') return [{ name: 'checkout.advance', payload: { merchantId, checkoutId }, runAt }];
  if (purpose === 'deposit')
    return [{ name: 'deposit.advance', payload: { merchantId, depositId: checkoutId }, runAt }];
  if (purpose === 'funding') return [{ name: 'funding.book', payload: { network }, runAt }];
  return []; // Change has never left us; crumbs are looked at together.
}
