/** The payment page and the own domain, set by people: who may, what is refused, and what customers see before and after. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { FetchFailed } from '../src/lib/guarded-fetch.ts';
import { findBrandDomain, listBrandingKeys } from '../src/merchants/brand-domain-store.ts';
import { findBrand } from '../src/merchants/brand-store.ts';
import { holderOf } from '../src/merchants/branding-key.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { checkBrandDomain } from '../src/merchants/check-brand-domain.ts';
import { findMerchant } from '../src/merchants/merchant-store.ts';
import { type AccountWorld, type Form, type PageAnswer, startAccounts, type Visitor, words } from './account-world.ts';
import { aCharge } from './gateway.ts';
import { meetAt } from './meet-at.ts';
import { openShop, type Shop } from './shop.ts';

const page = '/account/settings/payment-page';
let world: AccountWorld;
const containers: Server[] = [];
before(async () => {
  world = await startAccounts({ ratesAreKept: false });
});
after(async () => {
  for (const each of containers) each.close();
  await world.gateway.stop();
});

let people = 0;
async function shopWith(role: 'owner' | 'developer' = 'developer'): Promise<{ shop: Shop; person: Visitor }> {
  const shop = await openShop(world.gateway);
  people += 1;
  return { shop, person: await world.member(role, `brand-${people}@example.com`, shop.merchant.merchantId) };
}
const brandOf = ({ merchant }: Shop) => findBrand(world.gateway.db, merchant.merchantId);
const settingsOf = async ({ merchant }: Shop) =>
  (await findMerchant(world.gateway.db, merchant.merchantId))?.pageSettings ?? {};
const domainOf = ({ merchant }: Shop) => findBrandDomain(world.gateway.db, merchant.merchantId);

async function pageOf(shop: Shop): Promise<string> {
  const { url } = await shop.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
  return (await fetch(`${new URL(world.gateway.url).origin}${new URL(url).pathname}`)).text();
}

/** What stands below a field. */
const noteOn = ({ text }: PageAnswer, field: string): string =>
  (new RegExp(`id="note-${field}"[^>]*>(.*?)</div>`, 's').exec(text)?.[1] ?? '').replaceAll(/<[^>]+>/g, '');

