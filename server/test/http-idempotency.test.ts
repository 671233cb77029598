/** A client that does not know whether its request arrived may send it again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import type { CarryOut } from '../src/http/effect.ts';
import { forgetOldIdempotencyKeys } from '../src/http/idempotency.ts';
import { route } from '../src/http/route.ts';
import { hours } from '../src/lib/clock.ts';
import { GatewayError, invalidRequest } from '../src/lib/errors.ts';
import { createMerchant } from '../src/merchants/create-merchant.ts';
import { startTestApi } from './test-api.ts';

const passing = {
  away: new GatewayError({ code: 'away', httpStatus: 503, message: 'Later.', headers: { 'retry-after': '10' } }),
  busy: new GatewayError({ code: 'busy', httpStatus: 409, message: 'Later.', headers: { 'retry-after': '10' } }),
};

test('idempotency keys', async (t) => {
  let runs = 0;
  let gate: Promise<void> | undefined;
  let hasStarted: () => void = () => undefined;
  /** Writes down each of its runs, in the transaction that it is given. */
  const handle = ({ body, carryOut }: { body: { checkoutId: string }; carryOut: CarryOut<never> }): Promise<string> =>
    carryOut(
      ({ begin }) =>
        begin(async (tx) => {
          runs += 1;
          const run = runs;
          await tx`insert into deed (run) values (${run})`;
          const stopped = gate;
          hasStarted();
          await stopped;
          if (body.checkoutId === 'broken' && run === 1) throw new Error('broken');
          if (body.checkoutId === 'refused') throw invalidRequest('No.');
          if (body.checkoutId in passing && run === 1) throw passing[body.checkoutId as keyof typeof passing];
          return run;
        }),
      (run: number) => JSON.stringify({ run }),
    );
  const api = await startTestApi([
    route({ endpoint: endpoints.cancelCheckout, handle }),
    route({ endpoint: endpoints.acceptUnderpayment, handle }),
    route({ endpoint: { ...endpoints.acceptExcess, method: 'PUT', path: '/checkout/cancel' }, handle }),
  ]);
  await api.db.script('create table deed (run integer primary key)');
  const deeds = async () => (await api.db<{ run: number }>`select run from deed`).map(({ run }) => run);
  t.after(() => api.close());
  t.beforeEach(async () => {
    runs = 0;
    gate = undefined;
    await api.db`delete from idempotency_key`;
    await api.db`delete from deed`;
  });
  const sent = (id: string, key: string) => ({
    method: 'POST',
    path: '/checkout/cancel',
    body: JSON.stringify({ id }),
    headers: { 'Idempotency-Key': key },
  });
  const cancel = (id: string, key: string, account = api.account) => api.sendSigned(sent(id, key), account);
  /** Told when the next one is in the middle of its work, and how to let it go on. */
  function stopInTheMiddle(): { started: Promise<void>; goOn: () => void } {
    const middle = Promise.withResolvers<void>();
    const started = new Promise<void>((resolve) => {
      hasStarted = () => {
        hasStarted = () => undefined;
        gate = undefined; // Whoever comes next is not stopped.
        resolve();
      };
    });
    gate = middle.promise;
    return { started, goOn: () => middle.resolve() };
  }

  await t.test('the same request again gets the first answer', async () => {
    const first = await cancel('a', 'key-1');
    const second = await cancel('a', 'key-1');
    assert.deepEqual([first.text, second.text], ['{"run":1}', '{"run":1}']);
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.equal(second.headers['idempotency-replayed'], 'true');
    assert.equal((await cancel('a', 'key-2')).text, '{"run":2}');
  });

  await t.test(
    'an answer is sealed under its merchant and its key, so a row in another place says nothing',
    async () => {
      await cancel('a', 'key-1');
      const [row] = await api.db<{ body: string | null; sealed: Buffer }>`
      select body, sealed_body as sealed from idempotency_key`;
      assert.equal(row?.body, null);
      assert.ok(!row.sealed.toString('latin1').includes('run'));
      await api.db`update idempotency_key set key = 'key-2'`;
      assert.equal((await cancel('a', 'key-2')).status, 500);
    },
  );

  await t.test('what the previous release kept is given again for its day', async () => {
    await cancel('a', 'key-1');
    await api.db`update idempotency_key set body = '{"run":"before"}', sealed_body = null`;
    assert.equal((await cancel('a', 'key-1')).text, '{"run":"before"}');
  });

  await t.test('a refusal is an answer too', async () => {
    await cancel('refused', 'key-1');
    const second = await cancel('refused', 'key-1');
    assert.equal(second.status, 400);
    assert.deepEqual(second.json, { errors: ['No.'] });
    assert.equal(runs, 1);
  });

  await t.test('another request under the same key is refused: another body, path, method or query', async () => {
    await cancel('a', 'key-1');
    assert.equal((await cancel('b', 'key-1')).status, 422);
    for (const other of [
      { path: endpoints.acceptUnderpayment.path },
      { method: 'PUT' },
      { path: '/checkout/cancel?b=1' },
      { body: '{"id": "a"}' },
    ]) {
      const reply = await api.sendSigned({ ...sent('a', 'key-1'), ...other });
      assert.equal(reply.status, 422, JSON.stringify(other));
      assert.match(reply.text, /used for another request/);
    }
    assert.deepEqual(await deeds(), [1]);
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

  await t.test('while the first one is running in another process, the second is told to wait', async (inner) => {
    const another = await api.startAnother();
    const { started, goOn } = stopInTheMiddle();
    inner.after(goOn); // Also when it fails: nobody waits for what is stopped.
    inner.after(() => another.close());
    const first = cancel('a', 'key-1');
    await started;
    const second = await api.sendSigned(sent('a', 'key-1'), api.account, another.url);
    assert.deepEqual([second.status, second.headers['retry-after']], [409, '1']);
    goOn();
    assert.equal((await first).text, '{"run":1}');
    assert.equal((await api.sendSigned(sent('a', 'key-1'), api.account, another.url)).text, '{"run":1}');
    assert.deepEqual(await deeds(), [1]);
  });

  await t.test(
    'one that was taken for dead and goes on after all changes nothing, and tells what was done',
    async (inner) => {
      const another = await api.startAnother();
      const { started, goOn } = stopInTheMiddle();
      inner.after(goOn);
      inner.after(() => another.close());
      const first = cancel('a', 'key-1');
      await started;
      await api.db`
        select pg_terminate_backend(pid) from pg_locks
         where locktype = 'advisory' and classid = 7030
           and database = (select oid from pg_database where datname = current_database())`;
      const second = await api.sendSigned(sent('a', 'key-1'), api.account, another.url);
      assert.deepEqual([second.status, second.text], [200, '{"run":2}'], 'at once');
      assert.equal(second.headers['idempotency-replayed'], undefined);
      goOn();
      const late = await first;
      assert.deepEqual([late.status, late.text, late.headers['idempotency-replayed']], [200, '{"run":2}', 'true']);
      assert.deepEqual(await deeds(), [2], 'what the first one had done is undone');
    },
  );

  await t.test('a failure on our side has changed nothing and is no answer', async () => {
    assert.equal((await cancel('broken', 'key-1')).status, 500);
    assert.deepEqual(await deeds(), []);
    assert.equal((await cancel('broken', 'key-1')).text, '{"run":2}');
    assert.equal((await cancel('broken', 'key-1')).text, '{"run":2}');
    assert.equal((await cancel('a', 'key-1')).status, 422);
    assert.deepEqual(await deeds(), [2]);
  });

  await t.test('what will pass is no answer', async () => {
    for (const [id, { httpStatus }] of Object.entries(passing)) {
      runs = 0;
      await api.db`delete from deed`;
      assert.equal((await cancel(id, `key-${id}`)).status, httpStatus);
      assert.equal((await cancel(id, `key-${id}`)).text, '{"run":2}');
      assert.equal((await cancel(id, `key-${id}`)).text, '{"run":2}');
    }
  });

  await t.test('a key that the previous release is working on is waited for, a minute at most', async () => {
    await cancel('a', 'key-1');
    await api.db`update idempotency_key set status = null, body = null, sealed_body = null`;
    assert.equal((await cancel('a', 'key-1')).status, 409);
    api.advanceMs(59_999);
    assert.equal((await cancel('a', 'key-1')).status, 409);
    api.advanceMs(1);
    assert.equal((await cancel('b', 'key-1')).status, 422);
    assert.equal((await cancel('a', 'key-1')).text, '{"run":2}');
    assert.equal((await cancel('a', 'key-1')).text, '{"run":2}');
    await api.db`update idempotency_key set status = 503, body = null, sealed_body = null`;
    assert.equal((await cancel('a', 'key-1')).text, '{"run":3}', 'to it a failure was an answer, but not one to give');
  });

  await t.test('a key that the previous release takes while we work is its own', async () => {
    const { started, goOn } = stopInTheMiddle();
    const ours = cancel('a', 'key-1');
    await started;
    await api.db`insert into idempotency_key (merchant_id, key, request_hash, created_at)
                 values (${api.account.merchantId}, 'key-1', ${Buffer.alloc(32)}, ${api.clock.now()})`;
    goOn();
    assert.equal((await ours).status, 422);
    assert.deepEqual(await deeds(), []);
  });

  await t.test('a key is forgotten after a day, with and without the job', async () => {
    await cancel('a', 'key-1');
    api.advanceMs(hours(24) - 1);
    assert.equal((await cancel('b', 'key-1')).status, 422);
    assert.equal((await cancel('a', 'key-1')).text, '{"run":1}');
    api.advanceMs(1);
    assert.equal((await cancel('b', 'key-1')).text, '{"run":2}');
    await forgetOldIdempotencyKeys(api.db, new Date(api.clock.now().getTime() + hours(24)));
    assert.deepEqual(await api.db`select from idempotency_key`, []);
  });

  await t.test('merchants do not share keys, not even at the same moment', async () => {
    const other = await createMerchant(api.merchantDeps, { name: 'Other' }, 'operator');
    const { started, goOn } = stopInTheMiddle();
    const first = cancel('a', 'key-1');
    await started;
    assert.equal((await cancel('a', 'key-1', other)).text, '{"run":2}');
    goOn();
    assert.equal((await first).text, '{"run":1}');
    assert.equal((await cancel('b', 'key-1', other)).status, 422);
    assert.deepEqual(await deeds(), [1, 2]);
  });

  await t.test('a key that is too long or not printable is refused', async () => {
    assert.equal((await cancel('a', 'x'.repeat(256))).status, 400);
    assert.equal((await cancel('a', 'two words')).status, 400);
  });
});
