/** Bad input is refused clearly and quickly, and nothing is written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import { route } from '../src/http/route.ts';
import { startCpuStopwatch } from './cpu-stopwatch.ts';
import { startTestApi } from './test-api.ts';

const item = (netAmount: string) => `{"description":"a","netAmount":${netAmount}}`;
const checkout = (items: string, more = '') => `{"charge":{"billingCurrency":"USD","lineItems":[${items}]}${more}}`;

const cases: { what: string; body: string | Buffer; status?: number; says: RegExp }[] = [
  { what: 'no body', body: '', says: /charge is missing/ },
  { what: 'an empty list', body: '[]', says: /charge is missing/ },
  { what: 'a list', body: '[1]', says: /must be a JSON object/ },
  { what: 'a bare text', body: '"charge"', says: /must be a JSON object/ },
  { what: 'half a document', body: '{"charge":{', says: /not valid JSON/ },
  { what: 'invalid UTF-8', body: Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d]), says: /UTF-8/ },
  { what: 'a NUL character', body: checkout(item('1'), ',"meta":{"a":"\\u0000"}'), says: /NUL/ },
  { what: 'half a surrogate pair', body: checkout(item('1'), ',"meta":{"\\ud83d":1}'), says: /surrogate/ },
  { what: 'depth 10,000', body: '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), says: /32 levels/ },
  {
    what: 'depth in meta',
    body: checkout(item('1'), `,"meta":{"a":${'['.repeat(40)}${']'.repeat(40)}}`),
    says: /32 levels/,
  },
  {
    what: '10,000 items',
    body: checkout(Array(10_000).fill('{}').join(',')),
    says: /at most 500 entries, but has 10000/,
  },
  { what: 'an astronomic number', body: checkout(item('1e999999999')), says: /too large or too long/ },
  { what: 'a number of 400 digits', body: checkout(item('9'.repeat(400))), says: /too large or too long/ },
  { what: 'a text of 400 digits', body: checkout(item(`"${'9'.repeat(400)}"`)), says: /netAmount must be a number/ },
  { what: 'too many decimals', body: checkout(item('0.1234567890123456789')), says: /18 digits/ },
  {
    what: 'an endless description',
    body: checkout(`{"description":"${'x'.repeat(200_000)}","netAmount":1}`),
    says: /200 char/,
  },
  { what: 'an amount that is none', body: checkout(item('"1,50"')), says: /but is "1,50"/ },
  {
    what: 'a huge meta',
    body: checkout(item('1'), `,"meta":{"a":"${'x'.repeat(20_000)}"}`),
    says: /meta must be at most 16384/,
  },
  { what: 'a script URL', body: checkout(item('1'), ',"webhook":"javascript:alert(1)"'), says: /http or https URL/ },
  {
    what: 'a huge body',
    body: checkout(item('1'), `,"meta":{"a":"${'x'.repeat(300_000)}"}`),
    status: 413,
    says: /256 KiB/,
  },
];

test('bad input', async (t) => {
  let handled = 0;
  const api = await startTestApi([
    route({
      endpoint: endpoints.createCheckout,
      handle: () => {
        handled += 1;
        return { id: 'abcdefghijkl', paymentMethods: [] };
      },
    }),
    route({ endpoint: endpoints.listCheckouts, handle: () => ({ checkouts: [], next: null }) }),
  ]);
  t.after(() => api.close());
  const post = (body: string | Buffer) =>
    api.sendSigned({ method: 'POST', path: '/checkout', body, headers: { 'Idempotency-Key': 'one' } });

  for (const { what, body, status = 400, says } of cases)
    await t.test(`${what} is refused`, async () => {
      const computedMs = startCpuStopwatch();
      const reply = await post(body);
      assert.equal(reply.status, status);
      const { errors } = reply.json as { errors: string[] };
      assert.match(errors.join(' '), says);
      assert.ok(reply.text.length < 2_000);
      assert.ok(computedMs() < 5_000, 'quickly');
    });

  await t.test('nothing was handled or written', async () => {
    assert.equal(handled, 0);
    assert.deepEqual(await api.db`select from idempotency_key`, []);
  });

  await t.test('a query that is wrong is refused too', async () => {
    for (const query of [
      '?limit=0',
      '?limit=1&limit=2',
      `?state=${'LOST,'.repeat(50)}`,
      '?cursor=%00',
      '?from=yesterday',
    ])
      assert.equal((await api.sendSigned({ path: `/checkouts${query}` })).status, 400, query);
    assert.equal((await api.sendSigned({ path: '/checkouts?limit=5&unknown=%00' })).status, 400);
  });

  await t.test('a body far over the limit gets its answer before the connection is closed', async () => {
    const reply = await post(Buffer.alloc(8_000_000, 0x20));
    assert.equal(reply.status, 413);
  });

  await t.test('the server still answers', async () => {
    assert.equal((await post(checkout(item('1')))).status, 200);
    assert.equal(handled, 1);
  });
});
