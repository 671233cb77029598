import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { customerNotFound } from './customer-errors.ts';
import { markCustomerDeleted } from './customer-store.ts';

/** The customer is in no list and on no new checkout any more, but stays on the invoices that were issued. */
export async function deleteCustomer(
  { begin, clock }: { begin: Begin<string>; clock: Clock },
  merchantId: string,
  id: string,
): Promise<string> {
  return begin(async (tx) => {
    if (!(await markCustomerDeleted(tx, merchantId, id, clock.now()))) throw customerNotFound(id);
    return id;
  });
}
