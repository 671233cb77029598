/** All SQL of the links that payers ask for. A refund has such a row if the payer asked for it. */
import type { Query, Tx } from '../db/database.ts';
import type { CheckoutKey } from './checkout-store.ts';

export type ClaimLink = {
  readonly refundId: string;
  /** Of the page on which the payer asked. */
  readonly language: string;
  /** How often it was asked for, and when last. */
  readonly asked: number;
  readonly askedAt: Date;
  /** The mail server says that nobody can be reached. */
  readonly isRefused: boolean;
};

export type LinkKey = { readonly merchantId: string; readonly refundId: string };

export async function insertClaimLink(tx: Tx, key: LinkKey, language: string, at: Date): Promise<void> {
  await tx`
    insert into claim_link (merchant_id, refund_id, language, asked, asked_at)
    values (${key.merchantId}, ${key.refundId}, ${language}, 1, ${at})`;
}

export async function findClaimLinks(query: Query, { merchantId, id }: CheckoutKey): Promise<ClaimLink[]> {
  return query<ClaimLink>`
    select refund_id as "refundId", language, asked, asked_at as "askedAt", refused_at is not null as "isRefused"
      from claim_link
      join refund on refund.merchant_id = claim_link.merchant_id and refund.id = claim_link.refund_id
     where claim_link.merchant_id = ${merchantId} and refund.checkout_id = ${id}
     order by refund.requested_at, refund.id`;
}

export async function isByPayer(query: Query, { merchantId, refundId }: LinkKey): Promise<boolean> {
  const rows = await query`select from claim_link where merchant_id = ${merchantId} and refund_id = ${refundId}`;
  return rows.length > 0;
}

/** False when it was asked for too often, or a moment ago. */
export async function askForLinkAgain(
  tx: Tx,
  { merchantId, refundId }: LinkKey,
  limits: { readonly askedMax: number; readonly askedBefore: Date },
  at: Date,
): Promise<boolean> {
  const rows = await tx`
    update claim_link set asked = asked + 1, asked_at = ${at}
     where merchant_id = ${merchantId} and refund_id = ${refundId} and refused_at is null
       and asked < ${limits.askedMax} and asked_at <= ${limits.askedBefore}
    returning 1 as one`;
  return rows.length > 0;
}

/** busy: somebody else is writing it, or died while doing so. */
export type LinkStart =
  | { readonly is: 'ours'; readonly language: string; readonly asked: number; readonly askedAt: Date }
  | { readonly is: 'answered' }
  | { readonly is: 'busy'; readonly until: Date };

export async function startLink(query: Query, key: LinkKey, now: Date, until: Date): Promise<LinkStart> {
  const { merchantId, refundId } = key;
  const [ours] = await query<{ language: string; asked: number; askedAt: Date }>`
    update claim_link set busy_until = ${until}
     where merchant_id = ${merchantId} and refund_id = ${refundId}
       and answered < asked and refused_at is null and (busy_until is null or busy_until <= ${now})
    returning language, asked, asked_at as "askedAt"`;
  if (ours) return { is: 'ours', ...ours };
  const [row] = await query<{ busy_until: Date }>`
    select busy_until from claim_link
     where merchant_id = ${merchantId} and refund_id = ${refundId}
       and answered < asked and refused_at is null and busy_until is not null`;
  return row ? { is: 'busy', until: row.busy_until } : { is: 'answered' };
}

/** It has not gone out, as far as we know: the next attempt need not wait for the end of that time. */
export async function releaseLink(query: Query, { merchantId, refundId }: LinkKey, busyUntil: Date): Promise<void> {
  await query`
    update claim_link set busy_until = null
     where merchant_id = ${merchantId} and refund_id = ${refundId} and busy_until = ${busyUntil}`;
}

/** A request that came while the message was written is answered by the next one. */
export async function answerLink(query: Query, { merchantId, refundId }: LinkKey, asked: number): Promise<void> {
  await query`
    update claim_link set answered = greatest(answered, ${asked}), busy_until = null
     where merchant_id = ${merchantId} and refund_id = ${refundId}`;
}

export async function refuseLink(query: Query, { merchantId, refundId }: LinkKey, at: Date): Promise<void> {
  await query`
    update claim_link set refused_at = ${at}, busy_until = null
     where merchant_id = ${merchantId} and refund_id = ${refundId}`;
}
