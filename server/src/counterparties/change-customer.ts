import type { CustomerChange } from '@quittance/contract/customer';
import { isUniqueViolation } from '../db/database.ts';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidRequest } from '../lib/errors.ts';
import { customerNotFound, emailTaken } from './customer-errors.ts';
import { readFieldChanges } from './customer-fields.ts';
import { updateCustomer } from './customer-store.ts';

export async function changeCustomer(
  { begin, clock }: { begin: Begin<string>; clock: Clock },
  merchantId: string,
  customer: CustomerChange,
): Promise<string> {
  const { id, email, meta } = customer;
  const { changes, problems } = readFieldChanges(customer);
  if (problems.length > 0) throw invalidRequest(problems);

  const wanted = { email: email ?? null, fields: changes, meta: meta ?? null };
  return begin(async (tx) => {
    const isKnown = await updateCustomer(tx, merchantId, id, wanted, clock.now()).catch((error: unknown) => {
      throw isUniqueViolation(error, 'customer_email') && email !== undefined ? emailTaken(email) : error;
    });
    if (!isKnown) throw customerNotFound(id);
    return id;
  });
}
