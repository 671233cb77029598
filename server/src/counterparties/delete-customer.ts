import type { Db } from '../db/database.ts';
import type { Clock } from '../lib/clock.ts';
import { customerNotFound } from './customer-errors.ts';
import { markCustomerDeleted } from './customer-store.ts';

/** The customer is in no list and on no new checkout any more, but stays on the invoices that were issued. */
export async function deleteCustomer(
  { db, clock }: { db: Db; clock: Clock },
  merchantId: string,
  id: string,
): Promise<{ customerId: string }> {
  const isKnown = await markCustomerDeleted(db, merchantId, id, clock.now());
  if (!isKnown) throw customerNotFound(id);
  return { customerId: id };
}
