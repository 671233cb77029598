/** What waits for a person: every kind appears with its cause and vanishes with it. 60.00 USD are 0.001 BTC. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAssetCatalog } from '../src/catalog/asset-catalog.ts';
import { needsYou, offersOf } from '../src/finding/needs-you.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { merchantAccount, operatorAccount } from '../src/ledger/chart-of-accounts.ts';
import { postEntries } from '../src/ledger/ledger-store.ts';
import { addMs, minutes } from '../src/lib/clock.ts';
import { newId } from '../src/lib/ids.ts';
import { changeSettings } from '../src/merchants/change-settings.ts';
import { refusePolicy } from '../src/people/decide-policy.ts';
import { insertPerson, saveMembership } from '../src/people/person-store.ts';
import { insertPolicyChange } from '../src/people/policy-change-store.ts';
import type { Role } from '../src/people/roles.ts';
import { recordEvent } from '../src/webhooks/record-event.ts';
import { redeliverFailed } from '../src/webhooks/redeliver-failed.ts';
import { testIssuer, withoutLitecoin } from './gateway.ts';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Shop } from './shop.ts';

let world: RefundWorld;
before(async () => {
  world = await startRefundWorld({ env: withoutLitecoin });
});
after(() => world.gateway.stop());

const operator = { issuerAccount: testIssuer, issuerName: 'x', issuerDomain: 'x', issuerAddress: 'x' };
const assets = createAssetCatalog(operator);
const appeared = new Set<string>();

const ask = async (shop: Shop, limit = 50) => {
  const { db, clock } = world.gateway;
  const found = await needsYou({ db, clock, assets }, shop.merchant.merchantId, { limit });
  for (const { kind } of found.items) appeared.add(kind);
  return found;
};
/** `kind amount code`, worst first. */
const needs = async (shop: Shop): Promise<string[]> =>
  (await ask(shop)).items.map(({ kind, amounts = [] }) =>
    [kind, ...amounts.map(({ amount, assetCode }) => `${amount} ${assetCode}`)].join(' '),
  );

test('an account in which all is well needs nobody', async () => {
  const shop = await world.shop();
  await world.paid(shop, '0.001');
  await shop.open('60.00 USD', 'BITCOIN');
  assert.deepEqual(await ask(shop), { items: [], count: 0 });
});

test('an underpayment until it is accepted, or a refund of it is on its way', async () => {
  const [shop, stranger] = [await world.shop(), await world.shop()];
  const { id } = await world.underpaid(shop, '0.0006');
  const { items } = await ask(shop);
  assert.deepEqual(await needs(shop), ['underpaid 0.0006 BTC']);
  assert.deepEqual([items[0]?.checkoutId, items[0]?.offers], [id, ['accept', 'refund', 'askForRest']]);
  assert.deepEqual(await needs(stranger), []);
  await shop.post('/checkout/accept-underpayment', { checkoutId: id });
  assert.deepEqual(await needs(shop), []);

  const { id: second } = await world.underpaid(shop, '0.0005');
  assert.deepEqual(await needs(shop), ['underpaid 0.0005 BTC']);
  await shop.post('/refund', { checkoutId: second, address: aBitcoinAddress() });
  assert.deepEqual(await needs(shop), []);
});

test('what the previous release did not note is noted by the job that an upgrade leaves behind', async () => {
  const shop = await world.shop();
  await world.underpaid(shop, '0.0006');
  const { db, clock } = world.gateway;
  await db`update checkout set awaits_decision = false where merchant_id = ${shop.merchant.merchantId}`;
  assert.deepEqual(await needs(shop), []);
  await db.begin((tx) => enqueue(tx, [{ name: 'checkout.recount', payload: {}, runAt: clock.now() }]));
  await world.gateway.runUntilIdle();
  assert.deepEqual(await needs(shop), ['underpaid 0.0006 BTC']);
});

test('what was paid too much until it is kept; paid twice until it is refunded', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.0015');
  const [item] = (await ask(shop)).items;
  assert.deepEqual(await needs(shop), ['surplus 0.0005 BTC']);
  assert.deepEqual([item?.exceptions, item?.offers], [['OVERPAID'], ['refund', 'keep']]);
  await shop.post('/checkout/accept-excess', { checkoutId: id });
  assert.deepEqual(await needs(shop), []);

  const twice = await world.paid(shop, '0.001');
  await world.pay(twice, '0.001');
  await world.mine(1);
  assert.deepEqual((await ask(shop)).items[0]?.exceptions, ['DUPLICATE']);
  assert.deepEqual(await needs(shop), ['surplus 0.001 BTC']);
  await shop.post('/refund', { checkoutId: twice.id, address: aBitcoinAddress() });
  assert.deepEqual(await needs(shop), []);
});

