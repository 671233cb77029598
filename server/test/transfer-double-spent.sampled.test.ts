/** A coin that we have spent may come to nothing: its payer uses the money otherwise while blocks are given up. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deepTest, sampleOf } from './depth.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { coinAt, stealCoin } from './stolen-coin.ts';
import { freshAddress, mine, openSender, receivedAt } from './transfer-story.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

/** The transaction of a transfer, which must spend what this one has brought. */
async function sentOutOf(transferId: string, paid: string): Promise<string> {
  const [sent] = await gateway.db<{ txHash: string; uses: string[] }>`
    select tx_hash as "txHash", claims as uses from outgoing_transaction
     where id = (select transaction_id from outgoing_transfer where id = ${transferId})`;
  assert.ok(sent);
  assert.ok(sent.uses[0]?.startsWith(paid));
  return sent.txHash;
}

const stories = [
  {
    name: 'a transfer out of a coin that its payer has double-spent is sent out of others, across restarts too',
    held: '0.0045',
    isMined: false,
  },
  { name: 'so is one that was done before', held: '0.0065', isMined: true },
];
for (const { name, held, isMined } of sampleOf(stories, ({ isMined }) => isMined)) {
  test(name, async () => {
    const shop = await openSender(gateway, held);
    const other = await openSender(gateway, '0');
    const { depositInstructions } = await other.post('/deposit-address', { network: 'BITCOIN' });
    const paid = gateway.bitcoin.pay({ address: depositInstructions.address, amount: '0.0035' });
    await mine(gateway, 1);
    const address = freshAddress();
    const { id } = await shop.send({ amount: '0.003', address });
    await gateway.runUntilIdle();
    const sent = await sentOutOf(id, paid); // What the other one's customer has paid.
    if (isMined) await mine(gateway, 1);
    assert.equal((await shop.transfer(id)).state, isMined ? 'COMPLETED' : 'SENT');

    gateway.bitcoin.chain.reorganise(isMined ? 2 : 1);
    gateway.bitcoin.chain.drop(sent);
    gateway.bitcoin.chain.replace(paid, [{ address: freshAddress(), units: 350_000n }]);
    await mine(gateway, 50);
    assert.equal(await receivedAt(gateway, address), 0n);
    for (let round = 0; round < 4; round += 1) {
      if (!isMined) await gateway.restart();
      await mine(gateway, 55);
    }
    assert.equal(await receivedAt(gateway, address), 300_000n);
    assert.equal((await shop.transfer(id)).state, 'COMPLETED');
    assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED']);
  });
}

deepTest(
  'a transfer out of a coin that somebody with our key has spent is sent out of others, across restarts too',
  async () => {
    const shop = await openSender(gateway, '0.0065');
    const address = freshAddress();
    const { id } = await shop.send({ amount: '0.001', address });
    await gateway.runUntilIdle();
    const [sent] = await gateway.db<{ txHash: string; uses: [string] }>`
    select tx_hash as "txHash", claims as uses from outgoing_transaction order by position desc limit 1`;
    assert.ok(sent);
    gateway.bitcoin.chain.drop(sent.txHash);
    const coin = await coinAt(gateway, sent.uses[0]);
    stealCoin(gateway, coin);
    gateway.takenByStory['BTC'] = coin.units;
    for (let round = 0; round < 4; round += 1) {
      await mine(gateway, 55);
      await gateway.restart();
    }
    await mine(gateway, 1);
    assert.equal(await receivedAt(gateway, address), 100_000n);
    assert.equal((await shop.transfer(id)).state, 'COMPLETED');
  },
);

const refunded = [
  { amount: '0.0006', before: 'UNDERPAID PARTIAL', after: 'REFUNDED PARTIAL' },
  { amount: '0.001', before: 'COMPLETED', after: 'EXPIRED REORGED' },
];
for (const { amount, before, after: rest } of sampleOf(refunded, (_, at) => at === 0)) {
  test(`a refund of what was ${before} that is undone together with its payment costs the merchant nothing`, async () => {
    const shop = await openSender(gateway, '0.0003');
    const checkout = await shop.open('60.00 USD', 'BITCOIN');
    const paid = gateway.bitcoin.pay({ ...checkout, amount });
    await gateway.runUntilIdle();
    gateway.clock.advance({ minutes: 61 });
    await mine(gateway, 1);
    assert.equal(await shop.state(checkout.id), before);
    const address = freshAddress();
    const { refund } = await shop.post('/refund', { checkoutId: checkout.id, amount: '0.0006', address });
    await gateway.runUntilIdle();
    const sent = await sentOutOf(refund.id, paid); // The very coin that it gives back.
    await mine(gateway, 1);
    const shown = async () => (await shop.get(`/refund?id=${refund.id}`)).refund;
    assert.equal((await shown()).state, 'COMPLETED');

    gateway.bitcoin.chain.reorganise(2);
    gateway.bitcoin.chain.drop(sent);
    gateway.bitcoin.chain.replace(paid, [{ address: freshAddress(), units: 50_000n }]);
    for (let round = 0; round < 5; round += 1) await mine(gateway, 55);
    assert.equal(await receivedAt(gateway, address), 0n, 'the customer has used the money otherwise');
    const { state, failure } = await shown();
    assert.deepEqual([state, failure], ['FAILED', 'The payment that it gave back was spent otherwise.']);
    assert.deepEqual(await shop.balances(), { 'available/BTC': '29850' });
    assert.equal(await shop.state(checkout.id), rest);
  });
}
