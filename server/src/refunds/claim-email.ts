/**
 * To which address a link may be sent at which money can be claimed. Whoever has the page's link need not be the payer,
 * so nothing counts that could have been typed in after the money was seen
 * (docs/decisions/0039-a-payer-asks-for-their-money-back.md).
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { findContact, type LeftContact } from '../checkouts/contact-store.ts';
import { findCustomer } from '../counterparties/customer-store.ts';
import type { Query } from '../db/database.ts';
import { isEmailAddress } from '../lib/is-email-address.ts';

/** The customer's that the shop named; else the one that was left on the page in time. Null: there is none. */
export async function claimEmail(query: Query, { checkout, payments }: CheckoutDossier): Promise<string | null> {
  const { merchantId, customerId } = checkout;
  const [customer, contact] = await Promise.all([
    customerId === null ? null : findCustomer(query, merchantId, customerId),
    findContact(query, checkout),
  ]);
  const email = customer ? customer.email : emailLeftInTime(contact, payments);
  return email !== null && isEmailAddress(email) ? email : null;
}

/** Pure. All payments count, also those that vanished: from the first on, somebody knew that money was coming. */
export function emailLeftInTime(
  contact: Pick<LeftContact, 'email' | 'leftAt'> | null,
  payments: readonly { readonly firstSeenAt: Date }[],
): string | null {
  if (!contact?.email || payments.some(({ firstSeenAt }) => firstSeenAt < contact.leftAt)) return null;
  return contact.email;
}
