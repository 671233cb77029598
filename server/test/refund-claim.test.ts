/** A refund whose address the customer enters on a page, and what keeps refunds safe. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createBrandingKey, holdBrandDomain } from '../src/merchants/change-brand-domain.ts';
import { withoutLitecoin } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, received, startRefundWorld } from './refund-world.ts';
import { openShop, type Shop } from './shop.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin });
});
after(() => world.gateway.stop());

/** The link as the customer's browser would follow it. */
const follow = (claimUrl: string): string =>
  claimUrl.replace('https://pay.test', new URL(world.gateway.url).origin).replace('/api/v1', '');

async function open(claimUrl: string): Promise<{ status: number; text: string }> {
  const reply = await fetch(follow(claimUrl), { headers: { 'accept-language': 'en' } });
  return { status: reply.status, text: await reply.text() };
}

async function enter(
  claimUrl: string,
  address: string,
  headers: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<{ status: number; text: string; location: string }> {
  const url = new URL(follow(claimUrl));
  const form = new URLSearchParams({ token: url.searchParams.get('token') ?? '', address, ...more });
  url.search = '';
  const reply = await fetch(url, { method: 'POST', body: form, redirect: 'manual', headers });
  return { status: reply.status, text: await reply.text(), location: reply.headers.get('location') ?? '' };
}

async function claimable(shop: Shop) {
  const { id, address } = await world.underpaid(shop, '0.0006');
  const { refund, claimUrl } = await shop.post('/refund', { checkoutId: id });
  return { id, paidTo: address, refundId: refund.id as string, claimUrl: claimUrl as string };
}

test('the customer enters the address on a page, once', async () => {
  const shop = await world.shop();
  const { id, paidTo, refundId, claimUrl } = await claimable(shop);
  const page = await open(claimUrl);
  assert.equal(page.status, 200);
  assert.match(page.text, /The shop sends 0\.0006\u00a0BTC \(\$36\.00\) back to you/);
  assert.match(page.text, /The network takes about [\d.]+\u00a0BTC of it\./);
  assert.match(page.text, /<b>A shop<\/b>/);
  assert.ok(page.text.includes(`id="order-code">Order <span class="mono nowrap">${id}<`), 'with the order code');
  assert.match((await (await fetch(follow(claimUrl.replace('/en/', '/de/')))).text()) ?? '', /Ihre Erstattung/);

  const proposed = /name="address"[^>]* value="(\w+)"/.exec(page.text)?.[1] ?? '';
  assert.match(page.text, /This is the test wallet of the sandbox, which paid/);
  assert.equal((await enter(claimUrl, proposed, {}, { step: 'check' })).status, 303, 'who has no wallet needs none');
  for (const wrong of ['bcrt1qnobody', paidTo]) {
    const refused = await enter(claimUrl, wrong);
    assert.equal(refused.status, 400);
    assert.match(refused.text, /This address cannot be used on the Bitcoin network/);
    const { pathname, search } = new URL(claimUrl);
    assert.ok(refused.text.includes(`data-page="${pathname}${search}"`), 'the script puts the link back into the bar');
  }

  const asked = aBitcoinAddress();
  const checked = await enter(claimUrl, asked, {}, { step: 'check' });
  assert.equal(checked.status, 303, 'the question has an address of its own, to which the browser can go back');
  const question = await open(new URL(checked.location, claimUrl).href);
  assert.equal(question.status, 200);
  const words = question.text.replace(/<[^>]*>/g, '');
  assert.match(
    words,
    /Send 0\.000\d+\u00a0BTC \(\$3\d\.\d\d\) to this address\?[^]*Send my refund[^]*Change the address/,
  );
  assert.ok(words.includes(asked) && question.text.includes(`name="address" value="${asked}"`), words);
  assert.equal((await shop.get(`/refund?id=${refundId}`)).refund.state, 'CLAIMABLE', 'only asked');
  assert.equal((await enter(claimUrl, 'bcrt1qnobody', {}, { step: 'check' })).status, 400);
  const typed = await open(`${claimUrl}&address=bcrt1qnobody`);
  assert.equal(typed.status, 400);
  assert.match(typed.text, /This address cannot be used on the Bitcoin network/);

  const elsewhere = await enter(claimUrl, aBitcoinAddress(), { 'sec-fetch-site': 'cross-site' });
  assert.equal(elsewhere.status, 404, "a form on somebody else's page");
  assert.equal((await shop.get(`/refund?id=${refundId}`)).refund.state, 'CLAIMABLE');

  const [mine, theirs] = [aBitcoinAddress(), aBitcoinAddress()];
  const [first, second] = await Promise.all([enter(claimUrl, mine), enter(claimUrl, theirs)]);
  assert.deepEqual([first.status, second.status], [303, 303]);
  const { refund } = await shop.get(`/refund?id=${refundId}`);
  assert.equal(refund.state, 'SENDING');
  const arrives = `${refund.amountSent}\u00a0BTC`;
  assert.notEqual(refund.amountSent, '0.0006', 'the network takes its fee');
  const sending = await open(claimUrl);
  assert.match(sending.text, /Your refund is on its way/);
  assert.ok(sending.text.includes(`We are sending ${arrives} ($3`));
  await enter(claimUrl, aBitcoinAddress()); // changes nothing any more
  await world.send();
  const amounts = await Promise.all([mine, theirs].map((address) => received(world.gateway, address)));
  assert.equal(amounts.filter((units) => units > 0n).length, 1, 'one of the two answers counted');
  const done = await open(claimUrl);
  assert.match(done.text, /Your refund was sent/);
  assert.ok(done.text.includes(`We sent ${arrives} ($3`));
  assert.match(done.text, /hreflang="de"/, 'in the other languages too');
  assert.match(done.text, /id="foot"/, 'whose page it is');
  assert.equal(await shop.state(id), 'REFUNDED PARTIAL');
});

test('while the node is away the page says when to come back, and the claim stays good', async () => {
  const shop = await world.shop();
  const { refundId, claimUrl } = await claimable(shop);
  const url = new URL(follow(claimUrl));
  const body = new URLSearchParams({ token: url.searchParams.get('token') ?? '', address: aBitcoinAddress() });
  url.search = '';
  world.gateway.bitcoin.chain.goAway();
  const away = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  world.gateway.bitcoin.chain.comeBack();
  assert.deepEqual([away.status, away.headers.get('retry-after')], [503, '60']);
  assert.match(await away.text(), /The refund cannot be sent at the moment/);
  assert.equal((await shop.get(`/refund?id=${refundId}`)).refund.state, 'CLAIMABLE');
  assert.equal((await fetch(url, { method: 'POST', body, redirect: 'manual' })).status, 303);
});

test("on a shop's own domain the link leads there, and works through no other", async () => {
  const shop = await world.shop();
  const { gateway } = world;
  const through = async (of: Shop, domain: string): Promise<Record<string, string>> => {
    const wish = { domain, behaviour: 'redirect', serviceUrl: 'https://pay.test' } as const;
    const { key, domain: claim } = await createBrandingKey(gateway, of.merchant.merchantId, wish, 'operator');
    await holdBrandDomain(gateway, claim, 'operator');
    await gateway.app.refresh();
    return { 'x-ws-branding-key': key.reveal(), 'x-forwarded-for-hostname': domain };
  };
  const own = await through(shop, 'pay.shop.example');
  const foreign = await through(await world.shop(), 'pay.other.example');
  const { claimUrl } = await claimable(shop);
  assert.ok(claimUrl.startsWith('https://pay.shop.example/en/checkout/'));
  const asked = new URL(claimUrl.replace('https://pay.shop.example', new URL(gateway.url).origin));
  const at = (headers: Record<string, string>, init: RequestInit = {}) =>
    fetch(asked, { headers, redirect: 'manual', ...init });
  assert.equal((await at(own)).status, 200);
  assert.equal((await at(foreign)).status, 404);
  const body = new URLSearchParams({ token: asked.searchParams.get('token') ?? '', address: aBitcoinAddress() });
  assert.equal((await at(foreign, { method: 'POST', body })).status, 404);
  const sent = await at({});
  assert.deepEqual([sent.status, sent.headers.get('location')], [302, claimUrl]);
});

test('the id of a checkout is not enough, and a wrong token is like no checkout at all', async () => {
  const shop = await world.shop();
  const { id, claimUrl } = await claimable(shop);
  const wrong = claimUrl.replace(/token=.*/, `token=${'x'.repeat(43)}`);
  const pages = [await open(wrong), await open(claimUrl.replace(/\?.*/, '')), await enter(wrong, aBitcoinAddress())];
  assert.deepEqual(
    pages.map(({ status }) => status),
    [404, 404, 404],
  );
  const token = new URL(claimUrl).searchParams.get('token') ?? '';
  const stored = await world.gateway.db<{
    text: string;
  }>`select refund::text as text from refund where checkout_id = ${id}`;
  assert.ok(!stored[0]?.text.includes(token), 'only the hash is stored');
});

test('a claim that nobody makes use of expires, and the money goes back to suspense', async () => {
  const shop = await world.shop();
  const { refundId, claimUrl, id } = await claimable(shop);
  await world.pass({ hours: 24 * 30 });
  assert.equal((await shop.get(`/refund?id=${refundId}`)).refund.state, 'EXPIRED');
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '60000' });
  assert.equal((await open(claimUrl)).status, 410);
  assert.equal((await enter(claimUrl, aBitcoinAddress())).status, 303);
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '60000' });
  assert.equal(await shop.state(id), 'UNDERPAID PARTIAL');
});

