/** The SQL of what is on its way out, for the operator, who sees all of it. Decides nothing. */
import type { Query, Row } from '../db/database.ts';
import type { PayoutState } from './payout-state.ts';
import type { PayoutPurpose } from './payout-store.ts';

export type WaitingPayout = {
  readonly id: string;
  readonly network: string;
  readonly asset: string;
  readonly units: bigint;
  readonly address: string;
  readonly purpose: PayoutPurpose;
  readonly merchantId: string;
  readonly state: PayoutState;
  readonly requestedAt: Date;
  /** Not looked at again before this time. */
  readonly heldUntil: Date | null;
  readonly failure: string | null;
  /** Of the newest version of its transaction. */
  readonly txHash: string | null;
  readonly signedAt: Date | null;
  readonly broadcastAt: Date | null;
  readonly isIncluded: boolean;
  readonly versions: number;
  /** Waits for a payment to be confirmed again. */
  readonly isUnpaid: boolean;
  /** Its merchant is suspended. */
  readonly isHeldBack: boolean;
  /** The network has booked something that may be it, and nobody has said what that was. */
  readonly isInDoubt: boolean;
};

/**
 * Oldest first. `before`: asked for before then. `isMoving`: only what should get on by itself; otherwise only what waits for
 * others, i.e. for its block to be deep, for a payment, or for its merchant to work again. Of that there may be any number,
 * so who looks for what is stuck never has it in the way. `without`: networks that are left out.
 */
export async function waitingPayouts(
  query: Query,
  {
    before,
    isMoving,
    limit,
    without = [],
  }: {
    readonly before: Date | null;
    readonly isMoving: boolean;
    readonly limit: number;
    readonly without?: readonly string[];
  },
): Promise<WaitingPayout[]> {
  const rows = await query<Row & Omit<WaitingPayout, 'units'> & { units: string }>`
    select payout.id, payout.network, payout.asset, payout.units::text, payout.address, payout.purpose,
           payout.merchant_id as "merchantId", payout.state, payout.requested_at as "requestedAt",
           payout.held_until as "heldUntil", payout.failure,
           newest.tx_hash as "txHash", newest.signed_at as "signedAt", newest.broadcast_at as "broadcastAt",
           coalesce(newest.block_hash is not null, false) as "isIncluded", coalesce(newest.generation, 0) as versions,
           not is_paid(payout) as "isUnpaid", is_held_back(payout) as "isHeldBack",
           is_in_doubt(payout) as "isInDoubt"
      from (select id from outgoing_transfer as each
             where state in ('QUEUED', 'SIGNED') and network <> all(${[...without]}) and (${before}::timestamptz is null or requested_at < ${before})
               and (is_paid(each) and not is_held_back(each) and not is_in_doubt(each)
                    and not coalesce((select block_hash is not null from outgoing_transaction as version
                                       where version.id = each.transaction_id
                                       order by generation desc limit 1), false)) = ${isMoving}
             order by requested_at, id limit ${limit}) as waiting
      join outgoing_transfer as payout on payout.id = waiting.id
      left join lateral (select * from outgoing_transaction
                          where outgoing_transaction.id = payout.transaction_id
                          order by generation desc limit 1) as newest on true
     order by payout.requested_at, payout.id`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

export type HeldBackPayout = Pick<WaitingPayout, 'id' | 'network' | 'asset' | 'units' | 'address' | 'requestedAt'> & {
  readonly purpose: Extract<PayoutPurpose, 'transfer' | 'refund'>;
};

/** What would be signed if its merchant were not suspended, oldest first. */
export async function heldBackPayouts(query: Query, merchantId: string, limit: number): Promise<HeldBackPayout[]> {
  const rows = await query<Row & Omit<HeldBackPayout, 'units'> & { units: string }>`
    select id, network, asset, units::text, address, purpose, requested_at as "requestedAt"
      from outgoing_transfer as payout
     where merchant_id = ${merchantId} and state = 'QUEUED' and is_held_back(payout)
     order by requested_at, id limit ${limit}`;
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }));
}

/** How many of each network, counted up to a limit in all. */
export async function countWaitingPayouts(query: Query, limit: number): Promise<Map<string, number>> {
  const rows = await query<{ network: string; count: number }>`
    select network, count(*)::integer as count
      from (select network from outgoing_transfer where state in ('QUEUED', 'SIGNED') limit ${limit}) as waiting
     group by network`;
  return new Map(rows.map(({ network, count }) => [network, count]));
}
