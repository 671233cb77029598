/** Payers who leave an e-mail address, and a mail server that is not always there. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import sharp from 'sharp';
import { createApp } from '../src/app.ts';
import { findContact } from '../src/checkouts/contact-store.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { receiptEmail } from '../src/emails/receipt-email.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { listJobs, retryParkedJob } from '../src/jobs/job-store.ts';
import { changeBrandFile, changeLook } from '../src/merchants/change-brand.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { sampleCheckout } from '../src/payment-page/sample-checkouts.ts';
import { accountsAt, words } from './account-world.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { type MailServer, mailUser, startMailServer } from './mail-server.ts';
import { aBitcoinAddress } from './refund-world.ts';
import { patience } from './test-database.ts';
import { hangLogo } from './ugly-shops.ts';

let mail: MailServer;
let gateway: Gateway;
before(async () => {
  mail = await startMailServer();
  const credentials = `${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.pass)}`;
  gateway = await startGateway({
    hasAccount: true,
    env: {
      SMTP_URL: `smtp://${credentials}@127.0.0.1:${mail.port}`,
      MAIL_FROM: 'Zahlungen, täglich <pay@shop.example>',
    },
  });
});
after(async () => {
  await gateway.stop();
  await mail.stop();
});
beforeEach(() => void mail.received.splice(0));

async function open(email: string, { language = 'de', ...more }: Record<string, unknown> = {}) {
  const { id } = await gateway.post('/checkout/hosted', aCharge('1234.50 USD', { checkoutLanguage: 'auto', ...more }));
  const { depositInstructions: to } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  const left = await fetch(`${new URL(gateway.url).origin}/${String(language)}/checkout/${id}/contact`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email, network: 'BITCOIN' }),
  });
  assert.equal(left.status, 303);
  return { id: id as string, to: to as { address: string; amount: string } };
}

async function pay(to: { address: string; amount: string }): Promise<void> {
  gateway.bitcoin.pay(to);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
}

const outcomes = async (id: string): Promise<unknown[]> =>
  gateway.db`select generation, outcome from email where checkout_id = ${id}`;
const waiting = async (): Promise<number> => (await gateway.db`select from job where name = 'email.send'`).length;

test('a payer leaves an address, pays, and gets one receipt in the language of the page', async () => {
  const { id, to } = await open('ada@payer.example');
  await gateway.runUntilIdle();
  assert.equal(mail.received.length, 0, 'nothing before the payment');
  await pay(to);
  const [receipt, ...more] = mail.received;
  assert.ok(receipt && more.length === 0, `${mail.received.length} messages`);
  assert.deepEqual(receipt.to, ['ada@payer.example']);
  assert.equal(receipt.headers.get('subject'), 'Quittung für Ihre Zahlung an Test shop');
  assert.equal(
    receipt.headers.get('from'),
    'Test shop <pay@shop.example>',
    'who it is from, at the address it is sent by',
  );
  assert.equal(receipt.headers.has('reply-to'), false, 'the shop has told no address');
  const [sent] = await gateway.db<{ id: string }>`select id from email where checkout_id = ${id}`;
  assert.equal(receipt.headers.get('message-id'), `<receipt.${sent?.id}@shop.example>`, 'an id that nobody guesses');
  assert.equal(receipt.headers.get('auto-submitted'), 'auto-generated');
  const page = `https://pay.test/de/checkout/${id}`;
  assert.match(
    receipt.text,
    new RegExp(`\nQuittung:\r\n${page}/receipt\r\n[^]*\n${page}\r\n`),
    'the paper, and the page',
  );
  for (const url of [`${page}/receipt`, page]) assert.match(receipt.html, new RegExp(`<a [^>]*href="${url}"`));
  for (const form of [receipt.text, receipt.html]) {
    for (const fact of ['1.234,50\u00a0$', `${to.amount.replace('.', ',')}\u00a0BTC`, 'Test shop', id, page])
      assert.ok(form.includes(fact), `${fact} in ${form}`);
    assert.match(form, /Vielen Dank, Ihre Zahlung ist abgeschlossen\.[^]*Bezahlt am 1\. März 2026/);
  }
  assert.doesNotMatch(receipt.html, /<img|src=|url\(|<link|<script/);
  assert.equal(receipt.images.size, 0);
  assert.deepEqual([await outcomes(id), await waiting()], [[{ generation: 1, outcome: 'sent' }], 0]);
});

test("the shop's own order number is on the page, on papers and in the mail, and our code beside it has its own name", async () => {
  const { id, to } = await open('ada@payer.example', { language: 'en', pageSettings: { orderReference: '<10045>' } });
  const read = async (path: string) => (await fetch(`${new URL(gateway.url).origin}${path}`)).text();
  const inMarkup = '&lt;10045&gt;';
  const waiting = await read(`/en/checkout/${id}`);
  assert.ok(waiting.includes(`Order <span class="mono nowrap">${inMarkup}</span>`), 'while it waits');
  await pay(to);
  const [receipt] = mail.received;
  assert.match(receipt?.text ?? '', new RegExp(`Order code: <10045>\\r?\\nPayment ID: ${id}\\r?\\n`));
  for (const path of [`/en/checkout/${id}`, `/en/checkout/${id}/receipt`]) {
    const page = await read(path);
    assert.ok(page.includes(inMarkup), path);
    assert.match(page, new RegExp(`Payment ID(: |</dt>)[^]{0,30}${id}`), path);
  }
});

test('the mail is dated where the shop is, like the papers', () => {
  const settledAt = new Date('2026-03-01T20:00:00Z');
  const checkout = { ...sampleCheckout('completed', settledAt, 'de'), timeZone: 'Asia/Tokyo' };
  const urls = { receiptUrl: 'https://pay.test/receipt', pageUrl: 'https://pay.test/' };
  const { text } = receiptEmail('de', { checkout, settledAt, ...urls, isSandbox: false });
  assert.match(text, /Bezahlt am 2\. März 2026 um 05:00 GMT\+9\./);
});

test('the mail lists what was bought, as the page does', () => {
  const settledAt = new Date('2026-03-01T20:00:00Z');
  const checkout = sampleCheckout('completed', settledAt, 'de');
  const label = 'Beans\nand <b>more</b>';
  const lines = [{ label, detail: { pieces: '2', each: '9.00' }, amount: '18.00' }, ...checkout.lines.slice(1)];
  const urls = { receiptUrl: 'https://pay.test/receipt', pageUrl: 'https://pay.test/' };
  const mailed = receiptEmail('de', { checkout: { ...checkout, lines }, settledAt, ...urls, isSandbox: false });
  const items = [
    'Beans and <b>more</b> (2\u00a0×\u00a09,00): 18,00\u00a0€',
    'Voucher: \u22122,00\u00a0€',
    'Shipping: 5,25\u00a0€',
    'VAT (20\u00a0%): 4,25\u00a0€',
    'Gesamt: 25,50\u00a0€',
  ];
  assert.ok(mailed.text.includes(`\n${items.join('\n')}\n`), mailed.text);
  assert.match(
    mailed.html,
    /<th [^>]*align="left"[^>]*>Beans and &lt;b&gt;more&lt;\/b&gt; \(2\u00a0×\u00a09,00\)<\/th>/,
  );
});

test('whoever leaves no address gets no message', async () => {
  const { id } = await gateway.post('/checkout/hosted', aCharge('20.00 USD'));
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  await pay(depositInstructions);
  assert.equal(await gateway.state(id), 'COMPLETED');
  assert.deepEqual([mail.received.length, await outcomes(id)], [0, []]);
});

test('who leaves an address only after having paid gets the receipt then, and nobody gets it twice', async () => {
  const { id } = await gateway.post('/checkout/hosted', aCharge('20.00 USD', { checkoutLanguage: 'en' }));
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  await pay(depositInstructions);
  const page = `${new URL(gateway.url).origin}/en/checkout/${id}`;
  const read = async (): Promise<string> => (await fetch(page)).text();
  const leave = async (form: Record<string, string>): Promise<void> => {
    const body = new URLSearchParams({ network: 'BITCOIN', ...form });
    assert.equal((await fetch(`${page}/contact`, { method: 'POST', redirect: 'manual', body })).status, 303);
    await gateway.runUntilIdle();
  };
  const before = await read();
  assert.match(before, /Receipt by e-mail[^]*<input class="input" id="email"/);
  assert.doesNotMatch(before, /refund-address|scripted/, 'and it needs no script, because this page does not reload');
  await leave({ email: 'late@payer.example', refundAddress: aBitcoinAddress() });
  assert.match(
    (await read()).replace(/<\/?(bdi|span)[^>]*>/g, ''),
    /id="contact">The receipt goes to l…@payer\.example\./,
  );
  assert.doesNotMatch(await read(), /id="email"|is saved/);
  await leave({ email: 'other@payer.example' });
  assert.deepEqual(
    mail.received.map(({ to }) => to),
    [['late@payer.example']],
  );
  const contact = await findContact(gateway.db, { merchantId: gateway.merchant.merchantId, id });
  assert.deepEqual([contact?.email, contact?.refundAddress], ['late@payer.example', null]);
});

test('a mail looks like its shop: name, colour and logo, which is inside the message', async () => {
  const { merchantId } = gateway.merchant;
  await changeLook(gateway, merchantId, { accentColour: '#ffe066', font: 'serif' }, 'operator');
  await hangLogo(gateway, merchantId, '#101820');
  try {
    const { to } = await open('brand@payer.example');
    await pay(to);
    const [receipt] = mail.received;
    assert.ok(receipt);
    assert.match(receipt.html, /class="band"[^>]* bgcolor="#ffe066"/);
    assert.match(receipt.html, /class="button"[^>]* bgcolor="#ffe066"[^]*color:#000000">Quittung ansehen<\/a>/);
    assert.match(receipt.html, /font-family:Charter/);
    assert.deepEqual(
      receipt.html.match(/<img [^>]*src="[^"]*"/g)?.map((each) => each.replace(/.*src=/, '')),
      ['"cid:logo"'],
    );
    assert.match(receipt.html, /Test shop<\/td>/, 'the name beside the logo, for those who see no images');
    assert.doesNotMatch(receipt.html, /url\(|<link|<script/);
    const logo = receipt.images.get('logo');
    assert.deepEqual([receipt.images.size, (await sharp(logo).metadata()).format], [1, 'png']);
  } finally {
    await changeBrandFile(gateway, merchantId, 'logo', null, 'operator');
    await changeLook(gateway, merchantId, { accentColour: null, font: 'system' }, 'operator');
  }
});

test('a shop name can add neither a header nor markup', async () => {
  const shopName = 'Ünder\r\nBcc: thief@elsewhere.example <b>&amp;</b>';
  const { to } = await open('eve@payer.example', { language: 'en', pageSettings: { shopName } });
  await pay(to);
  const [receipt] = mail.received;
  assert.deepEqual(receipt?.to, ['eve@payer.example']);
  assert.equal(receipt.headers.has('bcc'), false);
  assert.equal(receipt.headers.get('from'), 'Ünder Bcc: thief elsewhere.example b &amp; /b <pay@shop.example>');
  assert.match(receipt.headers.get('subject') ?? '', /^Receipt for your payment to Ünder Bcc: thief/);
  assert.match(receipt.html, /&lt;b&gt;&amp;amp;/);
  assert.doesNotMatch(receipt.html, /<b>/);
});

test('a mail server that is away gets the receipt later', async () => {
  const { port } = mail;
  await mail.stop();
  const { id, to } = await open('late@payer.example', { language: 'tr' });
  await pay(to);
  assert.equal(await gateway.state(id), 'COMPLETED', 'the payment does not wait for the mail');
  assert.deepEqual([await outcomes(id), await waiting()], [[{ generation: 1, outcome: null }], 1]);
  gateway.clock.advance({ minutes: 1 });
  await gateway.runUntilIdle();
  assert.equal(await waiting(), 1);

  mail = await startMailServer(port);
  gateway.clock.advance({ minutes: 15 });
  await gateway.runUntilIdle();
  assert.equal(mail.received[0]?.headers.get('subject'), 'Test shop için ödeme makbuzunuz');
  assert.deepEqual([mail.received.length, await waiting()], [1, 0]);
});

test('an address that does not exist is not tried again', async () => {
  const { id, to } = await open('nobody@payer.example');
  await pay(to);
  assert.deepEqual([mail.received.length, await waiting()], [0, 0]);
  assert.deepEqual(await outcomes(id), [{ generation: 1, outcome: 'refused' }]);
});

test('somebody of the shop sends the receipt again, to who got it and to nobody else, three times an hour', async () => {
  const accounts = accountsAt(gateway);
  const { id, to } = await open('ada@payer.example');
  const path = `/account/checkouts/${id}`;
  const support = await accounts.member('support', 'support@example.com');
  assert.equal((await support.post(`${path}/receipt`)).status, 409, 'nothing is paid yet');
  await pay(to);
  mail.received.splice(0);
  assert.match(words(await support.get(path)), /Send the receipt again Goes to a…@payer\.example\./);
  for (let times = 1; times <= 3; times += 1) {
    const sent = await support.post(`${path}/receipt`, { email: 'thief@elsewhere.example' });
    assert.deepEqual([sent.status, sent.location], [303, `${path}?did=Receipt`], sent.text);
    await gateway.runUntilIdle();
    assert.equal(mail.received.length, times);
    gateway.clock.advance({ minutes: 1 });
  }
  assert.deepEqual(new Set(mail.received.flatMap(({ to: all }) => all)), new Set(['ada@payer.example']));
  assert.equal(new Set(mail.received.map(({ headers }) => headers.get('message-id'))).size, 3);
  assert.equal(mail.received[0]?.headers.get('subject'), 'Quittung für Ihre Zahlung an Test shop');
  const often = await support.post(`${path}/receipt`);
  assert.deepEqual([often.status, /three times within an hour/.test(often.text)], [409, true]);
  gateway.clock.advance({ minutes: 58 });
  assert.equal((await support.post(`${path}/receipt`)).status, 303);
  const accountant = await accounts.member('accountant', 'accountant@example.com');
  assert.equal((await accountant.post(`${path}/receipt`)).status, 403);
  assert.doesNotMatch(words(await accountant.get(path)), /receipt again Goes/);
  const rows = await gateway.db`select actor like 'person:%' as "isPerson" from audit_log
    where action = 'checkout.receipt_sent_again' and detail ->> 'checkoutId' = ${id}`;
  assert.deepEqual(
    rows,
    Array.from({ length: 4 }, () => ({ isPerson: true })),
  );
  await gateway.runUntilIdle();
});

test("who was sent a payment link gets the receipt, and a shop's own page has none to send", async () => {
  const accounts = accountsAt(gateway);
  const owner = await accounts.member('owner', 'owner@example.com');
  const link = { amount: '60', currency: 'USD', description: 'A cup', email: 'marta@payer.example' };
  const made = await owner.post('/account/checkouts/new', link);
  const [, id = ''] = /checkouts\/([a-z0-9]{12})\/link/.exec(made.location) ?? [];
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  await pay(depositInstructions);
  assert.deepEqual(
    mail.received.map(({ to: all }) => all),
    [['marta@payer.example']],
  );
  const { customerId } = await gateway.post('/customer', { customer: { email: 'ben@payer.example' } });
  const charge = { billingCurrency: 'USD', customerId, lineItems: [{ description: 'Cup', netAmount: '60.00' }] };
  for (const [kind, status] of [
    ['/checkout/hosted', 303],
    ['/checkout', 409],
  ] as const) {
    const { id: order } = await gateway.post(kind, { ...aCharge('60.00 USD'), charge });
    const { depositInstructions: there } = await gateway.post('/checkout/commit', {
      checkoutId: order,
      network: 'BITCOIN',
    });
    await pay(there);
    mail.received.splice(0);
    assert.equal((await owner.post(`/account/checkouts/${order}/receipt`)).status, status, kind);
    await gateway.runUntilIdle();
    assert.deepEqual(
      mail.received.flatMap(({ to: all }) => all),
      status === 303 ? ['ben@payer.example'] : [],
    );
  }
});

test('two workers with the same job several times over send one message', async () => {
  const otherDb = openDatabase({ url: gateway.databaseUrl, poolSize: 4, ...patience });
  const config = readConfig(gateway.env);
  const deps = { config, publicUrl: 'https://pay.test', clock: gateway.clock, log: gateway.log };
  const apps = [createApp({ ...deps, db: otherDb }), gateway.app];
  try {
    const { port } = mail;
    await mail.stop();
    const { id, to } = await open('one@payer.example');
    await pay(to);
    mail = await startMailServer(port);
    gateway.clock.advance({ minutes: 15 });
    const payload = { merchantId: gateway.merchant.merchantId, checkoutId: id, kind: 'receipt' as const };
    const again = Array.from({ length: 5 }, () => ({
      name: 'email.send' as const,
      payload,
      runAt: gateway.clock.now(),
    }));
    await gateway.db.begin((tx) => enqueue(tx, again));
    await Promise.all(apps.flatMap((app) => app.runners.map((runner) => runner.runDue())));
    assert.deepEqual([mail.received.length, mail.conversations()], [1, 1]);
    gateway.clock.advance({ minutes: 15 });
    await gateway.runUntilIdle();
    assert.deepEqual([mail.received.length, await waiting()], [1, 0]);
  } finally {
    await Promise.all(apps.slice(0, 1).flatMap((app) => app.runners.map((runner) => runner.stop())));
    await otherDb.close();
  }
});

test('a worker that died over a receipt holds it up for two minutes, and no longer', async () => {
  const { id, to } = await open('died@payer.example');
  const until = new Date(gateway.clock.now().getTime() + 120_000);
  await gateway.db`
    insert into email (merchant_id, checkout_id, kind, generation, claimed_until)
    values (${gateway.merchant.merchantId}, ${id}, 'receipt', 1, ${until})`;
  await pay(to);
  assert.deepEqual([mail.received.length, await waiting()], [0, 1]);
  gateway.clock.advance({ minutes: 2 });
  await gateway.runUntilIdle();
  // As the release names it that does not draw ids yet, and has begun it.
  assert.equal(mail.received[0]?.headers.get('message-id'), `<receipt.${id}.1@shop.example>`);
  assert.deepEqual([mail.received.length, await waiting()], [1, 0]);
});

test('after three days without a mail server the operator is told, and may try again', async () => {
  const { port } = mail;
  await mail.stop();
  const { id, to } = await open('patient@payer.example');
  await pay(to);
  gateway.clock.advance({ hours: 73 });
  await gateway.runUntilIdle();
  const parked = (await listJobs(gateway.db, gateway.clock.now(), 50)).filter(({ state }) => state === 'parked');
  assert.deepEqual(
    parked.map(({ name, lastError }) => [name, lastError]),
    [['email.send', 'the mail server has not taken this receipt for three days']],
  );
  mail = await startMailServer(port);
  await retryParkedJob(gateway.db, parked[0]?.id ?? '', gateway.clock.now());
  await gateway.runUntilIdle();
  assert.deepEqual([mail.received.length, await outcomes(id)], [1, [{ generation: 1, outcome: 'sent' }]]);
});

test('a shop that writes receipts of its own has its page ask for no address, and keeps the promises made before', async () => {
  const { id: before, to } = await open('ada@payer.example');
  const { merchantId } = gateway.merchant;
  await changeSettings(gateway, merchantId, { pageSettings: { sendReceipts: false } }, 'operator');
  const { id, to: later } = await open('bob@payer.example', { language: 'en' });
  const page = await (await fetch(`${new URL(gateway.url).origin}/en/checkout/${id}`)).text();
  assert.doesNotMatch(page, /name="email"/);
  assert.match(page, /name="refundAddress"/, 'where money could go back is asked all the same');
  assert.equal((await findContact(gateway.db, { merchantId, id }))?.email ?? null, null);
  await pay(to);
  await pay(later);
  assert.deepEqual(mail.received.map((each) => each.to).flat(), ['ada@payer.example']);
  assert.equal((await outcomes(before)).length, 1);
  await changeSettings(gateway, merchantId, { pageSettings: { sendReceipts: null } }, 'operator');
  assert.match(await (await fetch(`${new URL(gateway.url).origin}/en/checkout/${id}`)).text(), /name="email"/);
});

test('without a mail server the page offers no receipt, and keeps no address for one', async () => {
  const single = await startGateway();
  try {
    const { id } = await single.post('/checkout/hosted', aCharge('20.00 USD', { checkoutLanguage: 'en' }));
    await single.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
    const page = `${new URL(single.url).origin}/en/checkout/${id}`;
    const form = new URLSearchParams({ email: 'ada@payer.example', network: 'BITCOIN' });
    await fetch(`${page}/contact`, { method: 'POST', redirect: 'manual', body: form });
    const text = await (await fetch(page)).text();
    assert.match(text, /Refund address \(optional\)[^]*name="refundAddress"/);
    assert.doesNotMatch(text, /name="email"|receipt/i);
    assert.deepEqual(await single.db`select from checkout_contact`, []);
  } finally {
    await single.stop();
  }
});
