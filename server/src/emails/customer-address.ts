/** Where the customer is reached whom the shop linked with a checkout. */
import type { Checkout } from '../checkouts/checkout.ts';
import { emailOfCustomer } from '../counterparties/customer-store.ts';
import type { Query } from '../db/database.ts';
import { isEmailAddress } from '../lib/is-email-address.ts';

/** Null: nobody is linked, the customer was deleted, or what the shop gave cannot be an address. */
export async function customerAddress(
  query: Query,
  { merchantId, customerId }: Pick<Checkout, 'merchantId' | 'customerId'>,
): Promise<string | null> {
  const customer = customerId === null ? null : await emailOfCustomer(query, merchantId, customerId);
  return customer && isEmailAddress(customer.email) ? customer.email : null;
}
