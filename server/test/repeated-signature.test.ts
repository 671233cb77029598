/** Where money leaves, a captured request is worth nothing; a client that repeats itself says so with a key. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import { route } from '../src/http/route.ts';
import { forgetUsedSignatures } from '../src/http/used-signature.ts';
import { GatewayError } from '../src/lib/errors.ts';
import { startTestApi } from './test-api.ts';

test('repeated signatures', async (t) => {
  let runs = 0;
  let isAway = false;
  const handle = () => {
    runs += 1;
    if (isAway) throw new GatewayError({ code: 'away', httpStatus: 503, message: 'Away.' });
    return JSON.stringify({ run: runs });
  };
  const api = await startTestApi([
    route({ endpoint: { ...endpoints.cancelCheckout, isSignatureUsedUp: true }, handle }),
    route({ endpoint: endpoints.acceptUnderpayment, handle }),
  ]);
  t.after(() => api.close());
  t.beforeEach(async () => {
    runs = 0;
    isAway = false;
    api.advanceMs(1_000);
  });
  const call = (headers: Record<string, string> = {}, path = '/checkout/cancel') =>
    api.sendSigned({ method: 'POST', path, body: '{"id":"a"}', headers });

  await t.test('the same signature works once', async () => {
    assert.equal((await call()).status, 200);
    const again = await call();
    assert.equal(again.status, 409);
    assert.match(again.text, /received before/);
    assert.equal(runs, 1);
    api.advanceMs(1_000);
    assert.equal((await call()).status, 200, 'a second later it is another signature');
  });

  await t.test('of many at once one works', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => call()));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(runs, 1);
  });

  await t.test('writing it in capitals does not make it another one', async () => {
    const first = { method: 'POST', path: '/checkout/cancel', body: '{"id":"b"}' };
    assert.equal((await api.sendSigned(first)).status, 200);
    const timestamp = String(Math.floor(api.clock.now().getTime() / 1000));
    const signature = createHmac('sha256', api.account.apiSecret.reveal())
      .update(`${first.path}${timestamp}POST${first.body}`)
      .digest('hex');
    const capitals = { ...first, headers: { 'X-Digest-Signature': signature.toUpperCase() } };
    assert.equal((await api.sendSigned(capitals)).status, 409);
  });

  await t.test('elsewhere two equal orders in one second are two orders', async () => {
    const path = endpoints.acceptUnderpayment.path;
    assert.deepEqual([(await call({}, path)).status, (await call({}, path)).status], [200, 200]);
    assert.equal(runs, 2);
  });

  await t.test('with an Idempotency-Key the repetition gets the stored answer', async () => {
    const first = await call({ 'Idempotency-Key': 'one' });
    const again = await call({ 'Idempotency-Key': 'one' });
    assert.deepEqual([first.text, again.text], ['{"run":1}', '{"run":1}']);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal((await call({ 'Idempotency-Key': 'two' })).status, 409, 'another key does not help a replay');
  });

  await t.test('a refused repetition is not stored as the answer to its key', async () => {
    isAway = true;
    assert.equal((await call({ 'Idempotency-Key': 'three' })).status, 503);
    isAway = false;
    assert.equal((await call({ 'Idempotency-Key': 'three' })).status, 409);
    api.advanceMs(1_000);
    const other = { method: 'POST', path: '/checkout/cancel', body: '{"id":"c"}' };
    const reused = await api.sendSigned({ ...other, headers: { 'Idempotency-Key': 'three' } });
    assert.equal(reused.status, 422, 'nor is the key free for another request');
    const later = await call({ 'Idempotency-Key': 'three' });
    assert.deepEqual([later.status, later.text], [200, '{"run":2}']);
  });

  await t.test('used signatures are forgotten when their timestamps are too old anyway', async () => {
    await call();
    await forgetUsedSignatures(api.db, new Date(api.clock.now().getTime() + 60_000));
    assert.equal((await call()).status, 409);
    await forgetUsedSignatures(api.db, new Date(api.clock.now().getTime() + 120_000));
    assert.deepEqual(await api.db`select from used_signature`, []);
  });
});
