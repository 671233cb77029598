import assert from 'node:assert/strict';
import { test } from 'node:test';
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

  const other = await createMerchant(api.merchantDeps, { name: 'Other' }, 'test');
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
