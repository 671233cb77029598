/**
 * The shops of examples/, each started by the command of its README, with a real gateway. They stand behind an address
 * that stays when they die, as a shop does; there everything that reaches them is seen.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer as bytesOf } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Gateway, startGateway, type TestMerchant, withoutLitecoin } from '../../server/test/gateway.ts';
import { hasPhpCurl, hasWebrick } from './programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shops = {
  node: { skip: false },
  php: { skip: !hasPhpCurl() && 'NOT TESTED for want of PHP with curl' },
  ruby: { skip: !hasWebrick() && 'NOT TESTED for want of Ruby with WEBrick' },
} as const;
type Language = keyof typeof shops;

let gateway: Gateway;
let folder: string;
const running = new Set<ChildProcess>();
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
  folder = await mkdtemp(join(tmpdir(), 'quittance-shops-'));
});
after(async () => {
  for (const child of running) await kill(child);
  await rm(folder, { recursive: true, force: true });
  await gateway.stop();
});

/** What the README says, as npm would run it, on a port that is free. */
async function commandOf(language: Language): Promise<string[]> {
  const [, line = ''] =
    /```sh\n(.+)\n```/.exec(await readFile(join(root, 'examples', language, 'README.md'), 'utf8')) ?? [];
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  return line
    .replace(/^npm run (\S+)$/, (_, name: string) => scripts[name])
    .replace(/(127\.0\.0\.1):\d+/, '$1:0')
    .split(' ');
}

type Started = { readonly child: ChildProcess; said(): string };

async function run(language: Language, env: Record<string, string>): Promise<Started> {
  const [program = '', ...args] = await commandOf(language);
  // A group of its own: some commands start another, and all of it dies at once.
  const child = spawn(program, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', ...env },
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk;
      child.emit('said');
    });
  child.on('close', () => child.emit('said'));
  return { child, said: () => said };
}

/** With what comes after it: a port that is read in two pieces is another one. */
const openAt = /(http:\/\/127\.0\.0\.1:\d+)[)\s]/;

async function hears(shop: Started, words: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const found = words.exec(shop.said());
    if (found) return found;
    assert.equal(shop.child.exitCode, null, `It ended before it said ${words}:\n${shop.said()}`);
    await once(shop.child, 'said');
  }
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.pid === undefined) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGKILL');
  await closed;
}

type Heard = { readonly headers: IncomingHttpHeaders; readonly body: Buffer; readonly status: number };

