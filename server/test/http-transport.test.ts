/** How requests may arrive and what every reply looks like. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import { pageRoute, type Route, route } from '../src/http/route.ts';
import { GatewayError } from '../src/lib/errors.ts';
import { startTestApi } from './test-api.ts';
import { until } from './until.ts';

const routes: Route[] = [
  route({
    endpoint: endpoints.validateCharge,
    handle: ({ body, payload }) => ({
      total: body.charge.lineItems[0]?.netAmount ?? '0',
      decimals: 2,
      payload,
    }),
  }),
  route({ endpoint: endpoints.deleteCustomer, handle: ({ body }) => ({ customerId: body.id }) }),
  route({ endpoint: endpoints.changeCustomer, handle: ({ body }) => ({ customerId: body.customer.id }) }),
  route({ endpoint: endpoints.getCustomer, handle: ({ query }) => JSON.stringify({ customer: query.id }) }),
  route({
    endpoint: endpoints.cancelCheckout,
    handle: ({ body }) => {
      if (body.checkoutId === 'broken') throw new Error('a secret detail');
      if (body.checkoutId === 'away') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      throw new GatewayError({ code: 'test', httpStatus: 409, message: ['One.', 'Two.'] });
    },
  }),
  pageRoute({
    methods: ['GET', 'POST'],
    path: '/:lang/checkout/:id',
    handle: ({ params, query, rawBody, method }) => ({
      status: 202,
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'self'" },
      body: `${method} ${params['lang']} ${params['id']} ${JSON.stringify(query)} ${rawBody.toString()}`,
    }),
  }),
  pageRoute({
    methods: ['GET'],
    path: '/stream',
    handle: () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: Readable.from(['a', 'b']),
    }),
  }),
  pageRoute({
    methods: ['GET'],
    path: '/broken-stream',
    handle: () => ({ status: 200, body: Readable.from(breakingOff()) }),
  }),
  pageRoute({
    methods: ['GET'],
    path: '/late-stream',
    handle: async () => {
      late.isAsked = true;
      await released;
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: late.body };
    },
  }),
];

let release = (): void => undefined;
/** What is answered on it comes late, and never ends by itself. */
const late = { isAsked: false, body: new Readable({ read: () => undefined }) };
const released = new Promise<void>((resolve) => {
  release = resolve;
});

async function* breakingOff(): AsyncGenerator<string> {
  yield 'the beginning';
  throw new Error('the rest is lost');
}

const charge = '{"charge":{"billingCurrency":"USD","lineItems":[{"description":"a","netAmount":10.10}]}}';
const path = '/checkout/validate-checkout-charge';

