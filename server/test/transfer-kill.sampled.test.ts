/**
 * Death at any point while money leaves: of the sender that signs, broadcasts and raises fees, of the watcher that sees
 * what became of it, and of the worker that books it. See die-everywhere.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertHappenedOnce, dieEverywhere, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { freshAddress, mine, openSender, receivedAt, rpc, type Sender } from './transfer-story.ts';

let gateway: Gateway;
let shops: readonly [Sender, Sender];
before(async () => {
  gateway = await startGateway({ env: withoutLitecoin });
  shops = [await openSender(gateway, '0.5'), await openSender(gateway, '0.5')];
});
after(() => gateway.stop());

type Told = { readonly shop: Sender; readonly id: string; readonly address: string };

async function order(shop: Sender): Promise<Told> {
  const address = freshAddress();
  const { id } = await shop.send({ amount: '0.001', address });
  return { shop, id, address };
}

/** Two merchants, one transaction. */
const orderBoth = async (): Promise<Told[]> => [await order(shops[0]), await order(shops[1])];

async function assertSentOnce(transfers: readonly Told[]): Promise<void> {
  gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
  await gateway.runUntilIdle();
  await mine(gateway, 3); // So many does the change need until it may be spent by the next one.
  assert.deepEqual(await rpc(gateway, 'getrawmempool'), []);
  for (const { shop, id, address } of transfers) {
    assert.equal((await shop.transfer(id)).state, 'COMPLETED');
    assert.equal(await receivedAt(gateway, address), 100_000n);
    assert.equal((await shop.balances())['reserved/BTC'], undefined);
    await assertHappenedOnce(gateway, id, {
      entries: ['transfer_reserved', 'transfer_sent'],
      events: ['TRANSFER_COMPLETED'],
    });
  }
}

test('a sender that dies anywhere sends exactly once', () =>
  dieEverywhere(gateway, { begin: orderBoth, live: [sendAll], end: assertSentOnce }, { atLeast: 8 }));

test('what was sent is seen and booked once, wherever the process dies', () =>
  dieEverywhere(
    gateway,
    {
      async begin() {
        const told = await orderBoth();
        await gateway.runUntilIdle();
        gateway.bitcoin.mine(1);
        return told;
      },
      live: [watchAll, workAll],
      end: assertSentOnce,
    },
    { atLeast: 18 },
  ));

test('a fee is raised and the money arrives once, wherever the process dies', async () => {
  const { chain } = gateway.bitcoin;
  const wait = (): void => gateway.clock.advance({ minutes: 5 });
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const told = await order(shops[0]);
        chain.demandFeeRate(12_000n);
        await gateway.runUntilIdle();
        return told;
      },
      live: [sendAll, wait, sendAll, () => chain.mine(1), watchAll, workAll],
      async end(told) {
        const isDone = async (): Promise<boolean> => (await told.shop.transfer(told.id)).state === 'COMPLETED';
        for (let round = 0; round < 9 && !(await isDone()); round += 1) {
          wait();
          await mine(gateway, 1);
        }
        const versions = await gateway.db`
          select from outgoing_transaction
           where id = (select transaction_id from outgoing_transfer where id = ${told.id})`;
        assert.ok(versions.length > 1, 'the fee was raised');
        await assertSentOnce([told]);
      },
    },
    { atLeast: 16 },
  );
  chain.demandFeeRate(0n);
});
