import type { Begin } from '../http/effect.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Clock } from '../lib/clock.ts';
import { customerNotFound } from './customer-errors.ts';
import { markCustomerDeleted } from './customer-store.ts';

/**
 * The customer is in no list and on no new checkout any more. What is known of them is erased once every invoice that is due
 * was issued, and stays on those alone.
 */
export async function deleteCustomer(
  { begin, clock }: { begin: Begin<string>; clock: Clock },
  merchantId: string,
  id: string,
): Promise<string> {
  return begin(async (tx) => {
    const now = clock.now();
    if (!(await markCustomerDeleted(tx, merchantId, id, now))) throw customerNotFound(id);
    await enqueue(tx, [{ name: 'customer.erase', payload: { merchantId, customerId: id }, runAt: now }]);
    return id;
  });
}
