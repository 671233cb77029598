/** How transfers travel on Bitcoin: many in one transaction, with a higher fee when they are stuck, through a reorganisation. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { deepTest } from './depth.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { balancesOf } from './shop.ts';
import { freshAddress, mine, openSender, receivedAt, rpc, somewhere } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

/** What we hold on the chain by the books, and by the chain itself. */
async function assertHeldAsBooked(): Promise<void> {
  const { 'wallet-BITCOIN/BTC': booked } = await balancesOf(gateway, 'operator/');
  const [coins] = await gateway.db<{ units: string }>`
    select coalesce(sum(units), 0) as units from payment
     where network = 'BITCOIN' and state in ('CONFIRMED', 'FINAL')
       and not exists (select from outgoing_claim where network = 'BITCOIN' and claim = tx_hash || ':' || tx_index)`;
  assert.equal(-BigInt(booked ?? 0), BigInt(coins?.units ?? 0), 'the coins that are left are what the books say');
}

deepTest('twenty transfers travel in one transaction', async () => {
  const shop = await openSender(gateway, '0.009');
  const orders = Array.from({ length: 20 }, (_, number) => ({
    amount: `0.0001${number + 10}`,
    address: freshAddress(),
  }));
  const ids: string[] = [];
  for (const order of orders) ids.push((await shop.send(order)).id);
  await gateway.runUntilIdle();
  const hashes = new Set(await Promise.all(ids.map(async (id) => (await shop.transfer(id)).txHash)));
  assert.equal(hashes.size, 1);
  assert.deepEqual(await rpc(gateway, 'getrawmempool'), [...hashes]);
  await mine(gateway, 1);
  for (const [position, { amount, address }] of orders.entries()) {
    assert.equal(await receivedAt(gateway, address), BigInt(`1${amount.slice(-2)}00`), amount);
    assert.equal((await shop.transfer(ids[position] as string)).state, 'COMPLETED');
  }
  const fees = await gateway.db`select from ledger_entry where kind = 'network_fee'`;
  assert.equal(fees.length, 1, 'the network was paid once');
  await assertHeldAsBooked();
});

test('a stuck transfer is sent again with a higher fee, and arrives once', async () => {
  const shop = await openSender(gateway, '0.05');
  const address = freshAddress();
  const { id } = await shop.send({ amount: '0.02', address });
  gateway.bitcoin.chain.demandFeeRate(12_000n);
  await gateway.runUntilIdle();
  const { txHash: first } = await shop.transfer(id);
  for (let round = 0; round < 8; round += 1) {
    gateway.clock.advance({ minutes: 5 });
    await mine(gateway, 1);
  }
  const bumped = await shop.transfer(id);
  assert.equal(bumped.state, 'COMPLETED');
  assert.notEqual(bumped.txHash, first);
  assert.equal(await receivedAt(gateway, address), 2_000_000n);
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
  const versions = await gateway.db<{ state: string; depth: number }>`
    select state, confirmations_required as depth from outgoing_transaction
     where id = (select transaction_id from outgoing_transfer where id = ${id}) order by generation`;
  assert.deepEqual(versions.at(-1), { state: 'DONE', depth: 2 }, 'as deep as the amount demands, also when replaced');
  assert.ok(versions.slice(0, -1).every(({ state }) => state === 'OPEN'));
  gateway.bitcoin.chain.demandFeeRate(0n);
  await mine(gateway, 3);
  await assertHeldAsBooked();
});

test('a reorganisation that undoes a transfer only makes it wait', async () => {
  const shop = await openSender(gateway, '0.05');
  const address = freshAddress();
  const { id } = await shop.send({ amount: '0.02', address }); // Needs two blocks.
  await gateway.runUntilIdle();
  await mine(gateway, 1);
  assert.equal((await shop.transfer(id)).state, 'SENT');
  gateway.bitcoin.chain.reorganise(1);
  await gateway.runUntilIdle();
  assert.equal((await shop.transfer(id)).state, 'SENT');
  assert.equal(await receivedAt(gateway, address), 0n);
  await mine(gateway, 1);
  assert.equal((await shop.transfer(id)).state, 'SENT');
  await mine(gateway, 2);
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');
  assert.equal(await receivedAt(gateway, address), 2_000_000n);
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
});

test('while the node is away an order is refused, and one that was taken waits until it is back', async () => {
  const shop = await openSender(gateway, '0.01');
  const taken = await shop.send({ amount: '0.001', address: somewhere });
  gateway.bitcoin.chain.goAway();
  const { status, body, headers } = await shop.order({ amount: '0.001', address: somewhere });
  assert.deepEqual([status, body.errors], [503, ['Bitcoin is not reachable at the moment. Please try again.']]);
  assert.equal(headers.get('retry-after'), '10');
  await gateway.runUntilIdle();
  assert.equal((await shop.transfer(taken.id)).state, 'QUEUED');
  assert.deepEqual(await verifyLedger(gateway.db), []);

  gateway.bitcoin.chain.comeBack();
  gateway.clock.advance({ minutes: 1 });
  await gateway.runUntilIdle();
  await mine(gateway, 3);
  assert.equal((await shop.transfer(taken.id)).state, 'COMPLETED');
});
