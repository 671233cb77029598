/** Payers who leave an e-mail address, and a mail server that is not always there. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createApp } from '../src/app.ts';
import { findContact } from '../src/checkouts/contact-store.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { receiptEmail } from '../src/emails/receipt-email.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { listJobs, retryParkedJob } from '../src/jobs/job-store.ts';
import { sampleCheckout } from '../src/payment-page/sample-checkouts.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { type MailServer, mailUser, startMailServer } from './mail-server.ts';
import { aBitcoinAddress } from './refund-world.ts';
import { patience } from './test-database.ts';

let mail: MailServer;
let gateway: Gateway;
before(async () => {
  mail = await startMailServer();
  const credentials = `${encodeURIComponent(mailUser.user)}:${encodeURIComponent(mailUser.pass)}`;
  gateway = await startGateway({
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
  assert.equal(receipt.headers.get('from'), 'Zahlungen, täglich <pay@shop.example>');
  assert.equal(receipt.headers.get('message-id'), `<receipt.${id}.1@shop.example>`);
  assert.equal(receipt.headers.get('auto-submitted'), 'auto-generated');
  const page = `https://pay.test/de/checkout/${id}`;
  assert.match(
    receipt.text,
    new RegExp(`\nQuittung:\r\n${page}/receipt\r\n[^]*\n${page}\r\n`),
    'the paper, and the page',
  );
  assert.ok(receipt.html.includes(`<a href="${page}/receipt">`) && receipt.html.includes(`<a href="${page}">`));
  for (const form of [receipt.text, receipt.html]) {
    for (const fact of ['1.234,50\u00a0$', `${to.amount.replace('.', ',')}\u00a0BTC`, 'Test shop', id, page])
      assert.ok(form.includes(fact), `${fact} in ${form}`);
    assert.match(form, /Vielen Dank, Ihre Zahlung ist abgeschlossen\.[^]*Bezahlt am 1\. März 2026/);
  }
  assert.doesNotMatch(receipt.html, /<img|src=|url\(|<link|<script/);
  assert.deepEqual([await outcomes(id), await waiting()], [[{ generation: 1, outcome: 'sent' }], 0]);
});

test("the shop's own order number is on the page, on papers and in the mail, and our code beside it has its own name", async () => {
  const { id, to } = await open('ada@payer.example', { language: 'en', pageSettings: { orderReference: '<10045>' } });
  const read = async (path: string) => (await fetch(`${new URL(gateway.url).origin}${path}`)).text();
  const inMarkup = '&lt;10045&gt;';
  const waiting = await read(`/en/checkout/${id}`);
  assert.ok(waiting.includes(`Order <span class="mono">${inMarkup}</span>`), 'while it waits');
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
  assert.match(mailed.html, /<th align="left">Beans and &lt;b&gt;more&lt;\/b&gt; \(2\u00a0×\u00a09,00\)<\/th>/);
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
  assert.match(await read(), /id="contact">The receipt goes to l…@payer\.example\./);
  assert.doesNotMatch(await read(), /id="email"|is saved/);
  await leave({ email: 'other@payer.example' });
  assert.deepEqual(
    mail.received.map(({ to }) => to),
    [['late@payer.example']],
  );
  const contact = await findContact(gateway.db, { merchantId: gateway.merchant.merchantId, id });
  assert.deepEqual([contact?.email, contact?.refundAddress], ['late@payer.example', null]);
});

test('a shop name can add neither a header nor markup', async () => {
  const shopName = 'Ünder\r\nBcc: thief@elsewhere.example <b>&amp;</b>';
  const { to } = await open('eve@payer.example', { language: 'en', pageSettings: { shopName } });
  await pay(to);
  const [receipt] = mail.received;
  assert.deepEqual(receipt?.to, ['eve@payer.example']);
  assert.equal(receipt.headers.has('bcc'), false);
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
