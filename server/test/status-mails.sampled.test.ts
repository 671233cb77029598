/** What the customer of a checkout is told by e-mail, from the event to the message. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { addressHash } from '../src/counterparties/mail-token.ts';
import { openDatabase } from '../src/db/database.ts';
import { countsOf } from '../src/emails/mail-limits.ts';
import { noteBounce } from '../src/emails/note-bounce.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { listJobs, retryParkedJob } from '../src/jobs/job-store.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { accountsAt, words } from './account-world.ts';
import { deepTest } from './depth.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { type MailServer, mailSettings, type ReceivedMail, startMailServer } from './mail-server.ts';
import { aBitcoinAddress, type RefundWorld, refundWorldAt, sendingKeys } from './refund-world.ts';
import type { Shop } from './shop.ts';
import { patience } from './test-database.ts';

let mail: MailServer;
let gateway: Gateway;
let world: RefundWorld;
let shop: Shop;
const limits = {
  STATUS_MAILS_PER_ADDRESS: '8',
  STATUS_MAILS_UNPAID_PER_ADDRESS: '3',
  STATUS_MAILS_PER_MERCHANT_AND_ADDRESS: '5',
  STATUS_MAILS_PER_MERCHANT: '40',
  STATUS_MAILS_UNPAID_PER_MERCHANT: '6',
};
before(async () => {
  mail = await startMailServer();
  gateway = await startGateway({ hasAccount: true, env: { ...sendingKeys, ...mailSettings(mail), ...limits } });
  world = await refundWorldAt(gateway);
});
after(async () => {
  await gateway.stop();
  await mail.stop();
});
beforeEach(async () => {
  shop = await world.shop();
  mail.received.splice(0);
});

const origin = (): string => new URL(gateway.url).origin;
let people = 0;
/** Nobody else's: limits count by address. */
const somebody = (): string => `ada${(people += 1)}@buyer.example`;

type Made = {
  readonly id: string;
  readonly to: { address: string };
  readonly email: string;
  readonly customerId: string;
};

async function ordered(email = somebody(), more: Record<string, unknown> = {}): Promise<Made> {
  const { customerId } = await shop.post('/customer', { customer: { email, firstname: 'Ada', lastname: 'Buyer' } });
  const charged = aCharge('60.00 USD', { checkoutLanguage: 'en', ...more }) as { charge: object };
  const { id } = await shop.post('/checkout/hosted', { ...charged, charge: { ...charged.charge, customerId } });
  const to = await shop.commit(id, 'BITCOIN');
  return { id, to, email, customerId };
}

async function paid(more: Record<string, unknown> = {}, email?: string): Promise<Made> {
  const order = await ordered(email, more);
  await world.pay(order.to, '0.001');
  await world.mine(1);
  return order;
}

/** Before the shop makes its first checkout: for a second every process remembers what it knew. */
const wants = (statusMails: Record<string, boolean>): Promise<unknown> =>
  changeSettings(gateway, shop.merchant.merchantId, { pageSettings: { statusMails } }, 'operator');

const subjects = (): string[] => mail.received.map(({ headers }) => headers.get('subject') ?? '');
const outcomes = async (id: string): Promise<string[]> =>
  (
    await gateway.db<{ kind: string; outcome: string; reason: string | null }>`
      select kind, outcome, reason from status_mail where checkout_id = ${id} order by begun_at, kind`
  ).map(({ kind, outcome, reason }) => [kind, outcome, ...(reason === null ? [] : [reason])].join(' '));

function only(): ReceivedMail {
  const [message, ...more] = mail.received;
  assert.ok(message && more.length === 0, `${mail.received.length} messages: ${subjects().join(', ')}`);
  return message;
}

