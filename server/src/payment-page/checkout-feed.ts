/**
 * Tells open pages that their checkout has changed. One look per second at all checkouts that anybody watches, however
 * many viewers there are: one statement, one look into an index per checkout, and nothing while nobody watches.
 *
 * Rejected: NOTIFY in the transactions that change a checkout, which halves their throughput; a cursor over the
 * timeline, which would miss what commits out of order; a query per viewer, which costs too much.
 */
import { findCheckoutVersions } from '../checkouts/checkout-store.ts';
import { coalesce } from '../db/coalesce.ts';
import { answersInTime, type Query } from '../db/database.ts';
import type { NetworkHealth } from '../deposits/network-health.ts';
import type { Log } from '../lib/log.ts';
import { liveVersion } from './live-version.ts';

export type FeedLimits = { readonly viewersMax: number; readonly viewersPerAddressMax: number };

export type Viewer = {
  readonly checkoutId: string;
  readonly address: string;
  /** Networks on which the page counts confirmations: a new block there is news too. */
  readonly networks: readonly string[];
  /** Called with every new version; the first one soon after opening. */
  onVersion(version: string): void;
  /** There is no such checkout. */
  onGone(): void;
};

export type CheckoutFeed = {
  /** Begins to watch; the returned function ends it. Null when too many are watching, in all or from this address. */
  watch(viewer: Viewer): (() => void) | null;
  /** For pages that ask now and then instead. All who ask at the same time are answered by one statement. */
  version(checkoutId: string, networks: readonly string[]): Promise<string | null>;
  viewers(): number;
};

export function createCheckoutFeed(deps: {
  readonly db: Query;
  readonly health: NetworkHealth;
  readonly log: Log;
  readonly limits: FeedLimits;
  readonly lookEveryMs?: number;
}): CheckoutFeed {
  const { db, health, log, limits, lookEveryMs = 1_000 } = deps;
  /** Each viewer with the version that it was told last. */
  const byCheckout = new Map<string, Map<Viewer, string | null>>();
  const perAddress = new Map<string, number>();
  let viewers = 0;
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isFailing = false;

  const find = coalesce(
    async (ids: readonly string[]) => {
      const found = await findCheckoutVersions(db, [...new Set(ids)]);
      return ids.map((id) => found.get(id) ?? null);
    },
    { batchesAtOnce: 1, itemsMax: 500 },
    () => answersInTime(db),
  );

  async function look(): Promise<void> {
    if (isLooking) return; // A slow database is not asked twice at once.
    isLooking = true;
    try {
      const watched = [...byCheckout.keys()];
      const versions = await findCheckoutVersions(db, watched);
      for (const id of watched) tell(id, versions.get(id));
      isFailing = false;
    } catch (error) {
      // The next look is a second later. Said once: until one succeeds, open pages learn of nothing.
      if (!isFailing) log.warn({ err: error }, 'cannot look for changed checkouts');
      isFailing = true;
    } finally {
      isLooking = false;
    }
  }

  function tell(id: string, version: string | undefined): void {
    for (const [viewer, told] of byCheckout.get(id) ?? []) {
      if (version === undefined) {
        viewer.onGone();
        continue;
      }
      const now = liveVersion(version, viewer.networks, health);
      if (now === told) continue;
      byCheckout.get(id)?.set(viewer, now);
      viewer.onVersion(now);
    }
  }

  function leave(viewer: Viewer): void {
    const watching = byCheckout.get(viewer.checkoutId);
    if (!watching?.delete(viewer)) return;
    viewers -= 1;
    if (watching.size === 0) byCheckout.delete(viewer.checkoutId);
    const left = (perAddress.get(viewer.address) ?? 1) - 1;
    if (left === 0) perAddress.delete(viewer.address);
    else perAddress.set(viewer.address, left);
    if (viewers > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(viewer) {
      const fromAddress = perAddress.get(viewer.address) ?? 0;
      if (viewers >= limits.viewersMax || fromAddress >= limits.viewersPerAddressMax) return null;
      perAddress.set(viewer.address, fromAddress + 1);
      viewers += 1;
      const watching = byCheckout.get(viewer.checkoutId) ?? new Map<Viewer, string | null>();
      byCheckout.set(viewer.checkoutId, watching.set(viewer, null));
      timer ??= setInterval(() => void look(), lookEveryMs).unref();
      return () => leave(viewer);
    },
    async version(checkoutId, networks) {
      const version = await find(checkoutId);
      return version === null ? null : liveVersion(version, networks, health);
    },
    viewers: () => viewers,
  };
}
