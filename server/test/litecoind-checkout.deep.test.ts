/**
 * The service on a real Litecoin Core. The node's clock follows ours, because lateness depends on the times of blocks;
 * it forgets ours when it is restarted, so the stories that restart it come before those that move the clock.
 * 60.00 USD are 0.75 LTC, which take two confirmations.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findLitecoind, type LitecoindHarness, startLitecoindHarness } from '@quittance/sandbox/litecoind';
import { createLitecoinConnector } from '../src/networks/litecoin/litecoin.ts';
import type { DepositTarget } from '../src/networks/port/receiving.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { litecoinCoin } from './networks/utxo-coins.ts';
import { openShop } from './shop.ts';

const program = findLitecoind();

if (program === undefined) {
  test('NOT RUN: checkouts on a real node, because litecoind is missing (apt-get install litecoind)', () => {
    assert.notEqual(process.env['CI'], 'true', 'litecoind must be installed where CI=true');
  });
} else {
  void describe('checkouts on litecoind', { concurrency: 1 }, () => tellStories(program));
}

function tellStories(litecoind: string): void {
  let node: LitecoindHarness;
  let gateway: Gateway;

  before(async () => {
    node = await startLitecoindHarness(litecoind, litecoinCoin, 'LTC', createLitecoinConnector);
    gateway = await startGateway({
      now: new Date().toISOString(),
      env: { LITECOIN_RPC_URL: node.url, BITCOIN_RPC_URL: undefined, BITCOIN_XPUB: undefined, BITCOIN_XPRV: undefined },
    });
  });
  after(async () => {
    await gateway?.stop();
    await node?.stop();
  });

  const payment = (to: { address: string }, units: bigint) => ({
    target: { address: to.address } as DepositTarget,
    units,
  });

  async function pay(to: { address: string }, units: bigint): Promise<string> {
    const tx = await node.pay(payment(to, units));
    await gateway.runUntilIdle();
    return tx;
  }

  async function mine(blocks: number): Promise<void> {
    await node.mine(blocks);
    await gateway.runUntilIdle();
  }

  async function reorganise(depth: number, keepTransactions: boolean): Promise<void> {
    await node.reorganise(depth, { keepTransactions });
    await gateway.runUntilIdle();
  }

  async function pass(minutes: number): Promise<void> {
    gateway.clock.advance({ minutes });
    await node.rpc.call('setmocktime', Math.floor(gateway.clock.now().getTime() / 1000));
    await gateway.runUntilIdle();
  }

  test('a payment is seen, confirmed and credited', async () => {
    const shop = await openShop(gateway);
    const checkout = await shop.open('60.00 USD', 'LITECOIN');
    assert.match(checkout.address, /^rltc1q/);
    const tx = await pay(checkout, 75_000_000n);
    assert.equal(await shop.state(checkout.id), 'PROCESSING');
    await mine(1);
    assert.equal(await shop.state(checkout.id), 'PROCESSING');
    await mine(1);
    assert.equal(await shop.state(checkout.id), 'COMPLETED');
    assert.deepEqual(await shop.balances(), { 'available/LTC': '74625000' });
    assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED']);
    assert.equal((await shop.checkout(checkout.id)).blockchainTransactions[0].tx, tx);
  });

  test('several payments add up, and too much is kept apart', async () => {
    const shop = await openShop(gateway);
    const checkout = await shop.open('60.00 USD', 'LITECOIN');
    await pay(checkout, 30_000_000n);
    assert.equal(await shop.state(checkout.id), 'PENDING PARTIAL');
    await node.pay(payment(checkout, 20_000_000n), payment(checkout, 35_000_000n));
    await gateway.runUntilIdle();
    assert.equal(await shop.state(checkout.id), 'PROCESSING');
    await mine(2);
    assert.equal(await shop.state(checkout.id), 'COMPLETED OVERPAID');
    assert.deepEqual(await shop.balances(), { 'available/LTC': '74625000', 'suspense/LTC': '10000000' });
  });

  test('a payment is replaced with a higher fee, and one is taken elsewhere', async () => {
    const shop = await openShop(gateway);
    const [kept, lost] = [await shop.open('60.00 USD', 'LITECOIN'), await shop.open('60.00 USD', 'LITECOIN')];
    const [first, second] = [await pay(kept, 75_000_000n), await pay(lost, 75_000_000n)];
    const replacement = await node.replace(first, payment(kept, 75_000_000n));
    await node.replace(second, payment(kept, 1_000_000n));
    await gateway.runUntilIdle();
    assert.equal(await shop.state(lost.id), 'PENDING');
    assert.equal(await shop.state(kept.id), 'PROCESSING');
    const { blockchainTransactions } = await shop.checkout(kept.id);
    assert.ok(blockchainTransactions.some(({ tx }: any) => tx === replacement));
    assert.ok(blockchainTransactions.every(({ tx }: any) => tx !== first));
    await mine(2);
    assert.equal(await shop.state(kept.id), 'COMPLETED OVERPAID');
    assert.deepEqual(await shop.balances(), { 'available/LTC': '74625000', 'suspense/LTC': '1000000' });
  });

  test('a reorganisation before the credit takes time, one after it takes the credit back', async () => {
    const shop = await openShop(gateway);
    const checkout = await shop.open('60.00 USD', 'LITECOIN');
    await pay(checkout, 75_000_000n);
    await mine(1);
    await reorganise(1, true);
    assert.equal(await shop.state(checkout.id), 'PROCESSING');
    await mine(1);
    assert.equal(await shop.state(checkout.id), 'PROCESSING', 'counted from its new block');
    await mine(1);
    assert.equal(await shop.state(checkout.id), 'COMPLETED');

    await reorganise(2, true);
    assert.equal(await shop.state(checkout.id), 'PROCESSING REORGED');
    assert.deepEqual(await shop.balances(), {});
    await mine(2);
    assert.equal(await shop.state(checkout.id), 'COMPLETED REORGED');
    assert.deepEqual(await shop.balances(), { 'available/LTC': '74625000' });
    assert.deepEqual(shop.eventsOf(checkout.id), [
      'CHECKOUT_COMPLETED COMPLETED',
      'CHECKOUT_REVERSED PROCESSING',
      'CHECKOUT_COMPLETED COMPLETED',
    ]);
  });

  test('a credited payment that a reorganisation loses is taken back for good', async () => {
    const shop = await openShop(gateway);
    const checkout = await shop.open('60.00 USD', 'LITECOIN');
    await pay(checkout, 75_000_000n);
    await mine(2);
    assert.equal(await shop.state(checkout.id), 'COMPLETED');
    await reorganise(2, false);
    assert.equal(await shop.state(checkout.id), 'PENDING REORGED');
    assert.deepEqual(await shop.balances(), {});
  });

  test('what happens while the service is away is found by the next process', async () => {
    const shop = await openShop(gateway);
    const [seen, unseen] = [await shop.open('60.00 USD', 'LITECOIN'), await shop.open('60.00 USD', 'LITECOIN')];
    await pay(seen, 75_000_000n);
    await gateway.restart(async () => {
      await node.pay(payment(unseen, 75_000_000n));
      await node.mine(1);
    });
    assert.equal(await shop.state(seen.id), 'PROCESSING');
    assert.equal(await shop.state(unseen.id), 'PROCESSING');
    await gateway.restart(() => node.mine(1));
    assert.deepEqual([await shop.state(seen.id), await shop.state(unseen.id)], ['COMPLETED', 'COMPLETED']);
    assert.deepEqual(await shop.balances(), { 'available/LTC': '149250000' });
    await gateway.restart(() => node.reorganise(2, { keepTransactions: true }));
    assert.equal(await shop.state(seen.id), 'PROCESSING REORGED');
    await mine(2);
    assert.deepEqual(await shop.balances(), { 'available/LTC': '149250000' });
  });

  test('a node that goes down is left out, and everything goes on when it is back', async () => {
    const shop = await openShop(gateway);
    const checkout = await shop.open('60.00 USD', 'LITECOIN');
    await pay(checkout, 75_000_000n);
    await node.stopNode();
    await gateway.runUntilIdle();
    gateway.clock.advance({ seconds: 31 });
    await gateway.runUntilIdle();
    assert.equal(await shop.state(checkout.id), 'PROCESSING', 'silence is no news');
    const charge = { billingCurrency: 'USD', lineItems: [{ description: 'x', netAmount: 60 }] };
    const errors = await shop.refused(503, 'POST', '/checkout', { charge });
    assert.match(errors.join(' '), /Litecoin is not reachable/);

    await node.startNode();
    await gateway.runUntilIdle();
    await mine(2);
    assert.equal(await shop.state(checkout.id), 'COMPLETED');
    assert.equal((await shop.post('/checkout', { charge })).paymentMethods.length, 1);
  });

  test('too little is underpaid when the window ends, and completed late by the rest', async () => {
    const shop = await openShop(gateway);
    const [completed, accepted] = [await shop.open('60.00 USD', 'LITECOIN'), await shop.open('60.00 USD', 'LITECOIN')];
    await node.pay(payment(completed, 25_000_000n), payment(accepted, 25_000_000n));
    await mine(2);
    await pass(61);
    assert.equal(await shop.state(completed.id), 'UNDERPAID PARTIAL');
    assert.deepEqual(await shop.balances(), { 'suspense/LTC': '50000000' });
    await shop.post('/checkout/accept-underpayment', { checkoutId: accepted.id });
    await pay(completed, 50_000_000n);
    assert.equal(await shop.state(completed.id), 'PROCESSING LATE');
    await mine(2);
    assert.equal(await shop.state(completed.id), 'DELAYED_COMPLETED LATE');
    assert.equal(await shop.state(accepted.id), 'RESOLVED PARTIAL');
    assert.deepEqual(await shop.balances(), { 'available/LTC': '99500000' });
    assert.deepEqual(shop.eventsOf(completed.id), [
      'CHECKOUT_UNDERPAID UNDERPAID',
      'CHECKOUT_COMPLETED DELAYED_COMPLETED',
    ]);
  });

  test('a payment after the window is credited late, one mined inside it is not late', async () => {
    const shop = await openShop(gateway);
    const [late, inTime] = [await shop.open('60.00 USD', 'LITECOIN'), await shop.open('60.00 USD', 'LITECOIN')];
    await pass(50);
    await gateway.restart(async () => {
      await node.pay(payment(inTime, 75_000_000n));
      await node.mine(2);
      gateway.clock.advance({ minutes: 11 });
    });
    assert.equal(await shop.state(inTime.id), 'COMPLETED');
    await pass(0);
    assert.equal(await shop.state(late.id), 'EXPIRED');
    await pay(late, 75_000_000n);
    await mine(2);
    assert.equal(await shop.state(late.id), 'DELAYED_COMPLETED LATE');
  });
}
