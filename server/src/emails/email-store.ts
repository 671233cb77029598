/**
 * What became of each message. Until the time in the row, whoever started it is the only one who sends it: the column is
 * `claimed_until`, whose name the previous release knows.
 */
import type { Query } from '../db/database.ts';
import { assert } from '../lib/assert.ts';

export type EmailKey = {
  readonly merchantId: string;
  readonly checkoutId: string;
  readonly kind: 'receipt';
  readonly generation: number;
};

/** busy: somebody else is sending it, or died while doing so. */
export type EmailStart = { readonly is: 'ours' } | { readonly is: 'ended' } | { readonly is: 'busy'; until: Date };

export async function startEmail(query: Query, key: EmailKey, now: Date, until: Date): Promise<EmailStart> {
  const { merchantId, checkoutId, kind, generation } = key;
  const started = await query`
    insert into email (merchant_id, checkout_id, kind, generation, claimed_until)
    values (${merchantId}, ${checkoutId}, ${kind}, ${generation}, ${until})
    on conflict (merchant_id, checkout_id, kind, generation) do update
       set claimed_until = excluded.claimed_until
     where email.ended_at is null and email.claimed_until <= ${now}
    returning 1 as one`;
  if (started.length > 0) return { is: 'ours' };
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

export async function endEmail(query: Query, key: EmailKey, outcome: 'sent' | 'refused', at: Date): Promise<void> {
  await query`
    update email set outcome = ${outcome}, ended_at = ${at}
     where merchant_id = ${key.merchantId} and checkout_id = ${key.checkoutId} and kind = ${key.kind}
       and generation = ${key.generation} and ended_at is null`;
}
