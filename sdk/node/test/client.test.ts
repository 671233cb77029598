/** How a client behaves towards a server that is slow, busy, away or somebody else. The server here is a small one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, test } from 'node:test';
import { endpoints } from '@quittance/contract/endpoints';
import {
  AuthenticationError,
  Client,
  type ClientOptions,
  ConnectionError,
  NotFoundError,
  signRequest,
  TooManyRequestsError,
  UnavailableError,
} from '../src/quittance.ts';

type Seen = { method: string; path: string; query: string; body: string; headers: IncomingMessage['headers'] };
type Handle = (seen: Seen, response: ServerResponse, count: number) => void;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Tells its time, and leaves everything else to the test. Its clock is years behind. */
async function startServer(handle: Handle) {
  const seen: Seen[] = [];
  const urls: string[] = [];
  const clock = { time: 1_600_000_000, asked: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [path = '', query = ''] = (request.url ?? '').replace('/api/v1', '').split('?');
      if (path === '/time') {
        clock.asked += 1;
        return reply(response, 200, { time: clock.time });
      }
      urls.push(request.url ?? '');
      const body = Buffer.concat(chunks).toString();
      const one = { method: request.method ?? '', path, query, body, headers: request.headers };
      handle(one, response, seen.push(one));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (options: ClientOptions = {}) =>
    new Client('abcdefghijkl', 'secret', url, { retryDelayMs: 1, ...options });
  return { seen, urls, clock, url, client };
}

function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
const fail = (response: ServerResponse, status: number, sentence: string, headers: Record<string, string> = {}): void =>
  reply(response, status, { errors: [sentence] }, headers);

test("requests are signed with the server's time, which is asked for once", async () => {
  const { client, seen, clock } = await startServer((_, response) => reply(response, 200, { wallets: [] }));
  const shop = client();
  await Promise.all([shop.get('/wallets'), shop.get('/wallets'), shop.post('/x', { a: 1 })]);
  await shop.get('/wallets');
  assert.equal(clock.asked, 1);
  for (const { headers } of seen) assert.ok(Math.abs(Number(headers['x-digest-timestamp']) - clock.time) < 30);
  assert.equal(
    new Set(seen.map(({ headers }) => headers['idempotency-key'])).size,
    2,
    'a name for the POST, none for GET',
  );
});

test('when the server says that the time is wrong, it is asked for again, once', async () => {
  const old =
    'The timestamp in X-Digest-Timestamp is 60 seconds old; less than 30 are allowed. GET /time tells the server time.';
  let isStubborn = false;
  const { client, clock, seen } = await startServer(({ headers }, response) =>
    Number(headers['x-digest-timestamp']) < clock.time || isStubborn
      ? fail(response, 401, old)
      : reply(response, 200, { checkout: { id: 'a' } }),
  );
  const shop = client();
  await shop.checkouts.get('a');
  clock.time += 60;
  assert.equal((await shop.checkouts.get('a')).id, 'a');
  assert.deepEqual([clock.asked, seen.length], [2, 3]);
  isStubborn = true;
  await assert.rejects(shop.checkouts.get('a'), AuthenticationError);
  assert.deepEqual([clock.asked, seen.length], [3, 5]);
});

test('what only the moment was wrong for is sent again, as the same request, signed anew', async () => {
  const { client, seen, clock } = await startServer((_, response, count) => {
    clock.time += 1;
    if (count === 1) return fail(response, 503, 'Busy.', { 'retry-after': '0' });
    if (count === 2) return fail(response, 409, 'Still running.', { 'retry-after': '0' });
    return reply(response, 200, { id: 'abcdefghijkl', url: 'https://pay.test' });
  });
  const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Thé', netAmount: '4.20' }] };
  const hosted = await client().checkouts.createHosted({ charge });
  assert.equal(hosted.url, 'https://pay.test');
  assert.equal(seen.length, 3);
  assert.equal(new Set(seen.map(({ headers, body }) => [headers['idempotency-key'], body].join())).size, 1);
  assert.deepEqual(JSON.parse(seen[0]?.body ?? ''), { charge });
});

test('it is not sent again when the request itself was wrong, too often, or when the server asks for a long pause', async () => {
  let status = 400;
  let headers: Record<string, string> = {};
  const { client, seen } = await startServer((_, response) => fail(response, status, 'No.', headers));
  const tries = async (retries?: number): Promise<number> => {
    const before = seen.length;
    await client({ ...(retries !== undefined && { retries }) }).post('/checkout', {});
    return seen.length - before;
  };
  for (status of [400, 401, 403, 404, 409, 413, 422, 302]) assert.equal(await tries(), 1, String(status));
  for (status of [429, 500, 502, 503, 504]) assert.equal(await tries(), 3, String(status));
  assert.equal(await tries(0), 1);
  assert.equal(await tries(4), 5);
  [status, headers] = [429, { 'retry-after': '3600' }];
  assert.equal(await tries(), 1);
  await assert.rejects(
    client().wallets.list(),
    (error) => error instanceof TooManyRequestsError && error.retryAfterSeconds === 3600,
  );
});

test('an answer that is lost is asked for again, and so is a server that comes too late', async () => {
  const { client, seen } = await startServer((_, response, count) => {
    if (count === 1) return void response.destroy();
    if (count === 2) return; // Says nothing.
    return reply(response, 200, { customerId: 'abcdefghijkl' });
  });
  const shop = client({ timeoutMs: 150, retries: 50 }); // On a busy machine other answers come too late, too.
  assert.equal(await shop.customers.create({ email: 'a@b.example' }), 'abcdefghijkl');
  assert.equal(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size, 1);
});

test('without an answer there is an error that says so; the plain calls have the status 0', async () => {
  const { client } = await startServer(() => undefined);
  const slow = client({ timeoutMs: 30, retries: 0 });
  const isTimeout = (error: unknown) =>
    error instanceof ConnectionError && error.isTimeout && /within 0.03 seconds/.test(error.message);
  await assert.rejects(slow.wallets.list(), isTimeout);
  assert.deepEqual(await slow.get('/wallets'), {
    status: 0,
    statusText: '',
    data: { errors: ['The server did not answer within 0.03 seconds.'] },
    headers: {},
  });
  const refuse = async () => {
    throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
  };
  const nobody = new Client('k', 's', 'http://127.0.0.1:1', { retries: 0, fetch: refuse });
  await assert.rejects(nobody.wallets.list(), /^ConnectionError: The server cannot be reached: .*ECONNREFUSED/);
  const aborted = AbortSignal.abort(new Error('enough'));
  await assert.rejects(slow.wallets.list({ signal: aborted }), /enough/);
  const ending = new AbortController();
  const waiting = client().wallets.list({ signal: ending.signal });
  setTimeout(() => ending.abort(new Error('the shop closes')), 20);
  await assert.rejects(waiting, /the shop closes/);
});

test('a call ends when it should, also while it waits for the time of the server', async () => {
  const silent = { ...whoSaysNothing(), timeoutMs: 60_000, retries: 0 };
  const client = new Client('k', 's', 'https://pay.example', silent);
  const ending = new AbortController();
  setTimeout(() => ending.abort(new Error('the shop closes')), 20);
  await assert.rejects(client.wallets.list({ signal: ending.signal }), /the shop closes/);
  await assert.rejects(client.wallets.list({ timeoutMs: 20 }), /within 0.02 seconds/);
});

const whoSaysNothing = (): ClientOptions => ({
  fetch: (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    }),
});