/** As a browser sends a form with files. */
async function upload(person: Visitor, path: string, shop: Shop, files: Record<string, Buffer>, fields: Form = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ account: shop.merchant.merchantId, ...fields })) body.set(name, value);
  for (const [name, file] of Object.entries(files)) body.set(name, new Blob([new Uint8Array(file)]), `${name}.bin`);
  const answer = await fetch(`${new URL(world.gateway.url).origin}${path}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { cookie: `quittance-session=${person.cookie('quittance-session')}`, 'sec-fetch-site': 'same-origin' },
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}
const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 100, channels: 4, background } })
    .png()
    .toBuffer();

test('what is published is on the page of the next customer, and in the log with who did it', async () => {
  const { shop, person } = await shopWith();
  const wish = { 'shop-name': 'Nord', accent: '#7A2E14', font: 'serif', privacy: 'https://nord.example/privacy' };
  const { location } = await person.post(page, {
    ...wish,
    'name-shown': 'on',
    'seller-info': 'on',
    state: 'completed',
  });
  assert.equal(location, `${page}?did=brandPublished&state=completed&lang=en&scheme=light&width=phone`);
  const shown = await pageOf(shop);
  for (const part of ['<b>Nord</b>', '--accent:#7a2e14', '--font:Charter', 'href="https://nord.example/privacy"'])
    assert.ok(shown.includes(part), part);
  const rows = await world.gateway.db<{ actor: string; action: string; detail: any }>`
    select actor, action, detail from audit_log
     where merchant_id = ${shop.merchant.merchantId} and action in ('brand.changed', 'settings.changed') and actor like 'person:%'
     order by action desc`;
  assert.deepEqual(
    rows.map(({ action, detail }) => [action, detail]),
    [
      ['settings.changed', { pageSettings: { shopName: 'Nord', privacyUrl: wish.privacy, displaySellerInfo: true } }],
      ['brand.changed', { accentColour: '#7a2e14', font: 'serif' }],
    ],
    'what did not change is not in it',
  );
  const next = await person.get(location);
  assert.match(words(next), /Your customers see it from now on/);
  assert.match(words(next), /Published by The developer/);
  assert.equal(noteOn(next, 'accent'), 'Text on it: white, 9.4 : 1');
  await person.post(page, wish);
  assert.deepEqual(
    await settingsOf(shop),
    { ...(await settingsOf(shop)), displaySellerInfo: true },
    'left out: it stays',
  );
});

test('the buyer is shown to everybody only by who may see customers; a box that is not ticked takes nothing else back', async () => {
  const { shop, person: developer } = await shopWith();
  const { merchantId } = shop.merchant;
  const owner = await world.member('owner', 'owner-of-brand@example.com', merchantId);
  const stored = async (name = 'displayBuyerInfo') => (await settingsOf(shop))[name] ?? null;
  assert.doesNotMatch((await developer.get(page)).text, /name="buyer-info"/);
  assert.equal((await developer.post(page, { 'buyer-info': 'on' })).status, 403);
  assert.equal(await stored(), null);
  assert.equal((await developer.post(page, { 'buyer-info': 'off' })).status, 303, 'which changes nothing');
  await owner.post(page, { 'buyer-info': 'on' });
  assert.equal(await stored(), true);
  assert.equal((await developer.post(page, { 'buyer-info': 'off' })).status, 403);
  assert.equal(await stored(), true);
  await owner.post(page, { 'buyer-info': 'off' });
  assert.equal(await stored(), null, 'as if nobody had ever said it');
  await changeSettings(world.gateway, merchantId, { pageSettings: { displayBuyerInfo: false } }, 'operator');
  await owner.post(page, { 'buyer-info': 'off', receipts: 'on' });
  assert.deepEqual([await stored(), await stored('sendReceipts')], [false, null], 'what is as before is not written');
  await owner.post(page, { receipts: 'off' });
  assert.equal(await stored('sendReceipts'), false);
});

test('every refusal says beside its field what would be right, and nothing changes', async () => {
  const { shop, person } = await shopWith();
  await person.post(page, { accent: '#123456', 'shop-name': 'Before' });
  const before = [await brandOf(shop), await settingsOf(shop)];
  const wrong: Record<string, [value: string, right: RegExp]> = {
    accent: ['reddish', /like #1d4ed8/],
    page: ['#12', /like #1d4ed8/],
    'shop-name': ['x'.repeat(101), /at most 100 letters/],
    'support-email': ['help', /e-mail address/],
    'return-url': ['javascript:alert(1)', /begins with https/],
  };
  for (const [field, [value, right]] of Object.entries(wrong)) {
    const refused = await person.post(page, { text: '#ffffff', [field]: value });
    assert.equal(refused.status, 400, field);
    assert.match(noteOn(refused, field), right, field);
    assert.ok(refused.text.includes(`value="${value}"`), 'nothing has to be typed twice');
    assert.deepEqual([await brandOf(shop), await settingsOf(shop)], before, field);
  }
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  const many = await upload(person, page, shop, { logo: svg, 'font-file': svg }, { accent: '#654321' });
  assert.equal(many.status, 400);
  assert.match(many.text, /id="note-logo"[^>]*><p class="error">.*?PNG, JPEG or WebP\. SVG is not taken/s);
  assert.match(many.text, /id="note-font-file"[^>]*><p class="error">.*?must be a WOFF2 file/s);
  assert.match(many.text, /2 fields need another look/);
  const large = await upload(person, page, shop, { background: Buffer.alloc(8 * 1024 * 1024 + 1) });
  assert.match(large.text, /id="note-background"[^>]*><p class="error">.*?at most 8 MB/s);
  assert.equal(
    (await upload(person, page, shop, { background: Buffer.alloc(11 * 1024 * 1024) }).catch(() => null))?.status ?? 413,
    413,
  );
  assert.deepEqual([await brandOf(shop), await settingsOf(shop)], before);
});

test('logos are uploaded, shown encoded anew, and taken away', async () => {
  const { shop, person } = await shopWith();
  const files = { logo: await picture('#ff8800'), 'logo-dark': await picture('#0088ff') };
  assert.equal((await upload(person, page, shop, files, { 'name-shown': 'off' })).status, 303);
  const brand = await brandOf(shop);
  assert.match(brand?.logo ?? '', /^[0-9a-f]{32}\.webp$/);
  assert.equal(brand?.isNameHidden, true);
  assert.ok((await pageOf(shop)).includes(`/images/brand/${brand?.logo}`));
  assert.ok((await person.get(page)).text.includes(`<img src="/images/brand/${brand?.logo}"`));
  await person.post(page, { 'logo-remove': 'yes' });
  const { logo, logoDark } = (await brandOf(shop)) ?? {};
  assert.deepEqual([logo, logoDark], [null, brand?.logoDark]);
});

test('only who is signed in can send much', async () => {
  const { shop, person } = await shopWith();
  const stranger = { ...person, cookie: () => 'nobody' };
  const files = { logo: Buffer.alloc(1024 * 1024) };
  const refused = await upload(stranger, page, shop, files).catch(() => null);
  assert.equal(refused?.status ?? 413, 413);
  assert.equal((await upload(person, page, shop, files)).status, 400, 'read, and refused as a picture');
});

test('where customers and their messages go is changed after a proof, how the page looks without one', async () => {
  for (const role of ['owner', 'developer'] as const) {
    const { shop, person } = await shopWith(role);
    const before = { 'support-email': 'help@nord.example', 'return-url': 'https://nord.example/thanks' };
    assert.equal((await person.post(page, before)).status, 303, 'not long after the sign-in');
    world.gateway.clock.advance({ minutes: 6 });
    const unchanged = await person.post(page, { ...before, accent: '#123456', 'shop-name': 'Nord', 'tax-id': '' });
    assert.equal(unchanged.status, 303, `${role}: what is sent as it was needs none`);
    const elsewhere: Form[] = [
      { 'support-email': 'help@evil.example' },
      ...['return-url', 'cancel-url', 'legal-notice', 'privacy', 'terms'].map((field) => ({
        [field]: 'https://evil.example/',
      })),
      { 'tax-id': 'DE000000000' },
      { 'support-email': '' },
    ];
    for (const form of elsewhere) {
      const refused = await person.post(page, { ...form, accent: '#654321' });
      assert.match(words(refused), /Prove that it is you/, JSON.stringify(form));
    }
    const { supportEmail, returnUrl, taxId } = await settingsOf(shop);
    assert.deepEqual([supportEmail, returnUrl, taxId], [before['support-email'], before['return-url'], undefined]);
    assert.equal((await brandOf(shop))?.accentColour, '#123456');
    await person.prove();
    assert.equal((await person.post(page, { 'support-email': 'desk@nord.example' })).status, 303);
    assert.equal((await settingsOf(shop))['supportEmail'], 'desk@nord.example');
  }
});

test('the preview shows what is not published to who may publish it, and to nobody else', async () => {
  const { shop, person } = await shopWith();
  const logo = await picture('#ff8800');
  const fields = {
    accent: '#0f766e',
    'shop-name': 'Tried out',
    state: 'expired',
    lang: 'de',
    scheme: 'dark',
    page: 'reddish',
  };
  const shown = await upload(person, `${page}/preview`, shop, { logo }, fields);
  assert.equal(shown.status, 200);
  for (const part of [
    '--accent:#0f766e',
    '<b>Tried out</b>',
    'lang="de"',
    'data-theme="dark"',
    'src="data:image/webp;base64,',
  ])
    assert.ok(shown.text.includes(part), part);
  assert.match(
    shown.text,
    /<template id="brand-notes">.*id="note-page"[^>]*><p class="error">/s,
    'what is wrong is told too',
  );
  assert.equal(await brandOf(shop), undefined);
  assert.deepEqual((await settingsOf(shop))['shopName'], undefined);
  const published = await person.get(`${page}/preview?state=completed`);
  assert.ok(!published.text.includes('#0f766e') && !published.text.includes('Tried out'));
  const [, since = ''] = /data-since="([^"]+)"/.exec(published.text) ?? [];
  const age = world.gateway.clock.now().getTime() - Date.parse(since);
  assert.ok(age > 120_000, `it stays, and does not go back to a shop by itself: ${age} ms`);
  const policy = String(published.headers['content-security-policy']);
  assert.match(policy, /img-src 'self' data:.*form-action 'none'.*frame-ancestors 'self'/);
  const support = await world.member('support', 'support-of-brand@example.com', shop.merchant.merchantId);
  for (const answer of [await support.get(`${page}/preview`), await support.post(`${page}/preview`, fields)]) {
    assert.equal(answer.status, 403);
    assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'self'/, 'told inside the frame');
  }
  assert.equal((await world.visitor().get(`${page}/preview`)).status, 303);
});

/** A container on this machine: what it is asked for it asks the service, with the key and the host. */
async function startContainer(key: () => string): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url?.replace(/^\/api\/v1\/(health|status)$/, '$&/brand-connect') ?? '/';
    const headers = { 'x-ws-branding-key': key(), 'x-forwarded-for-hostname': 'localhost' };
    void fetch(`${new URL(world.gateway.url).origin}${path}`, { headers }).then(async (answer) => {
      response.writeHead(answer.status).end(await answer.text());
    });
  });
  containers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const keyOn = ({ text }: PageAnswer): string => /class="value mono">(qb1\.[^<]+)</.exec(text)?.[1] ?? '';

test('a domain is connected, checked, changed and given up, each with a fresh proof', async () => {
  const { shop, person } = await shopWith('owner');
  let key = 'none';
  const domain = await startContainer(() => key);
  const made = await person.post(`${page}/domain`, { domain, behaviour: 'redirect' });
  assert.equal(made.status, 200);
  key = keyOn(made);
  assert.match(words(made), /it is not shown again/);
  const waiting = await person.get(page);
  assert.ok(!waiting.text.includes(key), 'shown once');
  assert.match(words(waiting), /Waits until a check finds your container/);
  assert.equal((await domainOf(shop))?.behaviour, 'redirect');

  const check = () => person.post(`${page}/domain/check`);
  await world.gateway.app.refresh();
  const right = key;
  key = `${right}x`;
  assert.match(words(await check()), /runs with a key that is not valid/);
  assert.equal((await domainOf(shop))?.seenAt, null);
  key = right;
  const developer = await world.member('developer', 'developer-of-domain@example.com', shop.merchant.merchantId);
  assert.match(words(await developer.post(`${page}/domain/check`)), /localhost works: your pages are shown there/);
  assert.equal((await domainOf(shop))?.seenAt, null, 'a developer looks, and sends nobody there');
  assert.match(words(await check()), /localhost works: your pages are shown there/);
  assert.notEqual((await domainOf(shop))?.seenAt, null);

  world.gateway.clock.advance({ minutes: 6 });
  const changes: [string, Form][] = [
    ['', { domain, behaviour: 'both' }],
    ['/behaviour', { behaviour: 'block', 'framed-by': 'self' }],
    ['/revoke', { key: (await listBrandingKeys(world.gateway.db, shop.merchant.merchantId))[0]?.id ?? '' }],
    ['/remove', {}],
  ];
  const before = await domainOf(shop);
  for (const [path, form] of changes) {
    assert.match(words(await person.post(`${page}/domain${path}`, form)), /Prove that it is you/, path);
    // Links to refunds lead to the domain.
    assert.match(words(await developer.post(`${page}/domain${path}`, form)), /role .* does not allow this/, path);
  }
  assert.deepEqual(await domainOf(shop), before);
  assert.equal((await check()).status, 200, 'looking needs none');

  await person.prove();
  const second = await person.post(`${page}/domain`, { domain, behaviour: 'redirect' });
  assert.notEqual(keyOn(second), right);
  const wish = { behaviour: 'own-domain', 'framed-by': 'self https://shop.example' };
  assert.equal((await person.post(`${page}/domain/behaviour`, wish)).location, `${page}?did=domainSaved`);
  const changed = await domainOf(shop);
  assert.deepEqual([changed?.behaviour, changed?.framedBy], ['own-domain', ['self', 'https://shop.example']]);
  const bad = await person.post(`${page}/domain/behaviour`, { ...wish, 'framed-by': '*' });
  assert.equal(bad.status, 400);
  assert.match(words(bad), /cannot frame the pages: write “self”/);
  await person.post(`${page}/domain/revoke`, changes[2]?.[1]);
  assert.equal((await listBrandingKeys(world.gateway.db, shop.merchant.merchantId)).length, 1);
  assert.equal((await person.post(`${page}/domain/remove`)).location, `${page}?did=domainRemoved`);
  assert.equal(await domainOf(shop), undefined);
  assert.match(words(await person.post(`${page}/domain`, { domain: 'shop' })), /it must be like pay\.shop\.example/);
});

test('a container of one merchant at a domain says nothing for another who named it', async () => {
  const [squatter, owner] = [await shopWith('owner'), await shopWith('owner')];
  let key = 'none';
  const domain = await startContainer(() => key);
  const named = async ({ person }: typeof owner) => keyOn(await person.post(`${page}/domain`, { domain }));
  const check = async ({ person }: typeof owner) => words(await person.post(`${page}/domain/check`));
  await named(squatter);
  key = await named(owner);
  await world.gateway.app.refresh();
  assert.match(await check(squatter), /it is not your container/);
  assert.equal((await domainOf(squatter.shop))?.seenAt, null);
  assert.match(await check(owner), /localhost works/);
  assert.notEqual((await domainOf(owner.shop))?.seenAt, null);
  key = await named(squatter);
  await world.gateway.app.refresh();
  assert.match(await check(squatter), /localhost works/, 'the machine behind the name is another one now');
  assert.equal((await domainOf(owner.shop))?.seenAt, null);
  const audit = await owner.person.get('/account/settings/audit');
  assert.match(words(audit), /Another account’s container answers at localhost/);
  const [row] = await world.gateway.db<{ session_id: unknown; address: unknown }>`
    select session_id, address from audit_log where action = 'brand-domain.lost'
       and merchant_id = ${owner.shop.merchant.merchantId}`;
  assert.deepEqual(row, { session_id: null, address: null }, 'who the other is, is nobody’s business');
  const ours = await owner.person.post(`${page}/domain`, { domain: world.gateway.env['PUBLIC_URL'] ?? '' });
  assert.match(words(ours), /an address of the service itself/);
});

test('who is signed out meanwhile changes neither the domain nor the business', async () => {
  const { shop, person } = await shopWith('owner');
  const { merchantId } = shop.merchant;
  await person.post(`${page}/domain`, { domain: 'pay.meanwhile.example' });
  const [key] = await listBrandingKeys(world.gateway.db, merchantId);
  const business = { name: 'Changed', currency: 'USD', 'time-zone': 'UTC', asset: '' };
  const changes: [string, Form][] = [
    [`${page}/domain`, { domain: 'pay.other.example' }],
    [`${page}/domain/revoke`, { key: key?.id ?? '' }],
    [`${page}/domain/remove`, {}],
    ['/account/set-up/business', business],
    ['/account/developers/keys', { label: 'Meanwhile', scope: 'charge' }],
  ];
  const before = [await domainOf(shop), await findMerchant(world.gateway.db, merchantId)];
  const answers = await meetAt(
    world.gateway.db,
    (tx) =>
      tx`delete from session where person_id in (select person_id from membership where merchant_id = ${merchantId})`,
    changes.map(
      ([path, form]) =>
        () =>
          person.post(path, form),
    ),
  );
  assert.deepEqual(
    answers.map(({ status }, at) => [changes[at]?.[0], status]),
    changes.map(([path]) => [path, 403]),
  );
  assert.deepEqual([await domainOf(shop), await findMerchant(world.gateway.db, merchantId)], before);
  assert.equal((await listBrandingKeys(world.gateway.db, merchantId)).length, 1);
});

test('what is found at a domain is told apart', async () => {
  const at = { merchantId: 'abc', domain: 'pay.shop.example', origin: 'https://pay.shop.example' };
  const addresses = ['1.1.1.1'];
  const reply = (status: number, body = '') => ({ status, headers: {}, body, isComplete: true });
  const saying = (holder: string) => reply(200, JSON.stringify({ status: 'ok', domain: at.domain, holder }));
  const ours = saying(holderOf(at));
  type Fetch = Parameters<typeof checkBrandDomain>[0]['fetch'];
  const finds = async (found: readonly string[], fetch: Fetch): Promise<string> =>
    (await checkBrandDomain({ fetch, addressesOf: async () => found }, at)).is;
  const silent: Fetch = async () => {
    throw new FetchFailed('The connection was refused.');
  };
  const pages =
    (answer: typeof ours, page: typeof ours): Fetch =>
    async ({ url }) =>
      url.endsWith('/status') ? answer : page;
  assert.equal(await finds([], silent), 'noName');
  assert.equal(await finds(['10.0.0.7'], silent), 'notPublic');
  assert.equal(await finds(addresses, silent), 'silent');
  assert.equal(await finds(addresses, pages(reply(403), reply(404))), 'keyRefused');
  for (const other of [
    reply(200, '<html>'),
    reply(404),
    reply(200, '{"domain":"pay.other.example"}'),
    reply(200, 'null'),
    saying(holderOf({ ...at, merchantId: 'another' })),
    reply(200, JSON.stringify({ status: 'ok', domain: at.domain })),
  ])
    assert.equal(await finds(addresses, pages(other, reply(404))), 'other');
  assert.equal(await finds(addresses, pages(ours, reply(502))), 'other');
  assert.equal(await finds(addresses, pages(ours, reply(404))), 'works');
  const inside = await checkBrandDomain({ fetch: silent, addressesOf: async () => ['10.0.0.7', ...addresses] }, at);
  assert.deepEqual(inside.addresses, addresses, 'no address of an inner network is told');
});
