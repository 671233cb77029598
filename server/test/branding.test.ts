/** A merchant's own looks and its own domain, as customers and strangers meet them. The container itself is tested apart. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { createEncryption } from '../src/lib/encryption.ts';
import { type BrandBehaviour, findBrandDomain } from '../src/merchants/brand-domain-store.ts';
import { holderOf } from '../src/merchants/branding-key.ts';
import { changeBrandFile, changeLook } from '../src/merchants/change-brand.ts';
import {
  changeBrandDomain,
  createBrandingKey,
  holdBrandDomain,
  removeBrandDomain,
  revokeBrandingKey,
} from '../src/merchants/change-brand-domain.ts';
import { allowAddress, changeSettings } from '../src/merchants/change-settings.ts';
import { createPreviewToken } from '../src/merchants/preview-token.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

const origin = (): string => new URL(gateway.url).origin;
const browse = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}): Promise<Response> =>
  fetch(`${origin()}${path}`, { redirect: 'manual', headers, ...init });
const read = async (path: string, headers?: Record<string, string>): Promise<string> =>
  (await browse(path, headers)).text();

async function open(
  shop: Shop,
  more: Record<string, unknown> = {},
): Promise<{ id: string; path: string; url: string }> {
  const { id, url } = await shop.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en', ...more }));
  return { id, url, path: new URL(url).pathname };
}

/** What a container on the domain adds to every request. */
const through = (domain: string, key: string): Record<string, string> => ({
  'x-ws-branding-key': key,
  'x-forwarded-for-hostname': domain,
  'x-forwarded-for': '203.0.113.7',
});

let domains = 0;
async function withDomain(behaviour?: BrandBehaviour) {
  domains += 1;
  const domain = `pay${domains}.shop.example`;
  const shop = await openShop(gateway);
  await changeLook(gateway, shop.merchant.merchantId, { accentColour: '#7c2d12' }, 'operator');
  const { key, keyId } = await makeKey(shop, domain, behaviour);
  return { shop, domain, key, keyId, headers: through(domain, key) };
}

async function makeKey(shop: Shop, domain: string, behaviour?: BrandBehaviour) {
  const wish = { domain, behaviour, serviceUrl: 'https://pay.test' };
  const { key, keyId } = await createBrandingKey(gateway, shop.merchant.merchantId, wish, 'operator');
  await gateway.app.refresh();
  return { key: key.reveal(), keyId };
}

/** As if its container had been seen answering there. */
async function hold({ merchant }: Shop): Promise<void> {
  const named = await findBrandDomain(gateway.db, merchant.merchantId);
  assert.ok(named);
  await holdBrandDomain(gateway, named, 'operator');
  await gateway.app.refresh();
}

const isBranded = (page: string): boolean => page.includes('--accent:#7c2d12');

