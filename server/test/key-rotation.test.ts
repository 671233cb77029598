/** A key gets a new secret while shops run, and a key that is taken away is of no use from that moment on. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { hours } from '../src/lib/clock.ts';
import { type ApiCredentials, basicValue } from '../src/merchants/api-credentials.ts';
import { revokeKey } from '../src/merchants/revoke-key.ts';
import { rotateKey } from '../src/merchants/rotate-key.ts';
import { startTestApi, type TestApi } from './test-api.ts';

async function start(t: TestContext): Promise<TestApi> {
  const api = await startTestApi();
  t.after(() => api.close());
  return api;
}

/** What the server says to a signature made with these, and to their X-Basic. */
async function answers(api: TestApi, credentials: ApiCredentials, base?: string): Promise<[number, number]> {
  const signed = await api.sendSigned({ path: '/auth-test' }, credentials, base);
  const headers = { 'X-Basic': basicValue(credentials) };
  return [signed.status, (await api.send({ path: '/api/v1/auth-test', headers })).status];
}

const rotate = ({ merchantDeps, account }: TestApi, how?: { isAtOnce: boolean }) =>
  rotateKey(merchantDeps, account.merchantId, account.apiKey, 'operator', how);

test('the old secret works beside the new one for 24 hours, and not a moment longer', async (t) => {
  const api = await start(t);
  const fresh = await rotate(api);
  assert.deepEqual(await answers(api, api.account), [200, 200]);
  assert.deepEqual(await answers(api, fresh), [200, 200]);
  api.advanceMs(hours(24) - 1);
  assert.deepEqual(await answers(api, api.account), [200, 200], 'a millisecond before');
  api.advanceMs(1);
  assert.deepEqual(await answers(api, api.account), [401, 401], 'in that moment');
  assert.deepEqual(await answers(api, fresh), [200, 200]);
});

test('each of several rotations gives the secret before it a day of its own', async (t) => {
  const api = await start(t);
  const second = await rotate(api);
  api.advanceMs(hours(10));
  const third = await rotate(api);
  for (const each of [api.account, second, third]) assert.deepEqual(await answers(api, each), [200, 200]);
  api.advanceMs(hours(14));
  assert.deepEqual(await answers(api, api.account), [401, 401]);
  assert.deepEqual(await answers(api, second), [200, 200]);
  api.advanceMs(hours(10));
  assert.deepEqual(await answers(api, second), [401, 401]);
  assert.deepEqual(await answers(api, third), [200, 200]);
});

test('five former secrets are enough, until they end or are ended at once', async (t) => {
  const api = await start(t);
  const former: ApiCredentials[] = [api.account];
  for (const _ of Array(5)) former.push(await rotate(api));
  await assert.rejects(rotate(api), /rotated 5 times within 24 hours, .* End them with --at-once/);
  const last = await rotate(api, { isAtOnce: true });
  for (const each of former) assert.deepEqual(await answers(api, each), [401, 401]);
  assert.deepEqual(await answers(api, last), [200, 200]);
  for (const _ of Array(5)) await rotate(api);
  api.advanceMs(hours(24));
  await rotate(api);
});

test('a revoked key is refused at once, by every process and with every secret, and others are not', async (t) => {
  const api = await start(t);
  const another = await api.startAnother();
  t.after(() => another.close());
  const fresh = await rotate(api);
  for (const base of [api.url, another.url])
    for (const each of [api.account, fresh]) assert.deepEqual(await answers(api, each, base), [200, 200]);
  const { merchantId, apiKey } = api.account;
  await assert.rejects(revokeKey(api.merchantDeps, 'anotherone00', apiKey, 'operator'), /There is no API key/);
  await revokeKey(api.merchantDeps, merchantId, apiKey, 'operator');
  for (const base of [api.url, another.url])
    for (const each of [api.account, fresh]) assert.deepEqual(await answers(api, each, base), [401, 401]);
  await assert.rejects(rotate(api), /There is no API key/);
  await assert.rejects(revokeKey(api.merchantDeps, merchantId, apiKey, 'operator'), /There is no API key/);
  const audit = await api.db`select actor, action, detail from audit_log where merchant_id = ${merchantId} order by id`;
  assert.deepEqual(audit.slice(1), [
    { actor: 'operator', action: 'key.rotated', detail: { apiKey, isAtOnce: false } },
    { actor: 'operator', action: 'key.revoked', detail: { apiKey } },
  ]);
});
