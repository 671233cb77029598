/**
 * Tells open pages of the operator's area that something happened in the house: one look every few seconds for all who
 * have one open, nothing while nobody does. With the same look it is asked whether those who listen still may.
 */
import { createHash } from 'node:crypto';
import type { PageNews } from '../account/frame/account-layout.ts';
import type { Query } from '../db/database.ts';
import { operatorId } from '../deposits/deposit-target-store.ts';
import { isNetworkUp, loadNetworkStatus } from '../deposits/network-health.ts';
import { houseNeeds } from '../finding/house-needs.ts';
import { queueNow } from '../jobs/job-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { newsOfAudit } from '../merchants/audit-news-store.ts';
import { isOver, type Session } from '../people/session.ts';
import { findHeldSessions } from '../people/session-store.ts';

export type HouseListener = {
  readonly session: Session;
  onVersion(version: string): void;
  /** Whoever listens may not any more. */
  onEnd(): void;
};

export type HouseNews = {
  /** The returned function ends it. Null when too many are listening. */
  listen(listener: HouseListener): (() => void) | null;
  version(): Promise<string>;
  /** What a page says of itself, asked for before it reads anything: so nothing in between is missed. */
  pageNews(): Promise<PageNews>;
};

export const houseNewsPath = '/operator/news';
const listenersMax = 200;
const auditLooked = 20;
/** What goes up and down all the time is no news by itself. */
const queueLooked = 100;

export function createHouseNews(deps: {
  readonly db: Query;
  readonly clock: Clock;
  readonly log: Log;
  readonly networks: readonly string[];
  readonly lookEveryMs?: number;
}): HouseNews {
  const { db, clock, log, networks, lookEveryMs = 3_000 } = deps;
  const listening = new Map<HouseListener, string | null>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function version(): Promise<string> {
    const now = clock.now();
    const [needs, queue, statuses, audit] = await Promise.all([
      houseNeeds({ db, clock, networks }),
      queueNow(db, now, queueLooked),
      loadNetworkStatus(db),
      newsOfAudit(db, [operatorId], auditLooked),
    ]);
    const heights = statuses.map((each) => [each.network, isNetworkUp(each, now), each.tipHeight, each.blocksBehind]);
    const seen = [needs.map(({ name }) => name), queue.waiting, heights, [...audit.values()]];
    return createHash('sha256').update(JSON.stringify(seen)).digest('base64url').slice(0, 16);
  }

  async function look(): Promise<void> {
    if (isLooking) return; // A slow database is not asked twice at once.
    isLooking = true;
    try {
      await endThoseWhoMayNot();
      const seen = listening.size > 0 ? await version() : '';
      for (const [listener, told] of listening) {
        if (told === seen) continue;
        listening.set(listener, seen);
        listener.onVersion(seen);
      }
    } catch (error) {
      log.debug({ err: error }, 'cannot look for news of the house'); // The next look is seconds later.
    } finally {
      isLooking = false;
    }
  }

  async function endThoseWhoMayNot(): Promise<void> {
    const all = [...listening.keys()];
    const wanted = all.map(({ session }) => ({ sessionId: session.id, merchantId: operatorId }));
    const held = new Map((await findHeldSessions(db, wanted)).map((each) => [each.session.id, each]));
    for (const listener of all) {
      const now = held.get(listener.session.id);
      if (now?.isStaff && !isOver(now.session, true, clock.now())) continue;
      leave(listener);
      listener.onEnd();
    }
  }

  function leave(listener: HouseListener): void {
    listening.delete(listener);
    if (listening.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    listen(listener) {
      if (listening.size >= listenersMax) return null;
      listening.set(listener, null);
      timer ??= setInterval(() => void look(), lookEveryMs).unref();
      return () => leave(listener);
    },
    version,
    pageNews: async () => ({ path: houseNewsPath, version: await version() }),
  };
}
