/** The SQL of checkouts that anybody could make and nobody chose a way to pay for. Decides nothing. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { CheckoutKey } from './checkout-store.ts';

/**
 * Of all merchants: those that came of a payment link, are older than this and were never given a way to pay. They stay as
 * they are until the transaction ends; whoever is choosing at this moment is left alone.
 */
export async function lockUnchosen(tx: Tx, before: Date, limit: number): Promise<CheckoutKey[]> {
  return tx<Row & CheckoutKey>`
    select merchant_id as "merchantId", id from checkout
     where origin = 'PAYMENT_LINK' and state = 'CREATED' and created_at < ${before}
     order by created_at limit ${limit} for update skip locked`;
}

/** Only such as no money can have been sent to: they have no commitment. Their terms are for who knows these. */
export async function deleteCheckouts(tx: Query, keys: readonly CheckoutKey[]): Promise<void> {
  const [merchants, ids] = [keys.map(({ merchantId }) => merchantId), keys.map(({ id }) => id)];
  await tx`
    with gone as (select * from unnest(${merchants}::text[], ${ids}::text[]) as gone (merchant_id, id)),
         notes as (delete from timeline using gone
                    where timeline.merchant_id = gone.merchant_id and timeline.checkout_id = gone.id),
         contacts as (delete from checkout_contact using gone
                       where checkout_contact.merchant_id = gone.merchant_id and checkout_contact.checkout_id = gone.id)
    delete from checkout using gone where checkout.merchant_id = gone.merchant_id and checkout.id = gone.id`;
}
