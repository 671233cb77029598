/** What went wrong with a shop's requests can be read afterwards: what was asked, and the sentence that was answered. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { present } from '../src/lib/assert.ts';
import { findKey } from '../src/merchants/api-key-store.ts';
import { type FailedRequest, listFailedRequests } from '../src/merchants/failed-request-store.ts';
import { type Gateway, type Reply, startGateway, type TestMerchant, withoutLitecoin } from './gateway.ts';
import { until } from './until.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ isUncounted: true, env: withoutLitecoin });
});
after(() => gateway.stop());

const failedOf = (merchant: TestMerchant): Promise<FailedRequest[]> =>
  listFailedRequests(gateway.db, merchant.merchantId, { before: null, limit: 100 });

async function failuresOf(merchant: TestMerchant, count: number): Promise<FailedRequest[]> {
  await until('it is written down', async () => (await failedOf(merchant)).length >= count);
  const failed = await failedOf(merchant);
  assert.equal(failed.length, count);
  return failed;
}

test('a request that fails is kept with its sentence, its key and its id, and without what was sent', async () => {
  const shop = await gateway.createMerchant('A shop');
  const body = { customer: 'Ada Lovelace, 12 Quiet Street', currency: 'EUR' };
  const reply = await gateway.request('POST', '/checkout?note=private', body, { as: shop });
  assert.equal(reply.status, 400);
  const failed = present((await failuresOf(shop, 1))[0], 'the request that failed');
  assert.deepEqual(
    [failed.method, failed.path, failed.status, failed.apiKey],
    ['POST', '/api/v1/checkout', 400, shop.apiKey],
  );
  assert.equal(failed.sentence, reply.body.errors.join(' ').slice(0, 500));
  assert.equal(failed.requestId, reply.headers.get('x-request-id'));
  assert.deepEqual(failed.createdAt, gateway.clock.now());
  assert.ok(!JSON.stringify(await gateway.db`select * from failed_request`).includes('Quiet Street'));
  assert.ok(!JSON.stringify(await gateway.db`select * from failed_request`).includes('private'));
});

test('a wrong signature and a path that does not exist are shown to whoever has the key that they name', async () => {
  const shop = await gateway.createMerchant('Another shop');
  await gateway.request('GET', '/auth-test', undefined, { as: { ...shop, apiSecret: 'wrong' } });
  const headers = { 'x-digest-key': shop.apiKey };
  await fetch(`${gateway.url}/checkuot`, { headers });
  const failed = await failuresOf(shop, 2);
  assert.deepEqual(failed.map(({ status }) => String(status)).toSorted(), ['401', '404']);
  assert.ok(failed.some(({ sentence }) => sentence.includes('signature in X-Digest-Signature does not match')));
});

test('who names a key that nobody has leaves nothing, and what is answered well neither', async () => {
  const shop = await gateway.createMerchant('A quiet shop');
  await gateway.request('GET', '/auth-test', undefined, { as: { ...shop, apiKey: 'nobodyskey00' } });
  await gateway.request('GET', '/auth-test', undefined, { as: shop });
  await gateway.request('GET', '/auth-test', undefined, { as: { ...shop, apiSecret: 'wrong' } });
  await failuresOf(shop, 1);
  const [row] = await gateway.db`select count(*)::integer as count from failed_request where key = 'nobodyskey00'`;
  assert.equal(row?.['count'], 0);
});

const ninety = (ask: () => Promise<Reply>): Promise<Reply[]> => Promise.all(Array.from({ length: 90 }, ask));

test('a flood of failures is cut off, and does not hold up the answers', async () => {
  const shop = await gateway.createMerchant('A loud shop');
  const ask = (): Promise<Reply> => gateway.request('POST', '/checkout', {}, { as: shop });
  const replies = await ninety(ask);
  assert.ok(replies.every(({ status }) => status === 400));
  await gateway.restart(); // Whatever waits is written when the process ends.
  assert.equal((await failedOf(shop)).length, 60);
  gateway.clock.advance({ minutes: 1 });
  await ask();
  await failuresOf(shop, 61);
});

test('a stranger who only knows the id of a key leaves little, and takes no room from its owner', async () => {
  const shop = await gateway.createMerchant('A known shop');
  const as = { ...shop, apiSecret: 'wrong' };
  const replies = await ninety(() => gateway.request('GET', '/auth-test', undefined, { as }));
  assert.ok(replies.every(({ status }) => status === 401));
  await gateway.request('POST', '/checkout', {}, { as: shop });
  await gateway.restart();
  const statuses = (await failedOf(shop)).map(({ status }) => status);
  assert.deepEqual([statuses.length, statuses.filter((status) => status === 401).length], [6, 5]);
});

test('after a week they are gone', async () => {
  const shop = await gateway.createMerchant('An old shop');
  await gateway.request('GET', '/auth-test', undefined, { as: { ...shop, apiSecret: 'wrong' } });
  await failuresOf(shop, 1);
  gateway.clock.advance({ hours: 6 * 24 });
  await gateway.app.cleanUp();
  await failuresOf(shop, 1);
  gateway.clock.advance({ hours: 25 });
  await gateway.app.cleanUp();
  assert.deepEqual(await failedOf(shop), []);
});

test('a list of keys says when each was last used, wrong signatures aside', async () => {
  const shop = await gateway.createMerchant('A busy shop');
  const lastUse = async () => {
    await gateway.app.writeUsedKeys();
    return (await findKey(gateway.db, shop.merchantId, shop.apiKey))?.lastUsedAt ?? null;
  };
  await gateway.request('GET', '/auth-test', undefined, { as: { ...shop, apiSecret: 'wrong' } });
  assert.equal(await lastUse(), null);
  await gateway.request('GET', '/auth-test', undefined, { as: shop });
  assert.deepEqual(await lastUse(), gateway.clock.now());
});
