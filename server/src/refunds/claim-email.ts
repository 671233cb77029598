/**
 * To which address a link may be sent at which money can be claimed. Whoever has the page's link need not be the payer,
 * so nothing counts that could have been typed in after the money was seen
 * (docs/decisions/0039-a-payer-asks-for-their-money-back.md).
 */
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { findContact, type LeftContact } from '../checkouts/contact-store.ts';
import { emailOfCustomer } from '../counterparties/customer-store.ts';
import type { Query } from '../db/database.ts';
import { isEmailAddress } from '../lib/is-email-address.ts';

/**
 * The customer's that the shop named; else the one that was left on the page. Each only if it was there in time: a key that
 * charges may change a customer, and would send somebody's money to itself. Null: there is none.
 */
export async function claimEmail(query: Query, { checkout, payments }: CheckoutDossier): Promise<string | null> {
  const { merchantId, customerId } = checkout;
  const [customer, contact] = await Promise.all([
    customerId === null ? null : emailOfCustomer(query, merchantId, customerId),
    findContact(query, checkout),
  ]);
  const email = emailLeftInTime(customer ?? contact, payments);
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