test('a server that does not tell its time is asked with our own', async () => {
  const asked: string[] = [];
  const client = new Client('k', 's', 'https://pay.example', {
    async fetch(_, init) {
      asked.push(new Headers(init?.headers).get('x-digest-timestamp') ?? 'time');
      return asked.length === 1 ? new Response('Not here.', { status: 404 }) : Response.json({ wallets: [] });
    },
  });
  await client.wallets.list();
  assert.equal(asked[0], 'time');
  assert.ok(Math.abs(Number(asked[1]) - Date.now() / 1000) < 60);
});

test('limits are numbers: otherwise nobody would ever stop', async () => {
  const { client } = await startServer((_, response) => reply(response, 200, {}));
  for (const wrong of [{ retries: Number.NaN }, { retries: -1 }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }]) {
    assert.throws(() => client(wrong), /^TypeError: Time limits are more than 0/);
    await assert.rejects(client().get('/wallets', null, wrong), /^TypeError: Time limits are more than 0/);
  }
  assert.throws(() => client({ retryDelayMs: Number.NaN }), TypeError);
  const patient = client({ timeoutMs: Number.POSITIVE_INFINITY, retries: 0 });
  assert.equal((await patient.get('/wallets')).status, 200);
});

test('a name of your own for a request is kept', async () => {
  const { client, seen } = await startServer((_, response) => reply(response, 200, { id: 'a', transfer: {} }));
  await client().transfers.create(
    { asset: 'BTC', amount: '0.1', targetAccount: 'Cold' },
    { idempotencyKey: 'payout-7' },
  );
  await client().post('/transfer', { amount: '0.1' }, { idempotencyKey: 'payout-8' });
  assert.deepEqual(
    seen.map(({ headers }) => headers['idempotency-key']),
    ['payout-7', 'payout-8'],
  );
  for (const idempotencyKey of ['', 'Auszahlung für Jürgen', 'a'.repeat(256)])
    await assert.rejects(client().post('/transfer', {}, { idempotencyKey }), /^TypeError: An idempotencyKey is/);
});

