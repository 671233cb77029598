/** A transfer with a raised fee has several versions. Which of them happened may change as long as blocks can be given up. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deepTest } from './depth.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { balancesOf } from './shop.ts';
import { coinAt, stealCoin } from './stolen-coin.ts';
import { freshAddress, mine, openSender, receivedAt, rpc, type Sender } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

type Version = { txHash: string; raw: string; fee: string; state: string; uses: string[] };

const versionsOf = (transferId: string) => gateway.db<Version>`
  select tx_hash as "txHash", raw, fee_units as fee, state, claims as uses from outgoing_transaction
   where id = (select transaction_id from outgoing_transfer where id = ${transferId}) order by generation`;

/** Nobody mines what is signed now until it pays more. */
async function sendWithRaisedFee(done: () => Promise<boolean>): Promise<void> {
  gateway.bitcoin.chain.demandFeeRate(12_000n);
  for (let round = 0; round < 9 && !(await done()); round += 1) {
    await mine(gateway, 1);
    gateway.clock.advance({ minutes: 5 });
  }
  gateway.bitcoin.chain.demandFeeRate(0n);
  assert.ok(await done());
}

/** The newest block is given up, and whoever mines its successor only knows this. */
async function mineInstead(raw: string): Promise<void> {
  gateway.bitcoin.chain.reorganise(1, { keepTransactions: false });
  gateway.bitcoin.chain.submit(raw);
  await mine(gateway, 1);
}

async function pay(shop: Sender, amount: string): Promise<void> {
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'BITCOIN' });
  gateway.bitcoin.pay({ address: depositInstructions.address, amount });
  await mine(gateway, 1);
}

test('the version that is in the chain is shown and booked, whichever that is in the end', async () => {
  const shop = await openSender(gateway, '0.0041');
  await pay(shop, '0.002');
  const address = freshAddress();
  const { id } = await shop.send({ amount: '0.004088', address }); // Too much of the coin to pay more without the other.
  await sendWithRaisedFee(async () => (await shop.transfer(id)).state === 'COMPLETED');
  const [older, newer] = (await versionsOf(id)) as [Version, Version];
  assert.equal((await shop.transfer(id)).txHash, newer.txHash);
  const costs = async () => (await balancesOf(gateway, 'operator/'))['costs/BTC'];
  assert.equal(await costs(), `-${newer.fee}`);

  for (const version of [older, newer, older]) {
    await mineInstead(version.raw);
    assert.equal((await shop.transfer(id)).txHash, version.txHash);
    assert.equal(await costs(), `-${version.fee}`);
    assert.equal(await receivedAt(gateway, address), 408_800n);
  }
  assert.deepEqual(
    (await versionsOf(id)).map(({ state }) => state),
    ['DONE', 'OPEN'],
  );
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);

  await mine(gateway, 100);
  assert.deepEqual(
    (await versionsOf(id)).map(({ state }) => state),
    ['DONE', 'REPLACED'],
  );
  const { id: next } = await shop.send({ amount: '0.0019', address: freshAddress() });
  await gateway.runUntilIdle();
  assert.equal((await shop.transfer(next)).state, 'SENT', 'the coin that only the newer one took is free');
  await mine(gateway, 1);
});

deepTest('a refund names the transaction that is in the chain', async () => {
  const shop = await openSender(gateway, '0');
  const checkout = await shop.open('60.00 USD', 'BITCOIN');
  gateway.bitcoin.pay({ ...checkout, amount: '0.0012' });
  await mine(gateway, 1);
  const address = freshAddress();
  const { refund } = await shop.post('/refund', { checkoutId: checkout.id, amount: '0.0002', address });
  const shown = async () => (await shop.get(`/refund?id=${refund.id}`)).refund;
  await sendWithRaisedFee(async () => (await shown()).state === 'COMPLETED');
  const [older] = (await versionsOf(refund.id)) as [Version];
  const { tx: announced, ...rest } = await shown();
  assert.notEqual(announced, older.txHash);

  await mineInstead(older.raw);
  assert.deepEqual(await shown(), { ...rest, tx: older.txHash });
  assert.deepEqual(shop.eventsOf(checkout.id), ['CHECKOUT_COMPLETED COMPLETED', 'REFUND_COMPLETED COMPLETED']);
});

