/** Strangers who know a payer's link, presses that meet other decisions, and mail servers and workers that fail. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Tx } from '../src/db/database.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { deepTest } from './depth.ts';
import { startMailServer } from './mail-server.ts';
import { meetAt } from './meet-at.ts';
import { type PayerWorld, startPayerWorld } from './payer-world.ts';
import { aBitcoinAddress } from './refund-world.ts';
import type { Committed, Shop } from './shop.ts';

let world: PayerWorld;
before(async () => {
  world = await startPayerWorld();
});
after(() => world.stop());
beforeEach(() => void world.mail.received.splice(0));

const refundsOf = async (shop: Shop, id: string): Promise<any[]> =>
  (await shop.get(`/refunds?checkoutId=${id}`)).refunds;
const available = { 'available/BTC': '99500' };
const held = { ...available, 'suspense/BTC': '50000' };

/** The page offers nothing, a press changes nothing, and nobody gets a link. */
async function assertOnlyTheShopHelps(shop: Shop, { id }: Pick<Committed, 'id'>): Promise<void> {
  const { text } = await world.page(id);
  assert.match(text, /[Aa]sk the shop/);
  assert.doesNotMatch(text, /ask-back/);
  assert.equal(await world.press(id), `/en/checkout/${id}?back=shop#way-back`);
  assert.deepEqual([await refundsOf(shop, id), world.links(id)], [[], []]);
  assert.deepEqual(await shop.balances(), held);
}

test('an address that is left once money was seen gets nothing', async () => {
  const shop = await world.shop();
  const checkout = await world.hosted(shop, null);
  await world.pay(checkout, '0.0015');
  assert.equal(await world.leave(checkout.id, 'thief@elsewhere.example'), 303);
  await world.mine(1);
  await world.leave(checkout.id, 'thief@elsewhere.example');
  await assertOnlyTheShopHelps(shop, checkout);
});

test('an address that is changed once money was seen does not become the one that counts', async () => {
  const shop = await world.shop();
  const checkout = await world.hosted(shop, 'ada@payer.example');
  await world.pay(checkout, '0.0015');
  await world.leave(checkout.id, 'thief@elsewhere.example');
  await world.mine(1);
  await world.leave(checkout.id, 'thief@elsewhere.example');
  await world.press(checkout.id);
  assert.deepEqual(
    world.links(checkout.id).map(({ to }) => to),
    [['ada@payer.example']],
  );
});

test('however a later address came to be stored, its moment gives it away', async () => {
  const shop = await world.shop();
  const checkout = await world.overpaid(shop);
  const changedAt = new Date(world.gateway.clock.now().getTime() + 1);
  await world.gateway.db`
    update checkout_contact set email = 'thief@elsewhere.example', updated_at = ${changedAt}
     where checkout_id = ${checkout.id}`;
  await assertOnlyTheShopHelps(shop, checkout);
});

test('an address that would be a second line in the head of the message is taken neither from a payer nor from a shop', async () => {
  const shop = await world.shop();
  const checkout = await world.overpaid(shop, null);
  const injected = 'ada@payer.example\r\nBcc: thief@elsewhere.example';
  const fresh = await world.hosted(shop, null);
  assert.equal(await world.leave(fresh.id, injected), 422);
  const longAgo = new Date(0);
  await world.gateway.db`
    insert into checkout_contact (merchant_id, checkout_id, email, updated_at)
    values (${shop.merchant.merchantId}, ${checkout.id}, ${injected}, ${longAgo})`;
  await assertOnlyTheShopHelps(shop, checkout);
});

test('a customer whom the shop has deleted is written to no more', async () => {
  const shop = await world.shop();
  const { customerId } = await shop.post('/customer', { customer: { email: 'gone@customer.example' } });
  const checkout = await world.hosted(shop, null, { customerId });
  await world.pay(checkout, '0.0015');
  await world.mine(1);
  await shop.request('DELETE', '/customer', { id: customerId });
  await assertOnlyTheShopHelps(shop, checkout);
});

test('an address that a customer got after the money came is not written to', async () => {
  const shop = await world.shop();
  const { customerId } = await shop.post('/customer', { customer: { email: 'first@customer.example' } });
  const checkout = await world.hosted(shop, null, { customerId });
  await world.pay(checkout, '0.0015');
  await world.mine(1);
  world.gateway.clock.advance({ seconds: 1 });
  await shop.request('PUT', '/customer', { customer: { id: customerId, email: 'thief@customer.example' } });
  assert.equal((await shop.get(`/customer?id=${customerId}`)).customer.email, 'thief@customer.example');
  await assertOnlyTheShopHelps(shop, checkout);
});

test('a press from another site, or for a checkout that is not there, is refused', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  assert.equal(await world.press(id, { 'sec-fetch-site': 'cross-site' }), '403');
  assert.equal(await world.press('abcdefghijkl'), '404');
  const { id: embedded } = await world.paid(shop, '0.0015'); // It has no page.
  assert.equal(await world.press(embedded), '404');
  assert.deepEqual([await refundsOf(shop, id), await refundsOf(shop, embedded)], [[], []]);
});

