/**
 * Watches one network: asks what is new since the cursor and stores it. Of all processes that run a watcher one leads
 * per network, by a session advisory lock. Every write carries the epoch of the lease, so that a leader that was
 * frozen, and woke up after another one took over, cannot write.
 */
import { findAsset } from '../catalog/asset-catalog.ts';
import { type Db, isDatabaseAway } from '../db/database.ts';
import { createLeadership } from '../db/leadership.ts';
import { watchWallet } from '../deposits/create-funding-target.ts';
import { knownTargetKeys } from '../deposits/deposit-target-store.ts';
import { present } from '../lib/assert.ts';
import { addMs, hours } from '../lib/clock.ts';
import { keepTicking } from '../lib/keep-ticking.ts';
import type { Log } from '../lib/log.ts';
import { rescale } from '../money/amount.ts';
import { type Connector, NetworkError } from '../networks/port/connector.ts';
import { networkAsset, paymentWindowMs } from '../networks/port/definition.ts';
import type { Cursor, ObserveContext, UnmatchedAmount } from '../networks/port/receiving.ts';
import type { RecentTarget } from '../networks/recent-target.ts';
import { saveFailure, takeLease } from '../payments/cursor-store.ts';
import { payoutsEverInDoubt, payoutsInDoubt } from '../payments/movement-store.ts';
import { knownArrivals, recentTargetSums, unconfirmedArrivals } from '../payments/payment-store.ts';
import { arrivalsAtTargets } from '../payments/reversal-store.ts';
import { findOrders, ordersDeclaredVoid } from '../sending/order-store.ts';
import { openTransactions } from '../sending/outgoing-transaction-store.ts';
import { LeaseLost, type StoreDeps, storeObserved } from './store-observed.ts';
import { toldBefore } from './told-before.ts';
import { unmatchedAt } from './unmatched-store.ts';
import { urgentTargetSums } from './urgent-target-store.ts';

export type TickResult = 'follower' | 'idle' | 'progress' | 'failed';

export type NetworkWatcher = {
  /** One look at the network. `progress`: there was something, look again at once. */
  tick(): Promise<TickResult>;
  start(): void;
  stop(): Promise<void>;
};

/**
 * How long a target is looked at where no transaction or log tells of a payment, at least: whoever pays later than this
 * must write to the operator.
 */
const recentMsMin = hours(7 * 24);
const lockClass = 7_002; // The first half of the advisory lock: "someone leads the watching of this network".

export type WatcherDeps = StoreDeps & {
  readonly db: Db;
  readonly log: Log;
  readonly pollMs: number;
  readonly onChange: () => void;
  /** What was accepted of the documents that this network is told in. */
  readonly readDocuments: (
    db: Db,
    network: string,
    request: Parameters<ObserveContext['documents']>[0],
  ) => ReturnType<ObserveContext['documents']>;
};

