/**
 * What became of each receipt that a payer asked for. Until the time in the row, whoever started it is the only one who sends
 * it: the column is `claimed_until`, whose name the previous release knows.
 */
import type { Query, Tx } from '../db/database.ts';
import { assert } from '../lib/assert.ts';
import type { CheckoutKey } from './checkout-store.ts';

export type EmailKey = {
  readonly merchantId: string;
  readonly checkoutId: string;
  readonly kind: 'receipt';
  readonly generation: number;
};

/** `id`: of the message, null if the previous release began it. busy: somebody else is sending it, or died while doing so. */
export type EmailStart =
  | { readonly is: 'ours'; readonly id: string | null }
  | { readonly is: 'ended' }
  | { readonly is: 'busy'; until: Date };

export async function startEmail(
  query: Query,
  key: EmailKey,
  mail: { readonly id: string; readonly addressHash: string },
  now: Date,
  until: Date,
): Promise<EmailStart> {
  const { merchantId, checkoutId, kind, generation } = key;
  const [started] = await query<{ id: string | null }>`
    insert into email (merchant_id, checkout_id, kind, generation, claimed_until, id, address_hash)
    values (${merchantId}, ${checkoutId}, ${kind}, ${generation}, ${until}, ${mail.id}, ${mail.addressHash})
    on conflict (merchant_id, checkout_id, kind, generation) do update
       set claimed_until = excluded.claimed_until, address_hash = excluded.address_hash
     where email.ended_at is null and email.claimed_until <= ${now}
    returning id`;
  if (started) return { is: 'ours', id: started.id };
  const [row] = await query<{ claimed_until: Date; ended_at: Date | null }>`
    select claimed_until, ended_at from email
     where merchant_id = ${merchantId} and checkout_id = ${checkoutId} and kind = ${kind}
       and generation = ${generation}`;
  assert(row !== undefined, 'an e-mail that could not be started has no row');
  return row.ended_at === null ? { is: 'busy', until: row.claimed_until } : { is: 'ended' };
}

/** It has not gone out, as far as we know: the next attempt need not wait for the end of that time. */
export async function releaseEmail(query: Query, key: EmailKey, busyUntil: Date, now: Date): Promise<void> {
  await query`
    update email set claimed_until = ${now}
     where merchant_id = ${key.merchantId} and checkout_id = ${key.checkoutId} and kind = ${key.kind}
       and generation = ${key.generation} and ended_at is null and claimed_until = ${busyUntil}`;
}

export async function endEmail(
  query: Query,
  key: EmailKey,
  end: { readonly outcome: 'sent' | 'refused'; readonly reason?: string },
  at: Date,
): Promise<void> {
  await query`
    update email set outcome = ${end.outcome}, reason = ${end.reason ?? null}, ended_at = ${at}
     where merchant_id = ${key.merchantId} and checkout_id = ${key.checkoutId} and kind = ${key.kind}
       and generation = ${key.generation} and ended_at is null`;
}

export type ReceiptMail = {
  readonly outcome: 'sent' | 'refused';
  readonly reason: string | null;
  readonly endedAt: Date;
  readonly bouncedAt: Date | null;
};

/** Those that have ended, oldest first. */
export async function receiptMailsOf(query: Query, { merchantId, id }: CheckoutKey): Promise<ReceiptMail[]> {
  return query<ReceiptMail>`
    select outcome, reason, ended_at as "endedAt", bounced_at as "bouncedAt" from email
     where merchant_id = ${merchantId} and checkout_id = ${id} and ended_at is not null
     order by ended_at, generation`;
}

/** One that was sent comes back. Undefined: there is none of this id, or it has come back before. */
export async function markReceiptBounced(
  tx: Tx,
  id: string,
  reason: string,
  at: Date,
): Promise<
  { readonly merchantId: string; readonly checkoutId: string; readonly addressHash: string | null } | undefined
> {
  const [row] = await tx<{ merchantId: string; checkoutId: string; addressHash: string | null }>`
    update email set bounced_at = ${at}, reason = ${reason}
     where id = ${id} and outcome = 'sent' and bounced_at is null
    returning merchant_id as "merchantId", checkout_id as "checkoutId", address_hash as "addressHash"`;
  return row;
}

/** Of the checkouts of an erased customer. */
export async function forgetReceiptHashes(tx: Tx, merchantId: string, customerId: string): Promise<void> {
  await tx`
    update email set address_hash = null
      from checkout
     where email.merchant_id = ${merchantId} and checkout.merchant_id = ${merchantId}
       and checkout.customer_id = ${customerId} and checkout.id = email.checkout_id`;
}
