/**
 * The venue `stellar-dex`: a path payment from the operator's account to itself, with a least amount. It is sent like
 * every payout: signed and stored before it leaves, followed until the ledger says what became of it, never twice. What
 * came back is booked in the operator's fx position, whatever the merchant is credited.
 */
import { type AssetCatalog, type CatalogAsset, findAsset, isOfAnchor } from '../catalog/asset-catalog.ts';
import type { Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry } from '../ledger/entry.ts';
import { present } from '../lib/assert.ts';
import { minutes } from '../lib/clock.ts';
import { rescale } from '../money/amount.ts';
import type { Connector } from '../networks/port/connector.ts';
import { carriedAsset } from '../networks/port/definition.ts';
import { findPayout, insertPayouts, refusePayout } from '../sending/payout-store.ts';
import { advanceJob } from '../sending/record-sent.ts';
import type { NewOrder, VenueOrder } from './venue-order.ts';
import { venueOrderStates } from './venue-order-state.ts';
import { endOrder, insertOrders, lockOrder } from './venue-order-store.ts';

const stellar = 'STELLAR';

export type ExchangeDeps = {
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
};

/** Whether both assets are held on Stellar and somebody can sign there. */
export function canExchange(
  { connectors }: Pick<ExchangeDeps, 'connectors'>,
  source: CatalogAsset,
  credited: CatalogAsset,
): boolean {
  const connector = connectors.get(stellar);
  return (
    connector?.sender !== undefined &&
    connector.exchangeAccount !== undefined &&
    source.id !== credited.id &&
    [source, credited].every((asset) => isHeldThere(connector, asset))
  );
}

/** A connector knows our own assets by their codes: an anchor's asset may have the same code and is another asset. */
const isHeldThere = ({ network }: Connector, asset: CatalogAsset): boolean =>
  !isOfAnchor(asset) && carriedAsset(network, asset.assetCode) !== undefined;

/** Whether it is a token of our own there, which is issued against coins held elsewhere. */
export const isTokenOf = ({ connectors }: ExchangeDeps, asset: CatalogAsset): boolean =>
  !isOfAnchor(asset) &&
  (connectors.get(stellar)?.network.tokens ?? []).some((token) => token.assetCode === asset.assetCode);

/** The connector on whose ledger the market is. Undefined: there is none. */
export const marketConnector = ({ connectors }: Pick<ExchangeDeps, 'connectors'>): Connector | undefined =>
  connectors.get(stellar);

/** How much of this can be exchanged there: a ledger with fewer decimals than ours leaves a rest. */
export function exchangeableUnits(deps: ExchangeDeps, assetId: string, units: bigint): bigint {
  const { scale, ledgerScale } = scalesOf(deps, assetId);
  return rescale(rescale(units, ledgerScale, scale, 'down'), scale, ledgerScale, 'down');
}

/** Called in the transaction that decides on it. Asking again with the same id does nothing. */
export async function requestExchanges(
  deps: ExchangeDeps,
  tx: Tx,
  orders: readonly NewOrder[],
  at: Date,
): Promise<void> {
  if (orders.length === 0) return;
  const address = present(deps.connectors.get(stellar)?.exchangeAccount, 'the account on Stellar');
  await insertOrders(tx, orders, at);
  const payouts = orders.map((order) => ({
    id: order.id,
    network: stellar,
    asset: order.sourceAsset,
    units: order.sourceUnits,
    address,
    memo: null,
    memoType: null,
    holder: null,
    purpose: 'settlement' as const,
    merchantId: order.merchantId,
    exchange: { asset: order.targetAsset, leastUnits: order.leastUnits },
  }));
  await insertPayouts(tx, payouts, at);
}

/** How long an order may wait to be signed before whoever asked for it takes it back: its network may be away. */
export const orderPatienceMs = minutes(10);

/** Those that nobody has signed fail; what is signed may still happen. */
export async function takeBackExchanges(tx: Tx, ids: readonly string[], at: Date): Promise<void> {
  for (const id of ids) {
    const taken = await refusePayout(tx, id, 'Stellar did not carry it out in time.', at);
    await enqueue(
      tx,
      taken.map((payout) => advanceJob(payout, at)),
    );
  }
}

/** The exchange has ended: stores that with the order, and returns the entry that books it. */
export async function endExchange(
  tx: Tx,
  id: string,
  at: Date,
): Promise<{ readonly order: VenueOrder; readonly entry: Entry | null } | undefined> {
  const [order, payout] = [await lockOrder(tx, id), await findPayout(tx, id)];
  if (order?.state !== 'PENDING' || !payout || (payout.state !== 'DONE' && payout.state !== 'FAILED')) return undefined;
  const isDone = payout.state === 'DONE';
  const ended: VenueOrder = {
    ...order,
    state: venueOrderStates.moved(order.state, isDone ? 'complete' : 'fail'),
    receivedUnits: isDone ? present(payout.receivedUnits, 'what the exchange gave') : null,
    txHash: payout.txHash,
    failure: payout.failure,
    endedAt: at,
  };
  if (!(await endOrder(tx, ended, order.state, at))) return undefined;
  return { order: ended, entry: isDone ? exchangeEntry(ended) : null };
}

function exchangeEntry(order: VenueOrder): Entry {
  const { sourceAsset, sourceUnits, targetAsset } = order;
  const receivedUnits = present(order.receivedUnits, 'what the exchange gave');
  return {
    reference: `exchange:${order.id}`,
    kind: 'exchange',
    merchantId: order.merchantId,
    subject: { kind: order.purpose, id: order.ownerId },
    lines: [
      { account: chainWallet(stellar, sourceAsset), units: sourceUnits },
      { account: operatorAccount('fx', sourceAsset), units: -sourceUnits },
      { account: chainWallet(stellar, targetAsset), units: -receivedUnits },
      { account: operatorAccount('fx', targetAsset), units: receivedUnits },
    ],
  };
}

function scalesOf({ assets, connectors }: ExchangeDeps, assetId: string): { scale: number; ledgerScale: number } {
  const { assetCode, ledgerScale } = present(findAsset(assets, assetId), `asset ${assetId}`);
  const { network } = present(connectors.get(stellar), 'the connector of Stellar');
  return { scale: present(carriedAsset(network, assetCode), `${assetCode} on Stellar`).scale, ledgerScale };
}
