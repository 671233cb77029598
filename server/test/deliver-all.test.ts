/** Stories that end with everything told: also when something failed on the way that will go well the next time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliverAll } from './deliver-all.ts';
import { startGateway } from './gateway.ts';
import { openShop } from './shop.ts';

test('a payment whose first look fails is credited and told of all the same', async () => {
  const gateway = await startGateway();
  try {
    // Fails once: a sequence does not go back with its transaction.
    await gateway.db.script(`
      create sequence troubles;
      create function trouble() returns trigger language plpgsql as $$
      begin
        if nextval('troubles') = 1 then raise exception 'terminating connection' using errcode = '57P01'; end if;
        return null;
      end $$;
      create trigger trouble before insert on settlement for each statement execute function trouble();`);
    const shop = await openShop(gateway);
    const { id, address, amount } = await shop.open('50.00 USD', 'BITCOIN', { settlementAsset: 'LTC' });
    gateway.bitcoin.pay({ address, amount });
    gateway.bitcoin.mine(6);
    await gateway.runUntilIdle();
    assert.equal(await shop.state(id), 'PENDING', 'it failed');
    await deliverAll(gateway);
    assert.deepEqual(shop.eventsOf(id), ['CHECKOUT_COMPLETED COMPLETED']);
  } finally {
    await gateway.stop();
  }
});