test('lists are gone through page by page, also past an empty one', async () => {
  const pages: Record<string, { customers: { id: string }[]; next: string | null }> = {
    '': { customers: [{ id: 'a' }, { id: 'b' }], next: 'two' },
    two: { customers: [], next: 'three' },
    three: { customers: [{ id: 'c' }], next: null },
  };
  const { client, seen } = await startServer(({ query }, response) =>
    reply(response, 200, pages[new URLSearchParams(query).get('cursor') ?? '']),
  );
  const list = client().customers.list({ limit: 2, email: 'jürgen+shop@example.com' });
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  assert.deepEqual(ids, ['a', 'b', 'c']);
  assert.equal(seen.length, 3);
  for (const { query } of seen) assert.equal(new URLSearchParams(query).get('email'), 'jürgen+shop@example.com');
  assert.deepEqual(
    (await list.take(1)).map(({ id }) => id),
    ['a'],
  );
  assert.equal(seen.length, 4, 'what is not wanted is not asked for');
  assert.deepEqual(await list.take(0), []);
  assert.equal((await list.page('three')).next, null);
  const sizes: number[] = [];
  for await (const { items } of list.pages()) sizes.push(items.length);
  assert.deepEqual(sizes, [2, 0, 1]);
});

test('the plain calls take paths with a query, params of any kind or none, and a function', async () => {
  const { client, seen } = await startServer((_, response) => fail(response, 404, 'There is no such thing.'));
  const shop = client();
  const { status, data, headers } = await shop.get('/checkout?id=a', {
    limit: 5,
    since: new Date(0),
    states: ['A', 'B'],
    no: null,
  });
  assert.deepEqual(
    [status, data, headers['content-type']],
    [404, { errors: ['There is no such thing.'] }, 'application/json'],
  );
  assert.equal(seen[0]?.query, 'id=a&limit=5&since=1970-01-01T00%3A00%3A00.000Z&states=A%2CB');
  assert.equal(
    await new Promise((resolve) => void shop.delete('/customer', { id: 'a' }, (reply) => resolve(reply.status))),
    404,
  );
  await shop.put('/customer');
  assert.deepEqual(
    seen.slice(1).map(({ method, body }) => `${method} ${body}`),
    ['DELETE {"id":"a"}', 'PUT {}'],
  );
  await assert.rejects(shop.checkouts.get('a'), NotFoundError);
});

test('what is signed is what is sent, whatever the path is', async () => {
  const { paths, refused } = JSON.parse(readFileSync(new URL('../../vectors/paths.json', import.meta.url), 'utf8')) as {
    paths: Record<'name' | 'given' | 'sent' | 'signed', string>[];
    refused: string[];
  };
  const { client, seen, urls } = await startServer((_, response) => reply(response, 200, {}));
  for (const { name, given, sent, signed } of paths) {
    await client().post(given, { a: 'ü' });
    assert.equal(urls.at(-1), `/api/v1${sent}`, name);
    const { headers, body = '' } = seen.at(-1) ?? {};
    const timestamp = Number(headers?.['x-digest-timestamp']);
    const signature = signRequest('secret', { method: 'POST', path: signed, timestamp, body });
    assert.equal(headers?.['x-digest-signature'], signature, name);
  }
  for (const path of refused) await assert.rejects(client().get(path), TypeError, path);
  assert.equal(seen.length, paths.length);
});

test('a query has decimals of a library, dates and lists as texts', async () => {
  const { client, urls } = await startServer((_, response) => reply(response, 200, {}));
  const amount = { digits: 1n, toJSON: () => '0.10' };
  await client().get('/swap/quote', { amount, days: [new Date(0), 'a b', null], is: false, none: '', more: { a: 1 } });
  assert.equal(
    urls.at(-1),
    '/api/v1/swap/quote?amount=0.10&days=1970-01-01T00%3A00%3A00.000Z%2Ca+b%2C&is=false&none=&more=%7B%22a%22%3A1%7D',
  );
  await assert.rejects(client().get('/swap/quote', { amounts: [Number.NaN] }), /^TypeError: amounts is no number/);
});

