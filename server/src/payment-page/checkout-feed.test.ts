import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Query } from '../db/database.ts';
import { createNetworkHealth } from '../deposits/network-health.ts';
import { createLog } from '../lib/log.ts';
import { createCheckoutFeed, type Viewer } from './checkout-feed.ts';

const now = new Date('2026-03-01T12:00:00Z');
const lookEveryMs = 1_000;

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

/** A database with these versions of checkouts, which counts how often it is asked. */
function startFeed(limits = { viewersMax: 100, viewersPerAddressMax: 50 }) {
  const versions = new Map([['one', '1']]);
  let queries = 0;
  let isAway = false;
  const db = (async (_strings: TemplateStringsArray, ids: string[]) => {
    queries += 1;
    if (isAway) throw new Error('away');
    return ids.filter((id) => versions.has(id)).map((id) => ({ id, version: versions.get(id) }));
  }) as unknown as Query;
  const health = createNetworkHealth({ now: () => now });
  const tip = (tipHeight: number) =>
    health.record([
      {
        network: 'BITCOIN',
        tipHeight,
        blocksBehind: 0,
        observedAt: now,
        failingSince: null,
        lastError: null,
        facts: {},
      },
    ]);
  tip(100);
  const feed = createCheckoutFeed({ db, health, log: createLog('silent'), limits, lookEveryMs });
  return {
    feed,
    versions,
    tip,
    queries: () => queries,
    setAway: (away: boolean) => {
      isAway = away;
    },
  };
}

function viewer(checkoutId: string, more: Partial<Viewer> = {}) {
  const told: string[] = [];
  return {
    told,
    viewer: {
      checkoutId,
      address: '192.0.2.1',
      networks: [],
      onVersion: (version: string) => void told.push(version),
      onGone: () => void told.push('gone'),
      ...more,
    } satisfies Viewer,
  };
}

async function looks(count: number): Promise<void> {
  for (let look = 0; look < count; look += 1) {
    mock.timers.tick(lookEveryMs);
    await nextTurn();
  }
}

test('a viewer is told the version it begins with and every later one, once', async () => {
  const { feed, versions } = startFeed();
  const { viewer: one, told } = viewer('one');
  const end = feed.watch(one);
  await looks(3);
  versions.set('one', '2');
  await looks(3);
  end?.();
  versions.set('one', '3');
  await looks(2);
  assert.deepEqual(told, ['1', '2']);
});

test('one look asks one question, however many checkouts are watched by however many', async () => {
  const { feed, versions, queries } = startFeed({ viewersMax: 20_000, viewersPerAddressMax: 20_000 });
  const watching = Array.from({ length: 12_000 }, (_, n) => viewer(`checkout-${n % 6_000}`));
  for (const each of watching) {
    versions.set(each.viewer.checkoutId, '1');
    feed.watch(each.viewer);
  }
  assert.equal(queries(), 0);
  await looks(3);
  assert.equal(queries(), 3);
  assert.ok(watching.every(({ told }) => told.length === 1));
});

test('a new block is news for those who count confirmations on that network, and for nobody else', async () => {
  const { feed, tip } = startFeed();
  const counting = viewer('one', { networks: ['BITCOIN'] });
  const waiting = viewer('one');
  const ends = [feed.watch(counting.viewer), feed.watch(waiting.viewer)];
  await looks(2);
  tip(101);
  await looks(2);
  ends.forEach((end) => end?.());
  assert.deepEqual(counting.told, ['1.100', '1.101']);
  assert.deepEqual(waiting.told, ['1']);
});

test('whoever watches what does not exist is told so', async () => {
  const { feed } = startFeed();
  const { viewer: nobody, told } = viewer('two');
  const end = feed.watch(nobody);
  await looks(2);
  end?.();
  assert.equal(told[0], 'gone');
});

test('nobody watching means no query, and a database that is away is asked again', async () => {
  const { feed, queries, setAway, versions } = startFeed();
  await looks(3);
  assert.equal(queries(), 0);
  setAway(true);
  const { viewer: one, told } = viewer('one');
  const end = feed.watch(one);
  await looks(2);
  setAway(false);
  versions.set('one', '7');
  await looks(2);
  assert.deepEqual(told, ['7']);
  end?.();
  const before = queries();
  await looks(3);
  assert.equal(queries(), before);
});

test('too many viewers, in all or from one address, are turned away; one that leaves makes room', () => {
  const { feed } = startFeed({ viewersMax: 3, viewersPerAddressMax: 2 });
  const from = (address: string) => feed.watch(viewer('one', { address }).viewer);
  const first = from('192.0.2.1');
  assert.ok(first && from('192.0.2.1'));
  assert.equal(from('192.0.2.1'), null);
  assert.ok(from('192.0.2.2'));
  assert.equal(from('192.0.2.3'), null);
  first();
  first(); // A second call changes nothing.
  assert.equal(feed.viewers(), 2);
  assert.ok(from('192.0.2.1'));
});

test('all who ask at the same moment are answered by one query', async () => {
  const { feed, queries } = startFeed();
  const answers = await Promise.all(Array.from({ length: 300 }, () => feed.version('one', ['BITCOIN'])));
  assert.deepEqual([...new Set(answers)], ['1.100']);
  assert.ok(queries() <= 2, `${queries()} queries`);
  assert.equal(await feed.version('two', []), null);
});
