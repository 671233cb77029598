/** Papers in the account, at the API and at the command line's door: found, exported, sent, corrected. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { zonedMoment } from '../src/lib/local-day.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { type AccountWorld, accountsAt, type Visitor, words } from './account-world.ts';
import { withoutLitecoin } from './gateway.ts';
import { type MailServer, mailSettings, startMailServer } from './mail-server.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let mail: MailServer;
let world: RefundWorld;
let accounts: AccountWorld;
let shop: Shop;
let owner: Visitor;
let accountant: Visitor;
let support: Visitor;
let viewer: Visitor;
let customerId: string;
/** Paid: an order of Ada's with an invoice, and one of nobody's with a receipt. */
let invoiced: string;
let invoice: any;
let plain: string;

before(async () => {
  mail = await startMailServer();
  world = await startRefundWorld({ env: { ...withoutLitecoin, ...mailSettings(mail) }, hasAccount: true });
  accounts = accountsAt(world.gateway);
  shop = await world.shop();
  const member = (role: Parameters<AccountWorld['member']>[0]) =>
    accounts.member(role, `${role}@example.com`, shop.merchant.merchantId);
  [owner, accountant, support, viewer] = [
    await member('owner'),
    await member('accountant'),
    await member('support'),
    await member('viewer'),
  ];
  const customer = { email: 'ada@customer.example', firstname: 'Ada', lastname: 'Lovelace', company: 'Engines Ltd' };
  customerId = (await shop.post('/customer', { customer })).customerId;
  invoiced = await paid({ customerId }, 'KN-100');
  plain = await paid({}, 'KN-200');
  [invoice] = (await shop.get('/papers')).papers;
});
after(async () => {
  await world.gateway.stop();
  await mail.stop();
});

/** 50.42 and 19 % are 60.00. */
async function paid(more: object, orderId: string): Promise<string> {
  const lineItems = [{ description: 'Cup', netAmount: '50.42' }];
  const taxItems = [{ name: 'VAT', percent: 0.19 }];
  const charge = { billingCurrency: 'USD', lineItems, taxItems, ...more };
  const { id } = await shop.post('/checkout/hosted', { charge, settlementAsset: 'ORIGIN', meta: { orderId } });
  const checkout = await shop.commit(id, 'BITCOIN');
  await world.pay(checkout, checkout.amount);
  await world.mine(6);
  world.gateway.clock.advance({ seconds: 1 });
  return id;
}

const papersOf = async (query: string): Promise<string[]> =>
  (await shop.get(`/papers?${query}`)).papers.map(({ number }: { number: string }) => number);
const year = (): number => world.gateway.clock.now().getUTCFullYear();

test('an invoice is listed when the order is paid, a receipt when somebody has opened it', async () => {
  assert.deepEqual(
    [invoice.number, invoice.kind, invoice.mark, invoice.total, invoice.net, invoice.credited, invoice.customerId],
    [`INV-${year()}-00001`, 'INVOICE', 'PAID', '60.00', '50.42', '0.00', customerId],
  );
  assert.deepEqual(invoice.taxes, [{ name: 'VAT', percent: '19', base: '50.42', amount: '9.58' }]);
  assert.deepEqual(await papersOf('kind=RECEIPT'), []);
  await fetch(`${new URL(world.gateway.url).origin}/en/checkout/${plain}/receipt`);
  assert.deepEqual(await papersOf('kind=RECEIPT'), [`RCT-${year()}-00001`]);
  assert.deepEqual(await papersOf(`checkoutId=${plain}`), [`RCT-${year()}-00001`]);
  assert.deepEqual(await papersOf(`customerId=${customerId}`), [invoice.number]);
  const first = await shop.get('/papers?limit=1');
  const second = await shop.get(`/papers?limit=1&cursor=${first.next}`);
  assert.deepEqual(
    [...first.papers, ...second.papers].map(({ number }: { number: string }) => number),
    await papersOf(''),
  );
  assert.equal(second.next, null);
});

