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

/**
 * Likewise of any origin: those that were never given a way to pay, and that nothing else names. Where one was chosen, an
 * address was shown: it is watched for ever, and what comes late is credited. The oldest first, from a moment on: whoever goes
 * on from the last one does not look again at all that must stay.
 */
export async function lockForgettable(
  tx: Tx,
  { from, before }: { readonly from: Date; readonly before: Date },
  limit: number,
): Promise<(CheckoutKey & { readonly createdAt: Date })[]> {
  return tx<Row & CheckoutKey & { createdAt: Date }>`
    select merchant_id as "merchantId", id, created_at as "createdAt" from checkout
     where window_ends_at is null and state = 'CREATED' and created_at >= ${from} and created_at < ${before}
       and not exists (select from commitment where merchant_id = checkout.merchant_id and checkout_id = checkout.id)
       and not exists (select from payment where merchant_id = checkout.merchant_id and owner_id = checkout.id)
       and not exists (select from stray_transfer where merchant_id = checkout.merchant_id and owner_id = checkout.id)
       and not exists (select from settlement where merchant_id = checkout.merchant_id and checkout_id = checkout.id)
       and not exists (select from refund where merchant_id = checkout.merchant_id and checkout_id = checkout.id)
       and not exists (select from paper where merchant_id = checkout.merchant_id and checkout_id = checkout.id)
       and not exists (select from email where merchant_id = checkout.merchant_id and checkout_id = checkout.id)
       and not exists (select from status_mail where merchant_id = checkout.merchant_id and checkout_id = checkout.id)
       and not exists (select from event where merchant_id = checkout.merchant_id and subject = checkout.id)
     order by created_at limit ${limit} for update skip locked`;
}

/** How many were made in which quarter of an hour stays known: days begin at one, and are counted anew. */
export async function noteForgotten(tx: Tx, keys: readonly CheckoutKey[]): Promise<void> {
  const [merchants, ids] = [keys.map(({ merchantId }) => merchantId), keys.map(({ id }) => id)];
  await tx`
    insert into forgotten_checkouts (merchant_id, quarter, checkouts)
    select merchant_id, date_bin('15 minutes', created_at, '2000-01-01 00:00+00') as quarter, count(*)
      from checkout join unnest(${merchants}::text[], ${ids}::text[]) as gone (merchant_id, id) using (merchant_id, id)
     group by 1, 2 order by 1, 2 -- in one order, or two processes would wait for each other
        on conflict (merchant_id, quarter) do update
       set checkouts = forgotten_checkouts.checkouts + excluded.checkouts`;
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
