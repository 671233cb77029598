/**
 * Checkouts paid over Lightning, by a real node over a real channel of 0.1 BTC. 60.00 USD are 100,000 SAT. The node
 * refuses what an invoice does not allow, so less than asked, too late or twice never arrives.
 */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { deepTest } from './depth.ts';
import { aCharge, type Gateway, startGateway } from './gateway.ts';
import { openShop } from './shop.ts';
import { openSender } from './transfer-story.ts';
import { until } from './until.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ lightningSat: 10_000_000n });
});
after(() => gateway.stop());

async function pay(to: { address: string }, units?: bigint): Promise<string> {
  const hash = await gateway.lightning.pay({ address: to.address, ...(units !== undefined && { units }) });
  await gateway.runUntilIdle();
  return hash;
}

/** The networks have told what they saw, and nobody has decided about it yet. */
async function seeOnly(): Promise<void> {
  for (const watcher of gateway.app.watchers) await watcher.tick();
}

test('an invoice is paid, credited and announced at once', async () => {
  const shop = await openShop(gateway);
  const { id, paymentMethods } = await shop.post('/checkout', aCharge('60.00 USD', { webhook: gateway.webhookUrl }));
  const method = paymentMethods.find(({ network }: any) => network === 'LIGHTNING');
  assert.deepEqual([method.assetCode, method.paymentAmount], ['SAT', '100000']);
  const checkout = await shop.commit(id, 'LIGHTNING');
  const { assetCode, amount, address, memo, memoType } = checkout.reply.depositInstructions;
  assert.deepEqual(
    { assetCode, amount, memo, memoType },
    { assetCode: 'SAT', amount: '100000', memo: null, memoType: null },
  );
  assert.match(address, /^lnbcrt1m1[02-9ac-hj-np-z]+$/, 'an invoice over a thousandth of a bitcoin');
  assert.equal(await shop.state(id), 'PENDING');

  const hash = await pay(checkout);
  assert.equal(await shop.state(id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTCLN': '99500' });
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
  assert.equal((await shop.checkout(id)).blockchainTransactions[0].tx, hash);
});

test('a merchant who wants more confirmations does not wait for any where a payment is final at once', async () => {
  const shop = await openShop(gateway, { extraConfirmations: 3 });
  const checkout = await shop.open('60.00 USD', 'LIGHTNING');
  await pay(checkout);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('the same commit again gives the same invoice', async () => {
  const shop = await openShop(gateway);
  const first = await shop.open('60.00 USD', 'LIGHTNING');
  assert.equal((await shop.commit(first.id, 'LIGHTNING')).address, first.address);
});

test('after a part has arrived by another method, a new invoice asks for the rest only', async () => {
  const shop = await openShop(gateway);
  const whole = await shop.open('60.00 USD', 'LIGHTNING');
  gateway.clock.advance({ seconds: 1 });
  const onChain = await shop.commit(whole.id, 'BITCOIN');
  gateway.bitcoin.pay({ address: onChain.address, amount: '0.0004' });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(whole.id), 'PENDING PARTIAL');
  gateway.clock.advance({ seconds: 1 });
  const rest = await shop.commit(whole.id, 'LIGHTNING');
  assert.notEqual(rest.address, whole.address);
  assert.match(rest.address, /^lnbcrt600u1/, 'six tenths of a thousandth of a bitcoin');
  assert.equal(rest.amount, '60000', 'what the invoice asks for');
  assert.equal((await shop.commit(whole.id, 'LIGHTNING')).address, rest.address);
  await pay(rest);
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(whole.id), 'COMPLETED');
});

test('whoever picked Lightning and has no such wallet finds the way on the chain beside it, and the other way round', async () => {
  const { origin } = new URL(gateway.url);
  const waysAfter = async (method: string) => {
    const { id } = await gateway.post('/checkout/hosted', aCharge('60.00 USD', { checkoutLanguage: 'en' }));
    const path = `${origin}/en/checkout/${id}`;
    const chosen = await fetch(`${path}/commit`, { method: 'POST', body: new URLSearchParams({ network: method }) });
    const page = await chosen.text();
    const segments = Array.from(page.matchAll(/name="code" id="by-\d"[^>]*>([^<]+)</g), ([, name]) => name);
    return { id, page, segments, address: /\bbcrt1\w+/.exec(page)?.[0] ?? '' };
  };
  assert.deepEqual((await waysAfter('BITCOIN')).segments, ['Bitcoin network', 'Lightning', 'Address only']);
  const { id, page, segments, address } = await waysAfter('LIGHTNING');
  assert.deepEqual(segments, ['Lightning', 'Bitcoin network']);
  assert.match(page, /id="open-wallet" data-opens href="lightning:lnbcrt1m1/, 'what was picked comes first');
  assert.equal((await gateway.get(`/checkout?id=${id}`)).checkout.sourceNetwork, 'LIGHTNING');
  gateway.bitcoin.pay({ address, amount: '0.001' });
  gateway.bitcoin.mine(6);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'COMPLETED');
});

test('what is paid above the invoice is kept apart', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'LIGHTNING');
  await pay(checkout, 150_000n);
  assert.equal(await shop.state(checkout.id), 'COMPLETED OVERPAID');
  assert.deepEqual(await shop.balances(), { 'available/BTCLN': '99500', 'suspense/BTCLN': '50000' });
});