test('a worker that dies between the end of a transfer and its job loses no event and sends none twice', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const { refund } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  await world.gateway.runUntilIdle();
  world.gateway.bitcoin.mine(1);
  for (const watcher of world.gateway.app.watchers) await watcher.tick(); // The transfer is done, no job has run.
  assert.equal((await shop.get(`/refund?id=${refund.id}`)).refund.state, 'SENDING');
  await world.gateway.restart();
  assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_UNDERPAID UNDERPAID', 'REFUND_COMPLETED REFUNDED']);

  const job = { merchantId: shop.merchant.merchantId, transferId: refund.id };
  await world.gateway.db`
    insert into job (name, payload, run_at)
    values ('refund.advance', ${JSON.stringify(job)}::jsonb, ${world.gateway.clock.now()})`;
  await world.gateway.runUntilIdle();
  assert.equal(shop.eventsOf(id).length, 2, 'the same job again changes nothing');
});

test('a refund is asked for with a signature and from a listed address only, and of the own checkouts', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const stranger = await world.shop();
  const unlisted = await openShop(world.gateway);
  const body = { checkoutId: id, address: aBitcoinAddress() };
  assert.equal((await stranger.refused(404, 'POST', '/refund', body)).length, 1);
  const [sentence] = await unlisted.refused(403, 'POST', '/refund', body);
  assert.match(sentence ?? '', /not on the account's list/);
  assert.deepEqual(await shop.balances(), { 'suspense/BTC': '60000' });
  assert.equal((await stranger.refused(404, 'GET', '/refund?id=abcdefghijkl')).length, 1);
});