test('a claim that is about to end, until it has: then the money waits again', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  await shop.post('/refund', { checkoutId: id });
  assert.deepEqual(await needs(shop), []);
  await world.pass({ hours: 24 * 27 });
  assert.deepEqual(await needs(shop), ['claimExpires 0.0006 BTC']);
  await world.pass({ hours: 24 * 3 });
  assert.deepEqual(await needs(shop), ['underpaid 0.0006 BTC']);
});

test('a refund that failed, in place of the money that is back, until another one is asked for', async () => {
  const shop = await world.shop();
  const { id } = await world.underpaid(shop, '0.0006');
  const { refund } = await shop.post('/refund', { checkoutId: id });
  await shop.post('/refund/cancel', { id: refund.id });
  assert.deepEqual(await needs(shop), ['underpaid 0.0006 BTC'], 'cancelling is no failure');
  const now = world.gateway.clock.now();
  await world.gateway.db`
    update refund set state = 'FAILED', address = 'somewhere', ended_at = ${now} where id = ${refund.id}`;
  assert.deepEqual(await needs(shop), ['refundFailed 0.0006 BTC']);
  assert.deepEqual((await ask(shop)).items[0]?.refundId, refund.id);
  world.gateway.clock.advance({ seconds: 1 });
  await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  assert.deepEqual(await needs(shop), []);
});

test('transfers and refunds that another key must approve, until one does or refuses', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.002');
  await world.mine(6);
  const settings = { transferApprovalAbove: '0' };
  await changeSettings(world.gateway, shop.merchant.merchantId, settings, 'operator');
  const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0004', address: aBitcoinAddress() };
  const { transfer } = await shop.post('/transfer', order);
  const { refund } = await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  assert.deepEqual(await needs(shop), ['transferToApprove 0.0004 BTC', 'refundToApprove 0.001 BTC'], 'worst first');
  await shop.post('/transfer/cancel', { id: transfer.id });
  await shop.post('/refund/cancel', { id: refund.id });
  assert.deepEqual(await needs(shop), ['surplus 0.001 BTC']);
});

test('a credit that the chain took back, and what is owed for it, until it is credited again', async () => {
  const shop = await world.shop();
  const checkout = await world.paid(shop, '0.001');
  const merchantId = shop.merchant.merchantId;
  const { db, clock } = world.gateway;
  assert.deepEqual(await needs(shop), []);
  world.gateway.bitcoin.chain.reorganise(1, { keepTransactions: true });
  await world.gateway.runUntilIdle();
  assert.deepEqual(await needs(shop), ['takenBack']);
  assert.equal((await ask(shop)).items[0]?.checkoutId, checkout.id);
  await world.mine(1);
  assert.equal(await shop.state(checkout.id), 'COMPLETED REORGED');
  assert.deepEqual(await needs(shop), []);

  // What is owed waits since it was owed for the last time, however much of it came back meanwhile.
  const asset = assets.byIdOrCode.get('BTC')?.id ?? '';
  const owe = async (units: bigint, minutesAgo: number): Promise<Date> => {
    const at = addMs(clock.now(), -minutes(minutesAgo));
    const lines = [
      { account: merchantAccount(merchantId, 'receivable', asset), units: -units },
      { account: operatorAccount('fx', asset), units },
    ];
    const subject = { kind: 'checkout', id: checkout.id } as const;
    const entry = { kind: 'settlement_reversed', reference: `owed:${newId()}`, merchantId, subject, lines } as const;
    await db.begin((tx) => postEntries(tx, [entry], at));
    return at;
  };
  const owedSince = async () => (await ask(shop)).items.map(({ since }) => since);
  await owe(50n, 60);
  await owe(-50n, 50);
  assert.deepEqual(await needs(shop), []);
  const since = await owe(90n, 40);
  await owe(-40n, 30);
  await owe(20n, 20);
  assert.deepEqual(await needs(shop), ['balanceOwed 0.0000007 BTC']);
  assert.deepEqual(await owedSince(), [since]);
  await owe(-70n, 10);
  assert.deepEqual(await needs(shop), []);
});