/** Where the mail says that such mails are stopped, at this gateway. */
function stopLink({ headers, text, html }: ReceivedMail): string {
  const url = /^<(https:\/\/pay\.test\/\S+)>$/.exec(headers.get('list-unsubscribe') ?? '')?.[1] ?? '';
  assert.equal(headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.ok(url !== '' && text.includes(url) && html.includes(`href="${url}"`), `${url} in ${text}`);
  return url.replace('https://pay.test', origin());
}

test('paid: the receipt with the whole invoice, to the customer whom the shop named', async () => {
  const { id, email } = await paid();
  const message = only();
  assert.deepEqual(message.to, [email]);
  const year = gateway.clock.now().getUTCFullYear();
  assert.equal(message.headers.get('subject'), `Invoice INV-${year}-00001 · A shop`);
  assert.match(message.headers.get('message-id') ?? '', /^<status\.[a-z0-9]{12}@pay\.test>$/);
  const [, invoice] = /Invoice:\r?\n(https:\/\/pay\.test\/en\/invoice\/\S+\?key=\S+)/.exec(message.text) ?? [];
  assert.ok(invoice, message.text);
  const page = await (await fetch(invoice.replace('https://pay.test', origin()))).text();
  assert.match(page, /Ada Buyer/, 'the key in the link shows the buyer');
  for (const form of [page, message.text, message.html]) assert.ok(form.includes(`INV-${year}-00001`));
  assert.doesNotMatch(message.text, /Receipt:|\/receipt/, 'one paper, and it is the one that is named');
  for (const form of [message.text, message.html]) {
    assert.match(form, /You get this message because A shop gave your address with this order\./);
    assert.ok(form.includes(`https://pay.test/en/checkout/${id}`));
  }
  stopLink(message);
  assert.deepEqual(await outcomes(id), ['paid sent']);
});

test('the mail is from the shop, answers go to it, and its sums are those of the paper, also where the shop accepted less', async () => {
  await changeSettings(
    gateway,
    shop.merchant.merchantId,
    { pageSettings: { supportEmail: 'help@shop.example' } },
    'operator',
  );
  const email = somebody();
  const { customerId } = await shop.post('/customer', { customer: { email } });
  const lineItems = [{ description: 'Cup', netAmount: '16.807', quantity: 3 }];
  const charge = { billingCurrency: 'USD', lineItems, taxItems: [{ name: 'VAT', percent: 0.19 }], customerId };
  const { id } = await shop.post('/checkout/hosted', { charge, checkoutLanguage: 'en' });
  const to = await shop.commit(id, 'BITCOIN');
  await world.pay(to, '0.0006');
  await world.mine(6);
  await world.pass({ minutes: 61 });
  mail.received.splice(0);
  await shop.post('/checkout/accept-underpayment', { checkoutId: id });
  await world.pass({ minutes: 1 });
  const message = only();
  assert.equal(message.headers.get('from'), 'A shop <account@pay.test>');
  assert.equal(message.headers.get('reply-to'), 'help@shop.example');
  const { papers } = await shop.get(`/papers?checkoutId=${id}`);
  const [paper] = papers;
  assert.deepEqual([papers.length, paper.kind, paper.total], [1, 'INVOICE', '36.00']);
  const [tax] = paper.taxes;
  for (const form of [message.text, message.html])
    for (const amount of [paper.net, tax.amount, paper.total])
      assert.ok(form.includes(`$${amount}`), `${amount} in ${form}`);
  assert.doesNotMatch(message.text, /9\.58/, 'not the tax of the price that was let go');
});

test('underpaid, then the time over, then sent back: one mail each, in the language of the page that the payer used', async () => {
  const order = await ordered(undefined, { checkoutLanguage: 'auto' });
  const chosen = await fetch(`${origin()}/de/checkout/${order.id}/commit`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ method: 'BITCOIN' }),
  });
  assert.equal(chosen.status, 303);
  await world.pay(order.to, '0.0004');
  assert.deepEqual(subjects(), [], 'the rest may follow in a moment');
  await world.pass({ minutes: 6 });
  const part = only();
  assert.equal(part.headers.get('subject'), 'Ein Teil Ihrer Zahlung an A shop ist angekommen');
  for (const form of [part.text, part.html]) {
    assert.match(form, /Noch offen[^]*36,00\u00a0\$/);
    assert.match(form, /Zahlen Sie bis 1\. März 2026/);
    assert.ok(form.includes(`https://pay.test/de/checkout/${order.id}`));
  }
  await world.mine(1);
  await world.pass({ minutes: 61 });
  assert.equal(await shop.state(order.id), 'UNDERPAID PARTIAL');
  const [, over] = mail.received;
  assert.equal(over?.headers.get('subject'), 'Ihre Zahlung an A shop ist nicht vollständig');
  assert.match(over?.text ?? '', /24,00\u00a0\$[^]*36,00\u00a0\$/);
  assert.doesNotMatch(over?.text ?? '', /refund-claim|token/, 'no link at which money is claimed');
  const address = aBitcoinAddress();
  await shop.post('/refund', { checkoutId: order.id, address });
  await world.send();
  assert.equal(await shop.state(order.id), 'REFUNDED PARTIAL');
  const [, , back] = mail.received;
  assert.equal(back?.headers.get('subject'), 'Ihre Erstattung von A shop');
  for (const form of [back?.text ?? '', back?.html ?? '']) {
    assert.match(form, /0,00037387\u00a0BTC[^]*[0-9a-f]{64}/, 'what was sent, by which transaction');
    assert.ok(form.includes(address), form);
  }
  assert.equal(mail.received.length, 3);
  assert.deepEqual(
    (await outcomes(order.id)).map((each) => each.split(' ').slice(0, 2).join(' ')),
    ['underpaid sent', 'expired sent', 'refunded sent'],
  );
});

