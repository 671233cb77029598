/**
 * Every action on a checkout in every state, built in the real way: allowed or refused, and what becomes of it. 60.00 USD
 * are 0.001 BTC. What is refused changes nothing at all.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aBitcoinAddress, type RefundWorld, startRefundWorld } from './refund-world.ts';
import type { Committed, Shop } from './shop.ts';
import { changedTables, digestsWithout } from './tenant-world.ts';

let world: RefundWorld;
let shop: Shop;
const checkouts: Record<string, Record<string, string>> = {};

const actions = {
  'commit again': (checkoutId: string) => ['/checkout/commit', { checkoutId, network: 'BITCOIN' }],
  'commit to another network': (checkoutId: string) => ['/checkout/commit', { checkoutId, network: 'LITECOIN' }],
  cancel: (checkoutId: string) => ['/checkout/cancel', { checkoutId }],
  'accept the underpayment': (checkoutId: string) => ['/checkout/accept-underpayment', { checkoutId }],
  'accept the excess': (checkoutId: string) => ['/checkout/accept-excess', { checkoutId }],
  refund: (checkoutId: string) => ['/refund', { checkoutId, amount: '0.0003', address: aBitcoinAddress() }],
} as const satisfies Record<string, (checkoutId: string) => readonly [string, object]>;

type Action = keyof typeof actions;
const names = Object.keys(actions) as Action[];

/** A status, and the state with its exceptions afterwards; a sentence for what is refused. */
type Outcome = readonly [number, string];

/** In each state, what is not refused with 409. */
const allowed: Readonly<Record<string, Partial<Record<Action, Outcome>>>> = {
  CREATED: {
    'commit again': [200, 'PENDING'],
    'commit to another network': [200, 'PENDING'],
    cancel: [200, 'CANCELED'],
  },
  PENDING: {
    'commit again': [200, 'PENDING'],
    'commit to another network': [200, 'PENDING'],
    cancel: [200, 'CANCELED'],
  },
  'PENDING PARTIAL': {
    'commit again': [200, 'PENDING PARTIAL'],
    'commit to another network': [200, 'PENDING PARTIAL'],
  },
  PROCESSING: { 'commit again': [200, 'PROCESSING'] }, // A client retries.
  COMPLETED: { refund: [200, 'COMPLETED'] },
  'COMPLETED OVERPAID': { 'accept the excess': [200, 'COMPLETED OVERPAID'], refund: [200, 'COMPLETED OVERPAID'] },
  'DELAYED_COMPLETED LATE': { refund: [200, 'DELAYED_COMPLETED LATE'] },
  'UNDERPAID PARTIAL': { 'accept the underpayment': [200, 'RESOLVED PARTIAL'], refund: [200, 'UNDERPAID PARTIAL'] },
  'RESOLVED PARTIAL': { 'accept the underpayment': [200, 'RESOLVED PARTIAL'], refund: [200, 'RESOLVED PARTIAL'] },
  EXPIRED: { 'commit again': [200, 'PENDING'], 'commit to another network': [200, 'PENDING'] },
  CANCELED: {
    'commit again': [200, 'PENDING'],
    'commit to another network': [200, 'PENDING'],
    cancel: [200, 'CANCELED'], // A client retries.
  },
  'REFUNDED PARTIAL': {},
};

/** One for each action. */
async function open(state: string, amount?: string): Promise<Committed[]> {
  const opened: Committed[] = [];
  checkouts[state] = {};
  for (const name of names) {
    const checkout = await shop.open('60.00 USD', 'BITCOIN');
    checkouts[state][name] = checkout.id;
    opened.push(checkout);
  }
  if (amount !== undefined) pay(opened, amount);
  return opened;
}

const pay = (opened: readonly Committed[], amount: string): void =>
  opened.forEach(({ address }) => void world.gateway.bitcoin.pay({ address, amount }));

