/** The books are held against what the networks say that we hold; whoever takes coins behind our back is noticed. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enqueueUnlessThere } from '../src/jobs/enqueue.ts';
import { isSound } from '../src/watching/reconcile.ts';
import { countLockClass, type Reconciliation } from '../src/watching/reconciliation-store.ts';
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

test('a clock that was set back does not put off the next count', async () => {
  const due = async (): Promise<string[]> => {
    const since = new Date(gateway.clock.now().getTime() - 600_000);
    return (await gateway.app.reconcile(since)).counted.map(({ network }) => network);
  };
  await gateway.count();
  assert.deepEqual(await due(), [], 'counted just now');
  gateway.clock.advance({ hours: -1 });
  assert.deepEqual(await due(), ['BITCOIN', 'LITECOIN']);
  assert.deepEqual(await due(), []);
  gateway.clock.advance({ hours: 1 });
});

test('a job that asks for a count does not wait for its turn, and comes back', async () => {
  const { db, clock } = gateway;
  const session = await db.session();
  await session`select pg_advisory_lock(${countLockClass}::integer, 0)`;
  await db.begin((tx) => enqueueUnlessThere(tx, { name: 'books.reconcile', payload: {}, runAt: clock.now() }));
  await gateway.runUntilIdle();
  const [job] = await db<{ attempts: number; claimed_by: number | null; run_at: Date }>`
    select attempts, claimed_by, run_at from job where name = 'books.reconcile'`;
  assert.deepEqual(job, { attempts: 0, claimed_by: null, run_at: new Date(clock.now().getTime() + 1_000) });
  await session.end();
  gateway.clock.advance({ seconds: 1 });
  await gateway.runUntilIdle();
  assert.deepEqual(await db`select from job where name = 'books.reconcile'`, []);
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
