/** Checkouts in the account: found, understood and decided by whoever may, and by nobody else. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { type AccountWorld, accountsAt, type PageAnswer, signed, type Visitor, words } from './account-world.ts';
import { aCharge, withoutLitecoin } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
let accounts: AccountWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin, hasAccount: true });
  accounts = accountsAt(world.gateway);
});
after(() => world.gateway.stop());

let people = 0;
const member = (shop: Shop, role: Parameters<AccountWorld['member']>[0]): Promise<Visitor> =>
  accounts.member(role, `${role}-${(people += 1)}@example.com`, shop.merchant.merchantId);

const links = ({ text }: PageAnswer): string[] =>
  Array.from(text.matchAll(/<tr><th scope="row"><a href="\/account\/checkouts\/([a-z0-9]+)"/g), ([, id]) => id ?? '');
const listed = async (visitor: Visitor, query = ''): Promise<string[]> =>
  links(await visitor.get(`/account/checkouts${query}`));

test('the list shows the newest first, by tab and filter, and nothing of anybody else', async () => {
  const [shop, other] = [await world.shop(), await world.shop()];
  const owner = await member(shop, 'owner');
  assert.match(words(await owner.get('/account/checkouts')), /Here will be every order/);
  await other.create('60.00 USD');
  const paid = await world.paid(shop, '0.001', { pageSettings: { orderReference: 'KN-1' } });
  world.gateway.clock.advance({ seconds: 1 });
  const open = await shop.create('12.50 USD', { meta: { orderId: 4711 } });
  world.gateway.clock.advance({ seconds: 1 });
  const odd = await world.paid(shop, '0.0015');

  const all = await owner.get('/account/checkouts');
  assert.deepEqual(links(all), [odd.id, open, paid.id]);
  assert.match(words(all), /KN-1 .*Paid \$60\.00 .*0\.001 BTC .*Bitcoin/);
  assert.match(words(all), /4711 .*Opened \$12\.50 .*– –/);
  assert.match(words(all), /Paid too much/);
  assert.deepEqual(await listed(owner, '?tab=open'), [open]);
  assert.deepEqual(await listed(owner, '?tab=paid'), [odd.id, paid.id]);
  assert.deepEqual(await listed(owner, '?tab=odd'), [odd.id]);
  assert.deepEqual(await listed(owner, '?tab=refunded'), []);
  assert.deepEqual(await listed(owner, '?amount=12,50'), [open]);
  assert.deepEqual(await listed(owner, '?network=BITCOIN&tab=odd'), [odd.id]);
  assert.deepEqual(await listed(owner, `?search=${open}`), [open]);
  assert.deepEqual(await listed(owner, '?period=7'), [odd.id, open, paid.id]);
  assert.deepEqual(await listed(owner, '?amount=much'), []);
  assert.match(words(await owner.get('/account/checkouts?amount=much')), /No checkout fits/);
  // Old links and what somebody types by hand do no harm.
  assert.deepEqual((await listed(owner, '?tab=x&network=x&asset=x&period=x&cursor=x')).length, 3);
});

test('older ones are on the next page, whatever comes meanwhile', async () => {
  const shop = await world.shop();
  const viewer = await member(shop, 'viewer');
  const ids: string[] = [];
  for (let count = 0; count < 52; count += 1) {
    ids.unshift(await shop.create('10.00 USD'));
    world.gateway.clock.advance({ seconds: 1 });
  }
  const first = await viewer.get('/account/checkouts?tab=open');
  assert.deepEqual(links(first), ids.slice(0, 50));
  const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  await shop.create('20.00 USD');
  assert.deepEqual(links(await viewer.get(next)), ids.slice(50));
});

test('an underpayment is accepted by who may, and the audit log knows who', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const page = `/account/checkouts/${id}`;
  for (const role of ['accountant', 'developer', 'viewer'] as const) {
    const visitor = await member(shop, role);
    assert.equal((await visitor.post(`${page}/accept`)).status, 403, role);
    const shown = words(await visitor.get(page));
    assert.doesNotMatch(shown, /Accept/, role);
    const who =
      role === 'accountant' ? /An owner or an admin approves it/ : /An owner or an admin of the account decides/;
    assert.match(shown, who, role);
  }
  const support = await member(shop, 'support');
  const refused = await support.post(`${page}/accept`);
  assert.deepEqual([refused.status, /no limit for them/.test(refused.text)], [403, true]);
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');

  const admin = await member(shop, 'admin');
  const before = await admin.get(page);
  assert.match(words(before), /paid 0\.0006 BTC, which is too little/);
  assert.match(before.text, /Accept 0\.0006\u00a0BTC/);
  const accepted = await admin.post(`${page}/accept`);
  assert.deepEqual([accepted.status, accepted.location], [303, `${page}?did=Accept`]);
  assert.equal(await shop.state(id), 'RESOLVED PARTIAL');
  assert.match(words(await admin.get(accepted.location)), /Accepted\. What arrived.*less than the price, and accepted/);
  const [row] = await world.gateway.db`
    select actor from audit_log where merchant_id = ${shop.merchant.merchantId} and action = 'underpayment.accepted'`;
  assert.match(String(row?.['actor']), /^person:/);
});

test('what was paid too much is kept, or goes back by a link that only this order was signed for', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const kept = await world.paid(shop, '0.0015');
  assert.equal(
    (await owner.post(`/account/checkouts/${kept.id}/keep`)).location,
    `/account/checkouts/${kept.id}?did=Keep`,
  );
  assert.doesNotMatch(words(await owner.get(`/account/checkouts/${kept.id}`)), /What happens to/);

  const { id } = await world.paid(shop, '0.0015');
  const path = `/account/checkouts/${id}/refund`;
  const rail = { context: 'OVERPAID_CHECKOUT', asset: 'BTC', network: 'BITCOIN', fee: 'customer' };
  const form = { ...rail, amount: '0.0005' };
  assert.match(words(await owner.get(`/account/checkouts/${id}`)), /paid 0\.0005 BTC too much/);
  assert.equal((await owner.post(path, form)).status, 403, 'a fresh sign-in signs no order');
  const thief = aBitcoinAddress();
  for (const sent of [
    { ...form, address: thief },
    { ...form, amount: '0.0004' },
    { ...form, context: 'COMPLETED_CHECKOUT' },
  ])
    assert.match((await signed(owner, path, form, sent)).text, /answered already/, JSON.stringify(sent));
  for (const name of Object.keys(form)) {
    const chosenLater = await signed(
      owner,
      path,
      Object.fromEntries(Object.entries(form).filter(([each]) => each !== name)),
    );
    assert.deepEqual([chosenLater.status, chosenLater.text.includes('nothing is filled in here')], [400, true], name);
  }
  assert.deepEqual((await shop.checkout(id)).refunds, []);

  const offered = await signed(owner, path, form);
  assert.equal(offered.status, 200, offered.text);
  const url = /data-copy="([^"]+)"/.exec(offered.text)?.[1] ?? '';
  assert.match(url, new RegExp(`/en/checkout/${id}/refund\\?token=`));
  const { pathname, search } = new URL(url);
  assert.equal((await owner.get(`${pathname}${search}`, { host: new URL(world.gateway.url).host })).status, 200);
  const [refund] = (await shop.checkout(id)).refunds;
  assert.deepEqual([refund.state, refund.amount], ['CLAIMABLE', '0.0005']);
  assert.match(words(await owner.get(`/account/checkouts/${id}`)), /A refund of 0\.0005 BTC waits for the customer/);
});

test('a refund of what was credited goes to an address in part; support cannot ask for one yet', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.001');
  await world.mine(6);
  const path = `/account/checkouts/${id}/refund`;
  const address = aBitcoinAddress();
  const form = {
    context: 'COMPLETED_CHECKOUT',
    asset: 'BTC',
    network: 'BITCOIN',
    fee: 'customer',
    amount: '0.0004',
    address,
  };
  const support = await member(shop, 'support');
  assert.equal((await signed(support, path, form)).status, 403);
  assert.equal((await (await member(shop, 'viewer')).post(path, form)).status, 403);

  const owner = await member(shop, 'owner');
  const sent = await signed(owner, path, form);
  assert.deepEqual([sent.status, sent.location], [303, `/account/checkouts/${id}`], sent.text);
  await world.send();
  assert.ok((await received(world.gateway, address)) > 30_000n);
  assert.match(words(await owner.get(`/account/checkouts/${id}`)), /Refund of 0\.0004 BTC asked for/);
});

test('an address that the payer left before paying is offered where money goes back, and the payer sees that it is kept', async () => {
  const shop = await world.shop();
  const address = aBitcoinAddress();
  const { id } = await shop.post('/checkout/hosted', aCharge('60.00 USD', { checkoutLanguage: 'en' }));
  const checkout = await shop.commit(id, 'BITCOIN');
  const path = `${new URL(world.gateway.url).origin}/en/checkout/${checkout.id}`;
  const page = async (): Promise<string> => (await fetch(path)).text();
  await world.pass({ minutes: 61 });
  assert.match(await page(), /This price is no longer valid[^]*Refund address on Bitcoin/);
  const body = new URLSearchParams({ network: 'BITCOIN', refundAddress: address });
  assert.equal((await fetch(`${path}/contact`, { method: 'POST', redirect: 'manual', body })).status, 303);
  const kept = new RegExp(`…${address.slice(-5)}</span> is saved, and the shop sees it`);
  assert.match(await page(), kept, 'on the page of an expired price');

  await world.pay(await shop.commit(checkout.id, 'BITCOIN'), '0.0015');
  await world.mine(1);
  assert.match(await page(), kept, 'beside the excess');
  const owner = await member(shop, 'owner');
  const { text } = await owner.get(`/account/checkouts/${checkout.id}`);
  assert.match(text, new RegExp(`name="address"[^>]* value="${address}"`));
  assert.match(text, /The payer left this address on the page before paying\./);
  assert.match(text, /<b>Send it back<\/b><span>To the address that the payer left, or by a link/);
  assert.match(text, new RegExp(`Refund address of the payer \\(Bitcoin\\)</dt><dd class="mono breaks">${address}`));
});

test('a search finds orders, customers, pages and actions, and only what the role may open', async () => {
  const [shop, other] = [await world.shop(), await world.shop()];
  const { id } = await world.paid(shop, '0.001', { pageSettings: { orderReference: 'Kiosk-77' } });
  const customer = { email: 'kiosk@example.com', company: 'Kiosk North' };
  const { customerId } = await shop.post('/customer', { customer });
  await world.gateway.runUntilIdle();
  const found = async (visitor: Visitor, text: string): Promise<string[]> => {
    const page = await visitor.get(`/account/search?q=${encodeURIComponent(text)}`);
    assert.equal(page.status, 200, page.text);
    const part = /<div class="hits" id="found".*?<\/div>/s.exec(page.text)?.[0] ?? '';
    return Array.from(part.matchAll(/<a href="([^"]+)"/g), ([, path = '']) => path.replace('/account', ''));
  };
  const owner = await member(shop, 'owner');
  assert.deepEqual(await found(owner, 'kiosk'), [`/checkouts/${id}`, `/customers/${customerId}`]);
  assert.deepEqual(await found(owner, 'KIOSK-77'), [`/checkouts/${id}`]);
  assert.deepEqual(await found(owner, 'new'), ['/checkouts/new', '/transfers/new']);
  assert.deepEqual(await found(owner, 'keys develop'), ['/developers/keys']);
  assert.deepEqual(await found(owner, '<b>'), []);
  assert.match(words(await owner.get('/account/search?q=%3Cb%3E')), /Nothing is found by this/);
  assert.ok((await found(owner, '')).includes('/settings/limits'), 'without a word it offers all');

  const viewer = await member(shop, 'viewer');
  assert.deepEqual(await found(viewer, 'kiosk'), [`/checkouts/${id}`]);
  assert.deepEqual(await found(viewer, 'new'), []);
  assert.deepEqual(await found(viewer, 'kiosk@example.com'), []);
  const support = await member(shop, 'support');
  assert.deepEqual(await found(support, 'new'), ['/checkouts/new']);
  assert.deepEqual(await found(support, 'balances'), []);
  assert.deepEqual(await found(await member(other, 'owner'), 'kiosk'), []);
  assert.match((await owner.get('/account')).text, /<a class="find" href="\/account\/search" data-find>/);
});

test('who the customer is, is for those who may see it', async () => {
  const shop = await world.shop();
  const { customerId } = await shop.post('/customer', {
    customer: {
      email: 'marta@example.com',
      firstname: 'Marta',
      lastname: 'Hoff',
    },
  });
  const id = await shop.create('60.00 USD', {
    charge: { billingCurrency: 'USD', customerId, lineItems: [{ description: 'Cup', netAmount: '60.00' }] },
  });
  const nobodys = await shop.create('10.00 USD');
  for (const [role, sees] of [
    ['support', true],
    ['developer', false],
    ['viewer', false],
  ] as const) {
    const visitor = await member(shop, role);
    for (const path of ['/account/checkouts', `/account/checkouts/${id}`, `/account/checkouts?customer=${customerId}`])
      assert.equal(/Marta/.test((await visitor.get(path)).text), sees, `${role} ${path}`);
    assert.equal((await listed(visitor, '?search=marta@example.com')).length, sees ? 1 : 0, role);
    const both = [nobodys, id].toSorted();
    assert.deepEqual((await listed(visitor, `?customer=${customerId}`)).toSorted(), sees ? [id] : both, role);
    const page = (await visitor.get(`/account/checkouts?customer=${customerId}`)).text;
    assert.equal(/<a class="chip on"/.test(page), sees, `${role}: a filter that filters nothing is not shown`);
    assert.equal(page.includes(customerId), sees, `${role}: nor led on to other pages`);
    assert.equal(/Order, e-mail, transaction/.test(page), sees, `${role} is offered what they can search by`);
  }
});

test('a checkout is canceled while nobody has paid, and its webhooks are sent once more', async () => {
  const shop = await world.shop();
  const support = await member(shop, 'support');
  const { id } = await shop.open('60.00 USD', 'BITCOIN');
  assert.match(words(await support.get(`/account/checkouts/${id}`)), /Cancel the checkout/);
  await support.post(`/account/checkouts/${id}/cancel`);
  assert.equal(await shop.state(id), 'CANCELED');
  assert.doesNotMatch(words(await support.get(`/account/checkouts/${id}`)), /Cancel the checkout/);

  const paid = await world.paid(shop, '0.001');
  await world.gateway.runUntilIdle();
  const page = (await support.get(`/account/checkouts/${paid.id}`)).text;
  const delivery = /name="delivery" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const before = shop.eventsOf(paid.id).length;
  assert.equal((await support.post(`/account/checkouts/${paid.id}/resend`, { delivery })).status, 303);
  await world.gateway.runUntilIdle();
  assert.equal(shop.eventsOf(paid.id).length, before + 1);
  const rows = await world.gateway.db`
    select action, actor like 'person:%' as "isPerson", detail from audit_log
     where merchant_id = ${shop.merchant.merchantId} and actor <> 'operator' and action !~ '^(member|person|invit|sign)'
     order by at, id`;
  assert.deepEqual(rows, [
    { action: 'checkout.canceled', isPerson: true, detail: { checkoutId: id } },
    { action: 'webhook.redelivered', isPerson: true, detail: { deliveryId: delivery } },
  ]);
});

test("links of plugins lead here through the sign-in, and another account's id is as unknown as any", async () => {
  const [shop, other] = [await world.shop(), await world.shop()];
  const owner = await member(shop, 'owner');
  const stranger = await member(other, 'owner');
  const { id } = await world.underpaid(shop, '0.0006');
  const { refund } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  const page = `/account/checkouts/${id}`;
  const led = async (visitor: Visitor, path: string): Promise<string> => {
    const { status, location } = await visitor.get(path);
    assert.equal(status, 303, path);
    return location.replace(accounts.accountUrl, '');
  };
  assert.equal(await led(owner, `/de/payment/checkout-id/${id}`), page);
  const decision = await led(owner, `/en/unresolved-charge/checkout-id/${id}`);
  assert.equal(await led(owner, decision), `${page}#decision`);
  assert.equal(await led(accounts.visitor(), decision), `/account/sign-in?next=${encodeURIComponent(decision)}`);
  assert.equal(await led(owner, await led(owner, `/fr/refund/${refund.id}`)), page);
  assert.equal(await led(owner, await led(owner, `/fr/refund/${id}`)), page);
  assert.equal(await led(owner, '/en/payment/checkout-id/%2F%2Fevil.example'), '/account/checkouts');
  assert.equal(await led(accounts.visitor(), page), `/account/sign-in?next=${encodeURIComponent(page)}`);

  const plain = ({ status, text }: PageAnswer) => [status, text.replaceAll(/nonce="[^"]*"|[a-z0-9]{12}(?=["/])/g, '')];
  const unknown = 'aaaaaaaaaaaa';
  assert.deepEqual(plain(await stranger.get(page)), plain(await stranger.get(`/account/checkouts/${unknown}`)));
  assert.equal((await stranger.get(page)).status, 404);
  assert.equal(await led(stranger, `/account/refunds/${refund.id}`), `/account/checkouts/${refund.id}`);
  for (const deed of ['accept', 'keep', 'cancel'])
    assert.equal((await stranger.post(`${page}/${deed}`)).status, 404, deed);
  const form = { context: 'UNDERPAID_CHECKOUT', asset: 'BTC', network: 'BITCOIN', fee: 'customer', amount: '0.0006' };
  assert.equal((await signed(stranger, `${page}/refund`, form)).status, 404);
});

/** Of the page, the part with this id. */
const partOf = ({ text }: PageAnswer, id: string): string =>
  words({ text: new RegExp(`id="${id}">(.*?)</section>`, 's').exec(text)?.[1] ?? '' } as PageAnswer).trim();

