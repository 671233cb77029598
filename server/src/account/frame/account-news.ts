/**
 * Tells open pages of an account that something happened in it. One look per second for all accounts and checkouts that
 * anybody has open, however many people look; nothing while nobody does. With the same look it is asked whether those who
 * listen still may: who signed out, has another role or chose another account hears no more.
 */
import { newsOfEach } from '../../checkouts/checkout-news-store.ts';
import type { Query } from '../../db/database.ts';
import type { NetworkHealth } from '../../deposits/network-health.ts';
import { accountVersions } from '../../finding/account-version.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { liveVersion } from '../../payment-page/live-version.ts';
import { isOver, type Session } from '../../people/session.ts';
import { findHeldSessions } from '../../people/session-store.ts';
import { newsOfExports } from '../../reports/export-store.ts';
import { newsOfSubjects } from '../../webhooks/event-news-store.ts';
import type { PageNews } from './account-layout.ts';

/** What a page is about: one checkout, with the networks whose blocks it counts, one export, or the whole account. */
export type NewsTopic = {
  readonly merchantId: string;
  readonly checkout: { readonly id: string; readonly networks: readonly string[] } | null;
  readonly exportId: string | null;
};

export type Listener = NewsTopic & {
  readonly session: Session;
  readonly role: string;
  readonly address: string;
  /** Called with every new version; the first one soon after opening. */
  onVersion(version: string): void;
  /** Whoever listens may not any more. */
  onEnd(): void;
};

export type AccountNews = {
  /** Begins to listen; the returned function ends it. Null when too many are listening, in all or from this address. */
  listen(listener: Listener): (() => void) | null;
  version(topic: NewsTopic): Promise<string>;
  /** What a page says of itself, asked for before it reads anything: so nothing in between is missed. */
  pageNews(merchantId: string): Promise<PageNews>;
  /** Likewise of one checkout; which networks it waits for is known later. */
  checkoutNews(merchantId: string, id: string): Promise<(networks: readonly string[]) => PageNews>;
  /** Likewise of one export. */
  exportNews(merchantId: string, id: string): Promise<PageNews>;
  listeners(): number;
};

export const newsPath = '/account/news';
const deliveriesLooked = 20;

export function createAccountNews(deps: {
  readonly db: Query;
  readonly clock: Clock;
  readonly health: NetworkHealth;
  readonly log: Log;
  readonly limits: { readonly viewersMax: number; readonly viewersPerAddressMax: number };
  /** Of each account in which something happened. */
  readonly onNews: (merchantId: string) => void;
  readonly lookEveryMs?: number;
}): AccountNews {
  const { db, clock, health, log, limits, onNews, lookEveryMs = 1_000 } = deps;
  /** Each with the version that it was told last. */
  const listening = new Map<Listener, string | null>();
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function versionsOf(topics: readonly NewsTopic[]): Promise<(topic: NewsTopic) => string> {
    const isWhole = ({ checkout, exportId }: NewsTopic): boolean => checkout === null && exportId === null;
    const wholes = topics.filter(isWhole).map(({ merchantId }) => merchantId);
    const keys = topics.flatMap(({ merchantId, checkout }) => (checkout ? [{ merchantId, id: checkout.id }] : []));
    const made = topics.flatMap(({ merchantId, exportId }) =>
      exportId === null ? [] : [{ merchantId, id: exportId }],
    );
    const none = new Map<string, string>();
    const [accounts, checkouts, deliveries, exports] = await Promise.all([
      wholes.length === 0 ? none : accountVersions(db, [...new Set(wholes)]),
      keys.length === 0 ? none : newsOfEach(db, keys),
      keys.length === 0 ? none : newsOfSubjects(db, keys, deliveriesLooked),
      made.length === 0 ? none : newsOfExports(db, made),
    ]);
    return ({ merchantId, checkout, exportId }) => {
      if (exportId !== null) return exports.get(`${merchantId}/${exportId}`) ?? '';
      if (checkout === null) return accounts.get(merchantId) ?? '';
      const parts = [checkouts, deliveries].map((each) => each.get(`${merchantId}/${checkout.id}`) ?? '');
      return liveVersion(parts.join('.'), checkout.networks, health);
    };
  }

  async function look(): Promise<void> {
    if (isLooking) return; // A slow database is not asked twice at once.
    isLooking = true;
    try {
      const all = [...listening.keys()];
      await endThoseWhoMayNot(all);
      const versionOf = await versionsOf(all);
      for (const listener of all) tell(listener, versionOf(listener));
    } catch (error) {
      log.debug({ err: error }, 'cannot look for news of accounts'); // The next look is a second later.
    } finally {
      isLooking = false;
    }
  }

  async function endThoseWhoMayNot(all: readonly Listener[]): Promise<void> {
    const held = await findHeldSessions(
      db,
      all.map(({ session, merchantId }) => ({ sessionId: session.id, merchantId })),
    );
    // Somebody may have pages of two accounts open, with another role in each.
    const nameOf = (sessionId: string, merchantId: string): string => `${sessionId} ${merchantId}`;
    const byName = new Map(held.map((each) => [nameOf(each.session.id, each.merchantId), each]));
    for (const listener of all) {
      const now = byName.get(nameOf(listener.session.id, listener.merchantId));
      const isIn =
        now !== undefined &&
        !isOver(now.session, now.isStaff, clock.now()) &&
        now.role === listener.role &&
        now.session.merchantId === listener.session.merchantId;
      if (isIn) continue;
      leave(listener);
      listener.onEnd();
    }
  }

  function tell(listener: Listener, version: string): void {
    const told = listening.get(listener);
    if (told === undefined || told === version) return;
    listening.set(listener, version);
    if (told !== null) onNews(listener.merchantId);
    listener.onVersion(version);
  }

  function leave(listener: Listener): void {
    listening.delete(listener);
    if (listening.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  const version = async (topic: NewsTopic): Promise<string> => (await versionsOf([topic]))(topic);

  return {
    listen(listener) {
      const fromAddress = [...listening.keys()].filter(({ address }) => address === listener.address).length;
      if (listening.size >= limits.viewersMax || fromAddress >= limits.viewersPerAddressMax) return null;
      listening.set(listener, null);
      timer ??= setInterval(() => void look(), lookEveryMs).unref();
      return () => leave(listener);
    },
    version,
    pageNews: async (merchantId) => ({
      path: newsPath,
      version: await version({ merchantId, checkout: null, exportId: null }),
    }),
    async checkoutNews(merchantId, id) {
      const before = await version({ merchantId, checkout: { id, networks: [] }, exportId: null });
      return (networks) => ({
        path: `${newsPath}?${new URLSearchParams({ checkout: id, tips: networks.join(',') }).toString()}`,
        version: liveVersion(before, networks, health),
      });
    },
    exportNews: async (merchantId, id) => ({
      path: `${newsPath}?${new URLSearchParams({ export: id }).toString()}`,
      version: await version({ merchantId, checkout: null, exportId: id }),
    }),
    listeners: () => listening.size,
  };
}