test('what goes back of a paid order is told with the credit note for it, which the buyer opens from there', async () => {
  const order = await paid({ settlementAsset: 'ORIGIN' });
  mail.received.splice(0);
  await shop.post('/refund', { checkoutId: order.id, amount: '0.0005', address: aBitcoinAddress() });
  await world.send();
  const back = only();
  const { papers } = await shop.get(`/papers?checkoutId=${order.id}&kind=CREDIT_NOTE`);
  const [note] = papers;
  assert.equal(papers.length, 1);
  for (const form of [back.text, back.html]) {
    assert.ok(form.includes(note.number), form);
    assert.ok(form.includes(`$${note.total}`), form);
  }
  const [, link] = /(https:\/\/pay\.test\/en\/invoice\/\S+note=\S+)/.exec(back.text) ?? [];
  const page = await (await fetch((link ?? '').replace('https://pay.test', origin()))).text();
  assert.match(page, new RegExp(`Credit note[^]*${note.number}`));
  assert.match(page, /Ada Buyer/);
});

test('created: only where the shop wants it, and not when it is paid already', async () => {
  await ordered();
  await gateway.runUntilIdle();
  assert.deepEqual(subjects(), []);
  shop = await world.shop();
  await wants({ created: true });
  const { id } = await ordered(undefined, { pageSettings: { orderReference: 'B-17' } });
  await gateway.runUntilIdle();
  const message = only();
  assert.equal(message.headers.get('subject'), 'Your order at A shop: how to pay');
  for (const form of [message.text, message.html]) {
    assert.match(form, /Item[^]*\$60\.00/);
    assert.ok(form.includes('B-17') && form.includes(`https://pay.test/en/checkout/${id}`), form);
  }
});

test('what the shop turned off is not sent, and GET /settings says what is', async () => {
  await wants({ paid: false });
  const { id } = await paid();
  assert.deepEqual([subjects(), await outcomes(id)], [[], []]);
  const { settings } = await shop.get('/settings');
  assert.deepEqual(settings.statusMails, {
    created: false,
    paid: false,
    underpaid: true,
    expired: true,
    refunded: true,
  });
});

deepTest('a part that is followed by the rest within five minutes is told to nobody', async () => {
  const year = gateway.clock.now().getUTCFullYear();
  const { id, to } = await ordered();
  await world.pay(to, '0.0004');
  await world.pass({ minutes: 2 });
  await world.pay(to, '0.0006');
  await world.mine(1);
  await world.pass({ minutes: 10 });
  assert.deepEqual([subjects(), await outcomes(id)], [[`Invoice INV-${year}-00001 · A shop`], ['paid sent']]);
});

deepTest(
  'a credit that the chain takes back before the mail goes out is not told; the one that stands is',
  async () => {
    const { port } = mail;
    await mail.stop();
    const { id } = await paid();
    gateway.bitcoin.chain.reorganise(1, { keepTransactions: true });
    await gateway.runUntilIdle();
    assert.equal(await shop.state(id), 'PROCESSING REORGED');
    mail = await startMailServer(port);
    await world.pass({ minutes: 30 });
    assert.deepEqual([subjects(), await outcomes(id)], [[], ['paid over']]);
    await world.mine(2);
    assert.deepEqual(await outcomes(id), ['paid over', 'paid sent']);
    only();
  },
);

deepTest('a checkout without a page of ours, and one without a customer', async () => {
  const { customerId } = await shop.post('/customer', { customer: { email: somebody() } });
  const charge = { ...(aCharge('60.00 USD')['charge'] as object), customerId };
  const { id } = await shop.post('/checkout', { charge });
  await world.pay(await shop.commit(id, 'BITCOIN'), '0.001');
  await world.mine(1);
  const message = only();
  assert.match(message.text, /your payment is complete/);
  assert.doesNotMatch(message.text, /\/checkout\/[a-z0-9]{12}/);
  const [invoice] = /\/en\/invoice\/\S+/.exec(message.text) ?? [];
  assert.match(await (await fetch(`${new URL(gateway.url).origin}${invoice}`)).text(), /INV-\d{4}-\d{5}/);
  mail.received.splice(0);
  const nobody = await shop.open('60.00 USD', 'BITCOIN');
  await world.pay(nobody, '0.001');
  await world.mine(1);
  assert.deepEqual(subjects(), []);
});

async function leave(id: string, email: string): Promise<void> {
  const body = new URLSearchParams({ email, network: 'BITCOIN' });
  const { status } = await fetch(`${origin()}/en/checkout/${id}/contact`, { method: 'POST', redirect: 'manual', body });
  assert.equal(status, 303);
}

