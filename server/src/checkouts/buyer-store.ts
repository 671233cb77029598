/**
 * The buyer of a checkout, as the shop named them when it made it. What is known of the customer may have come from others who
 * typed the same e-mail address since, or before: nobody who sees a page or a paper of this order is shown that.
 */
import type { CustomerFields } from '../counterparties/customer-fields.ts';
import type { Query, Row } from '../db/database.ts';

export type Buyer = { readonly customerId: string; readonly email: string; readonly fields: CustomerFields };

/**
 * Null: nobody was named, or what was known of them is erased. A checkout that the previous release made has the customer of
 * the present while nobody has changed it since; afterwards only the address is sure.
 */
export async function findBuyer(
  query: Query,
  { merchantId, id }: { readonly merchantId: string; readonly id: string },
): Promise<Buyer | null> {
  const [row] = await query<Row & Buyer>`
    select customer.id as "customerId", coalesce(checkout.buyer ->> 'email', customer.email) as email,
           coalesce(checkout.buyer -> 'fields',
                    case when customer.updated_at <= checkout.created_at
                         then coalesce(customer.named, customer.fields) else '{}' end) as fields
      from checkout join customer on customer.merchant_id = checkout.merchant_id and customer.id = checkout.customer_id
     where checkout.merchant_id = ${merchantId} and checkout.id = ${id} and customer.erased_at is null`;
  return row ?? null;
}

/** A customer is erased: their orders keep only that there was one, and the country. */
export async function forgetBuyers(query: Query, merchantId: string, customerId: string): Promise<void> {
  await query`
    update checkout set buyer = null
     where merchant_id = ${merchantId} and customer_id = ${customerId} and buyer is not null`;
}
