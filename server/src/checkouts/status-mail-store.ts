/**
 * All SQL of mails about an order to its customer or payer. Decides nothing. The row is there before anybody talks to the mail
 * server, and is ended afterwards: one event is one message, and a repetition after a death has the same id.
 */
import type { Query, Tx } from '../db/database.ts';
import { assert } from '../lib/assert.ts';
import type { StatusMailKind } from '../merchants/status-mails.ts';
import type { CheckoutKey } from './checkout-store.ts';

/** `receipt` and `paper`: somebody of the shop sends it again. */
export type CustomerMailKind = StatusMailKind | 'receipt' | 'paper';

export type StatusMailKey = {
  readonly merchantId: string;
  readonly checkoutId: string;
  readonly kind: CustomerMailKind;
  readonly cause: string;
};

/** Of a paper that was sent then. */
export const paperCause = (paperId: string, askedAt: Date): string => `${paperId} ${askedAt.getTime()}`;
export const paperOfCause = (cause: string): string => cause.split(' ')[0] ?? '';

/**
 * `limited`: one too many on this day. `stopped`: whoever reads them wants none. `unreachable`: an earlier one did not
 * arrive. `receipt`: the receipt goes to the same address and says it. `over`: it was not true any more.
 */
export type StatusMailOutcome = 'sent' | 'refused' | 'limited' | 'stopped' | 'unreachable' | 'receipt' | 'over';

export type StatusMail = {
  readonly kind: CustomerMailKind;
  readonly cause: string;
  readonly outcome: StatusMailOutcome;
  readonly reason: string | null;
  readonly endedAt: Date;
  readonly bouncedAt: Date | null;
};

/** busy: somebody else is sending it, or died while doing so. */
export type StatusMailStart =
  | { readonly is: 'ours'; readonly id: string; readonly isFirst: boolean }
  | { readonly is: 'ended' }
  | { readonly is: 'busy'; readonly until: Date };

export async function startStatusMail(
  tx: Tx,
  key: StatusMailKey,
  mail: { readonly id: string; readonly addressHash: string },
  now: Date,
  until: Date,
): Promise<StatusMailStart> {
  const { merchantId, checkoutId, kind, cause } = key;
  const [started] = await tx<{ id: string }>`
    insert into status_mail (merchant_id, checkout_id, kind, cause, id, address_hash, begun_at, claimed_until)
    values (${merchantId}, ${checkoutId}, ${kind}, ${cause}, ${mail.id}, ${mail.addressHash}, ${now}, ${until})
    on conflict (merchant_id, checkout_id, kind, cause) do update
       set claimed_until = excluded.claimed_until, address_hash = excluded.address_hash
     where status_mail.ended_at is null and status_mail.claimed_until <= ${now}
    returning id`;
  if (started) return { is: 'ours', id: started.id, isFirst: started.id === mail.id };
  const [row] = await tx<{ claimed_until: Date; ended_at: Date | null }>`
    select claimed_until, ended_at from status_mail
     where merchant_id = ${merchantId} and checkout_id = ${checkoutId} and kind = ${kind} and cause = ${cause}`;
  assert(row !== undefined, 'a status mail that could not be started has no row');
  return row.ended_at === null ? { is: 'busy', until: row.claimed_until } : { is: 'ended' };
}

/** It has not gone out, as far as we know: the next attempt need not wait for the end of that time. */
export async function releaseStatusMail(query: Query, key: StatusMailKey, busyUntil: Date, now: Date): Promise<void> {
  await query`
    update status_mail set claimed_until = ${now}
     where merchant_id = ${key.merchantId} and checkout_id = ${key.checkoutId} and kind = ${key.kind}
       and cause = ${key.cause} and ended_at is null and claimed_until = ${busyUntil}`;
}

/** Nothing, if it was never begun or has ended before. */
export async function endStatusMail(
  query: Query,
  key: StatusMailKey,
  end: { readonly outcome: StatusMailOutcome; readonly reason?: string },
  at: Date,
): Promise<void> {
  await query`
    update status_mail set outcome = ${end.outcome}, reason = ${end.reason ?? null}, ended_at = ${at}
     where merchant_id = ${key.merchantId} and checkout_id = ${key.checkoutId} and kind = ${key.kind}
       and cause = ${key.cause} and ended_at is null`;
}

/** What became of one, for whoever would write the same to the same address. Null: it was never begun. */
export async function findStatusMail(
  query: Query,
  { merchantId, checkoutId, kind, cause }: StatusMailKey,
): Promise<{ readonly addressHash: string; readonly outcome: StatusMailOutcome | null; readonly until: Date } | null> {
  const [row] = await query<{ addressHash: string; outcome: StatusMailOutcome | null; until: Date }>`
    select address_hash as "addressHash", outcome, claimed_until as "until" from status_mail
     where merchant_id = ${merchantId} and checkout_id = ${checkoutId} and kind = ${kind} and cause = ${cause}`;
  return row ?? null;
}

/** Those that have ended, oldest first. */
export async function statusMailsOfCheckout(query: Query, { merchantId, id }: CheckoutKey): Promise<StatusMail[]> {
  return query<StatusMail>`
    select kind, cause, outcome, reason, ended_at as "endedAt", bounced_at as "bouncedAt" from status_mail
     where merchant_id = ${merchantId} and checkout_id = ${id} and ended_at is not null
     order by ended_at, kind, cause`;
}

/** One that was sent comes back. Undefined: there is none of this id, or it has come back before. */
export async function markBounced(
  tx: Tx,
  id: string,
  reason: string,
  at: Date,
): Promise<{ readonly merchantId: string; readonly checkoutId: string; readonly addressHash: string } | undefined> {
  const [row] = await tx<{ merchantId: string; checkoutId: string; addressHash: string }>`
    update status_mail set bounced_at = ${at}, reason = ${reason}
     where id = ${id} and outcome = 'sent' and bounced_at is null
    returning merchant_id as "merchantId", checkout_id as "checkoutId", address_hash as "addressHash"`;
  return row;
}

/** Of the checkouts of an erased customer: what became of each mail stays, but not to which address it went. */
export async function forgetMailHashes(tx: Tx, merchantId: string, customerId: string): Promise<void> {
  await tx`
    update status_mail set address_hash = ''
      from checkout
     where status_mail.merchant_id = ${merchantId} and checkout.merchant_id = ${merchantId}
       and checkout.customer_id = ${customerId} and checkout.id = status_mail.checkout_id`;
}
