/** Customers pay on a merchant's own domain: through the real proxy of the brand container, as its entry script starts it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as plainRequest } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../src/lib/free-port.ts';
import { createGuardedFetch } from '../src/lib/guarded-fetch.ts';
import type { BrandBehaviour } from '../src/merchants/brand-domain-store.ts';
import { holderOf, newBrandingKey } from '../src/merchants/branding-key.ts';
import { changeLook } from '../src/merchants/change-brand.ts';
import { changeBrandDomain, createBrandingKey, holdBrandDomain } from '../src/merchants/change-brand-domain.ts';
import { checkBrandDomain } from '../src/merchants/check-brand-domain.ts';
import { isForwarded } from '../src/site/forwarded-paths.ts';
import { atLeastOne } from './at-least-one.ts';
import { type BrandContainer, findCaddy, refusedStart, startBrandContainer } from './brand-container.ts';
import { assertAccessible, findChromium, openChromium } from './chromium.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { turns } from './until.ts';

if (findCaddy() === undefined) {
  test('NOT RUN: the brand container with its real proxy, because caddy is missing (apt-get install caddy)', () => {
    assert.notEqual(process.env['CI'], 'true', 'caddy must be installed where CI=true');
  });
} else {
  void describe('the brand container', { concurrency: 1 }, () => {
    tellOfPayments();
    tellOfTheProxy();
  });
}

function tellOfPayments(): void {
  let gateway: Gateway;
  let container: BrandContainer;
  let key: string;
  before(async () => {
    gateway = await startGateway();
    const { merchantId } = gateway.merchant;
    const port = await freePort('127.0.0.1');
    const wish = { domain: `http://127.0.0.1:${port}`, serviceUrl: new URL(gateway.url).origin };
    const made = await createBrandingKey(gateway, merchantId, wish, 'operator');
    key = made.key.reveal();
    await changeLook(gateway, merchantId, { accentColour: '#7c2d12', pageColour: '#fdf6e3' }, 'operator');
    await gateway.app.refresh();
    container = await startBrandContainer({ BRANDING_KEY: key, TLS: 'off' }, port);
    const found = await checkBrandDomain({ fetch: createGuardedFetch({ allowLoopback: true }) }, made.domain);
    assert.equal(found.is, 'works', JSON.stringify(found));
    await holdBrandDomain(gateway, made.domain, 'operator');
    await gateway.app.refresh();
  });
  after(async () => {
    await container.stop();
    await gateway.stop();
  });

  const at = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${container.url}${path}`, { redirect: 'manual', ...init });
  const direct = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${new URL(gateway.url).origin}${path}`, { redirect: 'manual', ...init });

  async function open(): Promise<{ id: string; path: string; url: string }> {
    const pageSettings = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
    const body = aCharge('25.00 USD', { checkoutLanguage: 'en', pageSettings });
    const { id, url } = await gateway.post('/checkout/hosted', body);
    return { id, url, path: new URL(url).pathname };
  }

  async function behave(behaviour: BrandBehaviour): Promise<void> {
    await changeBrandDomain(gateway, gateway.merchant.merchantId, { behaviour }, 'operator');
    await gateway.app.refresh();
  }

  test('its key is good, and it says so', async () => {
    for (const url of [`${container.url}/api/v1/health`, container.healthUrl]) {
      const health = await fetch(url);
      const { merchantId } = gateway.merchant;
      const holder = holderOf({ merchantId, domain: '127.0.0.1' });
      assert.deepEqual([health.status, await health.json()], [200, { status: 'ok', domain: '127.0.0.1', holder }], url);
    }
    assert.equal((await at('/api/v1/status')).status, 200);
    assert.equal(container.output().includes(key), false, 'the key is in no log');
  });

  test('a customer pays on the domain of the shop, and is told of the payment without asking', async () => {
    const { id, path } = await open();
    const entered = await at(path);
    assert.match(entered.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'$/);
    assert.equal(entered.headers.get('x-frame-options'), 'SAMEORIGIN', 'the headers of the service come through');
    const page = await entered.text();
    assert.match(page, /--accent:#7c2d12/);
    for (const [, file = ''] of atLeastOne(page.matchAll(/(?:src|href)="(\/(?:css|js|images)\/[^"]+)"/g)))
      assert.equal((await at(file)).status, 200, file);
    assert.equal((await at('/favicon.ico')).status, 200);
    assert.equal((await at('/manifest.json')).status, 200);

    const committed = await at(`${path}/commit`, { method: 'POST', body: new URLSearchParams({ network: 'BITCOIN' }) });
    assert.deepEqual([committed.status, committed.headers.get('location')], [303, path]);
    const pending = await (await at(path)).text();
    const link = /href="bitcoin:(?<address>[a-z0-9]+)\?amount=(?<amount>[\d.]+)"/.exec(pending)?.groups;
    assert.ok(link);

    const stream = await at(`/ajax/checkout/${id}/events`);
    assert.equal(stream.headers.get('content-type'), 'text/event-stream');
    assert.ok(stream.body);
    const events = stream.body.pipeThrough(new TextDecoderStream()).getReader();
    const nextVersion = async (): Promise<string> => {
      for (const _ of turns()) {
        const { value = '' } = await events.read();
        const version = /data: (.+)/.exec(value)?.[1];
        if (version !== undefined) return version;
      }
      return '';
    };
    const before = await nextVersion();
    gateway.bitcoin.pay({ address: link['address'] ?? '', amount: link['amount'] ?? '' });
    await gateway.runUntilIdle();
    assert.notEqual(await nextVersion(), before);
    await events.cancel();

    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    assert.match(await (await at(path)).text(), /Paid. Thank you!/);
    const back = await at(`/en/return-from-hosted-checkout/${id}`);
    assert.deepEqual(
      [back.status, back.headers.get('location')],
      [302, `https://shop.example/thanks?checkoutId=${id}`],
    );
    const cancelled = await at(`/en/cancel-hosted-checkout/${id}`);
    assert.equal(cancelled.headers.get('location'), `https://shop.example/cart?checkoutId=${id}`);
  });

  test('the four behaviours, on both domains', async () => {
    const hasBrand = async (reply: Response) => (await reply.text()).includes('--accent:#7c2d12');
    const seen: Record<string, unknown> = {};
    for (const behaviour of ['own-domain', 'both', 'redirect', 'block'] as const) {
      await behave(behaviour);
      const { path, url } = await open();
      const [here, there] = await Promise.all([at(path), direct(path)]);
      const isSentHere = there.headers.get('location') === `${container.url}${path}`;
      seen[behaviour] = {
        link: url.startsWith(container.url) ? 'shop' : 'service',
        shop: [here.status, await hasBrand(here)],
        service: [there.status, isSentHere || (await hasBrand(there))],
      };
    }
    assert.deepEqual(seen, {
      'own-domain': { link: 'shop', shop: [200, true], service: [200, false] },
      both: { link: 'service', shop: [200, true], service: [200, true] },
      redirect: { link: 'shop', shop: [200, true], service: [302, true] },
      block: { link: 'shop', shop: [200, true], service: [404, false] },
    });
  });

  test("another merchant's checkout does not exist here", async () => {
    const other = await gateway.createMerchant('Another shop');
    const { body } = await gateway.request('POST', '/checkout/hosted', aCharge('25.00 USD'), { as: other });
    const unknown = await at('/en/checkout/aaaaaaaaaaaa');
    const foreign = await at(`/en/checkout/${body.id}`);
    const withoutNonce = async (reply: Response) => (await reply.text()).replaceAll(/nonce="[^"]+"/g, '');
    assert.deepEqual([unknown.status, foreign.status], [404, 404]);
    assert.equal(await withoutNonce(unknown), await withoutNonce(foreign));
    assert.equal((await direct(`/en/checkout/${body.id}`)).status, 200);
  });

  test('headers that a customer forges are replaced on the way', async () => {
    const { path } = await open();
    const forged = { 'x-ws-branding-key': 'forged', 'x-forwarded-for-hostname': 'evil.example' };
    assert.equal((await at(path, { headers: forged })).status, 200);
    const page = await direct(path, { headers: forged });
    assert.deepEqual([page.status, await page.text()], [403, 'The branding key is not valid for this domain.\n']);
    assert.equal((await hostAt(container.url, 'evil.example', path)).statusCode, 403, 'its key is for one host only');
  });

  test('a container with a key that is not valid serves nothing, and is not well', async () => {
    const forged = newBrandingKey({ serviceUrl: new URL(gateway.url).origin, domain: '127.0.0.1' }).reveal();
    const stranger = await startBrandContainer({ BRANDING_KEY: forged, TLS: 'off' });
    try {
      const { path } = await open();
      for (const asked of [path, '/css/page.css', '/api/v1/health'])
        assert.equal((await fetch(`${stranger.url}${asked}`)).status, 403, asked);
      assert.equal((await fetch(stranger.healthUrl)).status, 403);
    } finally {
      await stranger.stop();
    }
  });

  const chromium = findChromium();
  if (chromium === undefined) return;
  test('the page lives in a browser on the domain of the shop', async () => {
    await behave('redirect');
    const browser = await openChromium(chromium);
    try {
      const { path } = await open();
      // Without motion: while the receipt comes out of its slot, nothing can be measured.
      const page = await browser.open({ reducedMotion: 'reduce' });
      await page.goto(`${new URL(gateway.url).origin}${path}`);
      assert.equal(page.url(), `${container.url}${path}`);
      await page.locator('.coin-row', { hasText: 'Bitcoin' }).locator('> label').click();
      await page.getByRole('button', { name: 'Pay with Bitcoin' }).click();
      await page.getByText('Waiting for your payment').waitFor();
      await assertAccessible(page, 'pending, in the colours of the shop');
      await page.getByRole('button', { name: 'Pay now with test money' }).click();
      await gateway.runUntilIdle();
      await page
        .locator('#state')
        .getByText(/0 of 1 confirmation/)
        .first()
        .waitFor();
      gateway.bitcoin.mine(1);
      await gateway.runUntilIdle();
      await page.locator('#state').getByText('Thank you').first().waitFor();
      await assertAccessible(page, 'completed, in the colours of the shop');
    } finally {
      await browser.close();
    }
  });
}

/** What comes out at the other end of the proxy: the service is a server that keeps what it is asked. */
function tellOfTheProxy(): void {
  const asked: { method: string; path: string; headers: IncomingMessage['headers'] }[] = [];
  const service = createServer((incoming, response) => {
    asked.push({ method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers });
    incoming.resume();
    incoming.on('end', () => response.end('from the service'));
  });
  let serviceUrl: string;
  before(async () => {
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  after(() => {
    service.closeAllConnections();
    service.close();
  });
  const keyFor = (domain: string): string => newBrandingKey({ serviceUrl, domain }).reveal();

  test('it forwards the payment pages and nothing else, as the service itself would have it', async () => {
    const container = await startBrandContainer({ BRANDING_KEY: keyFor('127.0.0.1'), TLS: 'off' });
    const pages = ['checkout/abc123def456', 'checkout/abc123def456/commit', 'checkout-invalid', 'invoice/abc123def456'];
    const leaving = ['cancel-hosted-checkout/abc123def456', 'return-from-hosted-checkout/abc123def456'];
    const wanted = [
      ...[...pages, ...leaving].map((page) => `/de/${page}`),
      '/pt-BR/checkout/abc123def456',
      ...['/ajax/checkout/x/events?tips=BITCOIN', '/css/page.css?v=1', '/js/pay.mjs', '/images/brand/0.webp'],
      ...['/manifest.json', '/favicon.ico', '/x.png', '/x.gif', '/websocket'],
    ];
    const unwanted = [
      ...['/', '/metrics', '/health', '/api/v1/wallets', '/api/v1/time', '/api/v1/openapi.json', '/api/v1/health/x'],
      ...['/en/login', '/en/payment/checkout-id/abc', '/deu/checkout/abc', '/en/checkout', '/en/checkout/', '/app'],
      ...[
        '/css',
        '/css/../metrics',
        '/css/%2e%2e/metrics',
        '/.well-known/stellar.toml',
        '/robots.txt',
        '/en/invoice/a/b',
      ],
    ];
    try {
      for (const path of wanted) {
        asked.length = 0;
        assert.equal((await fetch(`${container.url}${path}`)).status, 200, path);
        assert.deepEqual(
          asked.map((each) => each.path),
          [path],
        );
        assert.ok(isForwarded(path.split('?')[0] ?? ''), `the service answers ${path}`);
      }
      asked.length = 0;
      for (const path of unwanted) {
        assert.equal((await hostAt(container.url, '127.0.0.1', path)).statusCode, 404, path);
        const isOurs = isForwarded(path) && !path.includes('/..') && !path.includes('%2e');
        assert.equal(isOurs, false, `the service does not answer ${path}`);
      }
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
        assert.equal((await fetch(`${container.url}/de/checkout-invalid`, { method })).status, 405, method);
      assert.deepEqual(asked, []);
      const large = { method: 'POST', body: 'x'.repeat(200_000) };
      const refused = await fetch(`${container.url}/de/checkout/abc/commit`, large);
      assert.ok(refused.status >= 400, 'a form is a few fields');
    } finally {
      await container.stop();
    }
  });

  test("it tells the key, the host and the customer's address, and keeps the shop's cookies to itself", async () => {
    const key = keyFor('127.0.0.1');
    const container = await startBrandContainer({ BRANDING_KEY: key, TLS: 'off' });
    try {
      asked.length = 0;
      await fetch(`${container.url}/de/checkout-invalid`, {
        headers: {
          cookie: 'session=of-the-shop',
          authorization: 'Basic c2hvcDpzaG9w',
          forwarded: 'for=1.2.3.4',
          'x-ws-branding-key': 'forged',
          'x-forwarded-for-hostname': 'evil.example',
          'x-forwarded-for': '203.0.113.9',
        },
      });
      const { headers } = asked[0] ?? assert.fail();
      assert.equal(headers['x-ws-branding-key'], key);
      assert.equal(headers['x-forwarded-for-hostname'], '127.0.0.1');
      assert.equal(headers['x-forwarded-for'], '203.0.113.9, 127.0.0.1', 'told by the proxy before it');
      assert.equal(headers.host, new URL(serviceUrl).host);
      for (const name of ['cookie', 'authorization', 'forwarded']) assert.equal(headers[name], undefined, name);
    } finally {
      await container.stop();
    }
  });

  test('facing the internet it has a certificate, sends everybody to it, and believes no address that it is told', async () => {
    const container = await startBrandContainer({ BRANDING_KEY: keyFor('localhost'), TLS: 'internal' });
    try {
      const plain = await hostAt(container.url, 'localhost', '/de/checkout-invalid');
      assert.deepEqual([plain.statusCode, plain.headers.location], [308, 'https://localhost/de/checkout-invalid']);
      asked.length = 0;
      const call = request({
        host: '127.0.0.1',
        port: container.httpsPort,
        servername: 'localhost',
        path: '/de/checkout-invalid',
        ca: await container.rootCertificate(),
        headers: { host: 'localhost', 'x-forwarded-for': '203.0.113.9' },
      });
      call.end();
      const [reply] = (await once(call, 'response')) as [IncomingMessage];
      reply.resume();
      assert.equal(reply.statusCode, 200);
      assert.equal(asked[0]?.headers['x-forwarded-for'], '127.0.0.1');
      assert.equal(asked[0]?.headers['x-forwarded-for-hostname'], 'localhost');
      assert.equal(asked[0]?.headers['x-forwarded-proto'], 'https');
      assert.equal((await fetch(container.healthUrl)).status, 200);
    } finally {
      await container.stop();
    }
  });

  test('a service that is away is told in plain words', async () => {
    const nowhere = newBrandingKey({ serviceUrl: 'http://127.0.0.1:1', domain: '127.0.0.1' }).reveal();
    const container = await startBrandContainer({ BRANDING_KEY: nowhere, TLS: 'off' });
    try {
      const reply = await fetch(`${container.url}/de/checkout-invalid`);
      assert.deepEqual([reply.status, reply.headers.get('cache-control')], [502, 'no-store']);
      assert.match(await reply.text(), /cannot be reached at the moment/);
      assert.equal(container.output().includes(nowhere), false, 'the key is in no log');
    } finally {
      await container.stop();
    }
  });

  test('without a key, or with half of one, it says what is missing', async () => {
    const starts: [Record<string, string>, RegExp][] = [
      [{}, /BRANDING_KEY is missing/],
      [{ BRANDING_KEY: '  ' }, /BRANDING_KEY is missing/],
      [{ BRANDING_KEY: 'an-old-key' }, /set SERVICE_URL/],
      [{ BRANDING_KEY: 'qb1.%%%.x.y' }, /set SERVICE_URL/],
      [{ BRANDING_KEY: 'an-old-key', SERVICE_URL: 'https://pay.example.com' }, /set BRAND_DOMAIN/],
      [{ BRANDING_KEY: 'an-old-key', SERVICE_URL: 'https://a.b { respond', BRAND_DOMAIN: 'x' }, /set SERVICE_URL/],
      [{ BRANDING_KEY_FILE: '/nowhere/key' }, /cannot be read/],
      [{ BRANDING_KEY: keyFor('localhost'), TLS: 'maybe' }, /TLS must be auto, internal or off/],
      [{ BRANDING_KEY: keyFor('localhost'), ACME_CA: 'acme.example' }, /ACME_CA must be the https address/],
      [{ BRANDING_KEY: keyFor('localhost'), ACME_CA_ROOT: '/nowhere/root.pem' }, /ACME_CA_ROOT is .* cannot be read/],
      [{ BRANDING_KEY: keyFor('localhost'), ACME_EMAIL: 'me { admin on }' }, /ACME_EMAIL must be an e-mail address/],
    ];
    for (const [env, sentence] of starts) {
      const { code, output } = await refusedStart(env);
      assert.equal(code, 1, output);
      assert.match(output, sentence);
      assert.equal(output.trim().split('\n').length, 1, output);
    }
  });
}

/** Asks for a path exactly as it is written, under any host. */
async function hostAt(url: string, host: string, path: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const call = plainRequest({ host: hostname, port, path, headers: { host } });
  call.end();
  const [reply] = (await once(call, 'response')) as [IncomingMessage];
  reply.resume();
  return reply;
}