test('who types the address on the page that the shop knows gets one mail, with the invoice, before and after', async () => {
  const early = await ordered();
  await leave(early.id, early.email.toUpperCase());
  await world.pay(early.to, '0.001');
  await world.mine(1);
  const receipt = only();
  assert.match(receipt.headers.get('message-id') ?? '', /^<receipt\./);
  assert.match(receipt.text, /\/en\/invoice\/\S+\?key=/);
  assert.equal(receipt.headers.get('list-unsubscribe'), undefined, 'it was asked for');
  assert.deepEqual(await outcomes(early.id), ['paid receipt']);

  const late = await paid();
  mail.received.splice(0);
  await leave(late.id, late.email);
  await gateway.runUntilIdle();
  assert.deepEqual(subjects(), [], 'they have it');

  const other = await ordered();
  await leave(other.id, somebody());
  await world.pay(other.to, '0.001');
  await world.mine(1);
  assert.equal(mail.received.length, 2, 'another address is another reader');
  const [toPayer] = mail.received.filter(({ to }) => to[0] !== other.email);
  assert.doesNotMatch(toPayer?.text ?? '', /\/invoice\//, 'who only has the link is not led to the buyer');
});

test('a receipt and a mail to the same address wait for each other, also for one that died', async () => {
  const { id, to, email } = await ordered();
  const [now, until] = [gateway.clock.now(), new Date(gateway.clock.now().getTime() + 120_000)];
  await gateway.db`
    insert into status_mail (merchant_id, checkout_id, kind, cause, id, address_hash, begun_at, claimed_until)
    values (${shop.merchant.merchantId}, ${id}, 'paid', '1', 'inflight0000', ${addressHash(email)}, ${now}, ${until})`;
  await leave(id, email);
  await world.pay(to, '0.001');
  await world.mine(1);
  assert.deepEqual(subjects(), [], 'perhaps it is on its way');
  await world.pass({ minutes: 3 });
  assert.match(only().headers.get('message-id') ?? '', /^<receipt\./);
  assert.deepEqual(await outcomes(id), ['paid receipt']);
});

deepTest(
  'stopped by a button, not by looking; started again; by one click of a mail program; and past the deletion of the customer',
  async () => {
    const order = await paid();
    const url = stopLink(only());
    const read = async (init?: RequestInit) => {
      const reply = await fetch(url, { redirect: 'manual', ...init });
      return { status: reply.status, text: await reply.text() };
    };
    const press = (mails: string) => read({ method: 'POST', body: new URLSearchParams({ mails }) });
    const opened = await read();
    assert.equal(opened.status, 200);
    assert.match(opened.text, /Messages about your orders[^]*name="mails" value="stop"/);
    assert.ok(!opened.text.includes(order.email), 'the page names no address');
    await paid({}, order.email);
    assert.equal(mail.received.length, 2, 'who only looked gets them');

    assert.match((await press('stop')).text, /Stopped\. You get no more messages[^]*value="start"/);
    const owner = await accountsAt(gateway).member('owner', somebody(), shop.merchant.merchantId);
    const customer = await owner.get(`/account/customers/${order.customerId}`);
    assert.match(customer.text, /Has stopped mails about orders\./);
    const stopped = await paid({}, order.email.toUpperCase());
    assert.deepEqual([mail.received.length, await outcomes(stopped.id)], [2, ['paid stopped']]);
    const asked = await ordered(order.email);
    await leave(asked.id, order.email);
    await world.pay(asked.to, '0.001');
    await world.mine(1);
    assert.equal(mail.received.length, 3, 'the receipt that is asked for on the page comes all the same');

    assert.match((await press('start')).text, /You get them again\./);
    await paid({}, order.email);
    assert.equal(mail.received.length, 4);

    const oneClick = {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
    };
    assert.equal((await read(oneClick)).status, 200);
    await press('start');
    const parts = new FormData();
    parts.append('List-Unsubscribe', 'One-Click');
    assert.match((await read({ method: 'POST', body: parts })).text, /Stopped\. You get no more messages/);
    await shop.request('DELETE', '/customer', { id: order.customerId });
    const again = await paid({}, order.email);
    assert.notEqual(again.customerId, order.customerId, 'a customer anew');
    assert.deepEqual(await outcomes(again.id), ['paid stopped']);
    const kept = JSON.stringify(await gateway.db`select * from mail_address, status_mail, mail_count`);
    assert.doesNotMatch(kept, /@buyer/, 'nobody reads an address in what is kept');

    const rest = url.slice(0, -4);
    for (const wrong of [rest, `${rest}AAAA`, url.replace('/mails/', '/mails/x')])
      assert.equal((await fetch(wrong)).status, 404, wrong);
    const elsewhere = await world.shop();
    [shop] = [elsewhere];
    const theirs = await paid({}, order.email);
    assert.deepEqual(await outcomes(theirs.id), ['paid sent'], 'another shop is another matter');
  },
);

test('an address that is refused gets no more, until it is another one or somebody says try again', async () => {
  const accounts = accountsAt(gateway);
  const owner = await accounts.member('owner', somebody(), shop.merchant.merchantId);
  const developer = await accounts.member('developer', somebody(), shop.merchant.merchantId);
  const email = `nobody@box${(people += 1)}.example`;
  const first = await paid({}, email);
  assert.deepEqual(await outcomes(first.id), ['paid refused unknown']);
  const second = await paid({}, email);
  assert.deepEqual(await outcomes(second.id), ['paid unreachable unknown']);
  const page = (await owner.get(`/account/checkouts/${first.id}`)).text;
  assert.match(page, /Mail to the customer: Paid[^]*Refused: nobody has this address/);
  assert.doesNotMatch((await developer.get(`/account/checkouts/${first.id}`)).text, /Mail to the customer/);
  const customer = `/account/customers/${first.customerId}`;
  assert.match((await owner.get(customer)).text, /Mails do not arrive: nobody has this address/);
  await owner.post(`${customer}/mails`);
  assert.doesNotMatch((await owner.get(customer)).text, /Mails do not arrive/);
  const third = await paid({}, email);
  assert.deepEqual(await outcomes(third.id), ['paid refused unknown'], 'it was tried again');
  await shop.request('PUT', '/customer', { customer: { id: first.customerId, email: somebody() } });
  const { id } = await shop.post('/checkout/hosted', {
    charge: { ...(aCharge('60.00 USD')['charge'] as object), customerId: first.customerId },
  });
  await world.pay(await shop.commit(id, 'BITCOIN'), '0.001');
  await world.mine(1);
  assert.deepEqual(await outcomes(id), ['paid sent']);
});

const report = (messageId: string, status: string): Buffer =>
  Buffer.from(
    [
      'From: MAILER-DAEMON@mx.example',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/plain',
      '',
      'Sorry.',
      '--b1',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      'Final-Recipient: rfc822; somebody@buyer.example',
      `Action: ${status.startsWith('4') ? 'delayed' : 'failed'}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; 552 mailbox of somebody@buyer.example is full',
      '',
      '--b1',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${messageId}`,
      'Subject: something',
      '',
      '--b1--',
      '',
    ].join('\r\n'),
  );

deepTest(
  'what comes back later is shown, and stops what would follow; only reports about what we sent count',
  async () => {
    const accounts = accountsAt(gateway);
    const owner = await accounts.member('owner', somebody(), shop.merchant.merchantId);
    const order = await paid();
    const messageId = only().headers.get('message-id') ?? '';
    const note = async (id: string, status: string): Promise<string> =>
      (await noteBounce(gateway, report(id, status))).is;
    assert.equal(await note(messageId, '4.2.2'), 'no report', 'it is only late');
    assert.equal(await note('<status.aaaaaaaaaaaa@pay.test>', '5.2.2'), 'not ours');
    assert.equal(await note(`<receipt.${order.id}.1@pay.test>`, '5.2.2'), 'not ours');
    assert.equal((await noteBounce(gateway, Buffer.from('Subject: Hello\r\n\r\nHello'))).is, 'no report');
    assert.deepEqual(await outcomes(order.id), ['paid sent']);
    assert.equal(await note(messageId, '5.2.2'), 'noted');
    assert.equal(await note(messageId, '5.2.2'), 'not ours', 'once');
    const page = (await owner.get(`/account/checkouts/${order.id}`)).text;
    assert.match(page, /Came back: the mailbox takes nothing/);
    assert.doesNotMatch(page, /smtp; 552|mailbox of|is full/, "not in the server's words");
    const next = await paid({}, order.email);
    assert.deepEqual(await outcomes(next.id), ['paid unreachable full']);

    mail.received.splice(0);
    const blocked = await paid();
    assert.equal(await note(only().headers.get('message-id') ?? '', '5.7.1'), 'noted');
    const after = await paid({}, blocked.email);
    assert.deepEqual(await outcomes(after.id), ['paid sent'], 'a server that blocks us says nothing about the address');
  },
);

deepTest(
  'receipts and papers that come back are noted too, and nothing is sent again to where nothing arrives',
  async () => {
    const owner = await accountsAt(gateway).member('owner', somebody(), shop.merchant.merchantId);
    const note = async ({ headers }: ReceivedMail, status: string): Promise<string> =>
      (await noteBounce(gateway, report(headers.get('message-id') ?? '', status))).is;

    const { id } = await shop.post('/checkout/hosted', aCharge('60.00 USD', { checkoutLanguage: 'en' }));
    const typed = await shop.commit(id, 'BITCOIN');
    await leave(typed.id, somebody());
    await world.pay(typed, '0.001');
    await world.mine(1);
    assert.equal(await note(only(), '5.1.1'), 'noted');
    assert.equal(await note(only(), '5.1.1'), 'not ours', 'once');
    const at = `/account/checkouts/${typed.id}`;
    assert.match((await owner.get(at)).text, /Mail to the customer: Receipt[^]*Came back: nobody has this address/);
    const again = await owner.post(`${at}/receipt`);
    assert.deepEqual([again.status, /Mails to this address do not arrive/.test(again.text)], [409, true]);

    const order = await paid();
    const [invoice] = (await shop.get(`/papers?checkoutId=${order.id}`)).papers;
    mail.received.splice(0);
    await owner.post(`/account/papers/${invoice.id}/send`);
    await owner.post(`/account/checkouts/${order.id}/receipt`);
    await gateway.runUntilIdle();
    const [paper, receipt] = ['paper', 'receipt-again'].map((name) =>
      mail.received.find(({ headers }) => headers.get('message-id')?.startsWith(`<${name}.`)),
    );
    assert.ok(paper && receipt && mail.received.length === 2, subjects().join());
    assert.equal(paper.headers.get('list-unsubscribe'), undefined, 'stopping would not stop it');
    assert.deepEqual(await outcomes(order.id), ['paid sent', 'paper sent', 'receipt sent']);
    assert.equal(await note(receipt, '5.7.1'), 'noted');
    assert.equal(await note(paper, '5.2.2'), 'noted');
    const shown = (await owner.get(`/account/papers/${invoice.id}`)).text;
    assert.match(shown, /Came back: the mailbox takes nothing/);
    assert.match((await owner.get(`/account/checkouts/${order.id}`)).text, new RegExp(`customer: ${invoice.number}`));
    const refused = await shop.request('POST', '/paper/send', { id: invoice.id });
    assert.deepEqual([refused.status, /do not arrive/.test(JSON.stringify(refused.body))], [409, true]);
    assert.deepEqual(await outcomes((await paid({}, order.email)).id), ['paid unreachable full']);
  },
);

deepTest('a paper comes to who has stopped mails, and is counted like all others', async () => {
  const owner = await accountsAt(gateway).member('owner', somebody(), shop.merchant.merchantId);
  const order = await paid();
  await fetch(stopLink(only()), { method: 'POST', body: new URLSearchParams({ mails: 'stop' }) });
  const [invoice] = (await shop.get(`/papers?checkoutId=${order.id}`)).papers;
  mail.received.splice(0);
  for (let at = 0; at < 4; at += 1) {
    assert.equal((await shop.request('POST', '/paper/send', { id: invoice.id })).status, 200);
    await gateway.runUntilIdle();
    await world.pass({ minutes: 25 });
  }
  assert.equal(mail.received.length, 3);
  assert.equal((await outcomes(order.id)).at(-1), 'paper limited unpaidAddress');
  const page = (await owner.get(`/account/papers/${invoice.id}`)).text;
  assert.match(page, /Not sent: enough mails to this address for today/);
});

deepTest(
  'so many to strangers and no more: by merchant without money, by address over all shops; the checkout never minds',
  async () => {
    await wants({ created: true, paid: true });
    const orders = [];
    for (let at = 0; at < 8; at += 1) orders.push(await ordered());
    await gateway.runUntilIdle();
    assert.equal(mail.received.length, 6);
    const ends = (await Promise.all(orders.map(({ id }) => outcomes(id)))).flat().sort();
    assert.deepEqual(ends, ['created limited unpaid', 'created limited unpaid', ...Array(6).fill('created sent')]);
    const [first] = orders;
    await world.pay(first?.to ?? { address: '' }, '0.001');
    await world.mine(1);
    const told = await outcomes(first?.id ?? '');
    assert.deepEqual(told, ['created sent', 'paid limited unpaid'], 'in the sandbox money costs nothing either');
    const paidMail = { merchantId: 'm', kind: 'paid', to: 'ada@buyer.example', isSandbox: false } as const;
    const most = { perAddress: 1, unpaidPerAddress: 2, perMerchantAndAddress: 3, perMerchant: 4, unpaidPerMerchant: 5 };
    const names = (mail: Parameters<typeof countsOf>[1]) => countsOf(most, mail).map(({ name }) => name);
    assert.deepEqual(names(paidMail), ['address', 'merchantAddress', 'merchant'], 'elsewhere who pays is no stranger');
    const free = ['address', 'unpaidAddress', 'merchantAddress', 'merchant'];
    assert.deepEqual(names({ ...paidMail, kind: 'created' }), [...free, 'unpaid']);
    for (const kind of ['receipt', 'paper'] as const)
      assert.deepEqual(names({ ...paidMail, kind }), free, 'once more is as often as somebody presses');
    const scopes = (to: string) => countsOf(most, { ...paidMail, to }).map(({ scope }) => scope);
    for (const same of ['Ada+1@buyer.example', ' ada+news+2@Buyer.example', 'ada+@buyer.example'])
      assert.deepEqual(scopes(same), scopes(paidMail.to), same);
    for (const other of ['+ada@buyer.example', 'ada.b@buyer.example', 'ada@buyer+1.example'])
      assert.notDeepEqual(scopes(other), scopes(paidMail.to), other);

    const email = somebody();
    const ids: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      if (at % 4 === 0) shop = await world.shop();
      ids.push((await paid({}, email)).id);
    }
    const all = (await Promise.all(ids.map(outcomes))).flat();
    assert.deepEqual(all, [...Array(8).fill('paid sent'), ...Array(2).fill('paid limited address')]);
    assert.match(await shop.state(ids.at(-1) ?? ''), /^COMPLETED/);
    const accounts = accountsAt(gateway);
    const owner = await accounts.member('owner', somebody(), shop.merchant.merchantId);
    const page = (await owner.get(`/account/checkouts/${ids.at(-1) ?? ''}`)).text;
    assert.match(page, /Not sent: enough mails to this address for today/);
    await world.pass({ hours: 24 });
    assert.deepEqual(await outcomes((await paid({}, email)).id), ['paid sent'], 'tomorrow is another day');
  },
);

