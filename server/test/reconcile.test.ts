/** The books are held against what the networks say that we hold; whoever takes coins behind our back is noticed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSound } from '../src/payments/reconcile.ts';
import type { Reconciliation } from '../src/payments/reconciliation-store.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { openShop } from './shop.ts';
import { aCoinOfOurs, stealCoin } from './stolen-coin.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway();
});
after(() => gateway.stop());

async function bitcoin(): Promise<Reconciliation> {
  const own = (await gateway.count()).find(({ network }) => network === 'BITCOIN');
  assert.ok(own, 'Bitcoin was counted');
  return own;
}

test('what has arrived but is not booked yet is no difference', async () => {
  const shop = await openShop(gateway, { extraConfirmations: 2 });
  gateway.bitcoin.pay(await shop.open('60.00 USD', 'BITCOIN'));
  await gateway.runUntilIdle();
  assert.deepEqual(figures(await bitcoin()), { held: 0n, booked: 0n, arriving: 0n, difference: 0n });
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.deepEqual(figures(await bitcoin()), { held: 100_000n, booked: 0n, arriving: 100_000n, difference: 0n });
  gateway.bitcoin.mine(2);
  await gateway.runUntilIdle();
  assert.deepEqual(figures(await bitcoin()), { held: 100_000n, booked: 100_000n, arriving: 0n, difference: 0n });
});

test('while the node is ahead of the books, nothing is said', async () => {
  gateway.bitcoin.mine(1);
  const { counted, uncounted } = await gateway.app.reconcile();
  assert.deepEqual(
    [counted.map(({ network }) => network), uncounted.map(({ what }) => what)],
    [['LITECOIN'], ['BITCOIN']],
  );
  await gateway.runUntilIdle();
  assert.ok(isSound(await bitcoin()));
});

test('coins that somebody takes from our address are missed at once, and the operator is told', async () => {
  const before = await bitcoin();
  stealCoin(gateway, await aCoinOfOurs(gateway));
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  const found = await bitcoin();
  assert.equal(found.difference, -before.held);
  assert.ok(!isSound(found));
  const metrics = await (await fetch(new URL('/metrics', gateway.url))).text();
  assert.match(metrics, /quittance_reconciliation_difference\{network="BITCOIN",asset="BTC:\w+"\} -100000/);

  gateway.bitcoin.chain.reorganise(1, { keepTransactions: false });
  await gateway.runUntilIdle();
  assert.ok(isSound(await bitcoin()), 'the chain took the theft back');
});

const figures = ({ held, booked, arriving, difference }: Reconciliation) => ({ held, booked, arriving, difference });
