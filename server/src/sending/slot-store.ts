/** The SQL of slots: who has taken how many of a network's, and whose payouts wait for some. */
import type { Query, Row } from '../db/database.ts';
import type { SlotWait } from './slot-share.ts';

export type MerchantSlots = {
  readonly merchantId: string;
  /** What its signed payouts may take until the network has told how they ended, and of these what was never broadcast. */
  readonly signed: number;
  readonly unsent: number;
  /** Payouts that will take some as soon as they may. */
  readonly queued: number;
};

/** Of merchants with something under way or queued. A payout holds its slots until it has ended, whatever dies meanwhile. */
export async function slotsTaken(query: Query, network: string): Promise<MerchantSlots[]> {
  return query<Row & MerchantSlots>`
    select payout.merchant_id as "merchantId",
           coalesce(sum(greatest(newest.slots, 1)) filter (where state = 'SIGNED'), 0)::integer as signed,
           coalesce(sum(greatest(newest.slots, 1)) filter (where state = 'SIGNED' and newest.broadcast_at is null), 0)::integer as unsent,
           (count(*) filter (where state = 'QUEUED'))::integer as queued
      from outgoing_transfer as payout
      left join lateral (select slots, broadcast_at from outgoing_transaction
                          where outgoing_transaction.id = payout.transaction_id
                          order by generation desc limit 1) as newest on true
     where network = ${network}
       and (state = 'SIGNED'
            or (state = 'QUEUED' and is_paid(payout) and not is_held_back(payout) and not is_in_doubt(payout)))
     group by payout.merchant_id`;
}

/** In turns: the oldest of each merchant, then the second of each. Otherwise see `queuedPayouts`. */
export async function queuedInTurns(query: Query, network: string, now: Date, limit: number): Promise<string[]> {
  const rows = await query<{ id: string }>`
    select payout.id
      from (select distinct merchant_id from outgoing_transfer
             where network = ${network} and state = 'QUEUED') as merchant
     cross join lateral
           (select id, requested_at, row_number() over (order by requested_at, id) as turn
              from (select id, requested_at from outgoing_transfer as each
                     where network = ${network} and state = 'QUEUED' and merchant_id = merchant.merchant_id
                       and coalesce(held_until <= ${now}, true) and is_paid(each)
                       and not is_held_back(each) and not is_in_doubt(each)
                     order by requested_at, id limit ${limit}) as oldest) as payout
     order by payout.turn, payout.requested_at, payout.id limit ${limit}`;
  return rows.map(({ id }) => id);
}

export async function noteSlotWaits(
  query: Query,
  waits: readonly { readonly id: string; readonly waitsFor: SlotWait | null }[],
): Promise<void> {
  await query`
    update outgoing_transfer set waits_for = wait.reason
      from unnest(${waits.map(({ id }) => id)}::text[], ${waits.map(({ waitsFor }) => waitsFor)}::text[]) as wait (id, reason)
     where outgoing_transfer.id = wait.id and state = 'QUEUED' and waits_for is distinct from wait.reason`;
}