deepTest(
  'what costs a shop nothing leaves room for what another one was paid for, whatever stands behind a plus',
  async () => {
    const name = `ada${(people += 1)}`;
    const victim = `${name}@buyer.example`;
    await wants({ created: true, paid: true });
    const free: string[] = [];
    for (let at = 0; at < 5; at += 1) free.push((await ordered(`${name}+${at}@buyer.example`)).id);
    await gateway.runUntilIdle();
    const ends = (await Promise.all(free.map(outcomes))).flat().sort();
    assert.deepEqual(ends, [...Array(2).fill('created limited unpaidAddress'), ...Array(3).fill('created sent')]);
    assert.deepEqual(new Set(mail.received.flatMap(({ to }) => to)).size, 3, 'each is written to as it was given');

    const told: string[] = [];
    for (let at = 0; at < 3; at += 1) told.push(...(await outcomes((await paid({}, victim)).id)));
    assert.equal(told.filter((each) => each === 'paid sent').length, 2, told.join());
    assert.equal(told.at(-1), 'paid limited merchantAddress', 'nobody fills a mailbox alone');
    shop = await world.shop();
    assert.deepEqual(await outcomes((await paid({}, victim)).id), ['paid sent'], 'another shop has room');
  },
);

deepTest('two workers, a worker that died, and a mail server that is away: one message', async () => {
  const { port } = mail;
  await mail.stop();
  const order = await paid();
  mail = await startMailServer(port);
  const [row] = await gateway.db<{ id: string }>`select id from status_mail where checkout_id = ${order.id}`;
  const otherDb = openDatabase({ url: gateway.databaseUrl, poolSize: 4, ...patience });
  const deps = {
    config: readConfig(gateway.env),
    publicUrl: 'https://pay.test',
    clock: gateway.clock,
    log: gateway.log,
  };
  const other = createApp({ ...deps, db: otherDb });
  try {
    gateway.clock.advance({ minutes: 15 });
    const payload = {
      merchantId: shop.merchant.merchantId,
      checkoutId: order.id,
      kind: 'paid' as const,
      cause: '1',
      at: gateway.clock.now().toISOString(),
    };
    const jobs = Array.from({ length: 4 }, () => ({
      name: 'status.mail' as const,
      payload,
      runAt: gateway.clock.now(),
    }));
    await gateway.db.begin((tx) => enqueue(tx, jobs));
    await Promise.all([other, gateway.app].flatMap(({ runners }) => runners.map((runner) => runner.runDue())));
    await world.pass({ minutes: 15 });
    assert.equal(only().headers.get('message-id'), `<status.${row?.id}@pay.test>`, 'the id of the first attempt');

    // Somebody took it over and died before anything was noted.
    await gateway.db`
      update status_mail set outcome = null, ended_at = null, claimed_until = ${new Date(gateway.clock.now().getTime() + 120_000)}
       where checkout_id = ${order.id}`;
    await gateway.db.begin((tx) => enqueue(tx, jobs.slice(0, 1)));
    await gateway.runUntilIdle();
    assert.equal(mail.received.length, 1, 'perhaps it is still at work');
    await world.pass({ minutes: 3 });
    assert.deepEqual(
      mail.received.map(({ headers }) => headers.get('message-id')),
      [`<status.${row?.id}@pay.test>`, `<status.${row?.id}@pay.test>`],
    );
  } finally {
    await Promise.all(other.runners.map((runner) => runner.stop()));
    await otherDb.close();
  }
});

