/** How a payer can be reached about one checkout. It is nobody's login and never leaves the house unmasked. */
import type { Query } from '../db/database.ts';

export type CheckoutContact = {
  readonly email: string | null;
  readonly refundNetwork: string | null;
  readonly refundAddress: string | null;
};

type Key = { readonly merchantId: string; readonly id: string };

export async function findContact(query: Query, { merchantId, id }: Key): Promise<CheckoutContact | null> {
  const [row] = await query<{ email: string | null; refund_network: string | null; refund_address: string | null }>`
    select email, refund_network, refund_address from checkout_contact
     where merchant_id = ${merchantId} and checkout_id = ${id}`;
  return row ? { email: row.email, refundNetwork: row.refund_network, refundAddress: row.refund_address } : null;
}

/** What is left empty stays as it was. */
export async function saveContact(
  query: Query,
  { merchantId, id }: Key,
  contact: CheckoutContact,
  at: Date,
): Promise<void> {
  await query`
    insert into checkout_contact (merchant_id, checkout_id, email, refund_network, refund_address, updated_at)
    values (${merchantId}, ${id}, ${contact.email}, ${contact.refundNetwork}, ${contact.refundAddress}, ${at})
    on conflict (merchant_id, checkout_id) do update
       set email = coalesce(excluded.email, checkout_contact.email),
           refund_network = coalesce(excluded.refund_network, checkout_contact.refund_network),
           refund_address = coalesce(excluded.refund_address, checkout_contact.refund_address),
           updated_at = excluded.updated_at`;
}
