import type { CustomerInput } from '@quittance/contract/customer';
import type { Begin } from '../http/effect.ts';
import type { Clock } from '../lib/clock.ts';
import { invalidRequest, told } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { readFieldChanges } from './customer-fields.ts';
import { upsertCustomer } from './customer-store.ts';

/**
 * A shop posts its customer with every order. So the same e-mail address gives the same customer, with the new fields
 * over the old ones: otherwise a shop that stores no ids would get a new customer with every order.
 */
export async function createCustomer(
  { begin, clock }: { begin: Begin<string>; clock: Clock },
  merchantId: string,
  customer: CustomerInput,
): Promise<string> {
  const { email } = customer;
  const { changes, problems } = readFieldChanges(customer);
  if (email === undefined)
    problems.unshift(told('input_missing', 'customer.email is missing.', { field: 'customer.email' }));
  if (email === undefined || problems.length > 0) throw invalidRequest(problems);

  const made = { id: newId(), email, fields: changes, meta: customer.meta ?? null };
  return begin((tx) => upsertCustomer(tx, merchantId, made, clock.now()));
}
