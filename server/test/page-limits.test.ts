/** Strangers who ask for too many pages are told to wait, in their language, and customers never notice. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createBrandingKey } from '../src/merchants/change-brand-domain.ts';
import { pageLimits } from '../src/web/page-limits.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

let gateway: Gateway;
/** Another process on the same database. */
let second: App;
let secondOrigin: string;
const domain = 'pay.shop.example';
let key: string;
let merchantId: string;
before(async () => {
  gateway = await startGateway({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' } });
  const { db, clock, log } = gateway;
  merchantId = gateway.merchant.merchantId;
  const wish = { domain, serviceUrl: 'https://pay.test' };
  key = (await createBrandingKey(gateway, merchantId, wish, 'operator')).key.reveal();
  second = createApp({ config: readConfig(gateway.env), publicUrl: 'https://pay.test', db, clock, log });
  secondOrigin = await second.server.listen({ host: '127.0.0.1', port: 0 });
  await Promise.all([gateway.app.refresh(), second.refresh()]);
});
after(async () => {
  await second.server.close();
  await gateway.stop();
});

const firstOrigin = (): string => new URL(gateway.url).origin;
const ask = (origin: string, path: string, address: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${origin}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { 'x-forwarded-for': address, ...(init.headers as Record<string, string>) },
  });
const hosted = async (language = 'en'): Promise<string> =>
  new URL((await gateway.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: language }))).url).pathname;

/** As if somebody had used it all up a moment ago. */
const drain = (bucket: string) => gateway.db`
  insert into rate_bucket values (${bucket}, 0, 0, 1, 0.0001, clock_timestamp() + interval '50 seconds')
  on conflict (id) do update set tokens = 0, at = excluded.at`;

test('what a customer does never comes near a limit', async () => {
  const path = await hosted();
  const id = path.split('/').at(-1) ?? '';
  const statuses = new Set<number>();
  for (let moment = 0; moment < 40; moment += 1)
    for (const asked of [path, `/ajax/checkout/${id}/version`, '/css/page.css', '/api/v1/time', '/images/icon.svg'])
      statuses.add((await ask(firstOrigin(), asked, '8.8.8.1')).status);
  assert.deepEqual([...statuses], [200]);
  // A page that is fetched and a version that is asked for every second, by a hundred customers behind one address.
  for (const cost of ['page', 'news', 'file'] as const) assert.ok(pageLimits[cost].perSecond >= 100, cost);
});

