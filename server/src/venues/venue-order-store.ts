/** All SQL of exchanges at venues outside the books. */
import type { Query, Row, Tx } from '../db/database.ts';
import type { NewOrder, VenueOrder } from './venue-order.ts';
import { venueOrderStates } from './venue-order-state.ts';

/** Asking again with the same id does nothing. */
export async function insertOrders(tx: Tx, orders: readonly NewOrder[], at: Date): Promise<void> {
  for (const order of orders)
    await tx`
      insert into venue_order (id, reference, purpose, merchant_id, owner_id, attempt, source_asset, source_units,
                               target_asset, least_units, state, created_at)
      values (${order.id}, ${order.reference}, ${order.purpose}, ${order.merchantId}, ${order.ownerId},
              ${order.attempt}, ${order.sourceAsset}, ${order.sourceUnits.toString()}, ${order.targetAsset},
              ${order.leastUnits.toString()}, ${venueOrderStates.first[0]}, ${at})
          on conflict (id) do nothing`;
}

type OrderRow = Row &
  Record<'id' | 'reference' | 'merchant_id' | 'owner_id' | 'source_asset' | 'source_units', string> &
  Record<'target_asset' | 'least_units', string> &
  Record<'received_units' | 'tx_hash' | 'failure', string | null> & {
    purpose: VenueOrder['purpose'];
    attempt: number;
    state: VenueOrder['state'];
    created_at: Date;
    ended_at: Date | null;
  };

const toOrder = (row: OrderRow): VenueOrder => ({
  id: row.id,
  reference: row.reference,
  purpose: row.purpose,
  merchantId: row.merchant_id,
  ownerId: row.owner_id,
  attempt: row.attempt,
  sourceAsset: row.source_asset,
  sourceUnits: BigInt(row.source_units),
  targetAsset: row.target_asset,
  leastUnits: BigInt(row.least_units),
  state: row.state,
  receivedUnits: row.received_units === null ? null : BigInt(row.received_units),
  txHash: row.tx_hash,
  failure: row.failure,
  createdAt: row.created_at,
  endedAt: row.ended_at,
});

export async function lockOrder(tx: Tx, id: string): Promise<VenueOrder | undefined> {
  const [row] = await tx<OrderRow>`select * from venue_order where id = ${id} for update`;
  return row && toOrder(row);
}

/** All orders of these checkouts or swaps, oldest first. */
export async function ordersOf(query: Query, ownerIds: readonly string[]): Promise<VenueOrder[]> {
  const rows = await query<OrderRow>`
    select * from venue_order where owner_id = any(${[...ownerIds]}) order by created_at, attempt, id`;
  return rows.map(toOrder);
}

/** False: it had ended before. */
export async function endOrder(
  tx: Tx,
  { id, state, receivedUnits, txHash, failure }: VenueOrder,
  from: VenueOrder['state'],
  at: Date,
): Promise<boolean> {
  const ended = await tx`
    update venue_order
       set state = ${state}, received_units = ${receivedUnits?.toString() ?? null}, tx_hash = ${txHash},
           failure = ${failure}, ended_at = ${at}
     where id = ${id} and state = ${from}
    returning id`;
  return ended.length === 1;
}