/** The address of a shop. Nobody answers while the shop is closed. */
async function startFront() {
  const heard: Heard[] = [];
  const shop = { url: null as string | null };
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(request);
    if (shop.url === null) return void request.socket.destroy();
    const method = request.method ?? '';
    const sent = Object.entries(request.headers).filter(([name]) => /^(?:x-|webhook-|content-type)/.test(name));
    const answer = await fetch(`${shop.url}${request.url}`, {
      method,
      redirect: 'manual',
      headers: sent.map(([name, value]): [string, string] => [name, String(value)]),
      ...(method !== 'GET' && { body }),
    });
    if (request.url === '/webhook') heard.push({ headers: request.headers, body, status: answer.status });
    const location = answer.headers.get('location');
    response.writeHead(answer.status, location === null ? {} : { location }).end(await answer.text());
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    shop,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** In the folder of the merchant, as `npm start` writes it. */
async function writeAccess({ merchantId, apiKey, apiSecret }: TestMerchant): Promise<string> {
  const path = join(folder, `${merchantId}.access`);
  await mkdir(path);
  await writeFile(join(path, 'access.json'), JSON.stringify({ baseUrl: gateway.url, apiKey, apiSecret }));
  return path;
}

async function pay(merchant: TestMerchant, checkoutId: string): Promise<void> {
  const { body } = await gateway.request(
    'POST',
    '/checkout/commit',
    { checkoutId, network: 'BITCOIN' },
    { as: merchant },
  );
  gateway.bitcoin.pay(body.depositInstructions);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
}

for (const [language, { skip }] of Object.entries(shops) as [Language, { skip: string | false }][])
  test(`the shop in ${language} sells, and believes only the webhook of its order`, { skip }, async (t) => {
    const merchant = await gateway.createMerchant(`A shop in ${language}`);
    const front = await startFront();
    t.after(() => front.stop());
    const env = { DATA_DIR: await writeAccess(merchant), ORDERS_DIR: join(folder, language), SHOP_URL: front.url };
    const open = async (): Promise<Started> => {
      const shop = await run(language, env);
      [, front.shop.url = null] = await hears(shop, openAt);
      return shop;
    };
    const get = async (path: string): Promise<string> => (await fetch(`${front.url}${path}`)).text();
    const post = (path: string, form: Record<string, string>): Promise<Response> =>
      fetch(`${front.url}${path}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });

    const shop = await open();
    assert.match(
      await get('/'),
      /<form method="post" action="\/orders">[^]*name="product" value="pot"[^]*name="quantity"/,
    );
    for (const wrong of [
      {},
      { product: 'pot' },
      { product: 'constructor', quantity: '1' },
      { product: 'pot', quantity: '-1' },
    ])
      assert.equal((await post('/orders', wrong)).status, 400, JSON.stringify(wrong));
    const { status, headers } = await post('/orders', { product: 'pot', quantity: '2' });
    assert.equal(status, 303);
    const payment = new URL(headers.get('location') ?? '');
    assert.equal((await fetch(new URL(payment.pathname, gateway.url))).status, 200, 'the payment page');
    const { body: listed } = await gateway.request('GET', '/checkouts', undefined, { as: merchant });
    const [checkout, ...others] = listed.checkouts;
    assert.deepEqual([checkout.hostedCheckoutUrl, others], [payment.href, []]);

    const back = new URL(checkout.payload.pageSettings.returnUrl).pathname;
    const isPaid = async (): Promise<boolean> => {
      const page = await get(`${back}?checkoutId=${checkout.id}`);
      assert.match(page, /2 × Teapot: 79\.80 EUR/);
      assert.notEqual(page.includes('It is paid.'), page.includes('It is not paid yet.'));
      return page.includes('It is paid.');
    };
    assert.equal(await isPaid(), false, 'who comes back may not have paid');
    const again = await post(`${back}/pay`, {});
    assert.deepEqual([again.status, again.headers.get('location')], [303, payment.href], 'the same checkout');
    for (const path of ['/orders/..%2f..%2fpackage', '/orders/', '/shop.php', '/examples/php/orders.php'])
      assert.ok([400, 404].includes((await fetch(`${front.url}${path}`)).status), path);

    const tell = async (told: string | Buffer, more: Record<string, string>): Promise<number> =>
      (await fetch(`${front.url}/webhook`, { method: 'POST', headers: more, body: new Uint8Array(Buffer.from(told)) }))
        .status;
    const signed = (changes: object): Promise<number> => {
      const told = JSON.stringify({
        eventType: 'CHECKOUT_COMPLETED',
        data: { checkout: { ...checkout, state: 'COMPLETED', ...changes } },
      });
      const auth = createHash('sha256').update(merchant.apiSecret).update(told).digest('hex');
      return tell(told, { 'x-webhook-auth': auth });
    };
    const { charge } = checkout.payload;
    const forged = JSON.stringify({
      eventType: 'CHECKOUT_COMPLETED',
      data: { checkout: { ...checkout, state: 'COMPLETED' } },
    });
    assert.equal(await tell(forged, {}), 401);
    assert.equal(await tell(forged, { 'x-webhook-auth': 'f'.repeat(64) }), 401);
    assert.equal(await tell(Buffer.from([255, 0, 254]), { 'x-webhook-auth': '1', 'webhook-id': '1' }), 401);
    assert.equal(await signed({ payload: { charge: { ...charge, billingCurrency: 'JPY' } } }), 409);
    const cheaper = [{ ...charge.lineItems[0], netAmount: '0.01' }];
    assert.equal(await signed({ payload: { charge: { ...charge, lineItems: cheaper } } }), 409);
    assert.equal(await signed({ meta: { order: '../../package' } }), 409);
    assert.equal(await signed({ state: 'PROCESSING' }), 200, 'believed, but it says nothing of a credit');
    // The same price, and it names the order: but it is another checkout, which perhaps paid for another order.
    const other = { charge, webhook: `${front.url}/webhook`, meta: checkout.meta, settlementAsset: 'ORIGIN' };
    const { body: made } = await gateway.request('POST', '/checkout', other, { as: merchant });
    await pay(merchant, made.id);
    assert.deepEqual([front.heard.at(-1)?.status, front.heard.at(-1)?.body.includes(made.id)], [409, true]);
    assert.equal(await isPaid(), false);

    await kill(shop.child);
    front.shop.url = null;
    front.heard.length = 0;
    await pay(merchant, checkout.id);
    const reopened = await open();
    assert.equal(await isPaid(), false);
    gateway.clock.advance({ hours: 1 });
    await gateway.runUntilIdle();
    assert.equal(await isPaid(), true, 'what could not be told is told again');

    const genuine = front.heard.find(({ body }) => body.includes(checkout.id));
    assert.ok(genuine?.status === 200);
    const before = await get(back);
    const signatures = Object.entries(genuine.headers).filter(([name]) => /^(?:x-webhook-|webhook-)/.test(name));
    assert.equal(await tell(genuine.body, Object.fromEntries(signatures) as Record<string, string>), 200);
    assert.equal(await get(back), before);
    await kill(reopened.child);
    assert.equal(reopened.said().match(/is paid: send it/g)?.length, 1, reopened.said());
  });

test('what keeps a shop from opening is said where it was started', async () => {
  const sentences = {
    'There is no \\S+access\\.json: run npm start first': { DATA_DIR: join(folder, 'nowhere') },
    'Does it run\\? .*key': { QUITTANCE_URL: gateway.url, QUITTANCE_KEY: 'abcdefghijkl', QUITTANCE_SECRET: 'wrong' },
  };
  for (const language of Object.keys(shops) as Language[]) {
    if (shops[language].skip) continue;
    for (const [sentence, env] of Object.entries(sentences)) {
      const shop = await run(language, { ...env, ORDERS_DIR: join(folder, 'none') });
      // PHP's own server opens in any case, and says it to the first who comes.
      if (language === 'php') await fetch((await hears(shop, openAt))[1] ?? '');
      await hears(shop, new RegExp(sentence));
      await kill(shop.child);
    }
  }
});
