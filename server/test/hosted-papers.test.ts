/** What a payer leaves on the page and takes away from it: an address, an invoice; and what strangers may not do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findContact } from '../src/checkouts/contact-store.ts';
import { ConfigError, readConfig } from '../src/config.ts';
import { createEncryption } from '../src/lib/encryption.ts';
import { createBuyerKey } from '../src/merchants/buyer-key.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { papersOfCheckout } from '../src/papers/paper-store.ts';
import { atLeastOne } from './at-least-one.ts';
import { brokenRules } from './e-invoice-rules.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { readPdf } from './pdf-text.ts';
import { readArchivalPdf } from './read-archival-pdf.ts';
import { readCii, readUbl } from './read-e-invoice.ts';
import { aBitcoinAddress } from './refund-world.ts';
import { openShop } from './shop.ts';

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
  const refundAddress = aBitcoinAddress();
  const leftAt = gateway.clock.now();
  assert.equal((await leave({ email: 'ada@secret.example', refundAddress })).status, 303);
  const stored = { email: 'ada@secret.example', refundNetwork: 'BITCOIN', refundAddress, language: 'en', leftAt };
  const key = { merchantId: gateway.merchant.merchantId, id };
  assert.deepEqual(await findContact(gateway.db, key), stored);
  const page = await read(`/en/checkout/${id}`);
  assert.match(page.replace(/<[^>]*>/g, ''), /The receipt goes to a…@secret\.example\./);
  assert.match(
    page,
    new RegExp(
      `Your refund address <span class="mono nowrap">…${refundAddress.slice(-5)}</span> is saved, and the shop sees it\\.`,
    ),
  );
  assert.match(page, /An address of your own wallet for Bitcoin\. No postal or e-mail address\./);
  assert.ok(!page.includes('ada@') && !page.includes(refundAddress));

  assert.equal((await leave({ email: '' })).status, 303);
  assert.deepEqual(await findContact(gateway.db, key), stored, 'what is left empty stays');
  assert.equal((await leave({ email: 'ada@other.example' })).status, 303);
  assert.deepEqual(
    await findContact(gateway.db, key),
    { ...stored, email: 'ada@other.example' },
    'and what is left out',
  );
  assert.equal((await leave({ email: stored.email })).status, 303);
  for (const email of ['nonsense', 'a b@c.de', 'a@b', '"<x>"@y.zz', `${'a'.repeat(300)}@b.cc`])
    assert.equal((await leave({ email })).status, 422, email);
  assert.equal((await leave({ refundAddress: 'with a space' })).status, 422);
  assert.equal((await leave({ refundAddress: 'x', network: 'NOWHERE' })).status, 422);

  await pay(to);
  await leave({ email: 'thief@elsewhere.example' });
  assert.deepEqual(await findContact(gateway.db, key), stored);
});

test('an address that we gave out is no refund address: of this payment, of another one, in any letters', async () => {
  const { id, to } = await open();
  const other = await open();
  const litecoin = await gateway.post('/checkout/commit', { checkoutId: other.id, network: 'LITECOIN' });
  const foreign = litecoin.depositInstructions.address as string;
  for (const [refundAddress, network] of [
    [to.address, 'BITCOIN'],
    [to.address.toUpperCase(), 'BITCOIN'],
    [other.to.address, 'BITCOIN'],
    [foreign, 'LITECOIN'],
  ] as const) {
    const refused = await post(`/en/checkout/${id}/contact`, { network, refundAddress });
    assert.equal(refused.status, 422, refundAddress);
    const page = await refused.text();
    assert.match(page, /role="alert">[^]*This address is where your payment goes\. Enter one of your own wallet\./);
    assert.ok(page.includes(`value="${refundAddress}"`), 'what was typed is still there');
  }
  assert.equal(await findContact(gateway.db, { merchantId: gateway.merchant.merchantId, id }), null);
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
  const silence = { displaySellerInfo: undefined, displayBuyerInfo: undefined };
  await changeSettings(gateway, gateway.merchant.merchantId, { pageSettings: silence }, 'operator');
});

test('who types an address that is known changes no order that is there, and reads nothing of it', async () => {
  const email = 'grace@customer.example';
  const show = { pageSettings: { displayBuyerInfo: true } };
  const { customerId } = await gateway.post('/customer', { customer: { ...aCustomer, email, firstname: 'Grace' } });
  const first = await open(show, { customerId });
  const before = await read(`/en/checkout/${first.id}`);
  assert.match(before, /Billed to[^]*Grace Łukasiewicz[^]*Hauptstraße 1/);

  const typed = { email: email.toUpperCase(), firstname: 'Mallory' };
  assert.equal((await gateway.post('/customer', { customer: typed })).customerId, customerId, 'as shops expect');
  const second = await open(show, { customerId });
  const page = await read(`/en/checkout/${second.id}`);
  assert.match(page, /Billed to[^]*Mallory[^]*GRACE@customer\.example/i);
  assert.doesNotMatch(page, /Łukasiewicz|Hauptstraße|İstanbul/);
  assert.doesNotMatch(await read(`/en/checkout/${first.id}`), /Mallory/);

  for (const { to } of [first, second]) await pay(to);
  assert.match(await read(`/en/invoice/${first.id}`), /Grace Łukasiewicz[^]*Hauptstraße 1/);
  const invoice = await read(`/en/invoice/${second.id}`);
  assert.match(invoice, /Mallory/);
  assert.doesNotMatch(invoice, /Łukasiewicz|Hauptstraße|İstanbul/);
  const { customer } = await gateway.get(`/customer?id=${customerId}`);
  assert.deepEqual([customer.firstname, customer.adr1], ['Mallory', 'Hauptstraße 1'], 'the shop has all that was said');

  // What the shop says by the id is about the customer, and counts from the next order on.
  await gateway.request('PUT', '/customer', { customer: { id: customerId, city: 'Paris' } });
  const third = await open(show, { customerId });
  assert.match(await read(`/en/checkout/${third.id}`), /Mallory[^]*Paris/);
  assert.doesNotMatch(await read(`/en/checkout/${third.id}`), /Hauptstraße/);
  assert.doesNotMatch(await read(`/en/checkout/${second.id}`), /Paris/);
});

test('a linked customer who has paid gets an invoice, as a page and as a PDF, which names nobody to others', async () => {
  const { customerId } = await gateway.post('/customer', { customer: aCustomer });
  const { id, to } = await open({}, { customerId, taxItems: [{ name: 'KDV', percent: '0.2' }] });
  const early = await fetch(`${origin()}/en/invoice/${id}`);
  assert.equal(early.status, 404, 'not before it is paid');
  assert.match(await early.text(), new RegExp(`The payment is not complete yet[^]*href="/en/checkout/${id}"`));
  await pay(to);
  assert.match(await read(`/en/checkout/${id}`), new RegExp(`href="/en/invoice/${id}"`));

  const veiled = await read(`/en/invoice/${id}`);
  const stranger = await fetch(`${origin()}/en/invoice/${id}?format=pdf&key=guessed`);
  const said = readPdf(Buffer.from(await stranger.arrayBuffer())).text;
  for (const text of [veiled, said]) assert.doesNotMatch(text, /Łukasiewicz|Hauptstra|İstanbul|ada@/);
  assert.match(veiled, /Net amount[^]*VAT|KDV/, 'all else is for whoever has the link');
  const wrong = await post(`/en/invoice/${id}`, { email: 'eve@customer.example' });
  assert.equal(wrong.status, 422);
  const refused = await wrong.text();
  assert.match(refused, /role="alert">[^]*The order was not made with this address\./);
  assert.doesNotMatch(refused, /Łukasiewicz/);
  const shown = await post(`/pl/invoice/${id}`, { email: ' ADA@customer.example ' });
  const whole = shown.headers.get('location') ?? '';
  assert.match(whole, new RegExp(`^/pl/invoice/${id}\\?key=`));
  const guess = async (email: string) => (await post(`/en/invoice/${id}`, { email })).status;
  const guesses = [];
  for (let count = 0; count < 6; count += 1) guesses.push(await guess(`guess-${count}@customer.example`));
  assert.deepEqual(guesses.slice(0, 3), [422, 422, 422]);
  assert.equal(guesses.at(-1), 429, 'whoever guesses waits');
  assert.equal(await guess(aCustomer.email), 429, 'also with the right one');
  gateway.clock.advance({ seconds: 2 });
  assert.equal(await guess(aCustomer.email), 303);
  const { id: foreign, to: further } = await open({}, { customerId });
  await pay(further);
  assert.doesNotMatch(await read(whole.replace(id, foreign)), /Łukasiewicz/, 'the key of one invoice opens no other');

  const page = await read(whole);
  assert.match(page, /<h1>Faktura<\/h1>/);
  assert.match(page, new RegExp(`href="/tr/invoice/${id}\\?key=[^"]*"`), 'also in another language');
  assert.match(page, /Ada Łukasiewicz[^]*Hauptstraße 1/);
  assert.match(page, /Kwota netto[^]*25,00\sUSD[^]*KDV[^]*20%[^]*5,00\sUSD[^]*Razem[^]*30,00\sUSD/);
  assert.match(page, /<strong>0,00\d+\u00a0BTC/, 'what was paid');
  assert.match(page, /Kurs wymiany<\/dt><dd>1\u00a0BTC = [\d\s]+,\d\d\sUSD/, 'and at which rate');
  assert.match(page, /Turcja/, 'the country by its name');
  assert.match(page, /<span class="stamp">Zapłacono</);

  const pdf = await fetch(`${origin()}${whole.replace('/pl/', '/tr/')}&format=pdf`);
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf']);
  const bytes = Buffer.from(await pdf.arrayBuffer());
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
  assert.ok(bytes.length > 5_000 && bytes.length < 200_000, `${bytes.length} bytes`);
  assert.match(readPdf(bytes).text, /12345 İstanbul[^]*Net tutar[^]*KDV/, 'with the letters of the customer’s city');

  const { id: unlinked, to: other } = await open();
  await pay(other);
  assert.equal((await fetch(`${origin()}/en/invoice/${unlinked}`)).status, 404);
});

test('a customer who has paid at the shop’s own page gets an invoice too, by the link with a key and by no other', async () => {
  const { customerId } = await gateway.post('/customer', { customer: aCustomer });
  const body = aCharge('25.00 USD');
  Object.assign(body['charge'] as object, { customerId });
  const { id } = await gateway.post('/checkout', body);
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  const key = createBuyerKey(createEncryption(Buffer.from(gateway.env['MASTER_KEY'] ?? '', 'hex')), id);
  const statusOf = async (path: string) => (await fetch(`${origin()}${path}`)).status;
  assert.equal(await statusOf(`/en/invoice/${id}?key=${key}`), 404, 'not before it is paid');
  await pay(depositInstructions);
  const issued = await papersOfCheckout(gateway.db, { merchantId: gateway.merchant.merchantId, id });
  assert.deepEqual(
    issued.map(({ kind }) => kind),
    ['invoice'],
    'before anybody asks for it',
  );
  const page = await read(`/en/invoice/${id}?key=${key}`);
  assert.match(page, /INV-\d{4}-\d{5}[^]*Ada Łukasiewicz/);
  assert.doesNotMatch(page, new RegExp(`/checkout/${id}`), 'there is no page of ours to go back to');
  const others = [`/en/invoice/${id}`, `/en/invoice/${id}?key=guessed`, `/en/checkout/${id}`];
  for (const path of [...others, `/en/checkout/${id}/receipt?key=${key}`])
    assert.equal(await statusOf(path), 404, path);
});

test('an invoice holds an e-invoice for who is shown the buyer, as XML and inside the PDF', async () => {
  const seller = { country: 'DE', city: 'Hamburg', vatId: 'DE123456789', untaxedAs: 'AE' };
  const shop = await openShop(gateway, { pageSettings: seller });
  const { customerId } = await shop.post('/customer', { customer: { ...aCustomer, taxid: 'TR 4711 4711' } });
  const body = aCharge('25.00 USD', { pageSettings: { orderReference: 'KN-7' } });
  Object.assign(body['charge'] as object, { customerId });
  const { id } = await shop.post('/checkout/hosted', body);
  const { depositInstructions } = await shop.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  await pay(depositInstructions as { address: string; amount: string });

  const ask = (path: string) => fetch(`${origin()}${path}`);
  const veiled = await read(`/en/invoice/${id}`);
  assert.doesNotMatch(veiled, /format=(xml|ubl)/);
  for (const format of ['xml', 'ubl']) {
    for (const [path, why] of [
      [`/en/invoice/${id}?format=${format}&key=guessed`, /names the buyer, so only the buyer gets it/],
      [`/en/checkout/${id}/receipt?format=${format}`, /Only invoices and credit notes have one/],
    ] as const) {
      const none = await ask(path);
      assert.equal(none.status, 404, path);
      assert.match(await none.text(), why);
    }
  }
  const bytesOf = async (path: string) => Buffer.from(await (await ask(path)).arrayBuffer());
  assert.deepEqual((await readArchivalPdf(await bytesOf(`/en/invoice/${id}?format=pdf`))).attachments, []);

  const whole = (await post(`/en/invoice/${id}`, { email: aCustomer.email })).headers.get('location') ?? '';
  const page = await read(whole);
  assert.match(page, /Hamburg<br>Germany<br>VAT ID: DE123456789/, 'the seller in parts');
  assert.match(page, /Reverse charge: the buyer owes the VAT\./);
  assert.match(page, new RegExp(`href="/en/invoice/${id}\\?key=[^"]*&amp;format=ubl"`));
  const answer = await ask(`${whole}&format=xml`);
  assert.deepEqual(
    ['content-type', 'content-disposition', 'cache-control'].map((name) => answer.headers.get(name)),
    ['application/xml', 'attachment; filename="INV-2026-00001.xml"', 'no-store'],
  );
  const xml = await answer.text();
  const { attachments } = await readArchivalPdf(await bytesOf(`${whole}&format=pdf`));
  assert.deepEqual(
    attachments.map(({ name, content }) => [name, content]),
    [['factur-x.xml', xml]],
    'the same in the PDF',
  );
  const said = [readCii(xml), readUbl(await read(`${whole}&format=ubl`))];
  for (const invoice of said) {
    assert.deepEqual(brokenRules(invoice), []);
    assert.deepEqual(
      [invoice.number, invoice.orderReference, invoice.totals.withVat, invoice.totals.due, invoice.buyer.vatId],
      ['INV-2026-00001', 'KN-7', '25.00', '0.00', 'TR47114711'],
    );
    assert.match(invoice.notes.join(), /^Sandbox: [^]*Bitcoin: 0\.\d+\u00a0BTC; .*1\u00a0BTC = \$/);
  }
});

test('everybody who has paid gets a receipt, dated where the shop is, as a page and as a PDF', async () => {
  const shop = await openShop(gateway, { pageSettings: { timeZone: 'Asia/Tokyo', legalLine: 'Shop Ltd, Tokyo' } });
  const { id } = await shop.post('/checkout/hosted', aCharge('25.00 USD', { checkoutLanguage: 'en' }));
  const { depositInstructions } = await shop.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  const path = (language: string): string => `/${language}/checkout/${id}/receipt`;
  const early = await fetch(`${origin()}${path('de')}?format=pdf`);
  assert.equal(early.status, 404, 'not before it is paid');
  assert.match(await early.text(), new RegExp(`noch nicht abgeschlossen[^]*href="/de/checkout/${id}"`));
  const unknown = await fetch(`${origin()}${path('en').replace(id, 'aaaaaaaaaaaa')}`);
  assert.match(await unknown.text(), /There is no such payment/);
  await pay(depositInstructions as { address: string; amount: string });
  const done = await read(`/en/checkout/${id}`);
  assert.match(done, new RegExp(`href="${path('en')}"`));
  assert.match(
    done,
    /<dt>Exchange rate<\/dt><dd><span class="each">1\u00a0BTC = \$[\d,]+\.\d\d</,
    'the slip says at which rate',
  );

  const slip = /<dt>Paid on<\/dt><dd><time datetime="2026-03-01T12:[^"]+Z">Mar 1, 2026, 21:\d\d GMT\+9<\/time>/;
  assert.match(done, slip, 'so is the slip, and no script makes it local');
  const page = await read(path('de'));
  assert.match(page, /<h1>Quittung<\/h1>[^]*GMT\+9[^]*Shop Ltd, Tokyo[^]*25,00\s\$/);
  const pdf = await fetch(`${origin()}${path('de')}?format=pdf`);
  assert.equal(pdf.headers.get('content-disposition'), `inline; filename="RCT-2026-00001.pdf"`);
  assert.match(readPdf(Buffer.from(await pdf.arrayBuffer())).text, /Sandbox:[^]*Quittung[^]*BEZAHLT[^]*GMT\+9/);
  assert.equal((await fetch(`${origin()}/en/invoice/${id}`)).status, 404, 'no invoice: the shop has not said to whom');

  const arabic = await fetch(`${origin()}${path('ar')}?format=pdf`, { redirect: 'manual' });
  assert.equal(arabic.status, 200);
  assert.match(readPdf(Buffer.from(await arabic.arrayBuffer())).text, /إيصال[^]*تم الدفع[^]*25\.00/, 'in Arabic too');
});

test('merchants can look at every state, and nothing in a preview can be paid', async () => {
  const page = await read('/de/checkout/preview/expired');
  assert.match(page, /Vorschau:/);
  assert.match(page, /Dieser Preis gilt nicht mehr/);
  assert.match(page, /href="\/pl\/checkout\/preview\/expired"/, 'the other languages are previews too');
  assert.doesNotMatch(await read('/en/checkout/preview/pending'), /data-events/);
  const unknown = await fetch(`${origin()}/en/checkout/preview/nonsense`);
  assert.equal(unknown.status, 404);
  assert.match(await unknown.text(), /href="\/en\/checkout\/preview\/underpaid"/);
});

test('files have addresses that change with them and may be kept for ever', async () => {
  const page = await read('/en/checkout/preview/pending');
  for (const [, path = ''] of atLeastOne(page.matchAll(/(?:href|src)="(\/(?:css|js)\/[^"]+)"/g))) {
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

// It moves the clock.
test('in every state after the first money a receipt can be asked for, and the shop be written to with all facts', async () => {
  const pageSettings = { supportEmail: 'help@shop.example' };
  await changeSettings(gateway, gateway.merchant.merchantId, { pageSettings }, 'operator');
  const { id, to } = await open();
  const page = (): Promise<string> => read(`/en/checkout/${id}`);
  const txid = gateway.bitcoin.pay({ ...to, amount: '0.0001' });
  await gateway.runUntilIdle();
  const partial = await page();
  assert.match(partial, /Part of your payment has arrived[^]*id="email"/);
  assert.match(partial, /Money has arrived, so a refund address can no longer be entered here/);
  assert.doesNotMatch(partial, /id="refund-address"/);
  const [, body] = /mailto:help@shop\.example\?subject=Payment%20of[^"]*&amp;body=([^"]*)"/.exec(partial) ?? [];
  const lines = decodeURIComponent(body ?? '').split('\r\n');
  for (const line of [`Order code: ${id}`, 'Total: $25.00', `Transaction (Bitcoin): ${txid}`])
    assert.ok(lines.includes(line), `${line} in ${lines.join()}`);
  assert.ok(
    lines.some((line) => /^You sent: 0\.0001\u00a0BTC \(\$\d+\.\d\d\)$/.test(line)),
    lines.join(),
  );

  gateway.bitcoin.mine(6);
  gateway.clock.advance({ minutes: 61 });
  await gateway.runUntilIdle();
  assert.match(await page(), /Less than the full amount has arrived[^]*id="email"/);
  assert.match(await page(), /http-equiv="refresh"/);
  assert.doesNotMatch(await read(`/en/checkout/${id}?open=contact`), /http-equiv="refresh"/, 'while somebody types');

  const more = await open();
  gateway.bitcoin.pay({ ...more.to, amount: '0.01' });
  await gateway.runUntilIdle();
  assert.match(await read(`/en/checkout/${more.id}`), /Your payment was seen[^]*Receipt by e-mail[^]*id="email"/);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  const tooMuch = await read(`/en/checkout/${more.id}`);
  assert.match(tooMuch, /too much[^]*Receipt by e-mail[^]*id="email"/);
  assert.match(tooMuch, /href="mailto:[^"]*please%20send%20back[^"]*Too%20much/);
});