test('a link opens its own checkout only', async () => {
  const shop = await world.shop();
  const [mine, other] = [await world.overpaid(shop), await world.overpaid(shop)];
  await world.press(mine.id);
  const url = world.links(mine.id)[0]?.url ?? '';
  const stolen = url.replace(mine.id, other.id);
  assert.equal((await world.open(stolen)).status, 404);
  assert.equal(await world.enter(stolen, aBitcoinAddress()), 404);
  assert.equal((await world.open(url)).status, 200);
});

deepTest('a hundred presses are one refund, one message in ten minutes, and five messages in all', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  await Promise.all(Array.from({ length: 20 }, () => world.pressAlone(id)));
  await world.gateway.runUntilIdle();
  assert.deepEqual([(await refundsOf(shop, id)).length, world.links(id).length], [1, 1]);
  for (let round = 0; round < 8; round += 1) {
    await world.pass({ minutes: 10 });
    await Promise.all(Array.from({ length: 10 }, () => world.pressAlone(id)));
    await world.gateway.runUntilIdle();
  }
  assert.deepEqual([(await refundsOf(shop, id)).length, world.links(id).length], [1, 5]);
  const newest = world.links(id).at(-1)?.url ?? '';
  assert.equal((await world.open(newest)).status, 200, 'whoever presses for fun takes nobody the last link away');
});

test('a press never takes what the shop was credited', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  await shop.post('/checkout/accept-excess', { checkoutId: id });
  const kept = await shop.balances();
  assert.doesNotMatch((await world.page(id)).text, /ask-back/);
  await world.press(id);
  assert.deepEqual([await refundsOf(shop, id), await shop.balances()], [[], kept]);
});

/** All who want the same money have looked at it before one of them may take it. */
const checkoutIsLocked = (id: string) => (tx: Tx) => tx`select from checkout where id = ${id} for update`;

test('the payer and the shop want the same excess at the same moment: exactly one has it', async () => {
  const { db } = world.gateway;
  const shop = await world.shop();
  const press = (id: string) => async () => (await world.pressAlone(id)).status;
  const accept = (id: string) => async () =>
    (await shop.request('POST', '/checkout/accept-excess', { checkoutId: id })).status;
  const giveBack = (id: string) => async () =>
    (await shop.request('POST', '/refund', { checkoutId: id, address: aBitcoinAddress() })).status;

  const [first, second, third, fourth] = [
    await world.overpaid(shop),
    await world.overpaid(shop),
    await world.overpaid(shop),
    await world.overpaid(shop),
  ];
  const gate = ({ id }: Committed) => checkoutIsLocked(id);
  assert.deepEqual(await meetAt(db, gate(first), [press(first.id), accept(first.id)]), [303, 409]);
  assert.deepEqual(await meetAt(db, gate(second), [accept(second.id), press(second.id)]), [200, 303]);
  assert.deepEqual(await meetAt(db, gate(third), [giveBack(third.id), press(third.id)]), [200, 303]);
  assert.deepEqual(await meetAt(db, gate(fourth), [press(fourth.id), press(fourth.id)]), [303, 303]);
  const states = await Promise.all(
    [first, second, third, fourth].map(async ({ id }) => (await refundsOf(shop, id)).map(({ state }) => state)),
  );
  assert.deepEqual(states, [['CLAIMABLE'], [], ['SENDING'], ['CLAIMABLE']]);
  const { 'suspense/BTC': suspense, 'reserved/BTC': reserved } = await shop.balances();
  assert.deepEqual([suspense, reserved], [undefined, '150000'], 'each excess once, and nothing is left over');
  await world.send();
});

test('a payer who presses in the moment in which the rest arrives has paid', async () => {
  const { db } = world.gateway;
  const shop = await world.shop();
  const { id } = await world.underpaidOnPage(shop);
  const move = (tx: Tx, state: string) => tx`update checkout set state = ${state} where id = ${id}`;
  await meetAt(db, (tx) => move(tx, 'PROCESSING'), [() => world.pressAlone(id)]);
  assert.deepEqual(await refundsOf(shop, id), []);
  await db.begin((tx) => move(tx, 'UNDERPAID'));
});

test('a mail server that is away gets the link later, and a worker that died holds it up for two minutes', async () => {
  const shop = await world.shop();
  const { id } = await world.overpaid(shop);
  const { port, received } = world.mail;
  await world.mail.stop();
  await world.press(id);
  assert.deepEqual(await shop.balances(), { ...available, 'reserved/BTC': '50000' });
  const again = await startMailServer(port, received);
  try {
    const until = new Date(world.gateway.clock.now().getTime() + 900_000);
    await world.gateway.db`update claim_link set busy_until = ${until} where answered < asked`;
    await world.pass({ minutes: 14 });
    assert.equal(world.links(id).length, 0, 'somebody else is writing it');
    await world.pass({ minutes: 20 });
    assert.equal(world.links(id).length, 1);
    assert.equal((await world.open(world.links(id)[0]?.url ?? '')).status, 200);

    const [refund] = await refundsOf(shop, id);
    const payload = { merchantId: shop.merchant.merchantId, refundId: refund.id as string };
    const jobs = Array.from({ length: 3 }, () => ({
      name: 'refund.mail' as const,
      payload,
      runAt: world.gateway.clock.now(),
    }));
    await world.gateway.db.begin((tx) => enqueue(tx, jobs));
    await world.gateway.runUntilIdle();
    assert.equal(world.links(id).length, 1, 'the same job again sends nothing');
  } finally {
    await again.stop();
  }
});