deepTest(
  'what would have spent the change of the other version is sent anew, once that version is gone for good',
  async () => {
    const shop = await openSender(gateway, '0.009');
    const send = async (amount: string) => {
      const address = freshAddress();
      const { id } = await shop.send({ amount, address });
      await gateway.runUntilIdle();
      return { id, address };
    };
    const first = await send('0.003');
    await sendWithRaisedFee(async () => (await shop.transfer(first.id)).state === 'COMPLETED');
    const [older] = (await versionsOf(first.id)) as [Version];
    const mined = await send('0.0031');
    await mine(gateway, 1);
    const waiting = await send('0.0021'); // Out of the change of the one before, as that was out of the first one's.
    assert.deepEqual(
      [(await shop.transfer(mined.id)).state, (await shop.transfer(waiting.id)).state],
      ['COMPLETED', 'SENT'],
    );

    gateway.bitcoin.chain.reorganise(2, { keepTransactions: false });
    gateway.bitcoin.chain.submit(older.raw);
    await mine(gateway, 1);
    assert.equal((await shop.transfer(first.id)).txHash, older.txHash);
    assert.equal(await receivedAt(gateway, mined.address), 0n);
    await mine(gateway, 100);
    await mine(gateway, 1);
    for (const [{ id, address }, units] of [
      [first, 300_000n],
      [mined, 310_000n],
      [waiting, 210_000n],
    ] as const) {
      const { state, txHash } = await shop.transfer(id);
      assert.equal(state, 'COMPLETED');
      assert.match(txHash, /^[0-9a-f]{64}$/);
      assert.equal(await receivedAt(gateway, address), units, 'it has arrived once');
      assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
    }
  },
);

deepTest('what was done and lost its block gets a higher fee when it needs one, and arrives once', async () => {
  const shop = await openSender(gateway, '0.009');
  const address = freshAddress();
  const { id } = await shop.send({ amount: '0.003', address });
  await gateway.runUntilIdle();
  await mine(gateway, 1);
  const { state, txHash: first } = await shop.transfer(id);
  assert.equal(state, 'COMPLETED');

  gateway.bitcoin.chain.reorganise(1);
  await sendWithRaisedFee(async () => (await shop.transfer(id)).txHash !== first);
  assert.equal(await receivedAt(gateway, address), 300_000n);
  assert.deepEqual(
    (await versionsOf(id)).map((version) => version.state),
    ['OPEN', 'DONE'],
  );
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
});

deepTest(
  'when the version with the raised fee becomes impossible, the one before it goes on, and may be raised again',
  async () => {
    const shop = await openSender(gateway, '0.0041');
    await pay(shop, '0.002');
    const address = freshAddress();
    const { id } = await shop.send({ amount: '0.004088', address }); // Too much of the coin to pay more without the other.
    const waitForVersions = async (count: number) => {
      for (let round = 0; round < 9 && (await versionsOf(id)).length < count; round += 1) {
        gateway.clock.advance({ minutes: 5 });
        await gateway.runUntilIdle();
      }
      assert.equal((await versionsOf(id)).length, count);
    };
    await waitForVersions(2);
    const [older, newer] = (await versionsOf(id)) as [Version, Version];
    const [added = ''] = newer.uses.filter((use) => !older.uses.includes(use));

    gateway.bitcoin.chain.drop(newer.txHash);
    const coin = await coinAt(gateway, added);
    stealCoin(gateway, coin);
    gateway.takenByStory['BTC'] = coin.units;
    gateway.bitcoin.chain.mine(1);
    gateway.bitcoin.chain.demandFeeRate(1_000_000n);
    gateway.clock.advance({ minutes: 2 });
    await gateway.runUntilIdle();
    assert.ok((await rpc(gateway, 'getrawmempool')).includes(older.txHash), 'it has not been forgotten');

    for (let round = 0; round < 2; round += 1) await mine(gateway, 100);
    gateway.bitcoin.chain.demandFeeRate(0n);
    gateway.bitcoin.chain.drop(older.txHash);
    await pay(shop, '0.002');
    await waitForVersions(3);
    await mine(gateway, 1);
    assert.deepEqual(
      (await versionsOf(id)).map(({ state }) => state),
      ['OPEN', 'EXPIRED', 'DONE'],
    );
    assert.equal(await receivedAt(gateway, address), 408_800n);
  },
);