test('what was booked about a checkout and its refund is told in words, to who may see balances', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.0015');
  await world.mine(6);
  await world.pass({ minutes: 1 });
  await shop.post('/refund', { checkoutId: id, context: 'OVERPAID_CHECKOUT', address: aBitcoinAddress() });
  const owner = await member(shop, 'owner');
  const booked = partOf(await owner.get(`/account/checkouts/${id}`), 'ledger');
  assert.match(booked, /^Ledger Set aside for a refund .*from For a decision 0\.0005 BTC to Reserved 0\.0005 BTC/);
  assert.match(
    booked,
    /Checkout credited .*from Pending 0\.0015 BTC to Available 0\.000995 BTC to For a decision 0\.0005 BTC to Fees of the service 0\.000005 BTC/,
  );
  assert.match(booked, /Payment arrived .*from Bitcoin 0\.0015 BTC to Pending 0\.0015 BTC$/);
  for (const role of ['support', 'developer'] as const)
    assert.equal(partOf(await (await member(shop, role)).get(`/account/checkouts/${id}`), 'ledger'), '', role);
});

test('a first payment can go back: the form is filled in with what the account has of it', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.001');
  await world.mine(6);
  const owner = await member(shop, 'owner');
  const path = `/account/checkouts/${id}/refund`;
  const [, amount = ''] =
    /name="amount"[^>]* value="([^"]+)"/.exec((await owner.get(`/account/checkouts/${id}`)).text) ?? [];
  assert.equal(amount, '0.000995', 'the fee of the service has been taken off it');
  const form = { context: 'COMPLETED_CHECKOUT', asset: 'BTC', network: 'BITCOIN', amount, fee: 'customer' };
  assert.equal((await signed(owner, path, form)).status, 200);
  assert.equal((await shop.checkout(id)).refunds[0].state, 'CLAIMABLE');
});