test('a page wears the colours, the font, the logo and the background of its shop', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const create = { width: 300, height: 100, channels: 4, background: '#ff8800' } as const;
  const picture = await sharp({ create }).png().toBuffer();
  await changeLook(gateway, merchantId, { accentColour: '#ffff00', pageColour: '#123456', font: 'serif' }, 'operator');
  await changeBrandFile(gateway, merchantId, 'logo', picture, 'operator');
  await changeBrandFile(gateway, merchantId, 'background', picture, 'operator');

  const { path } = await open(shop);
  const page = await read(path);
  assert.match(page, /--brand:#123456;--on-brand:#ffffff;--accent:#ffff00;--on-accent:#000000/, 'kept; the text flips');
  assert.match(page, /--font:Charter/);
  assert.doesNotMatch(page, /--accent-text:#ffff00/, 'yellow on white is darkened');
  const [, logo = ''] = /<img class="logo" src="(\/images\/brand\/[0-9a-f]{32}\.webp)"/.exec(page) ?? [];
  const image = await browse(logo);
  assert.deepEqual(
    ['content-type', 'cache-control', 'x-content-type-options'].map((name) => image.headers.get(name)),
    ['image/webp', 'public, max-age=31536000, immutable', 'nosniff'],
  );
  assert.equal((await sharp(Buffer.from(await image.arrayBuffer())).metadata()).format, 'webp');
  assert.match(page, /\.band\{background-image:url\("\/images\/brand\/[0-9a-f]{32}\.webp"\)\}/);

  await changeBrandFile(gateway, merchantId, 'logo', null, 'operator');
  assert.doesNotMatch(await read(path), /<img[^>]* src="\/images\/brand/);
  assert.equal((await browse('/images/brand/../../etc/passwd')).status, 404);
  assert.equal((await browse(`/images/brand/${'0'.repeat(32)}.webp`)).status, 404);
  const audit = await gateway.db<{ action: string }>`
    select action from audit_log where merchant_id = ${merchantId} and action like 'brand%'`;
  assert.equal(audit.length, 4);
});

test('a shop has another logo for the dark, and its name is not repeated beside a wordmark', async () => {
  const shop = await openShop(gateway, { pageSettings: { shopName: 'Nord' } });
  const { merchantId } = shop.merchant;
  const picture = (background: string) =>
    sharp({ create: { width: 300, height: 100, channels: 4, background } })
      .png()
      .toBuffer();
  const { path } = await open(shop);
  await changeLook(gateway, merchantId, { isNameHidden: true }, 'operator');
  assert.match(await read(path), /<b>Nord<\/b>/, 'without a logo the name stays');
  await changeBrandFile(gateway, merchantId, 'logo', await picture('#000000'), 'operator');
  await changeBrandFile(gateway, merchantId, 'logoDark', await picture('#ffffff'), 'operator');

  const page = await read(path);
  assert.doesNotMatch(page, /<b>Nord<\/b>/);
  const shown =
    /<picture><source srcset="([^"]+)" media="\(prefers-color-scheme: dark\)"><img class="logo" src="([^"]+)" alt="Nord">/;
  const [, dark = '', light = ''] = shown.exec(page) ?? [];
  assert.notEqual(dark, light);
  for (const src of [dark, light]) assert.equal((await browse(src)).headers.get('content-type'), 'image/webp', src);

  await changeBrandFile(gateway, merchantId, 'logoDark', null, 'operator');
  assert.doesNotMatch(await read(path), /<picture>/);
  assert.equal((await browse(dark)).status, 404, 'what nobody shows any more is gone');
  assert.equal((await browse(light)).status, 200);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await assert.rejects(changeBrandFile(gateway, merchantId, 'logoDark', svg, 'operator'), /PNG, JPEG or WebP/);
});

test('whether addresses are shown is decided by the account, and overruled by a checkout', async () => {
  const shop = await openShop(gateway, {
    email: 'owner@shop.example',
    pageSettings: {
      displaySellerInfo: true,
      displayBuyerInfo: true,
      supportEmail: 'help@shop.example',
      shopName: 'Corner',
    },
  });
  const { customerId } = await shop.post('/customer', { customer: { email: 'ada@mail.example', city: 'London' } });
  const { charge } = aCharge('25.00 USD') as { charge: object };
  const ordered = { charge: { ...charge, customerId } };
  const usual = await read((await open(shop, ordered)).path);
  for (const shown of ['help@shop.example', 'London', 'Corner']) assert.ok(usual.includes(shown), shown);
  assert.ok(!usual.includes('owner@shop.example'), 'the address for customers stands before that of the account');

  const pageSettings = { displaySellerInfo: false, displayBuyerInfo: false, shopName: 'Corner, upstairs' };
  const other = await read((await open(shop, { ...ordered, pageSettings })).path);
  for (const hidden of ['help@shop.example', 'owner@shop.example', 'Sold by', 'London'])
    assert.ok(!other.includes(hidden), hidden);
  assert.ok(other.includes('Corner, upstairs'));
});

test('what a shop gave for its customers is where they find help, unless it is not to be shown', async () => {
  const shop = await openShop(gateway, {
    email: 'owner@shop.example',
    pageSettings: { supportEmail: 'help@shop.example' },
  });
  const page = await read((await open(shop)).path);
  assert.ok(page.includes('mailto:help@shop.example'));
  for (const hidden of ['owner@shop.example', 'Sold by']) assert.ok(!page.includes(hidden), hidden);
});

test('the preview shows a shop its own pages, to whoever has the signed link', async () => {
  const shop = await openShop(gateway, { pageSettings: { shopName: 'Corner shop' } });
  await changeLook(gateway, shop.merchant.merchantId, { accentColour: '#7c2d12' }, 'operator');
  const encryption = createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex'));
  const token = createPreviewToken(encryption, shop.merchant.merchantId, gateway.clock.now());
  const all = await browse(`/en/checkout/preview?brand=${token}`);
  assert.equal(all.status, 200);
  assert.match(all.headers.get('content-security-policy') ?? '', /frame-src 'self'/);
  const frames = Array.from((await all.text()).matchAll(/<iframe title="([^"]+)"[^>]* src="([^"]+)"/g));
  assert.ok(frames.length >= 14);
  for (const [, , src = ''] of frames) {
    const state = await browse(src.replaceAll('&amp;', '&'));
    assert.match(state.headers.get('content-security-policy') ?? '', /frame-ancestors 'self'/);
    const page = await state.text();
    assert.ok(isBranded(page) && page.includes('Corner shop'), src);
  }
  assert.match(await read(`/en/checkout/preview/pending?brand=${token}&pageColour=%23abcdef`), /--brand:#abcdef/);
  const evil = await read(`/en/checkout/preview/pending?brand=${token}&pageColour=red;}</style>&font=x`);
  assert.ok(!evil.includes('red;'));

  const german = await read(`/de/checkout/preview?brand=${token}`);
  assert.match(german, /<option value="serif">Mit Serifen<\/option>/);
  assert.match(german, /<h2>Wir warten auf Ihre Zahlung<\/h2>/);
  assert.doesNotMatch(german, />(Try|font|accent colour|pending|created|serif)</, 'in no other language');

  assert.equal((await browse('/en/checkout/preview?brand=forged')).status, 404);
  assert.equal((await browse(`/en/checkout/preview/pending?brand=${token.slice(0, -2)}`)).status, 404);
  const lastWeek = new Date(gateway.clock.now().getTime() - 7 * 86_400_000);
  const outdated = createPreviewToken(encryption, shop.merchant.merchantId, lastWeek);
  assert.equal((await browse(`/en/checkout/preview?brand=${outdated}`)).status, 404);
});

test('nobody is sent to a domain because somebody with its key asks for a page', async () => {
  const { shop, domain, headers } = await withDomain('block');
  const before = await open(shop);
  assert.equal(new URL(before.url).host, 'pay.test');
  assert.ok(isBranded(await read(before.path)));
  assert.equal((await browse('/api/v1/health/brand-connect', headers)).status, 200);
  assert.equal((await browse('/en/checkout-invalid', headers)).status, 404);
  await gateway.app.refresh();
  assert.equal(new URL((await open(shop)).url).host, 'pay.test', 'that says nothing about who runs the domain');
  await hold(shop);
  assert.equal(new URL((await open(shop)).url).host, domain);
});

test('own-domain: the service shows the page without the brand, and links lead to the domain', async () => {
  const { shop, domain, headers } = await withDomain('own-domain');
  await hold(shop);
  const { path, url, id } = await open(shop);
  assert.equal(url, `https://${domain}/en/checkout/${id}`);
  assert.equal((await shop.checkout(id)).hostedCheckoutUrl, url);
  assert.equal(isBranded(await read(path)), false);
  assert.equal(isBranded(await read(path, headers)), true);
});

test('both: the page wears the brand on both domains, and links lead to the service', async () => {
  const { shop, headers } = await withDomain('both');
  await hold(shop);
  const { path, url } = await open(shop);
  assert.equal(new URL(url).host, 'pay.test');
  assert.ok(isBranded(await read(path)));
  assert.ok(isBranded(await read(path, headers)));
});

test('redirect: the service sends customers to the domain, with their language and their choice', async () => {
  const { shop, domain, headers } = await withDomain('redirect');
  await hold(shop);
  const { path, id } = await open(shop);
  const sent = await browse(`${path}?language=en&pay=abc`);
  assert.deepEqual([sent.status, sent.headers.get('location')], [302, `https://${domain}${path}?language=en&pay=abc`]);
  const posted = await browse(`/de/checkout/${id}/commit`, {}, { method: 'POST', body: 'network=BITCOIN' });
  assert.deepEqual([posted.status, posted.headers.get('location')], [303, `https://${domain}/de/checkout/${id}`]);
  assert.equal(await shop.state(id), 'CREATED');
  assert.equal((await browse(path, headers)).status, 200);
});

test('block: the service answers as if there were no such checkout', async () => {
  const { shop, headers } = await withDomain('block');
  await hold(shop);
  const { path } = await open(shop);
  const withoutNonce = (page: string): string => page.replaceAll(/nonce="[^"]+"/g, '');
  const blocked = await browse(path);
  assert.equal(blocked.status, 404);
  assert.equal(withoutNonce(await blocked.text()), withoutNonce(await read('/en/checkout/aaaaaaaaaaaa')));
  assert.equal((await browse(path, headers)).status, 200);

  await changeBrandDomain(gateway, shop.merchant.merchantId, { behaviour: 'both' }, 'operator');
  await gateway.app.refresh();
  assert.equal((await browse(path)).status, 200);
});

test("a domain shows its own merchant's checkouts and nothing else", async () => {
  const { shop, headers } = await withDomain();
  const other = await openShop(gateway);
  const own = await open(shop);
  const foreign = await open(other);
  assert.equal((await browse(own.path, headers)).status, 200);
  const paths = [foreign.path, `${foreign.path}/methods`, `/en/cancel-hosted-checkout/${foreign.id}`];
  for (const path of [...paths, `/ajax/checkout/${foreign.id}/version`, `/ajax/checkout/${foreign.id}/events`]) {
    const reply = await browse(path, headers);
    assert.equal(reply.status, 404, path);
    await reply.body?.cancel();
  }
  assert.equal((await browse(`/ajax/checkout/${own.id}/version`, headers)).status, 200);
  const committed = await browse(`${foreign.path}/commit`, headers, { method: 'POST', body: 'network=BITCOIN' });
  assert.equal(committed.status, 404);
  assert.equal(await other.state(foreign.id), 'CREATED');
  for (const path of ['/', '/metrics', '/health', '/api/v1/openapi.json', '/en/login', '/nonsense'])
    assert.equal((await browse(path, headers)).status, 404, path);
});

test('on a domain of its own, a link that leads nowhere keeps the brand and leads to the shop', async () => {
  const { shop, headers } = await withDomain();
  const { path: foreign } = await open(await openShop(gateway));
  const pageSettings = { shopName: 'Corner & Co', cancelUrl: 'https://corner.example/cart' };
  await changeSettings(gateway, shop.merchant.merchantId, { pageSettings }, 'operator');
  for (const path of ['/en/checkout/aaaaaaaaaaaa', '/en/checkout-invalid', '/en/invoice/aaaaaaaaaaaa', foreign]) {
    const reply = await browse(path, headers);
    const page = await reply.text();
    assert.deepEqual([reply.status, isBranded(page)], [404, true], path);
    assert.match(page, /Corner &amp; Co[^]*<a class="btn primary" href="https:\/\/corner\.example\/cart">/, path);
    assert.doesNotMatch(page, /Quittance/, 'nothing of ours');
    const elsewhere = await read(path.replace(foreign, '/en/checkout/aaaaaaaaaaaa'));
    assert.equal(isBranded(elsewhere) || elsewhere.includes('corner.example'), false, 'where no shop is known');
  }
  for (const cancelUrl of ['javascript:alert(1)', null]) {
    await changeSettings(gateway, shop.merchant.merchantId, { pageSettings: { cancelUrl } }, 'operator');
    assert.doesNotMatch(await read('/en/checkout-invalid', headers), /class="btn primary"/, String(cancelUrl));
  }
});

test('forged headers open nothing', async () => {
  const { shop, domain, key } = await withDomain('block');
  await hold(shop);
  const { path } = await open(shop);
  const forgeries: Record<string, string>[] = [
    through(domain, 'forged'),
    through(domain, ''),
    through(domain, `${key}x`),
    through(domain, key.slice(0, -1)),
    through('another.example', key),
    through(`${domain}.evil.example`, key),
    { 'x-ws-branding-key': key },
  ];
  for (const forged of forgeries) {
    for (const asked of [path, '/en/checkout-invalid', '/css/page.css', '/nonsense']) {
      const reply = await browse(asked, forged);
      assert.deepEqual([reply.status, await reply.text()], [403, 'The branding key is not valid for this domain.\n']);
    }
    assert.equal((await browse('/api/v1/health/brand-connect', forged)).status, 403);
  }
  // The host alone proves nothing: anybody can name it.
  assert.equal((await browse(path, { 'x-forwarded-for-hostname': domain })).status, 404);
  assert.equal((await browse('/api/v1/health/brand-connect')).status, 403);
  assert.equal((await browse(path, through(`${domain.toUpperCase()}.:443`, key))).status, 200);
});

test('a branding key says nothing to the API, least of all where a caller is', async () => {
  const { shop, headers } = await withDomain();
  const { merchantId } = shop.merchant;
  await allowAddress(gateway, merchantId, { range: '198.51.100.9' }, 'operator');
  await changeSettings(gateway, merchantId, { isAddressListEnforced: true }, 'operator');
  await gateway.runUntilIdle();
  gateway.clock.advance({ seconds: 10 });
  const forged = { ...headers, 'x-forwarded-for': '198.51.100.9' };
  assert.equal((await shop.request('GET', '/wallets', undefined, { headers: forged })).status, 403);
  assert.equal((await shop.request('GET', '/wallets', undefined, { headers: forged, unsigned: true })).status, 401);
});

test('a container learns whether its key is good', async () => {
  const { shop, domain, headers } = await withDomain();
  const holder = holderOf({ merchantId: shop.merchant.merchantId, domain });
  const health = await browse('/api/v1/health/brand-connect', headers);
  assert.deepEqual(await health.json(), { status: 'ok', domain, holder });
  const status = (await (await browse('/api/v1/status/brand-connect', headers)).json()) as Record<string, unknown>;
  assert.deepEqual([status['status'], status['domain'], status['holder']], ['ok', domain, holder]);
});

test('a key can be exchanged without a gap, and revoked', async () => {
  const { shop, domain, keyId, headers } = await withDomain();
  const { path } = await open(shop);
  const next = await makeKey(shop, domain);
  for (const each of [headers, through(domain, next.key)]) assert.equal((await browse(path, each)).status, 200);
  const { merchantId } = shop.merchant;
  await revokeBrandingKey(gateway, merchantId, keyId, 'operator');
  await gateway.app.refresh();
  assert.equal((await browse(path, headers)).status, 403);
  assert.equal((await browse(path, through(domain, next.key))).status, 200);
  await assert.rejects(() => revokeBrandingKey(gateway, merchantId, keyId, 'operator'), /no branding key/);

  await removeBrandDomain(gateway, merchantId, 'operator');
  await gateway.app.refresh();
  assert.equal((await browse(path, through(domain, next.key))).status, 403);
  assert.equal((await browse(path)).status, 200);
  const trail = await gateway.db<{ action: string; detail: object }>`
    select action, detail from audit_log where merchant_id = ${merchantId} and action like 'brand%' order by id`;
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['brand.changed', 'branding-key.created', 'branding-key.created', 'branding-key.revoked', 'brand-domain.removed'],
  );
  assert.ok(!JSON.stringify(trail).includes('qb1.'), 'no key is in the audit log');
  const stored = await gateway.db`select * from branding_key`;
  assert.ok(!JSON.stringify(stored).includes('qb1.'), 'and none in the database');
});

test('a domain that was given up and taken again is believed again, in the same process', async () => {
  const { shop, domain, headers } = await withDomain('redirect');
  const { path } = await open(shop);
  const { merchantId } = shop.merchant;
  const isSentThere = async (): Promise<boolean> => {
    await gateway.app.refresh();
    return (await browse(path)).headers.get('location') === `https://${domain}${path}`;
  };
  assert.equal(await isSentThere(), false, 'nobody is sent to a domain that was never used');
  await hold(shop);
  assert.equal(await isSentThere(), true);

  await removeBrandDomain(gateway, merchantId, 'operator');
  assert.equal(await isSentThere(), false);
  const again = await makeKey(shop, domain, 'redirect');
  assert.equal(await isSentThere(), false);
  assert.equal((await browse(path, headers)).status, 403, 'the earlier key stays dead');
  assert.equal((await browse(path, through(domain, again.key))).status, 200);
  await hold(shop);
  assert.equal(await isSentThere(), true);
});

test("pages may be framed on the merchant's own domain, by whom the merchant says, and nowhere else", async () => {
  const { shop, domain, headers } = await withDomain();
  const { merchantId } = shop.merchant;
  const { id, path } = await open(shop);
  const framing = async (asked: string, sent: Record<string, string> = {}, init: RequestInit = {}) => {
    const reply = await browse(asked, sent, init);
    const policy = reply.headers.get('content-security-policy') ?? '';
    return [/frame-ancestors ([^;]+)/.exec(policy)?.[1], reply.headers.get('x-frame-options')];
  };
  const pages = [path, `${path}/methods`, `${path}/refund?token=x`, `/en/invoice/${id}`, '/en/checkout-invalid'];
  for (const page of pages) {
    assert.deepEqual(await framing(page), ["'none'", 'DENY'], `ours: ${page}`);
    assert.deepEqual(await framing(page, headers), ["'self'", 'SAMEORIGIN'], `the merchant's: ${page}`);
    const forged = { 'x-forwarded-for-hostname': domain };
    assert.deepEqual(await framing(page, forged), ["'none'", 'DENY'], `a host without a key: ${page}`);
  }
  const posted = { method: 'POST', body: 'network=NOWHERE' };
  assert.deepEqual(await framing(`${path}/commit`, {}, posted), ["'none'", 'DENY']);

  const allow = async (...framedBy: string[]): Promise<void> => {
    await changeBrandDomain(gateway, merchantId, { framedBy }, 'operator');
    await gateway.app.refresh();
  };
  await allow('self', 'https://Shop.example/', 'https://admin.shop.example:8443', 'self');
  const named = "'self' https://shop.example https://admin.shop.example:8443";
  assert.deepEqual(await framing(path, headers), [named, null]);
  assert.deepEqual(await framing(path), ["'none'", 'DENY']);
  await allow();
  assert.deepEqual(await framing(path, headers), ["'none'", 'DENY']);

  for (const wrong of [
    ...['http://shop.example', 'https://shop.example/page', 'https://*.shop.example', '*', 'none', '', 'shop.example'],
    ...['https://shop.example; script-src *', 'https://a.example https://b.example', 'https://user@shop.example'],
    'data:',
    'https:',
    "'unsafe-inline'",
  ])
    await assert.rejects(() => allow(wrong), /must be self or an https origin/, wrong);
  const many = Array.from({ length: 11 }, (_, at) => `https://shop${at}.example`);
  await assert.rejects(() => allow(...many), /At most 10 places/);
  assert.deepEqual(await framing(path, headers), ["'none'", 'DENY'], 'nothing of it was kept');
});

test('who names a domain keeps nobody out: it is whose container was last seen there', async () => {
  const { shop: squatter, domain } = await withDomain('redirect');
  const owner = await openShop(gateway);
  const { key } = await makeKey(owner, domain, 'redirect');
  const [theirs, ours] = [await open(squatter), await open(owner)];
  assert.equal((await browse(ours.path, through(domain, key))).status, 200, 'both are shown with their own keys');
  const sentTo = async (path: string) => (await browse(path)).headers.get('location');
  await hold(squatter);
  assert.equal(await sentTo(theirs.path), `https://${domain}${theirs.path}`);
  await hold(owner);
  assert.deepEqual([await sentTo(theirs.path), await sentTo(ours.path)], [null, `https://${domain}${ours.path}`]);
  const rows = await gateway.db<{ action: string; detail: unknown }>`
    select action, detail from audit_log
     where merchant_id = ${squatter.merchant.merchantId} and action like 'brand-domain.%' order by id`;
  assert.deepEqual(rows, [
    { action: 'brand-domain.shown', detail: { domain } },
    { action: 'brand-domain.lost', detail: { domain } },
  ]);
});

test('our own hosts are nobody’s domain, and another domain takes the earlier keys away', async () => {
  const { shop, domain, headers } = await withDomain();
  const other = await openShop(gateway);
  await assert.rejects(() => makeKey(other, 'Pay.test'), /is one of this service/);
  for (const wrong of [
    '',
    'shop',
    'http://pay.shop.example',
    'pay.shop.example/x',
    'a b.example',
    '10.0.0.1',
    '-a.example',
  ])
    await assert.rejects(() => makeKey(other, wrong), /is no domain/, wrong);
  const { key } = await makeKey(shop, `new.${domain}`);
  assert.equal((await browse('/en/checkout-invalid', headers)).status, 403);
  assert.equal((await browse('/en/checkout-invalid', through(`new.${domain}`, key))).status, 404);
});

test('the container counts viewers per customer, and an invented address takes nothing from others', async () => {
  const small = await startGateway({ env: { PAGE_VIEWERS_PER_ADDRESS: '1' } });
  try {
    const wish = { domain: 'pay.tiny.example', serviceUrl: 'https://pay.test' };
    const { key } = await createBrandingKey(small, small.merchant.merchantId, wish, 'operator');
    await small.app.refresh();
    const { id } = await small.post('/checkout/hosted', aCharge('25.00 USD'));
    const streams: Response[] = [];
    const watch = async (forwarded: string | null): Promise<number> => {
      const branded = { ...through('pay.tiny.example', key.reveal()), 'x-forwarded-for': forwarded ?? '' };
      const headers = forwarded === null ? {} : branded;
      const reply = await fetch(`${new URL(small.url).origin}/ajax/checkout/${id}/events`, { headers });
      streams.push(reply);
      return reply.status;
    };
    assert.equal(await watch('203.0.113.1'), 200);
    assert.equal(await watch('203.0.113.2'), 200, 'two customers behind one container');
    assert.equal(await watch('203.0.113.2'), 503);
    assert.equal(await watch('8.8.8.8, 10.0.0.4'), 200, 'a load balancer before the container is not the customer');
    assert.equal(await watch('8.8.8.8'), 503);
    assert.equal(await watch('127.0.0.1'), 200);
    assert.equal(await watch(null), 200, 'the container did not use up what 127.0.0.1 itself may have');
    for (const stream of streams) await stream.body?.cancel();
  } finally {
    await small.stop();
  }
});