deepTest(
  'after three days without a mail server it is given up where receipts are, and may be tried again',
  async () => {
    const { port } = mail;
    await mail.stop();
    const { id } = await paid();
    gateway.clock.advance({ hours: 73 });
    await gateway.runUntilIdle();
    const parked = (await listJobs(gateway.db, gateway.clock.now(), 50)).filter(({ state }) => state === 'parked');
    assert.deepEqual(
      parked.map(({ name, lastError }) => [name, lastError]),
      [['status.mail', 'the mail server has not taken this mail to a customer for three days']],
    );
    mail = await startMailServer(port);
    await retryParkedJob(gateway.db, parked[0]?.id ?? '', gateway.clock.now());
    await gateway.runUntilIdle();
    assert.deepEqual([mail.received.length, await outcomes(id)], [1, ['paid sent']]);
  },
);

test('words of a shop are words: no link, no markup, no line of a head', async () => {
  await wants({ created: true });
  const words =
    'Visit http://evil.example/x or evil.example <a href="https://evil.example">now</a>\r\nBcc: all@victims.example';
  const { customerId } = await shop.post('/customer', { customer: { email: somebody() } });
  const { status, body } = await shop.request('POST', '/checkout/hosted', {
    checkoutLanguage: 'en',
    charge: { billingCurrency: 'USD', lineItems: [{ description: words, netAmount: '5' }], customerId },
    pageSettings: { shopName: words.slice(0, 90), orderReference: 'www.evil.example' },
  });
  assert.equal(status, 200, JSON.stringify(body));
  await gateway.runUntilIdle();
  const { text, html, headers, to } = only();
  assert.equal(to.length, 1);
  assert.equal(headers.get('bcc'), undefined);
  // What programs make links of is what they show: not the name of the message.
  const shown = html.replace(/<title>.*<\/title>|aria-label="[^"]*"/g, '');
  for (const form of [text, shown]) {
    assert.doesNotMatch(form, /evil\.example|https?:\/\/evil|\nBcc:/i);
    assert.match(form, /evil\u200c\.example/);
  }
  assert.doesNotMatch(html, /<a [^>]*evil/);
});

