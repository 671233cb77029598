/** Death at any point while a payment is taken back that was credited, in part and before it came. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertHappenedOnce, dieEverywhere, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { createTestBank, type TestBank } from './networks/test-bank.ts';
import { balancesOf, openShop } from './shop.ts';

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

test('what is taken back is taken back once, and its rest is booked once', async () => {
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const shop = await openShop(gateway);
        const { id } = await shop.open('60.00 EUR', 'SEPA');
        const booking = bank.pay(id, 6_000n);
        await gateway.runUntilIdle();
        assert.equal(await shop.state(id), 'COMPLETED');
        bank.takeBack(booking, 2_500n);
        return { shop, id, booking };
      },
      live: [watchAll, workAll, (_, { booking }) => bank.takeBack(booking, 4_000n), watchAll, workAll],
      async end({ shop, id, booking }) {
        await gateway.runUntilIdle();
        // The process may have died before the bank took the rest back.
        const [{ count } = { count: 0 }] = await gateway.db<{ count: number }>`
          select count(*)::integer as count from network_movement where tx_hash = ${booking}`;
        if (count === 1) bank.takeBack(booking, 4_000n);
        await gateway.runUntilIdle();
        gateway.clock.advance({ seconds: 30 }); // What a dead worker was sending may still arrive.
        await gateway.runUntilIdle();
        assert.deepEqual(await shop.balances(), {});
        await assertHappenedOnce(gateway, id, {
          entries: [
            ...['payment_received', 'settlement', 'settlement_reversed', 'payment_reversed'],
            ...(await wasBookedBetween(id)),
          ],
          events: ['CHECKOUT_COMPLETED', 'CHECKOUT_REVERSED'],
        });
      },
    },
    { atLeast: 8 },
  );
  const losses = await gateway.db<{
    units: string;
  }>`select open_units as units from network_movement where open_units <> 0`;
  assert.ok(losses.every(({ units }) => units === '-50000000'));
  const suspense = (await balancesOf(gateway, 'operator/'))['suspense/EUR'];
  assert.equal(suspense, String(losses.length * -50_000_000), 'each time 5.00 more was taken than was paid');
});

/** Whoever died before the first reversal was looked at books nothing of what it left, because that is gone by then. */
async function wasBookedBetween(id: string): Promise<string[]> {
  const [{ generation } = { generation: 0 }] = await gateway.db<{ generation: number }>`
    select generation from payment where owner_id = ${id} and rest_of is not null`;
  return generation === 0 ? [] : ['payment_received', 'payment_reversed'];
}