test('who may not see balances does not learn them by asking what a refund would cost', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.001');
  await world.mine(6);
  await changeSettings(world.gateway, shop.merchant.merchantId, { supportLimit: '100' }, 'operator');
  const support = await member(shop, 'support');
  const page = await support.get(`/account/checkouts/${id}`);
  assert.equal(/name="amount"[^>]* value="([^"]+)"/.exec(page.text)?.[1], '0.001', 'not what the account has of it');
  const path = `/account/checkouts/${id}/refund`;
  const form = { context: 'COMPLETED_CHECKOUT', asset: 'BTC', network: 'BITCOIN', fee: 'customer', amount: '0.001' };
  const asked = await support.get(`${path}?${new URLSearchParams(form).toString()}`);
  assert.equal(asked.status, 200, words(asked));
  const refused = await signed(support, path, form);
  assert.equal(refused.status, 422);
  assert.match(words(refused), /The account cannot pay this at the moment/);
  assert.doesNotMatch(refused.text, /0\.000995/);
});

test('papers are offered where there are any', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const own = await world.paid(shop, '0.001');
  assert.doesNotMatch((await owner.get(`/account/checkouts/${own.id}`)).text, /\/receipt"|\/invoice\//);
  const made = await owner.post('/account/checkouts/new', { amount: '60', currency: 'USD', description: 'A cup' });
  const [, id = ''] = /checkouts\/([a-z0-9]{12})\/link/.exec(made.location) ?? [];
  const papers = async (): Promise<string[]> =>
    Array.from(
      (await owner.get(`/account/checkouts/${id}`)).text.matchAll(/href="([^"]*\/(?:receipt|invoice)[^"]*)"/g),
    ).map(([, path = '']) => path);
  assert.deepEqual(await papers(), []);
  await world.pay(await shop.commit(id, 'BITCOIN'), '0.001');
  await world.mine(1);
  const [receipt = '', ...others] = await papers();
  assert.deepEqual(others, []);
  const { host } = new URL(world.gateway.url);
  assert.equal((await owner.get(new URL(receipt).pathname, { host })).status, 200);
});

