/** A merchant's domain changes hands, or names: what was true of the former one says nothing about the next. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listBrandingKeys } from '../src/merchants/brand-domain-store.ts';
import { findBrandFile, insertBrandFile } from '../src/merchants/brand-store.ts';
import { createBrandingKey, holdBrandDomain, revokeBrandingKey } from '../src/merchants/change-brand-domain.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { type Gate, meetAt } from './meet-at.ts';
import { openShop, type Shop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

/** Customers are sent there once it was seen, so that it shows. */
async function makeKey(shop: Shop, domain: string) {
  const wish = { domain, behaviour: 'redirect' as const, serviceUrl: 'https://pay.test' };
  const { key, keyId } = await createBrandingKey(gateway, shop.merchant.merchantId, wish, 'operator');
  return { keyId, headersAt: (host: string) => through(host, key.reveal()), headers: through(domain, key.reveal()) };
}

/** As if its container had been seen answering there. */
async function hold(shop: Shop, domain: string): Promise<void> {
  const { merchantId } = shop.merchant;
  await holdBrandDomain(gateway, { merchantId, domain, origin: `https://${domain}` }, 'operator');
  await gateway.app.refresh();
}

/** What a container adds to every request. */
const through = (host: string, key: string): Record<string, string> => ({
  'x-ws-branding-key': key,
  'x-forwarded-for-hostname': host,
  'x-forwarded-for': '203.0.113.7',
});

async function openPage(shop: Shop) {
  const { url } = await shop.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
  const path = new URL(url).pathname;
  return (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${new URL(gateway.url).origin}${path}`, { redirect: 'manual', headers });
}

test('a merchant revokes its own keys only', async () => {
  const [shop, stranger] = [await openShop(gateway), await openShop(gateway)];
  const { keyId, headers } = await makeKey(shop, 'pay.own.example');
  await makeKey(stranger, 'pay.stranger.example');
  const browse = await openPage(shop);
  await assert.rejects(revokeBrandingKey(gateway, stranger.merchant.merchantId, keyId, 'operator'), /no branding key/);
  await gateway.app.refresh();
  assert.equal((await browse(headers)).status, 200);
});

test('a key of the former domain does not speak for the next one', async () => {
  const shop = await openShop(gateway);
  const former = await makeKey(shop, 'former.key.example');
  const next = await makeKey(shop, 'next.key.example');
  const browse = await openPage(shop);
  await gateway.app.refresh();
  assert.equal((await browse(former.headersAt('next.key.example'))).status, 403);
  assert.equal((await browse(former.headers)).status, 403);
  assert.equal((await browse(next.headers)).status, 200);
});

test('nobody is sent to a domain because the former one was seen', async () => {
  const shop = await openShop(gateway);
  await makeKey(shop, 'former.seen.example');
  const browse = await openPage(shop);
  await hold(shop, 'former.seen.example');
  assert.equal((await browse()).status, 302);
  await makeKey(shop, 'next.seen.example');
  await gateway.app.refresh();
  assert.equal((await browse()).status, 200);
  await hold(shop, 'next.seen.example');
  assert.match((await browse()).headers.get('location') ?? '', /^https:\/\/next\.seen\.example\//);
});

test('what was found at the former domain, and is told late, says nothing about the new one', async () => {
  const shop = await openShop(gateway);
  await makeKey(shop, 'former.stale.example');
  const browse = await openPage(shop);
  await makeKey(shop, 'next.stale.example');
  await hold(shop, 'former.stale.example');
  assert.equal((await browse()).status, 200, 'nobody is sent to the new domain for that');
});

test('on a domain there are the files of its own merchant only', async () => {
  const [shop, stranger] = [await openShop(gateway), await openShop(gateway)];
  const { merchantId } = shop.merchant;
  const file = { name: `${'ab'.repeat(16)}.webp`, contentType: 'image/webp', body: Buffer.from('a picture') };
  await gateway.db.begin((tx) => insertBrandFile(tx, merchantId, file, gateway.clock.now()));
  assert.deepEqual(await findBrandFile(gateway.db, file.name, merchantId), file);
  assert.deepEqual(await findBrandFile(gateway.db, file.name, null), file);
  assert.equal(await findBrandFile(gateway.db, file.name, stranger.merchant.merchantId), undefined);
});

test('a domain has at most ten keys', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  const ask = () => makeKey(shop, 'pay.many.example');
  for (let key = 1; key <= 10; key += 1) await ask();
  await assert.rejects(ask, { message: 'A domain can have at most 10 keys: revoke one first.' });
  const [key] = await listBrandingKeys(gateway.db, merchantId);
  await revokeBrandingKey(gateway, merchantId, key?.id ?? '', 'operator');
  await ask();
});

test('of two domains that are wanted at the same moment the second has the keys', async () => {
  const shop = await openShop(gateway);
  const { merchantId } = shop.merchant;
  await makeKey(shop, 'former.race.example');
  const gate: Gate = (tx) => tx`select from brand_domain where merchant_id = ${merchantId} for update`;
  const keys = await meetAt(gateway.db, gate, [
    () => makeKey(shop, 'next.race.example'),
    () => makeKey(shop, 'former.race.example'),
  ]);
  assert.deepEqual(
    (await listBrandingKeys(gateway.db, merchantId)).map(({ id }) => id),
    [keys[1]?.keyId],
  );
});

test('of two who are seen at a domain in the same moment one has it', async () => {
  const shops = [await openShop(gateway), await openShop(gateway)];
  for (const shop of shops) await makeKey(shop, 'pay.both.example');
  const gate: Gate = (tx) => tx`select from brand_domain where domain = 'pay.both.example' for update`;
  await meetAt(
    gateway.db,
    gate,
    shops.map((shop) => () => hold(shop, 'pay.both.example')),
  );
  const pages = await Promise.all(shops.map(openPage));
  const statuses = await Promise.all(pages.map(async (browse) => (await browse()).status));
  assert.deepEqual(new Set(statuses), new Set([200, 302]));
});
