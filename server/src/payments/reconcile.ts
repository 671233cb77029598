/**
 * Holds the books against the networks: what a node says that we hold, less what has just arrived and is not booked
 * yet or too small to be, plus what has just left and is still in the books, must be what the books say. Nothing of what we believe goes
 * into the node's side.
 */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Db } from '../db/database.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { rescale } from '../money/amount.ts';
import { type Connector, NetworkError, networkAsset } from '../networks/port.ts';
import {
  bookedHoldings,
  hasArrivals,
  highestIndex,
  lastReconciliations,
  observedTip,
  type Reconciliation,
  saveReconciliations,
  usedTargets,
} from './reconciliation-store.ts';

export type ReconcileDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly assets: AssetCatalog;
  readonly connectors: ReadonlyMap<string, Connector>;
};

/** What could not be counted now, because a node is away or moved on meanwhile: asked again, it can. */
export type Uncounted = { readonly what: string; readonly reason: string };
export type Count = { readonly counted: readonly Reconciliation[]; readonly uncounted: readonly Uncounted[] };

/** Networks that were counted after `since` are left out. */
export async function reconcile(deps: ReconcileDeps, since: Date | null = null): Promise<Count> {
  const counted: Reconciliation[] = [];
  const uncounted: Uncounted[] = [];
  const recent = (await lastReconciliations(deps.db)).filter(({ checkedAt }) => since !== null && checkedAt > since);
  for (const connector of deps.connectors.values()) {
    if (recent.some(({ network }) => network === connector.network.id)) continue;
    try {
      counted.push(...(await reconcileNetwork(deps, connector)));
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      uncounted.push({ what: connector.network.id, reason: error.message });
    }
  }
  for (const { network, asset, difference } of counted.filter((each) => !isSound(each)))
    deps.log.error(
      { network, asset, difference: difference.toString() },
      'the books differ from what the network holds',
    );
  return { counted, uncounted };
}

/** What was broadcast and is in no block may have left already, or not yet: in between both are right. */
export const isSound = ({ difference, underway }: Pick<Reconciliation, 'difference' | 'underway'>): boolean =>
  difference <= 0n && -difference <= underway;

async function reconcileNetwork(deps: ReconcileDeps, connector: Connector): Promise<Reconciliation[]> {
  const { db, clock } = deps;
  const { network } = connector;
  if (!connector.holdings) return [];
  const tip = await observedTip(db, network.id);
  if (!tip) throw new NetworkError('The node has not answered yet.', { isRetryable: true });
  const held = await connector.holdings({
    tip,
    highestIndex: await highestIndex(db, network.id),
    usedTargets: () => usedTargets(db, network.id),
  });
  const byAsset = new Map(
    held.map(({ assetCode, units }) => {
      const asset = present(findAsset(deps.assets, assetCode), `asset ${assetCode}`);
      return [asset.id, rescale(units, networkAsset(network, assetCode).scale, asset.ledgerScale, 'down')];
    }),
  );
  await bookOpeningBalance(deps, network.id, byAsset);
  const books = await bookedHoldings(db, network.id, [...byAsset.keys()]);
  const now = (await observedTip(db, network.id))?.hash;
  if (books.some(({ isBeingBooked }) => isBeingBooked))
    throw new NetworkError('What was sent is being booked: count again.', { isRetryable: true });
  if (now !== tip.hash) throw new NetworkError('The chain went on while we counted.', { isRetryable: true });

  const checkedAt = clock.now();
  const found = books.map(({ asset, booked, arriving, crumbs, leaving, underway }): Reconciliation => {
    const units = byAsset.get(asset) ?? 0n;
    const difference = units - arriving - crumbs + leaving - booked;
    const counted = { held: units, booked, arriving, crumbs, leaving, underway, difference };
    return { network: network.id, asset, ...counted, checkedAt };
  });
  await db.begin((tx) => saveReconciliations(tx, found));
  return found;
}

/**
 * What is there before anything has ever arrived can only be the operator's own: the reserve of an account, gas in a
 * wallet, channels. It is booked once; whatever appears later without a payment is a difference, for a person to explain.
 */
async function bookOpeningBalance(
  { db, clock }: ReconcileDeps,
  network: string,
  held: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (await hasArrivals(db, network)) return;
  const books = await bookedHoldings(db, network, [...held.keys()]);
  if (books.some(({ underway }) => underway > 0n)) return;
  // Not simply what is held: opening trustlines or channels may have cost something already.
  const opening = books
    .map(({ asset, booked, leaving }) => [asset, (held.get(asset) ?? 0n) + leaving - booked] as const)
    .filter(([, units]) => units > 0n);
  if (opening.length === 0) return;
  const lines = opening.flatMap(([asset, units]) => [
    { account: chainWallet(network, asset), units: -units },
    { account: operatorAccount('equity', asset), units },
  ]);
  const entry = {
    reference: `opening/${network}`,
    kind: 'opening_balance' as const,
    merchantId: null,
    checkoutId: null,
  };
  await db.begin((tx) => postEntries(tx, [{ ...entry, lines }], clock.now()));
}
