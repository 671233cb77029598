/**
 * Compares the books with the networks: what a node says that we hold, less what has just arrived and is not booked
 * (yet, or because it is too small), plus what has just left and is still in the books, must be what the books say. The
 * node's side is the node's word alone, without anything that we believe.
 */
import { isDeepStrictEqual } from 'node:util';
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Db, Tx } from '../db/database.ts';
import { chainWallet, operatorAccount } from '../ledger/chart-of-accounts.ts';
import type { Entry, Subject } from '../ledger/entry.ts';
import { lockBalances, openAccounts, postEntries } from '../ledger/ledger-store.ts';
import { present } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { rescale } from '../money/amount.ts';
import { type Connector, NetworkError } from '../networks/port/connector.ts';
import { networkAsset } from '../networks/port/definition.ts';
import { isFiling } from '../networks/port/orders.ts';
import {
  bookedHoldings,
  countedAssets,
  customersStrays,
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

/** What could not be counted now, because a node is away or has moved on meanwhile. Later it can. */
export type Uncounted = { readonly what: string; readonly reason: string };
export type Count = { readonly counted: readonly Reconciliation[]; readonly uncounted: readonly Uncounted[] };

/** A time in the future means that a clock was set back: we must not wait until then. */
export const isBetween = (since: Date | null, at: Date, now: Date): boolean =>
  since !== null && at > since && at <= now;

/** All networks that can be asked, less those that were counted after `since`. */
export async function networksToCount(deps: ReconcileDeps, since: Date | null): Promise<Connector[]> {
  const now = deps.clock.now();
  const recent = (await lastReconciliations(deps.db)).filter(({ checkedAt }) => isBetween(since, checkedAt, now));
  return [...deps.connectors.values()].filter(
    ({ network, holdings }) => holdings && !recent.some((each) => each.network === network.id),
  );
}

export async function reconcile(deps: ReconcileDeps, since: Date | null = null): Promise<Count> {
  const counted: Reconciliation[] = [];
  const uncounted: Uncounted[] = [];
  for (const connector of await networksToCount(deps, since)) {
    const count = await reconcileOne(deps, connector);
    counted.push(...count.counted);
    uncounted.push(...count.uncounted);
  }
  return { counted, uncounted };
}

export async function reconcileOne(deps: ReconcileDeps, connector: Connector): Promise<Count> {
  try {
    const counted = await reconcileNetwork(deps, connector);
    for (const { network, asset, difference } of counted.filter((each) => !isSound(each)))
      deps.log.error(
        { network, asset, difference: difference.toString() },
        'the books differ from what the network holds',
      );
    return { counted, uncounted: [] };
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return { counted: [], uncounted: [{ what: connector.network.id, reason: error.message }] };
  }
}

/** What was broadcast and is in no block may have left or not: any difference between the two is right. */
export const isSound = ({ difference, underway }: Pick<Reconciliation, 'difference' | 'underway'>): boolean =>
  difference <= 0n && -difference <= underway;

async function reconcileNetwork(deps: ReconcileDeps, connector: Connector): Promise<Reconciliation[]> {
  const { db, clock } = deps;
  const { network, sender } = connector;
  // What stands in a file has left when the network says so, in the balance that it says at the same time.
  const isFiled = sender !== undefined && isFiling(sender);
  if (!connector.holdings) return [];
  const tip = await observedTip(db, network.id);
  if (!tip) throw new NetworkError('The node has not answered yet.', { isRetryable: true });
  const held = await connector.holdings({
    tip,
    cursor: tip.cursor,
    highestIndex: await highestIndex(db, network.id),
    usedTargets: () => usedTargets(db, network.id),
  });
  const toLedger = (assetCode: string, units: bigint): readonly [asset: string, units: bigint] => {
    const asset = present(findAsset(deps.assets, assetCode), `asset ${assetCode}`);
    return [asset.id, rescale(units, networkAsset(network, assetCode).scale, asset.ledgerScale, 'down')];
  };
  const byAsset = new Map(held.map(({ assetCode, units }) => toLedger(assetCode, units)));
  return db.begin(async (tx) => {
    const counted = await countedAssets(tx, network.id);
    const first = [...byAsset.keys()].filter((asset) => !counted.has(asset));
    // Nobody books anything there until we know what was there at the beginning.
    if (first.length > 0) await lockBooks(tx, network.id, first);
    const books = await bookedHoldings(tx, network.id, [...byAsset.keys()]);
    const now = await observedTip(tx, network.id);
    if (books.some(({ isBeingBooked }) => isBeingBooked))
      throw new NetworkError('What was sent is being booked: count again.', { isRetryable: true });
    if (!isDeepStrictEqual(now, tip))
      throw new NetworkError('The chain went on while we counted.', { isRetryable: true });

    const checkedAt = clock.now();
    const found = books.map((book): Reconciliation => {
      const { asset, booked, arriving, crumbs, leaving } = book;
      const underway = isFiled ? 0n : book.underway;
      const units = byAsset.get(asset) ?? 0n;
      const difference = units - arriving - crumbs + leaving - booked;
      const figures = { held: units, booked, arriving, crumbs, leaving, underway, difference };
      return { network: network.id, asset, ...figures, checkedAt, countedTo: tip.height };
    });
    const strays = first.length === 0 ? new Map<string, bigint>() : await customersStrays(tx, network.id);
    const customers = new Map(
      held.map(({ assetCode, what }) => toLedger(assetCode, (what !== undefined && strays.get(what)) || 0n)),
    );
    const opened = await bookOpeningBalances(tx, found, { first, customers }, checkedAt);
    await saveReconciliations(tx, opened);
    return opened;
  });
}

async function lockBooks(tx: Tx, network: string, assets: readonly string[]): Promise<void> {
  const accounts = assets.flatMap((asset) => [chainWallet(network, asset), operatorAccount('equity', asset)]);
  await openAccounts(tx, accounts);
  await lockBalances(tx, accounts);
}

/**
 * What is there when an asset is counted for the first time, and came by no payment that we know, can only be the
 * operator's own: the reserve of an account, gas in a wallet, channels. It is booked once, whatever else has arrived
 * before. What appears later without a payment is a difference, which a person must explain. So is what customers sent
 * before it was an asset of ours: it was stored as strays, and is theirs.
 */
async function bookOpeningBalances(
  tx: Tx,
  found: readonly Reconciliation[],
  { first, customers }: { readonly first: readonly string[]; readonly customers: ReadonlyMap<string, bigint> },
  at: Date,
): Promise<Reconciliation[]> {
  const isFirst = ({ asset }: Reconciliation): boolean => first.includes(asset);
  // It may have left or not, so we cannot tell yet what was there before.
  if (found.some((each) => isFirst(each) && each.underway > 0n))
    throw new NetworkError('Something was sent before the first count and is under way: count again.', {
      isRetryable: true,
    });
  const own = (each: Reconciliation): bigint => each.difference - (customers.get(each.asset) ?? 0n);
  const opening = found.filter((each) => isFirst(each) && own(each) > 0n);
  const entries = opening.map((each) => openingEntry(each, own(each)));
  const posted = await postEntries(tx, entries, at);
  return found.map((each) =>
    posted.has(referenceOf(each))
      ? { ...each, booked: each.booked + own(each), difference: each.difference - own(each) }
      : each,
  );
}

const referenceOf = ({ network, asset }: Reconciliation): string => `opening/${network}/${asset}`;

/** What we hold of an asset on a network. */
export const holdingSubject = (network: string, asset: string): Subject => ({
  kind: 'holding',
  id: `${network}/${asset}`,
});

const openingEntry = (found: Reconciliation, units: bigint): Entry => ({
  reference: referenceOf(found),
  kind: 'opening_balance',
  merchantId: null,
  subject: holdingSubject(found.network, found.asset),
  lines: [
    { account: chainWallet(found.network, found.asset), units: -units },
    { account: operatorAccount('equity', found.asset), units },
  ],
});