export function createNetworkWatcher(deps: WatcherDeps, connector: Connector): NetworkWatcher {
  const { db, clock } = deps;
  const { network } = connector;
  // A window, and as long again for whoever pays in its last minute or a little later.
  const openMs = 2 * paymentWindowMs(network);
  const recentMs = Math.max(recentMsMin, openMs);
  const log = deps.log.child({ network: network.id });
  const leadership = createLeadership(db, {
    lockClass,
    key: network.id,
    async onGain(session): Promise<{ readonly epoch: string; cursor: Cursor | null }> {
      await watchWallet(db, connector, clock.now());
      const lease = await takeLease(session, network.id);
      log.info({ epoch: lease.epoch }, 'watching');
      return { ...lease };
    },
  });
  let savedAt = 0;
  let savedTip = '';
  let isFailing = false;

  const context: ObserveContext = {
    knownTargets: (keys) => knownTargetKeys(db, network.id, keys),
    unconfirmed: () => unconfirmedArrivals(db, network.id),
    outgoing: () => openTransactions(db, network.id),
    async orders(asked) {
      const found = await findOrders(db, network.id, asked);
      const payoutIds = found.map(({ payoutId }) => payoutId);
      const doubted = await payoutsEverInDoubt(db, network.id, payoutIds);
      return found.map((order) => ({ ...order, wasDoubted: doubted.has(order.payoutId) }));
    },
    toldBefore: (names) => toldBefore(db, network.id, names),
    async declaredVoid() {
      const declared = await ordersDeclaredVoid(db, network.id);
      const payoutIds = declared.map(({ payoutId }) => payoutId);
      const inDoubt = await payoutsInDoubt(db, network.id, payoutIds);
      return declared.filter(({ payoutId }) => !inDoubt.has(payoutId));
    },
    knownArrivals: (arrivals) => knownArrivals(db, network.id, arrivals),
    async arrivalsAt(keys) {
      const found = await arrivalsAtTargets(db, network.id, keys);
      return found.map(({ asset, ...arrival }) => {
        const { assetCode, ledgerScale } = assetOf(asset);
        const { scale } = networkAsset(network, assetCode);
        return { ...arrival, assetCode, units: rescale(BigInt(arrival.units), ledgerScale, scale, 'down') };
      });
    },
    async waitingUnmatched(amounts) {
      const found = await unmatchedAt(db, network.id, amounts.map(toLedger));
      return found.map(({ asset, txHash, txIndex: index, units, memo, trace, returnId }) => {
        const { assetCode, ledgerScale } = assetOf(asset);
        const { scale } = networkAsset(network, assetCode);
        return { txHash, index, assetCode, units: rescale(units, ledgerScale, scale, 'down'), memo, trace, returnId };
      });
    },
    documents: (request) => deps.readDocuments(db, network.id, request),
    async recentTargets({ assetCode, ...request }) {
      const since = addMs(clock.now(), -recentMs);
      return toTargets(
        assetCode,
        await recentTargetSums(db, network.id, { ...request, asset: assetOf(assetCode).id, since }),
      );
    },
    async urgentTargets({ assetCode, ...request }) {
      const now = clock.now();
      const times = { since: addMs(now, -recentMs), openSince: addMs(now, -openMs) };
      return toTargets(
        assetCode,
        await urgentTargetSums(db, network.id, { ...request, ...times, asset: assetOf(assetCode).id }),
      );
    },
  };

  const toLedger = ({ assetCode, units, sender }: UnmatchedAmount) => {
    const { id: asset, ledgerScale } = assetOf(assetCode);
    return { asset, units: rescale(units, networkAsset(network, assetCode).scale, ledgerScale, 'down'), sender };
  };
  const assetOf = (assetCode: string) => present(findAsset(deps.assets, assetCode), `asset ${assetCode}`);
  const toTargets = (assetCode: string, sums: readonly { key: string; units: bigint }[]): RecentTarget[] => {
    const { scale } = networkAsset(network, assetCode);
    const { ledgerScale } = assetOf(assetCode);
    return sums.map(({ key, units }) => ({ key, receivedUnits: rescale(units, ledgerScale, scale, 'down') }));
  };

  async function tick(): Promise<TickResult> {
    const leader = await leadership.lead();
    if (!leader) return 'follower';
    try {
      const observed = await connector.observe(leader.cursor, context);
      const hasNews =
        observed.observations.length + observed.vanishedBlocks.length + observed.vanishedArrivals.length > 0 ||
        (observed.strays?.length ?? 0) > 0 ||
        (observed.unmatched?.length ?? 0) > 0 ||
        (observed.sent?.length ?? 0) > 0 ||
        (observed.reversals?.length ?? 0) + (observed.otherMovements?.length ?? 0) > 0 ||
        (observed.comebacks?.length ?? 0) > 0 ||
        observed.tip.hash !== savedTip;
      const now = clock.now().getTime();
      // Also of a quiet network something is stored every few seconds, so that everybody sees that it is alive.
      if (hasNews || isFailing || Math.abs(now - savedAt) > 5_000) {
        const { touched, unexplained } = await storeObserved(deps, network, leader.epoch, observed);
        if (unexplained > 0) log.error({ movements: unexplained }, 'money left that nobody can explain yet');
        savedAt = now;
        savedTip = observed.tip.hash;
        if (touched > 0) deps.onChange();
      }
      if (isFailing) log.info({}, 'network answers again');
      isFailing = false;
      leader.cursor = observed.cursor;
      return hasNews || !observed.isCaughtUp ? 'progress' : 'idle';
    } catch (error) {
      if (error instanceof LeaseLost) {
        log.warn({}, 'another watcher has taken over');
        leadership.resign();
        return 'follower';
      }
      if (!(error instanceof NetworkError) && isDatabaseAway(error)) throw error; // It says nothing about the network.
      if (!isFailing) log.warn({ err: error }, 'network does not answer');
      isFailing = true;
      const message = error instanceof Error ? error.message : String(error);
      await saveFailure(db, network.id, leader.epoch, message, clock.now());
      if (error instanceof NetworkError && !error.isRetryable) log.error({ err: error }, 'network needs the operator');
      return 'failed';
    }
  }

  return keepTicking({
    pauseMs: deps.pollMs,
    leadership,
    tick,
    onError: (error) => log.error({ err: error }, 'watcher cannot reach the database'),
  });
}
