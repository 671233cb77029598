/**
 * Death at any point while money leaves: of the sender that signs and broadcasts, of the watcher that sees
 * what became of it, and of the worker that books it. See die-everywhere.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertHappenedOnce, dieEverywhere, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { freshAddress, mine, openSender, receivedAt, rpc, type Sender } from './transfer-story.ts';

let gateway: Gateway;
let shop: Sender;
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
  shop = await openSender(gateway, '0.9');
});
after(() => gateway.stop());

type Told = { readonly id: string; readonly address: string };

async function order(): Promise<Told> {
  const address = freshAddress();
  const { id } = await shop.send({ amount: '0.001', address });
  return { id, address };
}

async function assertSentOnce({ id, address }: Told): Promise<void> {
  gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
  await gateway.runUntilIdle();
  await mine(gateway, 3); // So many does the change need until it may be spent by the next one.
  assert.equal((await shop.transfer(id)).state, 'COMPLETED');
  assert.equal(await receivedAt(gateway, address), 100_000n);
  assert.deepEqual(await rpc(gateway, 'getrawmempool'), []);
  assert.equal((await shop.balances())['reserved/BTC'], undefined);
  await assertHappenedOnce(gateway, id, {
    ...{ entries: ['transfer_reserved', 'transfer_sent'], events: ['TRANSFER_COMPLETED'] },
  });
}

test('a sender that dies anywhere sends exactly once', () =>
  dieEverywhere(gateway, { begin: order, live: [sendAll], end: assertSentOnce }, { atLeast: 8 }));

test('what was sent is seen and booked once, wherever the process dies', () =>
  dieEverywhere(
    gateway,
    {
      async begin() {
        const told = await order();
        await gateway.runUntilIdle();
        gateway.bitcoin.mine(1);
        return told;
      },
      live: [watchAll, workAll],
      end: assertSentOnce,
    },
    { atLeast: 18 },
  ));