deepTest(
  'of a deleted customer no hash stays either, unless mails were stopped; until then the account says what is waited for',
  async () => {
    const owner = await accountsAt(gateway).member('owner', somebody(), shop.merchant.merchantId);
    const [gone, stopped] = [await paid(), await paid()];
    const [, toStopped] = mail.received;
    await fetch(stopLink(toStopped ?? assert.fail()), { method: 'POST', body: new URLSearchParams({ mails: 'stop' }) });
    const short = await ordered(gone.email);
    await world.pay(short.to, '0.0004');
    await world.mine(1);
    await world.pass({ minutes: 61 });
    const messageId = mail.received.at(-1)?.headers.get('message-id') ?? '';
    assert.equal((await noteBounce(gateway, report(messageId, '5.1.1'))).is, 'noted');
    for (const { customerId } of [gone, stopped]) await shop.request('DELETE', '/customer', { id: customerId });
    await gateway.runUntilIdle();
    const kept = async (email: string): Promise<string[]> =>
      (
        await gateway.db<{ name: string }>`
        select 'status_mail' as name from status_mail where address_hash = ${addressHash(email)}
        union select 'email' from email where address_hash = ${addressHash(email)}
        union select 'mail_address' from mail_address where address_hash = ${addressHash(email)} order by 1`
      ).map(({ name }) => name);
    assert.deepEqual(await kept(gone.email), ['mail_address', 'status_mail'], 'an order waits for the shop');
    const customer = `/account/customers/${gone.customerId}`;
    assert.match((await owner.get('/account/customers')).text, new RegExp(`Deleted, not erased yet[^]*${customer}"`));
    const page = words(await owner.get(customer));
    assert.match(page, new RegExp(`erased once these orders are over[^]*${short.id} waits for a decision`));
    assert.doesNotMatch(page, /@buyer/);
    await shop.post('/checkout/accept-underpayment', { checkoutId: short.id });
    await world.pass({ hours: 2 });
    assert.deepEqual([await kept(gone.email), await kept(stopped.email)], [[], ['mail_address']]);
    assert.equal((await owner.get(customer)).status, 404);
  },
);

