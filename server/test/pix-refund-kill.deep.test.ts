/** Death at any point while a refund goes back over Pix. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertHappenedOnce, dieEverywhere, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type PixWorld, startPixWorld } from './pix-world.ts';
import type { Shop } from './shop.ts';

let world: PixWorld;
let shop: Shop;
before(async () => {
  world = await startPixWorld();
  shop = await world.shop();
});
after(() => world.stop());

type Told = { readonly id: string; readonly checkoutId: string; readonly name: string };

async function order(): Promise<Told> {
  const { id: checkoutId, name } = await world.paid(shop);
  const { refund } = await shop.post('/refund', { checkoutId, amount: '10' });
  return { id: refund.id, checkoutId, name };
}

async function assertGivenBackOnce({ id, checkoutId, name }: Told): Promise<void> {
  world.gateway.clock.advance({ minutes: 2 }); // What may not have arrived is asked for again after a minute.
  await world.settle();
  assert.equal((await shop.get(`/refund?id=${id}`)).refund.state, 'COMPLETED');
  assert.deepEqual(world.returnsOf(name), ['1000 DEVOLVIDO']);
  await assertHappenedOnce(world.gateway, checkoutId, {
    entries: ['payment_received', 'settlement', 'refund_held', 'refund_sent'],
    events: ['CHECKOUT_COMPLETED', 'REFUND_PARTIAL'],
  });
}

test('a sender that dies anywhere gives back exactly once', () =>
  dieEverywhere(world.gateway, { begin: order, live: [sendAll], end: assertGivenBackOnce }, { atLeast: 4 }));

test('what went back is seen and booked once, wherever the process dies', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        const told = await order();
        await sendAll(world.gateway.app);
        world.gateway.clock.advance({ minutes: 1 });
        return told;
      },
      live: [watchAll, sendAll, workAll],
      end: assertGivenBackOnce,
    },
    { atLeast: 12 },
  ));

test('what the bank did not carry out is the merchant’s again, wherever the process dies', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        const told = await order();
        await sendAll(world.gateway.app);
        world.bank.endReturn(told.name, world.bank.findPix(told.name).returns[0]?.id ?? '', 'NAO_REALIZADO');
        return told;
      },
      live: [watchAll, sendAll, workAll],
      async end({ id, checkoutId, name }) {
        await world.settle();
        assert.equal((await shop.get(`/refund?id=${id}`)).refund.state, 'FAILED');
        assert.deepEqual(world.returnsOf(name), ['1000 NAO_REALIZADO']);
        await assertHappenedOnce(world.gateway, checkoutId, {
          entries: ['payment_received', 'settlement', 'refund_held', 'refund_returned'],
          events: ['CHECKOUT_COMPLETED', 'REFUND_FAILED'],
        });
      },
    },
    { atLeast: 12 },
  ));