test('too little, and a second payment, are refused on their way', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'LIGHTNING');
  await assert.rejects(pay(checkout, 99_999n), /refused/);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'PENDING');
  await pay(checkout);
  await assert.rejects(pay(checkout), /refused/);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTCLN': '99500' });
});

test('an invoice ends with its window, and a new quote brings a new one', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'LIGHTNING');
  gateway.clock.advance({ minutes: 60 });
  await gateway.runUntilIdle();
  assert.equal(await shop.state(checkout.id), 'EXPIRED');
  await assert.rejects(pay(checkout), /refused/);
  const again = await shop.commit(checkout.id, 'LIGHTNING');
  assert.notEqual(again.address, checkout.address);
  await pay(again);
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('what was settled inside the window is in time, though the service was away and found it later', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'LIGHTNING');
  gateway.clock.advance({ minutes: 59, seconds: 58 });
  await gateway.restart(async () => {
    await gateway.lightning.pay({ address: checkout.address });
    gateway.clock.advance({ minutes: 5 });
  });
  assert.equal(await shop.state(checkout.id), 'COMPLETED');
});

test('a cancelled checkout whose invoice is paid all the same is credited as late', async () => {
  const shop = await openShop(gateway);
  const checkout = await shop.open('60.00 USD', 'LIGHTNING');
  await shop.post('/checkout/cancel', { checkoutId: checkout.id });
  await pay(checkout);
  assert.equal(await shop.state(checkout.id), 'DELAYED_COMPLETED LATE');
});

test('a checkout paid in part on Bitcoin is completed over Lightning, with an invoice for the rest', async () => {
  const shop = await openShop(gateway);
  const onBitcoin = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay({ address: onBitcoin.address, amount: '0.0006' });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await shop.state(onBitcoin.id), 'PENDING PARTIAL');
  await pay(await shop.commit(onBitcoin.id, 'LIGHTNING'));
  assert.equal(await shop.state(onBitcoin.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '59700', 'available/BTCLN': '39800' });
});

test('after a part has arrived elsewhere, committing again gives an invoice for the rest instead of the first', async () => {
  const shop = await openShop(gateway);
  const first = await shop.open('60.00 USD', 'LIGHTNING');
  const onBitcoin = await shop.commit(first.id, 'BITCOIN');
  gateway.bitcoin.pay({ address: onBitcoin.address, amount: '0.0006' });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  const [rest, again] = await Promise.all([shop.commit(first.id, 'LIGHTNING'), shop.commit(first.id, 'LIGHTNING')]);
  assert.match(rest.address, /^lnbcrt400u1/);
  assert.equal(again.address, rest.address, 'whoever asks at the same time gets the same');
  assert.equal((await shop.commit(first.id, 'LIGHTNING')).address, rest.address);
  await pay(rest);
  assert.equal(await shop.state(first.id), 'COMPLETED');
  assert.deepEqual(await shop.balances(), { 'available/BTC': '59700', 'available/BTCLN': '39800' });
});

test('more than the channels can bring in is not offered, and the operator sees how much that is', async () => {
  const shop = await openShop(gateway);
  const networksFor = async (price: string): Promise<string[]> => {
    const { paymentMethods } = await shop.post('/checkout', {
      charge: { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: price }] },
    });
    return paymentMethods.map(({ network }: any) => network);
  };
  assert.deepEqual(await networksFor('600.00'), ['BITCOIN', 'LIGHTNING', 'LITECOIN']);
  assert.deepEqual(await networksFor('6000.00'), ['BITCOIN', 'LITECOIN']);

  const metrics = await (await fetch(gateway.url.replace('/api/v1', '/metrics'))).text();
  const receivable = /^quittance_network_receivable_units\{network="LIGHTNING",asset="BTCLN"\} (\d+)$/m.exec(
    metrics,
  )?.[1];
  assert.ok(BigInt(receivable ?? 0) > 5_000_000n && BigInt(receivable ?? 0) < 10_000_000n, metrics);
});

