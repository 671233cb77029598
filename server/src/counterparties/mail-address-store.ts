/** All SQL of addresses to which mails are stopped or do not arrive. Decides nothing. */
import type { Query } from '../db/database.ts';

export type AddressKey = { readonly merchantId: string; readonly addressHash: string };

export type MailAddress = {
  readonly stoppedAt: Date | null;
  readonly failedAt: Date | null;
  /** A word of ours: see `mail-failure`. */
  readonly failure: string | null;
};

export async function findMailAddress(query: Query, { merchantId, addressHash }: AddressKey): Promise<MailAddress> {
  const [row] = await query<MailAddress>`
    select stopped_at as "stoppedAt", failed_at as "failedAt", failure from mail_address
     where merchant_id = ${merchantId} and address_hash = ${addressHash}`;
  return row ?? { stoppedAt: null, failedAt: null, failure: null };
}

/** Null: they may be sent again. The first time counts. */
export async function saveStopped(
  query: Query,
  { merchantId, addressHash }: AddressKey,
  at: Date | null,
): Promise<void> {
  await query`
    insert into mail_address (merchant_id, address_hash, stopped_at)
    values (${merchantId}, ${addressHash}, ${at})
    on conflict (merchant_id, address_hash) do update
       set stopped_at = case when excluded.stopped_at is null then null
                             else coalesce(mail_address.stopped_at, excluded.stopped_at) end`;
}

/** Null: somebody says that it may be tried again. */
export async function saveFailure(
  query: Query,
  { merchantId, addressHash }: AddressKey,
  failed: { readonly at: Date; readonly failure: string } | null,
): Promise<void> {
  await query`
    insert into mail_address (merchant_id, address_hash, failed_at, failure)
    values (${merchantId}, ${addressHash}, ${failed?.at ?? null}, ${failed?.failure ?? null})
    on conflict (merchant_id, address_hash) do update
       set failed_at = excluded.failed_at, failure = excluded.failure`;
}

/** Leaves of an address only that its mails are stopped, if they are. */
export async function forgetFailure(query: Query, { merchantId, addressHash }: AddressKey): Promise<void> {
  await query`
    with stopped as (
      update mail_address set failed_at = null, failure = null
       where merchant_id = ${merchantId} and address_hash = ${addressHash} and stopped_at is not null)
    delete from mail_address where merchant_id = ${merchantId} and address_hash = ${addressHash} and stopped_at is null`;
}

/** Failures of long ago, of all merchants, and rows that say nothing any more. */
export async function forgetOldFailures(query: Query, before: Date): Promise<void> {
  await query`
    update mail_address set failed_at = null, failure = null where failed_at < ${before} and stopped_at is not null`;
  await query`delete from mail_address where stopped_at is null and (failed_at is null or failed_at < ${before})`;
}
