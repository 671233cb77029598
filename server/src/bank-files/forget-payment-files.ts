/** The bytes of payment files go after their time, but not while a payment in one of them is undecided: somebody may ask what was signed. */
import type { Query } from '../db/database.ts';
import { filesWithUnendedOrders } from '../sending/file-order-store.ts';
import { forgetPaymentBytes, oldPaymentFiles } from './payment-file-store.ts';

export async function forgetPaymentFiles(query: Query, before: Date): Promise<void> {
  const ids = await oldPaymentFiles(query, before);
  const unended = await filesWithUnendedOrders(query, ids);
  await forgetPaymentBytes(
    query,
    ids.filter((id) => !unended.has(id)),
  );
}
