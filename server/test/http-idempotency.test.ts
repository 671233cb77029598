/** A client that does not know whether its request arrived may send it again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import { forgetOldIdempotencyKeys } from '../src/http/idempotency.ts';
import { route } from '../src/http/route.ts';
import { hours } from '../src/lib/clock.ts';
import { invalidRequest } from '../src/lib/errors.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { startTestApi } from './test-api.ts';

test('idempotency keys', async (t) => {
  let runs = 0;
  let gate: Promise<void> | undefined;
  const api = await startTestApi([
    route({
      endpoint: endpoints.cancelCheckout,
      handle: async ({ body }) => {
        runs += 1;
        await gate;
        if (body.checkoutId === 'broken' && runs === 1) throw new Error('broken');
        if (body.checkoutId === 'refused') throw invalidRequest('No.');
        return JSON.stringify({ run: runs });
      },
    }),
  ]);
  t.after(() => api.close());
  t.beforeEach(async () => {
    runs = 0;
    gate = undefined;
    await api.db`delete from idempotency_key`;
  });
  const cancel = (id: string, key: string, account = api.account) =>
    api.sendSigned(
      { method: 'POST', path: '/checkout/cancel', body: JSON.stringify({ id }), headers: { 'Idempotency-Key': key } },
      account,
    );

  await t.test('the same request again gets the first answer', async () => {
    const first = await cancel('a', 'key-1');
    const second = await cancel('a', 'key-1');
    assert.deepEqual([first.text, second.text], ['{"run":1}', '{"run":1}']);
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assert.equal((await cancel('a', 'key-2')).text, '{"run":2}');
  });

  await t.test('a refusal is an answer too', async () => {
    await cancel('refused', 'key-1');
    const second = await cancel('refused', 'key-1');
    assert.equal(second.status, 400);
    assert.deepEqual(second.json, { errors: ['No.'] });
    assert.equal(runs, 1);
  });

  await t.test('another body under the same key is refused', async () => {
    await cancel('a', 'key-1');
    assert.equal((await cancel('b', 'key-1')).status, 422);
  });

  await t.test('of many at once one runs and the others are told to wait', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    let told = 0;
    const sent = Array.from({ length: 8 }, async () => {
      const reply = await cancel('a', 'key-1');
      told += 1;
      if (told === 7) open(); // All but the one that runs.
      return reply;
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    statuses.sort((a, b) => a - b);
    assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
    assert.equal(runs, 1);
  });

  await t.test('a failure on our side is no answer, but the key stays with its request', async () => {
    assert.equal((await cancel('broken', 'key-1')).status, 500);
    assert.equal((await cancel('a', 'key-1')).status, 422, 'what failed may have happened, and another has not');
    assert.equal((await cancel('broken', 'key-1')).text, '{"run":2}');
    assert.equal((await cancel('broken', 'key-1')).text, '{"run":2}');
    assert.equal((await cancel('a', 'key-1')).status, 422);
  });

  await t.test('a key whose process died can be used again after a minute', async () => {
    await cancel('a', 'key-1');
    await api.db`update idempotency_key set status = null, body = null`;
    assert.equal((await cancel('a', 'key-1')).status, 409);
    api.advanceMs(60_000);
    assert.equal((await cancel('b', 'key-1')).status, 422);
    assert.equal((await cancel('a', 'key-1')).text, '{"run":2}');
    assert.equal((await cancel('a', 'key-1')).text, '{"run":2}');
  });

  await t.test('a key is forgotten after a day, with and without the job', async () => {
    await cancel('a', 'key-1');
    api.advanceMs(hours(24));
    assert.equal((await cancel('b', 'key-1')).text, '{"run":2}');
    await forgetOldIdempotencyKeys(api.db, new Date(api.clock.now().getTime() + hours(24)));
    assert.deepEqual(await api.db`select from idempotency_key`, []);
  });

  await t.test('merchants do not share keys', async () => {
    const other = await createMerchant(api.merchantDeps, { name: 'Other' }, 'test');
    await cancel('a', 'key-1');
    assert.equal((await cancel('a', 'key-1', other)).text, '{"run":2}');
  });

  await t.test('a key that is too long or not printable is refused', async () => {
    assert.equal((await cancel('a', 'x'.repeat(256))).status, 400);
    assert.equal((await cancel('a', 'two words')).status, 400);
  });
});