test('why an invoice has no part for machines is said where the customer is, to who may see the customer', async () => {
  const shop = await world.shop();
  const owner = await member(shop, 'owner');
  const fields = { email: 'ada@customer.example', company: 'Ada Ltd', countrycode: 'IE' };
  const { customerId } = await shop.post('/customer', { customer: fields });
  const invoiced = async (): Promise<string> => {
    const body = aCharge('60.00 USD');
    Object.assign(body['charge'] as object, { customerId });
    const { id } = await shop.post('/checkout/hosted', body);
    await world.pay(await shop.commit(id, 'BITCOIN'), '0.001');
    await world.mine(1);
    return id;
  };
  const lacking =
    'The invoice has no machine-readable part: the country of the business is missing, the business has neither VAT id ' +
    'nor tax number, it was not said what positions without tax are. Business';
  const first = await invoiced();
  assert.ok(words(await owner.get(`/account/checkouts/${first}`)).includes(lacking));
  const developer = await member(shop, 'developer');
  assert.doesNotMatch(words(await developer.get(`/account/checkouts/${first}`)), /machine-readable/);
  const said = { country: 'DE', vatId: 'DE123456789', untaxedAs: 'Z' };
  await changeSettings(world.gateway, shop.merchant.merchantId, { pageSettings: said }, 'operator');
  assert.doesNotMatch(words(await owner.get(`/account/checkouts/${await invoiced()}`)), /machine-readable/);
  assert.ok(words(await owner.get(`/account/checkouts/${first}`)).includes(lacking), 'what was issued stays as it was');
});