test('a refusal is a page in the language of the customer, with the time to wait', async () => {
  for (const [language, title] of [
    ['de', 'Zu viele Anfragen von hier'],
    ['fr', 'Trop de demandes depuis cet endroit'],
    ['en', 'Too many requests from here'],
  ] as const) {
    const path = await hosted(language);
    const [pages, forms] = [`8.8.4.${language.charCodeAt(0)}`, `8.8.5.${language.charCodeAt(0)}`];
    await drain(`page ${pages}`);
    const refused = await ask(firstOrigin(), path, pages);
    assert.equal(refused.status, 429);
    assert.match(refused.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(refused.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    assert.equal(refused.headers.get('ratelimit-remaining'), '0');
    assert.match(await refused.text(), new RegExp(`<html lang="${language}"[^]*${title}`));
    assert.equal((await ask(secondOrigin, path, pages)).status, 429, 'in every process');
    assert.equal((await ask(secondOrigin, path, '8.8.6.6')).status, 200, 'nobody else notices');

    await drain(`form ${forms}`);
    const posted = await ask(secondOrigin, `${path}/commit`, forms, { method: 'POST', body: 'network=BITCOIN' });
    assert.deepEqual([posted.status, posted.headers.get('location')], [429, null]);
    assert.equal((await ask(secondOrigin, path, forms)).status, 200, 'the page is there to be read');
  }
  const news = await ask(firstOrigin(), '/ajax/checkout/aaaaaaaaaaaa/version', '8.8.7.7');
  assert.equal(news.status, 404);
  await drain('news 8.8.7.8');
  assert.equal((await ask(firstOrigin(), '/ajax/checkout/aaaaaaaaaaaa/events', '8.8.7.8')).status, 429);
});

test('what is costly has little room, which two processes share', async () => {
  const startedAt = performance.now();
  const statuses: number[] = [];
  for (let asked = 0; !statuses.includes(429); asked += 1) {
    const origin = asked % 2 ? firstOrigin() : secondOrigin;
    statuses.push((await ask(origin, '/en/invoice/aaaaaaaaaaaa?format=pdf', '2600:1f18:1:2::5')).status);
  }
  const answered = statuses.filter((status) => status === 404).length;
  const { capacity, perSecond } = pageLimits.document;
  const refilled = Math.ceil(((performance.now() - startedAt) / 1000) * perSecond);
  assert.ok(answered >= capacity && answered <= capacity + refilled, `${answered} in all`);
  assert.equal((await ask(firstOrigin(), '/en/invoice/aaaaaaaaaaaa', '2600:1f18:1:2::5')).status, 404);
});

test('a container is believed about its customers with its key, and one merchant uses up nothing of others', async () => {
  const path = await hosted();
  const through = { headers: { 'x-ws-branding-key': key, 'x-forwarded-for-hostname': domain } };
  const behind = (customer: string, origin = firstOrigin()) => ask(origin, path, `${customer}, 8.8.9.9`, through);
  await drain(`page 8.8.10.1 at ${merchantId}`);
  assert.equal((await behind('8.8.10.1')).status, 429);
  assert.equal((await behind('8.8.10.2')).status, 200, 'other customers of the same container');
  assert.equal((await ask(firstOrigin(), path, '8.8.10.1')).status, 200, 'the same customer elsewhere');
  await drain('page 8.8.9.9');
  assert.equal((await behind('8.8.10.2')).status, 200, 'the address of the container itself does not count');
  assert.equal((await ask(firstOrigin(), path, '8.8.10.1, 8.8.9.9')).status, 429, 'without the key it does');

  const ofDomain = async () =>
    (
      await gateway.db<{
        tokens: number;
      }>`select tokens from rate_bucket where id = ${`document all behind at ${merchantId}`}`
    )[0];
  await drain(`document 8.8.10.3 at ${merchantId}`);
  for (let asked = 0; asked < 3; asked += 1)
    assert.equal(
      (await ask(firstOrigin(), '/en/invoice/aaaaaaaaaaaa?format=pdf', '8.8.10.3, 8.8.9.9', through)).status,
      429,
    );
  assert.equal(await ofDomain(), undefined, 'who is refused takes nothing from the other customers of the domain');
  await drain(`page all behind at ${merchantId}`);
  // In the process that holds no advance of it yet.
  assert.equal((await behind('8.8.10.77', secondOrigin)).status, 429, 'addresses that a merchant invents gain nothing');
  assert.equal((await ask(firstOrigin(), path, '8.8.10.77')).status, 200);
  const wrong = { headers: { ...through.headers, 'x-ws-branding-key': 'wrong' } };
  await drain('file 8.8.11.1');
  assert.equal((await ask(firstOrigin(), path, '8.8.11.1', wrong)).status, 429, 'nor does guessing keys');
});

test('what is asked for whatever happens is free', async () => {
  for (const bucket of ['page 8.8.12.1', 'file 8.8.12.1', 'api 8.8.12.1']) await drain(bucket);
  for (const path of ['/health', '/api/v1/health'])
    assert.equal((await ask(firstOrigin(), path, '8.8.12.1')).status, 200, path);
  assert.equal((await ask(firstOrigin(), '/api/v1/time', '8.8.12.1')).status, 429);
  assert.equal((await ask(firstOrigin(), '/nowhere', '8.8.12.1')).status, 429, 'also a path that leads nowhere');
});

test('whoever has a large network of IPv6 has as much as ten', async () => {
  await drain('document all behind 2600:1f18:9::/48');
  const invoice = '/en/invoice/aaaaaaaaaaaa?format=pdf';
  assert.equal((await ask(firstOrigin(), invoice, '2600:1f18:9:77::1')).status, 429);
  assert.equal((await ask(firstOrigin(), invoice, '2600:1f18:a:77::1')).status, 404, 'the neighbours notice nothing');
  await drain(`document all behind 2600:1f18:b::/48 at ${merchantId}`);
  const through = { headers: { 'x-ws-branding-key': key, 'x-forwarded-for-hostname': domain } };
  assert.equal((await ask(firstOrigin(), invoice, '2600:1f18:b:77::1, 8.8.9.9', through)).status, 429);
});

test('a customer of a container cannot pretend to be another', async (context) => {
  const { db, clock, log } = gateway;
  // The container speaks to us directly, from this machine, and adds its customer to whatever the customer said.
  const direct = createApp({
    config: readConfig({ ...gateway.env, TRUSTED_PROXIES: '' }),
    publicUrl: 'https://pay.test',
    db,
    clock,
    log,
  });
  const origin = await direct.server.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => direct.server.close());
  await direct.refresh();
  const headers = { 'x-ws-branding-key': key, 'x-forwarded-for-hostname': domain };
  await drain(`file 8.8.13.5 at ${merchantId}`);
  for (const hops of ['8.8.13.5', '8.8.13.4, 8.8.13.5', '8.8.13.4, 127.0.0.1, 8.8.13.5', '8.8.13.5, 127.0.0.1'])
    assert.equal((await ask(origin, '/css/page.css', hops, { headers })).status, 429, hops);
  assert.equal((await ask(origin, '/css/page.css', '8.8.13.5, 8.8.13.4', { headers })).status, 200);
});
