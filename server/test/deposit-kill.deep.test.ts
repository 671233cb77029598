/** Death at any point while a custom deposit is seen, confirmed and credited. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertHappenedOnce, dieEverywhere, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openShop } from './shop.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
});
after(() => gateway.stop());

test('a deposit is credited once and announced', async () => {
  const shop = await openShop(gateway);
  let deposits = 0n;
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const body = { network: 'BITCOIN', webhook: gateway.webhookUrl };
        const { id, depositInstructions } = await shop.post('/deposit-address', body);
        gateway.bitcoin.pay({ address: depositInstructions.address, amount: '0.001' });
        deposits += 1n;
        return id as string;
      },
      live: [watchAll, workAll, () => gateway.bitcoin.mine(1), watchAll, workAll],
      async end(id) {
        await gateway.runUntilIdle();
        gateway.bitcoin.mine(1);
        await gateway.runUntilIdle();
        // What a dead worker was sending may still arrive: a newer event waits until that must be over.
        gateway.clock.advance({ seconds: 30 });
        await gateway.runUntilIdle();
        const { deposit } = await shop.get(`/deposit?id=${id}`);
        assert.equal(deposit.payments.length, 1);
        assert.deepEqual(await shop.balances(), { 'available/BTC': String(99_500n * deposits) });
        await assertHappenedOnce(gateway, id, {
          entries: ['payment_received', 'deposit_credited'],
          events: ['DEPOSIT_PENDING', 'DEPOSIT_COMPLETED'],
        });
      },
    },
    { atLeast: 31 },
  );
});