test('what a refund would cost is said before anything is signed, from the numbers by which it is done', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.001');
  await world.mine(6);
  const owner = await member(shop, 'owner');
  const path = `/account/checkouts/${id}/refund`;
  const form = { context: 'COMPLETED_CHECKOUT', asset: 'BTC', network: 'BITCOIN', amount: '0,0004' };
  const asking = (more: Record<string, string>) => `${path}?${new URLSearchParams({ ...form, ...more }).toString()}`;
  const told = words(await owner.get(asking({ fee: 'customer' })));
  assert.match(told, /where the customer says, by a link .*paid by the customer From your balance 0\.0004 BTC/);
  const [, fee = '', arrives = ''] = /Network fee (\S+) BTC, .*Arrives (\S+) BTC/.exec(told) ?? [];
  assert.ok(Number(fee) > 0);
  assert.equal(((Number(arrives) + Number(fee)) * 1e8).toFixed(0), '40000');
  assert.match(words(await owner.get(asking({ fee: 'merchant' }))), /paid by you .*Arrives 0\.0004 BTC/);
  for (const [more, sentence] of [
    [{ amount: '5' }, /at most|more than/i],
    [{ amount: '0.00000001' }, /too little/i],
    [{ address: 'nowhere' }, /address/i],
  ] as const) {
    const refused = await owner.get(asking({ fee: 'customer', ...more }));
    assert.ok(refused.status >= 400 && refused.status < 500, JSON.stringify(more));
    assert.match(words(refused), sentence);
    assert.doesNotMatch(refused.text, /name="proof"/);
  }
  assert.deepEqual((await shop.checkout(id)).refunds, [], 'nothing was set aside by looking');
  for (const role of ['developer', 'viewer'] as const)
    assert.equal((await (await member(shop, role)).get(asking({}))).status, 403, role);

  // Who signs with a code types it below the costs, and never into an address.
  await accounts.gateway.db`delete from passkey where person_id = (select person_id from membership
    where merchant_id = ${shop.merchant.merchantId} and role = 'owner')`;
  await accounts.gateway.db`update person set totp_secret = 'x' where id = (select person_id from membership
    where merchant_id = ${shop.merchant.merchantId} and role = 'owner')`;
  const page = (await owner.get(`/account/checkouts/${id}`)).text;
  const [asks = ''] = new RegExp(`<form[^>]*action="${path}".*?</form>`, 's').exec(page) ?? [];
  assert.match(asks, /method="get"/);
  assert.doesNotMatch(asks, /name="code"/);
  assert.match((await owner.get(asking({ fee: 'customer' }))).text, /method="post"[^]*name="code"/);
});