test('the page links the invoice, which is for what is missing', async () => {
  const { id, url } = await gateway.post('/checkout/hosted', aCharge('60.00 USD', { checkoutLanguage: 'en' }));
  const readPage = async (): Promise<string> =>
    (await fetch(new URL(new URL(url).pathname, gateway.url.replace('/api/v1', '')))).text();
  const bitcoin = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  gateway.bitcoin.pay({ address: bitcoin.depositInstructions.address, amount: '0.00075' });
  await gateway.runUntilIdle();
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'LIGHTNING' });
  const page = await readPage();
  assert.match(page, /25,000\u00a0<span class="unit">SAT/);
  assert.ok(page.includes(`href="lightning:${depositInstructions.address}"`));
  assert.match(depositInstructions.address, /^lnbcrt250u1/);
});

for (const isCanceled of [false, true])
  test(`a part that comes after the order was ${isCanceled ? 'cancelled' : 'over'} hides the invoice over the whole`, async () => {
    const { id, url } = await gateway.post('/checkout/hosted', aCharge('60.00 USD', { checkoutLanguage: 'en' }));
    const path = new URL(new URL(url).pathname, gateway.url.replace('/api/v1', ''));
    const read = async (): Promise<string> => (await fetch(path)).text();
    await fetch(`${path.href}/commit`, { method: 'POST', body: new URLSearchParams({ network: 'LIGHTNING' }) });
    const both = await read();
    const [address = '', invoice = ''] = [/\bbcrt1\w+/, /\blnbcrt1m1\w+/].map((each) => each.exec(both)?.[0]);
    assert.ok(address && invoice, 'both ways of the coin');
    if (isCanceled) await gateway.post('/checkout/cancel', { checkoutId: id });
    gateway.clock.advance({ minutes: isCanceled ? 1 : 61 });
    await gateway.runUntilIdle();
    gateway.bitcoin.pay({ address, amount: '0.0004' });
    for (const happens of [seeOnly, gateway.runUntilIdle]) {
      await happens();
      const part = await read();
      assert.match(part, new RegExp(`Less than the full amount[^]*href="bitcoin:${address}\\?amount=0\\.0006"`));
      assert.doesNotMatch(part, /lnbc/i);
    }
    // It was cancelled here, and not at the node.
    if (isCanceled) await gateway.lightning.pay({ address: invoice });
    else gateway.bitcoin.pay({ address, amount: '0.0006' });
    for (const happens of [seeOnly, gateway.runUntilIdle]) {
      await happens();
      const seen = await read();
      assert.match(seen, isCanceled ? /Your payment (was seen|is confirmed)|more than once/ : /Your payment was seen/);
      assert.doesNotMatch(seen, /lnbc|href="bitcoin:|Less than the full|Still missing/i);
    }
    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    assert.match(await read(), isCanceled ? /You sent \$24\.00 too much/ : /Paid. Thank you!/);
  });

test('a refund is paid to an invoice over what is sent, and no other uses up the link of the customer', async () => {
  const shop = await openSender(gateway, '0');
  // A channel keeps something back: the node can send only after it has received more than that.
  await pay((await shop.post('/deposit-address', { network: 'LIGHTNING', amount: '0.02' })).depositInstructions);
  const checkout = await shop.open('60.00 USD', 'LIGHTNING');
  await pay(checkout);
  const invoiceOver = (sat: bigint): string => gateway.lightning.wallet.request({ sat }).invoice;
  const order = { checkoutId: checkout.id, amount: '0.0005' };
  const { refund, claimUrl } = await shop.post('/refund', { ...order, feePaidBy: 'customer' });
  assert.deepEqual([refund.amount, refund.amountSent], ['0.0005', '0.000495']);
  const link = new URL(claimUrl.replace('https://pay.test', new URL(gateway.url).origin));
  const page = await (await fetch(link)).text();
  for (const said of [/sends 50,000\u00a0SAT back/, /an invoice for exactly 49,500\u00a0SAT/, /Your Lightning invoice/])
    assert.match(page, said);

  const enter = async (address: string): Promise<number> => {
    const form = new URLSearchParams({ token: link.searchParams.get('token') ?? '', address });
    return (await fetch(`${link.origin}${link.pathname}`, { method: 'POST', body: form, redirect: 'manual' })).status;
  };
  assert.equal(await enter(invoiceOver(50_000n)), 400);
  assert.equal(await enter(invoiceOver(49_500n)), 303);
  assert.deepEqual(
    await shop.refused(400, 'POST', '/refund', { ...order, feePaidBy: 'merchant', address: invoiceOver(49_500n) }),
    ['The invoice must be for 50000 SAT, which is what would be sent.'],
  );
  await until('it is paid', async () => {
    await gateway.runUntilIdle();
    return (await shop.get(`/refund?id=${refund.id}`)).refund.state !== 'SENDING';
  });
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'COMPLETED');
});

