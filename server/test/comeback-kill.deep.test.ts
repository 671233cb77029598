/** Death at any point while what was sent comes back, in part and then the rest. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '../src/merchants/change-settings.ts';
import { dieEverywhere, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { createTestBank, type TestBank } from './networks/test-bank.ts';
import { openShop } from './shop.ts';

const elsewhere = 'DE89370400440532013000';

let gateway: Gateway;
let bank: TestBank;
before(async () => {
  gateway = await startGateway({
    env: withoutLitecoin,
    furtherNetworks(now) {
      bank = createTestBank(now);
      return [bank.connector];
    },
  });
});
after(() => gateway.stop());

test('a transfer and a refund that came back are credited once, and told of', async () => {
  const shop = await openShop(gateway);
  await allowAddress(gateway, shop.merchant.merchantId, { range: '127.0.0.1' }, 'operator');
  const { id: checkoutId } = await shop.open('600.00 EUR', 'SEPA');
  bank.pay(checkoutId, 60_000n);
  gateway.clock.advance({ hours: 24 * 20 });
  await gateway.runUntilIdle();
  const before = await shop.balances();
  let told: string[] = [];
  const tell = (name: string, payouts: readonly string[], cents: bigint): void => {
    if (told.includes(name)) return;
    told.push(name);
    for (const id of payouts) bank.comeBack(id, cents);
  };

  await dieEverywhere(
    gateway,
    {
      async begin() {
        told = [];
        const order = { network: 'SEPA', asset: 'EUR', amount: '10', address: elsewhere, webhook: gateway.webhookUrl };
        const { transfer } = await shop.post('/transfer', order);
        const { refund } = await shop.post('/refund', { checkoutId, amount: '10', address: elsewhere });
        await gateway.runUntilIdle();
        bank.carryOut();
        await gateway.runUntilIdle();
        const payouts: [string, string] = [transfer.id, refund.id];
        tell('a part', payouts, 300n);
        return payouts;
      },
      live: [watchAll, workAll, (_, payouts) => tell('the rest', payouts, 700n), watchAll, workAll],
      async end(payouts) {
        tell('the rest', payouts, 700n); // The process may have died before.
        await gateway.runUntilIdle();
        gateway.clock.advance({ seconds: 30 }); // What a dead worker was sending may still arrive.
        await gateway.runUntilIdle();
        const [transferId, refundId] = payouts;
        const { transfer } = await shop.get(`/transfer?id=${transferId}`);
        const { refund } = await shop.get(`/refund?id=${refundId}`);
        assert.deepEqual([transfer.state, transfer.cameBack], ['FAILED', '10']);
        assert.deepEqual([refund.state, refund.cameBack], ['FAILED', '10']);
        assert.deepEqual(await shop.balances(), before);
        const events = await gateway.db`select from event where subject = ${transferId} and type = 'TRANSFER_FAILED'`;
        assert.equal(events.length, 1);
      },
    },
    { atLeast: 8 },
  );
  const open = await gateway.db`select from payout_comeback where booked_at is null`;
  assert.equal(open.length, 0);
});
