/** What a payer leaves on the page and takes away from it: an address, an invoice; and what strangers may not do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { findContact } from '../src/checkouts/contact-store.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';

let gateway: Gateway;
before(async () => {
  // Nobody answers there: here it is only about what the page offers.
  gateway = await startGateway({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pay@shop.example' } });
});
after(() => gateway.stop());

const origin = (): string => new URL(gateway.url).origin;
const read = async (path: string): Promise<string> => (await fetch(`${origin()}${path}`)).text();
const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin()}${path}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form), headers });

async function open(more: Record<string, unknown> = {}, charge: Record<string, unknown> = {}) {
  const body = aCharge('25.00 USD', { checkoutLanguage: 'en', ...more });
  Object.assign(body['charge'] as object, charge);
  const { id } = await gateway.post('/checkout/hosted', body);
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  return { id, to: depositInstructions as { address: string; amount: string } };
}

async function pay(to: { address: string; amount: string }): Promise<void> {
  gateway.bitcoin.pay(to);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
}

const aCustomer = {
  email: 'ada@customer.example',
  firstname: 'Ada',
  lastname: 'Łukasiewicz',
  adr1: 'Hauptstraße 1',
  zip: '12345',
  city: 'İstanbul',
  countrycode: 'TR',
};

test('a payer leaves addresses; the page shows them to nobody, and keeps them as they are once money has arrived', async () => {
  const { id, to } = await open();
  const leave = (form: Record<string, string>) => post(`/en/checkout/${id}/contact`, { network: 'BITCOIN', ...form });
  assert.equal((await leave({ email: 'ada@secret.example', refundAddress: to.address })).status, 303);
  const stored = { email: 'ada@secret.example', refundNetwork: 'BITCOIN', refundAddress: to.address, language: 'en' };
  const key = { merchantId: gateway.merchant.merchantId, id };
  assert.deepEqual(await findContact(gateway.db, key), stored);
  const page = await read(`/en/checkout/${id}`);
  assert.match(page, /The receipt goes to a…@secret\.example\./);
  assert.doesNotMatch(page, /ada@/);

  assert.equal((await leave({ email: '' })).status, 303);
  assert.deepEqual(await findContact(gateway.db, key), stored, 'what is left empty stays');
  for (const email of ['nonsense', 'a b@c.de', 'a@b', '"<x>"@y.zz', `${'a'.repeat(300)}@b.cc`])
    assert.equal((await leave({ email })).status, 422, email);
  assert.equal((await leave({ refundAddress: 'with a space' })).status, 422);
  assert.equal((await leave({ refundAddress: 'x', network: 'NOWHERE' })).status, 422);

  await pay(to);
  await leave({ email: 'thief@elsewhere.example' });
  assert.deepEqual(await findContact(gateway.db, key), stored);
});

test('a form on somebody else’s page is refused', async () => {
  const { id } = await open();
  for (const action of ['commit', 'contact', 'sandbox']) {
    const refused = await post(`/en/checkout/${id}/${action}`, {}, { 'sec-fetch-site': 'cross-site' });
    assert.equal(refused.status, 403, action);
  }
  const own = await post(`/en/checkout/${id}/commit`, { network: 'LITECOIN' }, { 'sec-fetch-site': 'same-origin' });
  assert.equal(own.status, 303);
});

test('buyer and seller are shown where the shop asks for it, at the checkout or for all of them', async () => {
  const { customerId } = await gateway.post('/customer', { customer: aCustomer });
  const plain = await open({}, { customerId });
  assert.doesNotMatch(await read(`/en/checkout/${plain.id}`), /Ada|Sold by/);
  const pageSettings = { displayBuyerInfo: true };
  const shown = await open({ pageSettings }, { customerId });
  assert.match(await read(`/en/checkout/${shown.id}`), /Billed to[^]*Ada Łukasiewicz[^]*12345 İstanbul/);

  await changeSettings(
    gateway,
    gateway.merchant.merchantId,
    { email: 'shop@seller.example', pageSettings: { displaySellerInfo: true, displayBuyerInfo: true } },
    'operator',
  );
  assert.match(await read(`/en/checkout/${plain.id}`), /Sold by[^]*shop@seller\.example[^]*Ada/);
  const hidden = await open({ pageSettings: { displayBuyerInfo: false, displaySellerInfo: false } }, { customerId });
  assert.doesNotMatch(await read(`/en/checkout/${hidden.id}`), /Ada|shop@seller/);
});

test('a linked customer who has paid gets an invoice, as a page and as a PDF, in the language of the path', async () => {
  const { customerId } = await gateway.post('/customer', { customer: aCustomer });
  const { id, to } = await open({}, { customerId, taxItems: [{ name: 'KDV', percent: '0.2' }] });
  assert.equal((await fetch(`${origin()}/en/invoice/${id}`)).status, 404, 'not before it is paid');
  await pay(to);
  assert.match(await read(`/en/checkout/${id}`), new RegExp(`href="/en/invoice/${id}"`));

  const page = await read(`/pl/invoice/${id}`);
  assert.match(page, /<h1>Faktura<\/h1>/);
  assert.match(page, /Ada Łukasiewicz[^]*Hauptstraße 1/);
  assert.match(page, /30,00\sUSD/);
  assert.ok(page.includes('0.00'), 'what was paid');

  const pdf = await fetch(`${origin()}/tr/invoice/${id}?format=pdf`);
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf']);
  const bytes = Buffer.from(await pdf.arrayBuffer());
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  assert.ok(bytes.length > 5_000 && bytes.length < 200_000, `${bytes.length} bytes`);
  assert.match(glyphNames(bytes), /İ/, 'with the letters of the customer’s city');

  const { id: unlinked, to: other } = await open();
  await pay(other);
  assert.equal((await fetch(`${origin()}/en/invoice/${unlinked}`)).status, 404);
});

/** The letters of a PDF's fonts, from the tables that let readers copy its text. */
function glyphNames(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  return Array.from(text.matchAll(/stream\r?\n([^]*?)\r?\nendstream/g), ([, stream]) => {
    try {
      const table = inflateSync(Buffer.from(stream ?? '', 'latin1')).toString('latin1');
      if (!table.includes('begincmap')) return '';
      return Array.from(table.matchAll(/<([0-9a-f]{4})>/gi), ([, code]) =>
        String.fromCodePoint(Number.parseInt(code ?? '', 16)),
      ).join('');
    } catch {
      return '';
    }
  }).join('');
}