deepTest('a node that refuses or says nothing is told in a sentence, quickly, and nothing is left of it', async () => {
  let isSilent = false;
  const bad = createServer((_, response) => {
    if (!isSilent) response.writeHead(500).end('{"code":2,"message":"chain backend is still syncing"}');
  });
  await new Promise<void>((resolve) => bad.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(bad.address() as AddressInfo).port}`;
  const shop = await openShop(gateway);
  const { id, url: page } = await shop.post('/checkout/hosted', aCharge('60.00 USD', { checkoutLanguage: 'en' }));
  await gateway.restart(undefined, { LIGHTNING_REST_URL: url });
  try {
    for (isSilent of [false, true]) {
      const order = { checkoutId: id, network: 'LIGHTNING' };
      const options = { headers: { 'idempotency-key': `silent-${isSilent}` } };
      const { status, headers, body } = await shop.request('POST', '/checkout/commit', order, options);
      assert.deepEqual(
        [status, headers.get('retry-after'), body.errors],
        [503, '10', ['Lightning is not reachable at the moment. Please try again.']],
      );
      const at = new URL(new URL(page).pathname, gateway.url);
      const form = new URLSearchParams({ network: 'LIGHTNING' });
      const chosen = await fetch(`${at.href}/commit`, { method: 'POST', redirect: 'manual', body: form });
      assert.deepEqual([chosen.status, chosen.headers.get('retry-after')], [503, '10']);
      const text = await chosen.text();
      assert.match(text, /role="alert">[^]*?<span>This way to pay is not available at the moment/);
      assert.match(text, /value="BITCOIN /, 'others can be chosen');
    }
    assert.equal(await shop.state(id), 'CREATED');
    assert.deepEqual(await gateway.db`select from idempotency_key where key like 'silent-%'`, []);
    assert.deepEqual(await gateway.db`select from deposit_target where owner_id = ${id}`, []);
    assert.equal((await shop.commit(id, 'BITCOIN')).id, id);
  } finally {
    bad.closeAllConnections();
    bad.close();
    await gateway.restart();
  }
  const order = { checkoutId: id, network: 'LIGHTNING' };
  const options = { headers: { 'idempotency-key': 'silent-true' } };
  const again = await shop.request('POST', '/checkout/commit', order, options);
  assert.equal(again.status, 200, 'the same request with the same key, now that the node is back');
});

test('while the node is away Lightning is not offered, and everything else is', async () => {
  const shop = await openShop(gateway);
  const offered = async (): Promise<string[]> => {
    await gateway.runUntilIdle();
    gateway.clock.advance({ seconds: 31 });
    await gateway.runUntilIdle();
    const { paymentMethods } = await shop.post('/checkout', aCharge('60.00 USD'));
    return paymentMethods.map(({ network }: any) => network);
  };
  gateway.lightning.goAway();
  assert.deepEqual(await offered(), ['BITCOIN', 'LITECOIN']);
  gateway.lightning.comeBack();
  assert.deepEqual(await offered(), ['BITCOIN', 'LIGHTNING', 'LITECOIN']);
});

test('a choice on the page that cannot be had leaves nothing behind, not even the invoice that comes with it', async () => {
  const shop = await openShop(gateway);
  const { id, url } = await shop.post('/checkout/hosted', aCharge('60.00 USD', { checkoutLanguage: 'en' }));
  await shop.post('/checkout/cancel', { checkoutId: id });
  await gateway.db`
    update network_cursor set failing_since = ${new Date(gateway.clock.now().getTime() - 60_000)}
     where network = 'BITCOIN'`;
  await gateway.app.refresh();
  try {
    const at = new URL(new URL(url).pathname, gateway.url);
    const form = new URLSearchParams({ network: 'BITCOIN' });
    const chosen = await fetch(`${at.href}/commit`, { method: 'POST', redirect: 'manual', body: form });
    assert.deepEqual([chosen.status, chosen.headers.get('retry-after')], [503, '30']);
    assert.match(await chosen.text(), /role="alert">[^]*?<span>This way to pay is not available at the moment/);
    assert.equal(await shop.state(id), 'CANCELED');
    assert.deepEqual(await gateway.db`select from deposit_target where owner_id = ${id}`, []);
  } finally {
    await gateway.db`update network_cursor set failing_since = null where network = 'BITCOIN'`;
    await gateway.app.refresh();
  }
});
