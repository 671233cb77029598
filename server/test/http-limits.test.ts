import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import type { Query } from '../src/db/database.ts';
import { forgetFullBuckets, takeTokens } from '../src/http/rate-bucket-store.ts';
import { route } from '../src/http/route.ts';
import { createSharedRateLimiter } from '../src/http/shared-rate-limit.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { startTestApi } from './test-api.ts';

const rateLimits = {
  perKey: { capacity: 3, perSecond: 0.01 },
  perAddress: { capacity: 2, perSecond: 0.01 },
  failuresPerAddress: { capacity: 2, perSecond: 0.01 },
};

test('a client that runs wild is slowed down, and others are not', async (t) => {
  const api = await startTestApi([], { rateLimits });
  t.after(() => api.close());
  const first = await api.sendSigned({ path: '/auth-test' });
  assert.equal(first.headers['ratelimit-limit'], '3');
  assert.equal(first.headers['ratelimit-remaining'], '2');
  assert.equal(first.headers['ratelimit-reset'], '100');
  await api.sendSigned({ path: '/auth-test' });
  await api.sendSigned({ path: '/auth-test' });
  const refused = await api.sendSigned({ path: '/auth-test' });
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['ratelimit-remaining'], '0');
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.deepEqual(refused.json, { errors: ['Too many requests. Please wait a moment and try again.'] });

  const other = await createMerchant(api.merchantDeps, { name: 'Other' }, 'operator');
  assert.equal((await api.sendSigned({ path: '/auth-test' }, other)).status, 200);
});

test('public endpoints and failed authentications are limited per address', async (t) => {
  const api = await startTestApi([], { rateLimits });
  t.after(() => api.close());
  const statusesOf = async (path: string) => {
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await api.send({ path })).status);
    return statuses;
  };
  assert.deepEqual(await statusesOf('/api/v1/time'), [200, 200, 429]);
  assert.deepEqual(await statusesOf('/api/v1/auth-test'), [401, 401, 429]);
  assert.equal((await api.sendSigned({ path: '/auth-test' })).status, 200, 'a good signature is not locked out');
});

const statusOf = ({ status }: { status: number }): number => status;
const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length;

test('all processes count together, one by one and in a burst', async (t) => {
  const wide = {
    ...rateLimits,
    perAddress: { capacity: 120, perSecond: 0.001 },
    perKey: { capacity: 3, perSecond: 0.001 },
  };
  const api = await startTestApi([], { rateLimits: wide, trustedProxies: ['127.0.0.1'] });
  const other = await api.startAnother();
  t.after(async () => {
    await other.close();
    await api.close();
  });
  const time = (address: string) => ({ path: '/api/v1/time', headers: { 'X-Forwarded-For': address } });
  const burst = await Promise.all(
    Array.from({ length: 400 }, (_, at) => (at % 2 ? api : other).send(time('192.0.2.1'))),
  );
  const statuses = burst.map(statusOf);
  assert.deepEqual([count(statuses, 200), count(statuses, 429)], [120, 280], 'not one more than there are');
  assert.equal((await other.send(time('192.0.2.2'))).status, 200, 'another address has its own');

  const first = await api.sendSigned({ path: '/auth-test' });
  assert.equal(first.headers['ratelimit-remaining'], '2');
  const signed = { path: '/auth-test' };
  const keyed = [await api.sendSigned(signed), await api.sendSigned(signed, api.account, other.url)];
  assert.deepEqual(keyed.map(statusOf), [200, 200]);
  for (const url of [api.url, other.url])
    assert.equal((await api.sendSigned(signed, api.account, url)).status, 429, 'a key is limited in all of them alike');
});

test('of IPv6 a customer has a whole network, and counts as one', async (t) => {
  const api = await startTestApi([], { rateLimits, trustedProxies: ['127.0.0.1'] });
  t.after(() => api.close());
  const from = async (address: string) =>
    (await api.send({ path: '/api/v1/time', headers: { 'X-Forwarded-For': address } })).status;
  assert.deepEqual([await from('2600:1f18:1:2::1'), await from('2600:1f18:1:2:ffff::2')], [200, 200]);
  assert.equal(await from('2600:1f18:1:2:1234:5678:9abc:def0'), 429);
  assert.equal(await from('2600:1f18:1:3::1'), 200);
});

test('behind a proxy that nobody has named, nobody is refused for all the others', async (t) => {
  const api = await startTestApi([], { rateLimits });
  t.after(() => api.close());
  const through = () => api.send({ path: '/api/v1/time', headers: { 'X-Forwarded-For': '192.0.2.9' } });
  const statuses = (await Promise.all(Array.from({ length: 110 }, through))).map(statusOf);
  assert.deepEqual([count(statuses, 200), count(statuses, 429)], [100, 10], 'fifty times as much as one');
});

test('whoever decides whether a process lives is never refused', async (t) => {
  const health = route({ endpoint: endpoints.health, handle: () => ({ status: 'ok' as const }) });
  const api = await startTestApi([health], { rateLimits });
  t.after(() => api.close());
  for (let asked = 0; asked < 5; asked += 1) assert.equal((await api.send({ path: '/api/v1/health' })).status, 200);
});

test('without a database every process counts for itself: nobody is locked out, and nobody is without limits', async () => {
  const warnings: unknown[] = [];
  const away: Query = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
  const limiter = createSharedRateLimiter({ db: away, log: { warn: (fields: unknown) => void warnings.push(fields) } });
  const rate = { capacity: 5, perSecond: 0.001 };
  const decisions = await Promise.all(Array.from({ length: 8 }, () => limiter.take('page 192.0.2.1', rate)));
  assert.equal(decisions.filter(({ isAllowed }) => isAllowed).length, 5);
  assert.equal((await limiter.take('page 192.0.2.2', rate)).isAllowed, true);
  assert.equal(warnings.length, 1, 'said once, not for every request');
});

test('buckets refill by the clock of the database, and are forgotten when they are full', async (t) => {
  const api = await startTestApi([], { rateLimits });
  t.after(() => api.close());
  const rate = { capacity: 2, perSecond: 0.001 }; // So that what the test itself takes does not count.
  const take = async (wanted: number) => (await takeTokens(api.db, [{ bucket: 'b', wanted, rate }]))[0]?.granted;
  const pass = (seconds: number) => api.db`update rate_bucket set at = at - ${seconds} * interval '1 second'`;
  await api.db`insert into rate_bucket values ('b', 0, 0, 2, 0.001, clock_timestamp() + interval '1 hour')`;
  assert.equal(await take(1), 0, 'a clock that was set back gives nothing');
  await pass(1_100);
  assert.equal(await take(2), 1, 'as much as there is, and nobody waits until the clock is where it was');
  await pass(3_600);
  assert.equal(await take(5), 2, 'never more than fits');
  await forgetFullBuckets(api.db);
  assert.equal((await api.db`select from rate_bucket`).length, 1);
  await pass(2_000);
  await forgetFullBuckets(api.db);
  assert.deepEqual(await api.db`select from rate_bucket`, []);
});