test('merchants can look at every state, and nothing in a preview can be paid', async () => {
  const page = await read('/de/checkout/preview/expired');
  assert.match(page, /Vorschau:/);
  assert.match(page, /Die Zeit zum Bezahlen ist abgelaufen/);
  assert.match(page, /href="\/pl\/checkout\/preview\/expired"/, 'the other languages are previews too');
  assert.doesNotMatch(await read('/en/checkout/preview/pending'), /data-events/);
  const unknown = await fetch(`${origin()}/en/checkout/preview/nonsense`);
  assert.equal(unknown.status, 404);
  assert.match(await unknown.text(), /href="\/en\/checkout\/preview\/underpaid"/);
});

test('files have addresses that change with them and may be kept for ever', async () => {
  const page = await read('/en/checkout/preview/pending');
  for (const [, path = ''] of page.matchAll(/(?:href|src)="(\/(?:css|js)\/[^"]+)"/g)) {
    const file = await fetch(`${origin()}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(file.headers.get('content-encoding'), 'gzip');
    const [bare = ''] = path.split('?');
    assert.equal((await fetch(`${origin()}${bare}`)).headers.get('cache-control'), 'public, max-age=86400');
  }
});

test('the button that pays exists in the sandbox only', () => {
  const production = { ...gateway.env, MODE: 'production', WEBHOOK_ALLOW_LOOPBACK: 'off', RATE_SOURCES: 'kraken,ecb' };
  const problems = (() => {
    try {
      readConfig(production);
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.problems : [String(error)];
    }
  })();
  assert.ok(problems.includes('SANDBOX_CHAINS must not be set in production.'), problems.join('\n'));
});