test('events that were given up until they are sent again, and those that wait for an hour', async () => {
  const shop = await world.shop();
  const { id } = await world.paid(shop, '0.001');
  const { merchantId } = shop.merchant;
  const { db, clock, webhookUrl } = world.gateway;
  await db`update delivery set state = 'FAILED' where merchant_id = ${merchantId} and subject = ${id}`;
  const [item] = (await ask(shop)).items;
  assert.deepEqual([item?.kind, item?.url, item?.events], ['webhooksGivenUp', webhookUrl, 1]);
  const { deliveries } = await shop.get('/webhook-deliveries?state=FAILED');
  await shop.post('/webhook-deliveries/redeliver', { deliveryId: deliveries[0].id });
  assert.deepEqual(await needs(shop), []);
  await world.gateway.runUntilIdle();

  const about = { merchantId, subject: id, webhook: webhookUrl, apiKey: shop.merchant.apiKey, at: clock.now() };
  const { checkout } = await shop.get(`/checkout?id=${id}`);
  await db.begin((tx) => recordEvent(tx, { ...about, type: 'CHECKOUT_COMPLETED', data: { checkout } }));
  await db`update delivery set state = 'FAILED', replaced_by = null where merchant_id = ${merchantId} and subject = ${id}`;
  assert.deepEqual(await needs(shop), ['webhooksGivenUp']);
  assert.deepEqual(await redeliverFailed(world.gateway, merchantId, new Date(0)), { sent: 1 });
  assert.deepEqual(await needs(shop), [], 'the newest event makes all of them good');
  await world.gateway.runUntilIdle();

  const longAgo = new Date(clock.now().getTime() - 3_600_000);
  await db`update delivery set state = 'PENDING', attempts = 2, created_at = ${longAgo} where merchant_id = ${merchantId} and state = 'DELIVERED'`;
  assert.deepEqual(await needs(shop), ['webhooksFailing']);
  await db`update delivery set state = 'DELIVERED' where merchant_id = ${merchantId} and state = 'PENDING'`;
  assert.deepEqual(await needs(shop), []);
});

test('a key that nobody used for 90 days, until it is used', async () => {
  const shop = await world.shop();
  await shop.get('/auth-test');
  await world.gateway.app.writeUsedKeys();
  await world.pass({ hours: 24 * 90 });
  assert.deepEqual(await needs(shop), []);
  await world.pass({ minutes: 1 });
  assert.deepEqual(await needs(shop), ['keyUnused']);
  assert.equal((await ask(shop)).items[0]?.apiKey, shop.merchant.apiKey);
  await shop.get('/auth-test');
  await world.gateway.app.writeUsedKeys();
  assert.deepEqual(await needs(shop), []);
});

test('a change that waits for a second person, until it is decided', async () => {
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  const { db, clock } = world.gateway;
  const personId = newId();
  await db.begin(async (tx) => {
    await insertPerson(
      tx,
      { id: personId, email: 'asks@example.com', name: 'Who asks', language: 'en', isProven: true },
      clock.now(),
    );
    const policy = { kind: 'settings' as const, change: { settings: { dailyLimit: '10' } } };
    const change = { id: newId(), policy, state: 'WAITING' as const, requestedBy: personId, requestedAt: clock.now() };
    await insertPolicyChange(tx, merchantId, change);
  });
  const { items } = await ask(shop);
  assert.deepEqual([items[0]?.kind, items[0]?.requestedBy], ['policyToApprove', personId]);
  await refusePolicy({ db, clock }, { merchantId, personId }, items[0]?.policyId ?? '');
  assert.deepEqual(await needs(shop), []);
});

test('what makes an account easy to lose, and a destination that may be used, come last', async () => {
  const shop = await world.shop();
  const { merchantId } = shop.merchant;
  const { db, clock } = world.gateway;
  const join = async (id: string, role: Role): Promise<void> => {
    await db.begin(async (tx) => {
      await insertPerson(tx, { id, email: `${id}@example.com`, name: id, language: 'en', isProven: true }, clock.now());
      await saveMembership(tx, { merchantId, personId: id, role }, clock.now());
    });
  };
  await join('alone-1', 'owner');
  await join('no-owner', 'admin');
  await db`update person set totp_secret = '\\x00' where id = 'alone-1'`;
  assert.deepEqual(await needs(shop), ['newHand', 'newHand', 'noPasskey'], 'the first week belongs to the set-up');
  await changeSettings(world.gateway, merchantId, { destinationWaitMinutes: 60 }, 'operator');
  const account = { label: 'Vault', network: 'BITCOIN', address: aBitcoinAddress() };
  const { targetAccountId } = await shop.post('/target-account', account);
  await world.pass({ hours: 24 * 7 });
  assert.deepEqual(await needs(shop), ['destinationUsable', 'noPasskey', 'onlyOneOwner']);
  assert.equal((await ask(shop)).items[0]?.targetAccountId, targetAccountId);
  await world.underpaid(shop, '0.0006');
  assert.equal((await needs(shop))[0], 'underpaid 0.0006 BTC');
  await db`update person set totp_secret = null where id = 'alone-1'`;
  await join('second', 'owner');
  await world.pass({ hours: 24 });
  assert.deepEqual(await needs(shop), ['underpaid 0.0006 BTC']);
});

test('all are counted, and the first shown; every kind was in a story', async () => {
  const shop = await world.shop();
  for (const amount of ['0.0006', '0.0005', '0.0004']) await world.underpaid(shop, amount);
  const { items, count } = await ask(shop, 2);
  assert.deepEqual([items.length, count], [2, 3]);
  assert.deepEqual([...appeared].toSorted(), Object.keys(offersOf).toSorted());
});
