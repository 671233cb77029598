/** Where money leaves, a captured request is worth nothing; a client that repeats itself says so with a key. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import type { CarryOut } from '../src/http/effect.ts';
import { route } from '../src/http/route.ts';
import { forgetUsedSignatures } from '../src/http/used-signature.ts';
import { GatewayError } from '../src/lib/errors.ts';
import { startTestApi, type TestApi } from './test-api.ts';

test('repeated signatures', async (t) => {
  let runs = 0;
  let refusal: number | null = null;
  /** What moves money: decides and marks in one transaction. */
  const handle = ({ carryOut }: { carryOut: CarryOut<never> }): Promise<string> =>
    carryOut(
      ({ begin }) =>
        begin(async () => {
          runs += 1;
          if (refusal !== null) throw new GatewayError({ code: 'no', httpStatus: refusal, message: 'Too little.' });
          return runs;
        }),
      (run: number) => JSON.stringify({ run }),
    );
  const api: TestApi = await startTestApi([
    route({ endpoint: { ...endpoints.cancelCheckout, isSignatureUsedUp: true }, handle }),
    route({ endpoint: endpoints.acceptUnderpayment, handle }),
  ]);
  t.after(() => api.close());
  t.beforeEach(async () => {
    runs = 0;
    refusal = null;
    api.advanceMs(1_000);
  });
  const call = (headers: Record<string, string> = {}, path = '/checkout/cancel') =>
    api.sendSigned({ method: 'POST', path, body: '{"id":"a"}', headers });

  await t.test('the same signature works once', async () => {
    assert.equal((await call()).status, 200);
    const again = await call();
    assert.equal(again.status, 409);
    assert.match(again.text, /carried out before/);
    assert.equal(runs, 1);
    api.advanceMs(1_000);
    assert.equal((await call()).status, 200, 'a second later it is another signature');
  });

  await t.test('of many at once one works', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => call()));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal(replies.filter(({ status }) => status === 409).length, 19);
  });

  await t.test('a refusal has not used it: the retry reads the reason, and works once that is gone', async () => {
    for (const status of [400, 409, 422, 503]) {
      refusal = status;
      const [first, again] = [await call(), await call()];
      assert.deepEqual([first.status, again.status], [status, status]);
      assert.deepEqual(again.json, { errors: ['Too little.'] });
    }
    const refused = await Promise.all(Array.from({ length: 10 }, () => call()));
    assert.deepEqual(new Set(refused.map(({ text }) => text)), new Set(['{"errors":["Too little."]}']));
    refusal = null;
    const replies = await Promise.all(Array.from({ length: 10 }, () => call()));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1, 'it was still good, for one');
    assert.equal((await call()).status, 409);
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

  await t.test('of many at once with keys of their own one works, and the others keep no answer', async () => {
    const keys = ['a', 'b', 'c', 'd', 'e'].map((letter) => ({ 'Idempotency-Key': `at-once-${letter}` }));
    const replies = await Promise.all(keys.map((key) => call(key)));
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    assert.deepEqual([count(200), count(409)], [1, 4], replies.map(({ text }) => text).join());
    api.advanceMs(1_000);
    const losers = keys.filter((_, at) => replies[at]?.status === 409).slice(0, 1);
    for (const key of losers) assert.equal((await call(key)).status, 200, 'signed anew, it is a request of its own');
  });

  await t.test('what failed on our side may be repeated as it is', async () => {
    refusal = 503;
    assert.equal((await call({ 'Idempotency-Key': 'three' })).status, 503);
    refusal = null;
    const later = await call({ 'Idempotency-Key': 'three' });
    assert.deepEqual([later.status, later.text], [200, '{"run":2}']);
    assert.equal((await call({ 'Idempotency-Key': 'four' })).status, 409);
    api.advanceMs(1_000);
    assert.equal((await call({ 'Idempotency-Key': 'four' })).text, '{"run":3}', 'a 409 was not stored as its answer');
  });

  await t.test('used signatures are forgotten when their timestamps are too old anyway', async () => {
    await call();
    await forgetUsedSignatures(api.db, new Date(api.clock.now().getTime() + 60_000));
    assert.equal((await call()).status, 409);
    await forgetUsedSignatures(api.db, new Date(api.clock.now().getTime() + 120_000));
    assert.deepEqual(await api.db`select from used_signature`, []);
  });
});
