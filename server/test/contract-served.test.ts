/** The promise and the server agree, in both directions: what the contract names is served, and nothing else is. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { type Endpoint, endpoints } from '@quittance/contract/endpoints';
import { tellExamples } from './example-story.ts';
import type { Gateway } from './gateway.ts';
import { type RefundWorld, startRefundWorld } from './refund-world.ts';

let world: RefundWorld;
let gateway: Gateway;
before(async () => {
  world = await startRefundWorld({
    env: { PUBLIC_URL: 'https://pay.example.com', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@shop.example' },
  });
  gateway = world.gateway;
});
after(() => gateway.stop());

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const all: Endpoint[] = Object.values(endpoints);

test('the service answers every example of the contract as the example says', () => tellExamples(world));

test('every endpoint of the contract is served', async () => {
  for (const { method, path, access } of all) {
    const reply = await gateway.request(method, path, method === 'GET' ? undefined : {});
    const isThere = reply.status !== 405 && reply.body.errors?.[0]?.startsWith('There is no endpoint') !== true;
    assert.ok(isThere, `${method} ${path} is not served: ${reply.status}`);
    assert.ok(reply.status < 500, `${method} ${path} answered ${reply.status}`);
    const unsigned = await gateway.request(method, path, method === 'GET' ? undefined : {}, { unsigned: true });
    assert.equal(unsigned.status === 401, access !== 'public', `${method} ${path} is ${access}`);
  }
});

test('what the contract does not name is not served', async () => {
  for (const path of new Set(all.map((endpoint) => endpoint.path)))
    for (const method of methods) {
      if (all.some((endpoint) => endpoint.path === path && endpoint.method === method)) continue;
      const reply = await gateway.request(method, path, method === 'GET' ? undefined : {});
      assert.equal(reply.status, 405, `${method} ${path}`);
      assert.ok(reply.headers.get('allow'), `${method} ${path} says what it answers to`);
    }
  for (const path of ['/', '/checkouts/all', '/admin', '/networks/BITCOIN', '/checkout/hosted/x'])
    assert.equal((await gateway.request('GET', path)).status, 404, path);
});

test('the document that describes the API describes every endpoint and no other', async () => {
  const text = await readFile(new URL('../../contract/openapi.json', import.meta.url), 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    methods.filter((method) => method.toLowerCase() in operations).map((method) => `${method} ${path}`),
  );
  assert.deepEqual(described.toSorted(), all.map(({ method, path }) => `${method} ${path}`).toSorted());
});