test('papers are found by number, order, customer and e-mail; a role that sees no customers finds none by them', async () => {
  for (const search of [
    invoice.number,
    'inv-',
    'KN-100',
    'Lovelace',
    'Ada',
    'love ad',
    'engines',
    'ada@customer.example',
  ])
    assert.deepEqual(await papersOf(`search=${encodeURIComponent(search)}`), [invoice.number], search);
  assert.deepEqual(await papersOf('search=Babbage'), []);
  assert.deepEqual(await papersOf(`search=KN-200&kind=INVOICE`), []);
  const list = words(await owner.get('/account/papers?search=lovelace'));
  assert.match(list, new RegExp(`${invoice.number} Invoice .*Engines Ltd Paid \\$60\\.00`));
  const seen = words(await viewer.get('/account/papers'));
  assert.match(seen, new RegExp(invoice.number));
  assert.doesNotMatch(seen, /Engines/);
  assert.match(words(await viewer.get('/account/papers?search=lovelace')), /No paper fits/);
  for (const each of [owner, viewer]) {
    const everywhere = await each.get(`/account/search?q=${invoice.number.toLowerCase()}`);
    assert.match(everywhere.text, new RegExp(`href="/account/papers/${invoice.id}"`));
    assert.match(words(everywhere), new RegExp(`Invoice ${invoice.number} \\$60\\.00`));
  }
  assert.doesNotMatch((await owner.get('/account/search?q=%25')).text, /account\/papers\//);
  assert.match(words(await owner.get('/account/papers?tab=receipt')), new RegExp(`RCT-${year()}-00001`));
  assert.doesNotMatch(words(await owner.get('/account/papers?tab=receipt')), new RegExp(invoice.number));
});

test('one paper says what it says, opens, and is linked from its checkout and its customer', async () => {
  const path = `/account/papers/${invoice.id}`;
  assert.match(words(await owner.get(path)), /Net \$50\.42 VAT 19 % \$9\.58 Gross \$60\.00/);
  const { location } = await owner.get(`${path}/open?format=pdf`);
  assert.match(location, new RegExp(`/en/invoice/${invoiced}\\?paper=${invoice.id}&key=[^&]+&format=pdf$`));
  const pdf = await fetch(location.replace(/^https?:\/\/[^/]+/, new URL(world.gateway.url).origin));
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf']);
  assert.doesNotMatch((await viewer.get(`${path}/open`)).location, /key=/, 'nor does it open with the buyer');
  assert.match((await owner.get(`/account/checkouts/${invoiced}`)).text, new RegExp(`href="${path}"`));
  assert.match((await owner.get(`/account/customers/${customerId}`)).text, /href="\/account\/papers\?customer=/);
  assert.match(words(await owner.get(`/account/papers?customer=${customerId}`)), new RegExp(invoice.number));
  const { paper } = await shop.get(`/paper?id=${invoice.id}`);
  assert.deepEqual([paper.buyerEmail, paper.lines[0].label, paper.creditNotes], ['ada@customer.example', 'Cup', []]);
  const page = await fetch(paper.url.replace(/^https?:\/\/[^/]+/, new URL(world.gateway.url).origin));
  assert.match(await page.text(), /Lovelace/);
});

test('the list is exported with its filters, for who may', async () => {
  const file = await accountant.get('/account/papers/export?tab=invoice');
  assert.equal(file.status, 200);
  const [head = '', row = ''] = file.text.split('\r\n');
  assert.match(
    head,
    /Number,Kind,Issued,Order,Checkout id,Net,Tax,Rounding,Gross,Currency,Credited,Mark,Corrects,Customer,E-mail/i,
  );
  assert.match(
    row,
    new RegExp(`^${invoice.number},Invoice,.*50\\.42,9\\.58,0\\.00,60\\.00,USD,.*Engines Ltd,ada@customer\\.example$`),
  );
  assert.equal((await support.get('/account/papers/export')).status, 403);

  const move = (timeZone: string | null) =>
    changeSettings(world.gateway, shop.merchant.merchantId, { pageSettings: { timeZone } }, 'operator');
  await move('Pacific/Kiritimati');
  const moved = await accountant.get('/account/papers/export?tab=invoice');
  await move(null);
  const issuedAt = zonedMoment('UTC', new Date(invoice.timestamp));
  assert.ok(moved.text.includes(`${invoice.number},Invoice,${issuedAt},`), 'the day that is on the paper');
});

test('a paper is sent again to its customer and to nobody else, three times an hour', async () => {
  mail.received.splice(0);
  const path = `/account/papers/${invoice.id}`;
  assert.match(words(await support.get(path)), /Send again by e-mail Goes to a…@customer\.example\./);
  const sent = await support.post(`${path}/send`, { email: 'thief@elsewhere.example' });
  assert.deepEqual([sent.status, sent.location], [303, `${path}?did=sent`], sent.text);
  await world.gateway.runUntilIdle();
  const [message] = mail.received;
  assert.deepEqual(message?.to, ['ada@customer.example']);
  assert.match(message?.headers.get('subject') ?? '', new RegExp(`^Invoice ${invoice.number}`));
  assert.match(message?.text ?? '', new RegExp(`/en/invoice/${invoiced}\\?paper=${invoice.id}&key=`));
  assert.deepEqual(await shop.post('/paper/send', { id: invoice.id }), { id: invoice.id, number: invoice.number });
  await shop.post('/paper/send', { id: invoice.id });
  assert.equal((await shop.request('POST', '/paper/send', { id: invoice.id })).status, 409);
  assert.equal((await accountant.post(`${path}/send`)).status, 403);
  assert.match(words(await owner.get(`/account/checkouts/${invoiced}`)), new RegExp(`${invoice.number} sent again`));
  const [receipt] = (await shop.get(`/papers?checkoutId=${plain}`)).papers;
  const refused = await shop.request('POST', '/paper/send', { id: receipt.id });
  assert.deepEqual([refused.status, /no e-mail address is known/.test(JSON.stringify(refused.body))], [409, true]);
  await world.pass({ hours: 2 });

  const { customerId } = (await shop.get(`/paper?id=${invoice.id}`)).paper;
  await shop.request('PUT', '/customer', { customer: { id: customerId, email: 'eve@customer.example' } });
  mail.received.splice(0);
  await shop.post('/paper/send', { id: invoice.id });
  await world.gateway.runUntilIdle();
  assert.deepEqual(
    mail.received.map(({ to }) => to),
    [['ada@customer.example']],
    'whoever changes an address does not thereby read who the customer is',
  );
  await shop.request('PUT', '/customer', { customer: { id: customerId, email: 'ada@customer.example' } });
  await world.pass({ hours: 2 });
});

test('a credit note is looked at, proven, issued once, and never more than is left', async () => {
  const path = `/account/papers/${invoice.id}/credit`;
  assert.equal((await support.get(path)).status, 403);
  assert.equal((await support.post(path, { amount: '1.00' })).status, 403);
  const review = words(await accountant.get(`${path}?amount=11%2C90&reason=Broken`));
  assert.match(review, /Reason Broken Net \$10\.00 VAT 19 % \$1\.90 Gross \$11\.90/);
  for (const amount of ['0', '-1', '1.234', 'much', '60.01'])
    assert.equal((await accountant.get(`${path}?amount=${amount}`)).status >= 400, true, amount);
  await accountant.prove();
  const asked = await accountant.post(path, { amount: '11.90', reason: 'Broken' });
  assert.match(asked.location, /^\/account\/papers\/[a-z0-9]{12}\?did=credited$/, asked.text);
  assert.match(
    words(await accountant.get(asked.location)),
    new RegExp(`Credit note CRN-${year()}-00001.*Corrects ${invoice.number} Reason Broken`),
  );
  const { paper } = await shop.get(`/paper?id=${invoice.id}`);
  assert.deepEqual([paper.credited, paper.mark, paper.creditNotes.length], ['11.90', 'PAID', 1]);

  world.gateway.clock.advance({ seconds: 1 });
  const tooMuch = await shop.request('POST', '/credit-note', { paperId: invoice.id, amount: '48.11' });
  assert.deepEqual([tooMuch.status, /At most 48\.10 USD/.test(JSON.stringify(tooMuch.body))], [422, true]);
  const rest = await shop.post('/credit-note', { paperId: invoice.id });
  assert.deepEqual(
    [rest.paper.total, rest.paper.kind, rest.paper.corrects.number],
    ['48.10', 'CREDIT_NOTE', invoice.number],
  );
  assert.equal((await shop.get(`/paper?id=${invoice.id}`)).paper.mark, 'CANCELLED');
  assert.match(
    words(await owner.get(`/account/papers/${invoice.id}`)),
    /Cancelled.*Credit notes have taken back all of it/,
  );
  assert.match(words(await owner.get('/account/papers?tab=creditNote')), /CRN-.*00002.*CRN-.*00001/);
  const again = await shop.request('POST', '/credit-note', { paperId: rest.paper.id });
  assert.deepEqual([again.status, /not another credit note/.test(JSON.stringify(again.body))], [422, true]);
});

test('a refund makes its credit note by itself, and it is in the list', async () => {
  const id = await paid({ customerId }, 'KN-300');
  await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  await world.send();
  await world.mine(6);
  const [note] = (await shop.get(`/papers?checkoutId=${id}&kind=CREDIT_NOTE`)).papers;
  assert.equal(note?.total, '60.00');
});

test('prefixes of the series are set in the settings; bad ones are refused with what was typed', async () => {
  const path = '/account/settings/papers';
  assert.match((await owner.get(path)).text, /value="INV-\{year\}-"/);
  const [{ number = '' } = {}] = (await shop.get('/papers?kind=CREDIT_NOTE&limit=1')).papers;
  const next = `CRN-${year()}-${String(Number(number.slice(-5)) + 1).padStart(5, '0')}`;
  assert.match(words(await owner.get(path)), new RegExp(`The next number is ${next}`));
  await owner.prove();
  const refused = await owner.post(path, { invoice: 'INV-7', receipt: 'R/', creditNote: 'C-' });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /value="INV-7"/);
  const saved = await owner.post(path, { invoice: 'B-{year}-', receipt: 'R/', creditNote: 'C-' });
  assert.equal(saved.location, `${path}?did=saved`, saved.text);
  assert.match(words(await owner.get(path)), /The first number would be R\/00001/);
  const id = await paid({ customerId }, 'KN-400');
  assert.deepEqual(await papersOf(`checkoutId=${id}`), [`B-${year()}-00001`]);
  await changeSettings(
    world.gateway,
    shop.merchant.merchantId,
    { pageSettings: { invoicePrefix: 'INV-{year}-' } },
    'operator',
  );
});

test('a paper is found by whom it names, not by who the customer is today or whether there is one', async () => {
  await shop.post('/customer', { customer: { id: customerId, email: 'grace@elsewhere.example', lastname: 'Hopper' } });
  assert.deepEqual(await papersOf('search=hopper'), []);
  assert.deepEqual(await papersOf('search=grace%40elsewhere'), []);
  const named = await papersOf('search=lovelace');
  assert.ok(named.includes(invoice.number));
  await shop.request('DELETE', '/customer', { id: customerId });
  assert.deepEqual(await papersOf('search=lovelace'), named);
  assert.match(words(await owner.get('/account/papers?search=ada')), new RegExp(invoice.number));
  assert.match(words(await viewer.get('/account/papers?search=ada')), /No paper fits/);
});