test('requests and replies', async (t) => {
  const api = await startTestApi(routes);
  t.after(() => api.close());

  await t.test('a stream that nobody waits for any more when it begins is ended', async () => {
    const responses: ServerResponse[] = [];
    const note = (message: unknown): void => void responses.push((message as { response: ServerResponse }).response);
    subscribe('http.server.request.start', note);
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write('GET /late-stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await until('it is asked for', () => late.isAsked);
    unsubscribe('http.server.request.start', note);
    socket.destroy();
    await until('whoever asked is gone', () => responses[0]?.destroyed === true);
    release();
    await api.send({ path: '/api/v1/time' }); // By then it is answered, and nothing is waited for in vain.
    assert.equal(late.body.destroyed, true);
  });

  await t.test('success is exactly 200, JSON, not cached, with a request id', async () => {
    const reply = await api.sendSigned({ method: 'POST', path, body: charge });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.headers['cache-control'], 'no-store');
    assert.equal(reply.headers['x-content-type-options'], 'nosniff');
    assert.match(reply.headers['x-request-id'] ?? '', /^[a-z0-9]{12}$/);
    assert.equal((reply.json as { total: string }).total, '10.1');
  });

  await t.test('a well-formed request id is echoed, another is replaced', async () => {
    const send = async (id: string) =>
      (await api.send({ path: '/api/v1/time', headers: { 'X-Request-Id': id } })).headers['x-request-id'];
    assert.equal(await send('order-4711.a'), 'order-4711.a');
    assert.match((await send('x"<script>')) ?? '', /^[a-z0-9]{12}$/);
  });

  await t.test('the body is JSON whatever the Content-Type says', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', ';;nonsense', 'json'])
      assert.equal(
        (await api.sendSigned({ method: 'POST', path, body: charge, headers: { 'Content-Type': type } })).status,
        200,
        type,
      );
  });

  await t.test('unknown headers are tolerated', async () => {
    const headers = { 'X-Plugin-Data': '{"a":1}', 'X-Origin-URL': 'https://shop.example', 'User-Agent': 'anything/1' };
    assert.equal((await api.sendSigned({ method: 'POST', path, body: charge, headers })).status, 200);
  });

  await t.test('what was posted is echoed digit by digit', async () => {
    const body = charge.replace('10.10', '12345678901234567.123456789');
    const reply = await api.sendSigned({ method: 'POST', path, body });
    assert.match(reply.text, /"total":"12345678901234567.123456789"/);
    assert.match(reply.text, /"netAmount":12345678901234567.123456789/);
  });

  await t.test('DELETE and PUT carry bodies, GET may', async () => {
    const deleted = await api.sendSigned({ method: 'DELETE', path: '/customer', body: '{"customer":{"id":"abc"}}' });
    assert.deepEqual(deleted.json, { customerId: 'abc' });
    const changed = await api.sendSigned({ method: 'PUT', path: '/customer', body: '{"customer":{"id":"abc"}}' });
    assert.deepEqual(changed.json, { customerId: 'abc' });
    for (const body of [undefined, '[]', '{}', '{"some":"thing"}']) {
      const got = await api.sendSigned({ path: '/customer?id=a%20b', ...(body === undefined ? {} : { body }) });
      assert.deepEqual(got.json, { customer: 'a b' });
    }
  });

  await t.test('case, trailing slash and a bare question mark do not matter', async () => {
    for (const called of ['/api/v1/Time', '/api/v1/time/', '/api/v1/time?', '/api/v1/time/?', '/API/v1/time'])
      assert.equal((await api.send({ path: called })).status, 200, called);
  });

  await t.test('an unknown path is 404, a wrong method 405', async () => {
    const unknown = await api.send({ path: '/api/v1/nothing/here' });
    assert.equal(unknown.status, 404);
    assert.deepEqual(unknown.json, { errors: ['There is no endpoint GET /api/v1/nothing/here.'] });
    const wrong = await api.send({ method: 'POST', path: '/api/v1/TIME?x=1', body: 'anything' });
    assert.equal(wrong.status, 405);
    assert.equal(wrong.headers['allow'], 'GET');
    assert.deepEqual(wrong.json, { errors: ['This endpoint answers to GET only.'] });
    assert.equal((await api.send({ method: 'PATCH', path: '/en/checkout/abc' })).status, 405);
    assert.equal((await api.send({ path: '/api/v1/%' })).status, 400);
  });

  await t.test('an expected failure tells every problem', async () => {
    const reply = await api.sendSigned({ method: 'POST', path: '/checkout/cancel', body: '{"id":"abc"}' });
    assert.equal(reply.status, 409);
    assert.deepEqual(reply.json, { errors: ['One.', 'Two.'] });
  });

  await t.test('an unexpected failure tells nothing about the inside', async () => {
    const reply = await api.sendSigned({ method: 'POST', path: '/checkout/cancel', body: '{"id":"broken"}' });
    assert.equal(reply.status, 500);
    assert.deepEqual(reply.json, { errors: ['Something went wrong on our side. The request can be retried.'] });
  });

  await t.test('while the database is away the answer is 503 with Retry-After', async () => {
    const reply = await api.sendSigned({ method: 'POST', path: '/checkout/cancel', body: '{"id":"away"}' });
    assert.equal(reply.status, 503);
    assert.equal(reply.headers['retry-after'], '2');
  });

  await t.test('no 100 Continue precedes the answer', async () => {
    const { port } = new URL(api.url);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
      socket.write('POST /api/v1/time HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n');
      socket.write('Connection: close\r\n\r\n');
      setTimeout(() => socket.write('{}'), 50);
    });
    assert.match(text, /^HTTP\/1\.1 405 /);
    assert.ok(!text.includes('100 Continue'));
  });

  await t.test('what is not HTTP is answered with an error and the connection closed', async () => {
    const { port } = new URL(api.url);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('close', () => resolve(received));
    });
    assert.match(text, /^HTTP\/1\.1 400 .*\{"errors":\["The request could not be read\."\]\}$/s);
  });

  await t.test('a page has full control of its reply', async () => {
    const page = await api.send({ method: 'POST', path: '/en/checkout/AbC?x=1', body: 'field=1' });
    assert.equal(page.status, 202);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(page.headers['content-security-policy'], "default-src 'self'");
    assert.equal(page.text, 'POST en AbC {"x":"1"} field=1');
    assert.equal((await api.send({ path: '/stream' })).text, 'ab');
  });

  await t.test('HEAD is GET without the body, also of a page and of a stream', async () => {
    for (const asked of ['/api/v1/time', '/en/checkout/abc?a=1', '/stream']) {
      const [get, head] = [await fetch(`${api.url}${asked}`), await fetch(`${api.url}${asked}`, { method: 'HEAD' })];
      assert.equal(head.status, get.status, asked);
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'));
      assert.equal(await head.text(), '');
      assert.notEqual(await get.text(), '');
    }
    const posted = await fetch(`${api.url}/api/v1${path}`, { method: 'HEAD' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'POST']);
  });

  await t.test('a path that cannot be decoded is a bad request, not a missing page', async () => {
    const reply = await fetch(`${api.url}/en/checkout/%E0%A4%A`);
    assert.deepEqual([reply.status, await reply.json()], [400, { errors: ['The request could not be read.'] }]);
  });

  await t.test('a stream that breaks off is not taken for a whole one', async () => {
    await assert.rejects(async () => (await fetch(`${api.url}/broken-stream`)).text());
    assert.equal((await fetch(`${api.url}/api/v1/time`)).status, 200);
  });

  await t.test('requests are counted by route and status', async () => {
    const text = await api.metrics.render();
    assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/api\/v1\/time",status="200"\} \d/);
    assert.match(text, /http_request_duration_seconds_bucket\{.*le="\+Inf"\} \d/);
  });
});

test('stopping lets a running request finish and ends open streams', async () => {
  const slowStarted = Promise.withResolvers<void>();
  const endlessStarted = Promise.withResolvers<void>();
  const api = await startTestApi([
    pageRoute({
      methods: ['GET'],
      path: '/slow',
      handle: async ({ closing }) => {
        slowStarted.resolve();
        await new Promise((resolve) => closing.addEventListener('abort', resolve));
        return { status: 200, body: 'done' };
      },
    }),
    pageRoute({
      methods: ['GET'],
      path: '/endless',
      handle: ({ closing }) => {
        const body = new Readable({ read: () => undefined });
        body.push('begin ');
        endlessStarted.resolve();
        closing.addEventListener('abort', () => {
          body.push('end');
          body.push(null);
        });
        return { status: 200, body };
      },
    }),
  ]);
  const slow = api.send({ path: '/slow' });
  const endless = api.send({ path: '/endless' });
  await Promise.all([slowStarted.promise, endlessStarted.promise]);
  await api.close();
  assert.equal((await slow).text, 'done');
  assert.equal((await endless).text, 'begin end');
});