before(async () => {
  world = await startRefundWorld();
  shop = await world.shop();
  await open('EXPIRED');
  const delayed = await open('DELAYED_COMPLETED LATE');
  await open('UNDERPAID PARTIAL', '0.0006');
  const resolved = await open('RESOLVED PARTIAL', '0.0006');
  const refunded = await open('REFUNDED PARTIAL', '0.0006');
  await world.mine(6);
  await world.pass({ minutes: 61 });
  pay(delayed, '0.001');
  for (const { id } of resolved) await shop.post('/checkout/accept-underpayment', { checkoutId: id });
  for (const { id } of refunded) await shop.post('/refund', { checkoutId: id, address: aBitcoinAddress() });
  await world.send();
  await open('COMPLETED', '0.001');
  await open('COMPLETED OVERPAID', '0.0015');
  await world.mine(6);
  for (const { id } of await open('CANCELED')) await shop.post('/checkout/cancel', { checkoutId: id });
  await open('PENDING');
  await open('PENDING PARTIAL', '0.0006');
  await open('PROCESSING', '0.001');
  checkouts['CREATED'] = {};
  for (const name of names) checkouts['CREATED'][name] = await shop.create('60.00 USD');
  await world.gateway.runUntilIdle();
});
after(() => world.gateway.stop());

for (const [state, outcomes] of Object.entries(allowed))
  test(`a checkout that is ${state}`, async () => {
    const { db, clock } = world.gateway;
    const found: Partial<Record<Action, Outcome>> = {};
    for (const name of names) {
      const id = checkouts[state]?.[name] ?? '';
      assert.equal(await shop.state(id), state);
      clock.advance({ seconds: 1 });
      const before = await digestsWithout(db, 'nobody');
      const [path, body] = actions[name](id);
      const { status, body: reply } = await shop.request('POST', path, body);
      if (status !== 409) found[name] = [status, await shop.state(id)];
      if (status === 200) continue;
      assert.equal(reply.errors.length, 1, JSON.stringify(reply));
      const changed = changedTables(before, await digestsWithout(db, 'nobody'));
      // That a request was refused is noted for who wrote the program.
      assert.deepEqual(
        changed.filter((table) => table !== 'failed_request'),
        [],
        `${name} is refused`,
      );
    }
    assert.deepEqual(found, outcomes);
  });

test('every state of a checkout is in the table', async () => {
  const { checkoutStates } = await import('../src/checkouts/checkout-state.ts');
  const walked = new Set(Object.keys(allowed).map((state) => state.split(' ')[0]));
  assert.deepEqual(
    checkoutStates.filter((state) => !walked.has(state)),
    [],
  );
});

test('an underpayment of which a part went back is not accepted by itself, even when enough has come', async () => {
  const generous = await world.shop({ underpaidAcceptPercent: '80' });
  const checkout = await world.paid(generous, '0.0007');
  await world.pass({ minutes: 61 });
  await generous.post('/refund', { checkoutId: checkout.id, amount: '0.0003', address: aBitcoinAddress() });
  await world.send();
  await world.pay(checkout, '0.00045'); // 85 % of the price are there, without what went back.
  await world.mine(6);
  assert.equal(await generous.state(checkout.id), 'UNDERPAID PARTIAL');
  assert.deepEqual(await generous.balances(), { 'suspense/BTC': '85000' });
  await generous.post('/checkout/accept-underpayment', { checkoutId: checkout.id });
  assert.equal(await generous.state(checkout.id), 'RESOLVED PARTIAL');
});

test('nor while a part is only set aside for it', async () => {
  const generous = await world.shop({ underpaidAcceptPercent: '80' });
  const checkout = await world.paid(generous, '0.0007');
  await world.pass({ minutes: 61 });
  await generous.post('/refund', { checkoutId: checkout.id, amount: '0.0003' }); // The customer has yet to say where to.
  await world.pay(checkout, '0.00045');
  await world.mine(6);
  assert.equal(await generous.state(checkout.id), 'UNDERPAID PARTIAL');
});
