/** After a restore from a backup the operator lets the watchers read some blocks again. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rewindNetwork } from '../src/watching/rewind-network.ts';
import { aCharge, type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { until } from './until.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

async function committed() {
  const { id } = await gateway.post('/checkout', aCharge('60.00 USD'));
  const { depositInstructions } = await gateway.post('/checkout/commit', { checkoutId: id, network: 'BITCOIN' });
  return { id, depositInstructions };
}

/** A watcher learns at its next write that its cursor was changed, and takes the new one once its old session has ended. */
async function letWatcherNotice(): Promise<void> {
  gateway.clock.advance({ seconds: 6 });
  await gateway.runUntilIdle();
  for (const watcher of gateway.app.watchers)
    await until('it watches again', async () => (await watcher.tick()) !== 'follower');
  await gateway.runUntilIdle();
}

test('a payment that was overlooked is found when its block is read again', async () => {
  const { id, depositInstructions } = await committed();
  const { address } = depositInstructions;
  await gateway.db`update deposit_target set key = 'lost' where key = ${address}`;
  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(30);
  await gateway.runUntilIdle();
  await gateway.db`update deposit_target set key = ${address} where key = 'lost'`;
  await letWatcherNotice();
  assert.equal(await gateway.state(id), 'PENDING');

  await rewindNetwork(gateway.db, 'BITCOIN', 40);
  await letWatcherNotice();
  assert.equal(await gateway.state(id), 'COMPLETED');
});

test('reading blocks again credits nothing twice', async () => {
  const { id, depositInstructions } = await committed();
  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'COMPLETED');
  const balances = await gateway.balances();

  const first = await rewindNetwork(gateway.db, 'BITCOIN', 1_000_000);
  assert.equal(first, 0, 'there is nothing before the first block');
  await letWatcherNotice();
  assert.deepEqual(await gateway.balances(), balances);
  const rereading = await gateway.db`select network from network_cursor where cursor ? 'rereadAbove'`;
  assert.deepEqual(rereading, [], 'it comes to an end');
});

test('a reorganisation in the meantime is noticed all the same', async () => {
  const { id, depositInstructions } = await committed();
  gateway.bitcoin.pay(depositInstructions);
  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'COMPLETED');

  await rewindNetwork(gateway.db, 'BITCOIN', 20);
  gateway.bitcoin.chain.reorganise(2);
  await letWatcherNotice();
  assert.equal(await gateway.state(id), 'PROCESSING');

  gateway.bitcoin.mine(1);
  await gateway.runUntilIdle();
  assert.equal(await gateway.state(id), 'COMPLETED');
});

test('a network that nobody watches is refused with a sentence', async () => {
  await assert.rejects(rewindNetwork(gateway.db, 'NOWHERE', 1), /NOWHERE has not been watched yet/);
});
