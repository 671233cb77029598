/** Death at any point while an invoice of somebody else's is paid. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertHappenedOnce, dieEverywhere, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openSender, type Sender } from './transfer-story.ts';
import { until } from './until.ts';

let gateway: Gateway;
let shop: Sender;
before(async () => {
  gateway = await startGateway({
    lightningSat: 10_000_000n,
    env: withoutLitecoin,
  });
  shop = await openSender(gateway, '0');
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'LIGHTNING', amount: '0.02' });
  await gateway.lightning.pay({ address: depositInstructions.address });
  await gateway.runUntilIdle();
});
after(() => gateway.stop());

type Told = { readonly id: string; readonly hash: string };

async function order(): Promise<Told> {
  const { invoice, hash } = gateway.lightning.wallet.request({ sat: 1_000n });
  const { id } = await shop.send({ network: 'LIGHTNING', asset: 'SAT', amount: '1000', address: invoice });
  return { id, hash };
}

/** Nodes talk in their own time. */
const arrival = (hash: string): Promise<void> =>
  until('the payment arrives', () => gateway.lightning.wallet.arrivals(hash) > 0);

async function assertPaidOnce({ id, hash }: Told): Promise<void> {
  gateway.clock.advance({ minutes: 2 });
  await until('the transfer is completed', async () => {
    await gateway.runUntilIdle();
    return (await shop.transfer(id)).state === 'COMPLETED';
  });
  const { wallet } = gateway.lightning;
  assert.deepEqual([wallet.arrivals(hash), wallet.received(hash)], [1, 1_000_000n]);
  await assertHappenedOnce(gateway, id, {
    entries: ['transfer_reserved', 'transfer_sent'],
    events: ['TRANSFER_COMPLETED'],
  });
}

test('a sender that dies anywhere pays exactly once', () =>
  dieEverywhere(gateway, { begin: order, live: [sendAll], end: assertPaidOnce }, { atLeast: 6 }));

test('what was paid is seen and booked once, wherever the process dies', () =>
  dieEverywhere(
    gateway,
    {
      async begin() {
        const told = await order();
        await sendAll(gateway.app);
        await arrival(told.hash);
        return told;
      },
      live: [watchAll, sendAll, workAll],
      end: assertPaidOnce,
    },
    { atLeast: 20 },
  ));
