/** The SQL of checkouts and refunds that wait for a person, each over an index that holds only those. Decides nothing. */
import type { Query, Row } from '../db/database.ts';
import type { CheckoutException, CheckoutState } from './checkout-state.ts';

export type UndecidedCheckout = {
  readonly id: string;
  readonly state: CheckoutState;
  readonly exceptions: readonly CheckoutException[];
  /** When it last changed: since then it waits. */
  readonly since: Date;
};

/** Money of theirs is in suspense. Oldest first. */
export async function undecidedCheckouts(
  query: Query,
  merchantId: string,
  limit: number,
): Promise<UndecidedCheckout[]> {
  return query<Row & UndecidedCheckout>`
    select id, state, exceptions, updated_at as since from checkout
     where merchant_id = ${merchantId} and awaits_decision
     order by created_at, id limit ${limit}`;
}

export type TakenBackCheckout = { readonly id: string; readonly state: CheckoutState; readonly since: Date };

/** Credits that were taken back since then and were not given again: the checkout is in none of these states. */
export async function takenBackCheckouts(
  query: Query,
  merchantId: string,
  { since, isOverIn, limit }: { since: Date; isOverIn: readonly CheckoutState[]; limit: number },
): Promise<TakenBackCheckout[]> {
  return query<Row & TakenBackCheckout>`
    select checkout.id, state, max(reversed_at) as since
      from settlement join checkout on checkout.merchant_id = settlement.merchant_id and checkout.id = checkout_id
     where settlement.merchant_id = ${merchantId} and reversed_at >= ${since} and state <> all(${isOverIn})
     group by 1, 2 order by 3, 1 limit ${limit}`;
}

export type WaitingRefund = {
  readonly id: string;
  readonly checkoutId: string;
  readonly asset: string;
  readonly units: bigint;
  readonly since: Date;
  readonly claimExpiresAt: Date | null;
};

type WaitingRow = Row & Omit<WaitingRefund, 'units'> & { readonly units: string };

const toWaiting = (row: WaitingRow): WaitingRefund => ({ ...row, units: BigInt(row.units) });

/** In one of these states, oldest first; with an end of their claim, those that end until then. */
export async function waitingRefunds(
  query: Query,
  merchantId: string,
  { states, expiresBy, limit }: { states: readonly string[]; expiresBy: Date | null; limit: number },
): Promise<WaitingRefund[]> {
  const rows = await query<WaitingRow>`
    select id, checkout_id as "checkoutId", asset, units, requested_at as since, claim_expires_at as "claimExpiresAt"
      from refund
     where merchant_id = ${merchantId} and state = any(${states})
       and (${expiresBy}::timestamptz is null or claim_expires_at <= ${expiresBy})
     order by requested_at, id limit ${limit}`;
  return rows.map(toWaiting);
}

/**
 * Failed since then, and nothing was done about it: no newer refund of the checkout, and what was to go back out of
 * suspense still is there. Of one that came back, what came back.
 */
export async function failedRefunds(
  query: Query,
  merchantId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<WaitingRefund[]> {
  const rows = await query<WaitingRow>`
    select failed.id, checkout_id as "checkoutId", asset, claim_expires_at as "claimExpiresAt",
           case when came_back_units > 0 then came_back_units else units end as units,
           coalesce(came_back_at, ended_at) as since
      from refund failed join checkout on checkout.merchant_id = failed.merchant_id and checkout.id = checkout_id
     where failed.merchant_id = ${merchantId} and (failed.state = 'FAILED' or came_back_units > 0)
       and coalesce(came_back_at, ended_at) >= ${since}
       and checkout.state <> 'REFUNDED' and (context = 'COMPLETED_CHECKOUT' or awaits_decision)
       and not exists (select from refund newer
                        where newer.merchant_id = failed.merchant_id and newer.checkout_id = failed.checkout_id
                          and case when failed.came_back_at is null
                                   then (newer.requested_at, newer.id) > (failed.requested_at, failed.id)
                                   else newer.requested_at >= failed.came_back_at and newer.id <> failed.id end)
     order by since, failed.id limit ${limit}`;
  return rows.map(toWaiting);
}
