/** How a payer can be reached about one checkout. It is no login, and is shown only masked. */
import type { Query } from '../db/database.ts';

export type CheckoutContact = {
  readonly email: string | null;
  readonly refundNetwork: string | null;
  readonly refundAddress: string | null;
  /** The language of the page on which it was left. */
  readonly language: string | null;
};

/** As it is stored: `leftAt` is when something of it was left or changed last. */
export type LeftContact = CheckoutContact & { readonly leftAt: Date };

type Key = { readonly merchantId: string; readonly id: string };

export async function findContact(query: Query, { merchantId, id }: Key): Promise<LeftContact | null> {
  const [row] = await query<LeftContact>`
    select email, refund_network as "refundNetwork", refund_address as "refundAddress", language,
           updated_at as "leftAt"
      from checkout_contact
     where merchant_id = ${merchantId} and checkout_id = ${id}`;
  return row ?? null;
}

/** The ids of those checkouts whose payer left an e-mail address. */
export async function checkoutsWithEmail(query: Query, keys: readonly Key[]): Promise<Set<string>> {
  const rows = await query<{ checkout_id: string }>`
    select checkout_id from checkout_contact
      join unnest(${keys.map((key) => key.merchantId)}::text[], ${keys.map((key) => key.id)}::text[])
             as wanted (merchant_id, checkout_id) using (merchant_id, checkout_id)
     where email is not null`;
  return new Set(rows.map((row) => row.checkout_id));
}

/** Takes a customer's address from what payers left with the customer's checkouts. What others left there stays. */
export async function forgetContacts(
  query: Query,
  merchantId: string,
  { customerId, email }: { readonly customerId: string; readonly email: string },
): Promise<void> {
  await query`
    update checkout_contact set email = null
      from checkout
     where checkout_contact.merchant_id = ${merchantId} and checkout.merchant_id = ${merchantId}
       and checkout.customer_id = ${customerId} and checkout.id = checkout_contact.checkout_id
       and lower(checkout_contact.email) = lower(${email})`;
}

/** What is left empty stays as it was. */
export async function saveContact(
  query: Query,
  { merchantId, id }: Key,
  contact: CheckoutContact,
  at: Date,
): Promise<void> {
  await query`
    insert into checkout_contact (merchant_id, checkout_id, email, refund_network, refund_address, language, updated_at)
    values (${merchantId}, ${id}, ${contact.email}, ${contact.refundNetwork}, ${contact.refundAddress},
            ${contact.language}, ${at})
    on conflict (merchant_id, checkout_id) do update
       set email = coalesce(excluded.email, checkout_contact.email),
           refund_network = coalesce(excluded.refund_network, checkout_contact.refund_network),
           refund_address = coalesce(excluded.refund_address, checkout_contact.refund_address),
           language = excluded.language,
           updated_at = excluded.updated_at`;
}