test('what is no number is not sent: as JSON it would mean that everything is wanted', async () => {
  const { client, seen } = await startServer((_, response) => reply(response, 200, {}));
  for (const amount of [Number.NaN, Number.POSITIVE_INFINITY]) {
    await assert.rejects(client().refunds.create({ checkoutId: 'a', amount }), /^TypeError: amount is no number/);
    await assert.rejects(client().get('/swap/quote', { amount }), /^TypeError: amount is no number/);
  }
  await client().post('/transfer', { amount: 12345678901234567890n });
  assert.deepEqual(
    seen.map(({ body }) => body),
    ['{"amount":"12345678901234567890"}'],
  );
});

test('a redirect is not followed, and nothing is sent where others can read or change it', async () => {
  const elsewhere = await startServer((_, response) => reply(response, 200, {}));
  const { client } = await startServer((_, response) => {
    response.writeHead(302, { location: `${elsewhere.url}/api/v1/wallets` }).end();
  });
  await assert.rejects(client().wallets.list(), /^ApiError: The server answered 302 without a reason/);
  assert.equal(elsewhere.seen.length, 0);

  assert.throws(() => new Client('k', 's', 'http://pay.example/api/v1'), /is not encrypted/);
  assert.throws(() => new Client('k', 's', 'ftp://pay.example'), /must begin with https/);
  for (const url of ['https://a:b@pay.example', 'https://pay.example/api/v1?a=b', 'https://pay.example#a'])
    assert.throws(() => new Client('k', 's', url), /^TypeError: The base URL ends with its path/);
  for (const url of [
    'http://localhost:8080',
    'http://127.0.0.1:8080/api/v1/',
    'http://[::1]:8080',
    'https://pay.example',
  ])
    assert.ok(new Client('k', 's', url));
  assert.ok(new Client('k', 's', 'http://quittance:8080', { allowPlainHttp: true }));
  for (const [key, secret, url] of [
    ['', 's', 'https://a'],
    ['k', '', 'https://a'],
    ['k', 's', ''],
    ['k\n', 's', 'https://a'],
    ['k', 's\n', 'https://a'],
  ] as const)
    assert.throws(() => new Client(key, secret, url), /^TypeError: A client needs a (key|secret|baseUrl)/);
});

test('a list without a next page ends, and one that does not come is said', async () => {
  const { client } = await startServer((_, response, count) =>
    count === 1 ? reply(response, 200, { customers: [{ id: 'a' }] }) : reply(response, 200, null),
  );
  assert.equal((await client().customers.list().take(3)).length, 1);
  await assert.rejects(client().customers.list().take(3), /^ApiError: .* something that is not JSON/);
});

test('a page that is not the API is not taken for an answer', async () => {
  const { client } = await startServer((_, response) => void response.writeHead(200).end('<html></html>'));
  await assert.rejects(client().wallets.list(), /something that is not JSON/);
  const nothing = new Client('k', 's', 'https://pay.example', {
    retryDelayMs: 1,
    fetch: async () => new Response('busy', { status: 503 }),
  });
  await assert.rejects(nothing.wallets.list(), UnavailableError);
});

test('every operation of the contract has a method', async () => {
  const called = new Set<string>();
  const client = new Client('k', 's', 'https://pay.example', {
    async fetch(url, { method } = {}) {
      const { pathname } = new URL(url instanceof Request ? url.url : url);
      called.add(`${method} ${pathname.slice('/api/v1'.length)}`);
      return Response.json({ time: 1, next: null });
    },
  });
  const resources = [client, ...Object.values(client)];
  for (const resource of resources) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
      if (['constructor', 'get', 'post', 'put', 'delete'].includes(name) && resource === client) continue;
      if (name === 'constructor') continue;
      const method = (resource as unknown as Record<string, (input: unknown) => unknown>)[name];
      // What the replies say does not matter here: only where the call went.
      await Promise.resolve(method?.call(resource, resource === client ? undefined : {}))
        .then((list) => (list as { page?: () => Promise<unknown> })?.page?.())
        .catch(() => undefined);
    }
  }
  const wanted = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual([...called].sort(), wanted.sort());
});