test('a customer who was deleted meanwhile is told nothing', async () => {
  const { id, to, customerId } = await ordered();
  await shop.request('DELETE', '/customer', { id: customerId });
  await world.pay(to, '0.001');
  await world.mine(1);
  assert.deepEqual([subjects(), await outcomes(id)], [[], []]);
});

test('people of the shop choose what customers are told, and the log says who', async () => {
  const accounts = accountsAt(gateway);
  const { merchantId } = shop.merchant;
  const owner = await accounts.member('owner', somebody(), merchantId);
  const path = '/account/settings/mails';
  const page = (await owner.get(path)).text;
  assert.match(page, /name="paid" value="on" checked/);
  assert.match(page, /name="created" value="on">/);
  const saved = await owner.post(path, { created: 'on', refunded: 'on' });
  assert.deepEqual([saved.status, saved.location], [303, `${path}?did=saved`]);
  const { settings } = await shop.get('/settings');
  assert.deepEqual(
    Object.entries(settings.statusMails).filter(([, isOn]) => isOn),
    [
      ['created', true],
      ['refunded', true],
    ],
  );
  const [entry] = await gateway.db<{ detail: Record<string, unknown> }>`
    select detail from audit_log where merchant_id = ${merchantId} and action = 'settings.changed' order by id desc limit 1`;
  assert.ok(JSON.stringify(entry?.detail).includes('statusMails'));
});
