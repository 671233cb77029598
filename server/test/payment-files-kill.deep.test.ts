/** Death at any point while a payment file is made, given out or given up (see die-everywhere). */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { downloadPaymentFile } from '../src/bank-files/download-payment-file.ts';
import { findFile } from '../src/bank-files/list-payment-files.ts';
import { findMakeOrder } from '../src/bank-files/make-order-store.ts';
import { orderPaymentFile } from '../src/bank-files/make-ordered.ts';
import { voidPaymentFile } from '../src/bank-files/void-payment-file.ts';
import { dieEverywhere, watchAll, workAll } from './die-everywhere.ts';
import { openPaymentWorld, type PaymentWorld } from './payment-file-world.ts';
import type { Sender } from './transfer-story.ts';

let world: PaymentWorld;
let shop: Sender;
before(async () => {
  world = await openPaymentWorld();
  shop = await world.paidShop(500_000n);
});
after(() => world.stop());

const filesOf = async (payoutId: string): Promise<string[]> => {
  const rows = await world.gateway.db<{ file: string }>`
    select trace ->> 'file' as file from outgoing_transaction where trace ->> 'payout' = ${payoutId}`;
  return rows.map(({ file }) => file);
};

test('a file is made once, with every payment in one file, and booked once, whoever dies', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        const ids = [await world.pay(shop, '1'), await world.pay(shop, '2')];
        const orderId = await orderPaymentFile(world.gateway.db, 'SEPA', world.gateway.clock.now());
        return { ids, orderId };
      },
      live: [workAll, watchAll],
      async end({ ids, orderId }) {
        world.gateway.clock.advance({ minutes: 2 }); // So long a dead worker has its job.
        await world.gateway.runUntilIdle();
        const outcome = (await findMakeOrder(world.gateway.db, orderId))?.outcome;
        assert.ok(outcome && 'made' in outcome, 'whoever asked is told of the file, not that nothing waits');
        const { id, payments } = outcome.made;
        assert.equal(payments, 2);
        for (const each of ids) assert.deepEqual(await filesOf(each), [id]);
        const bytes = await world.download(id);
        assert.ok(world.bank.takeFile(bytes).isTaken);
        await world.bringStatement();
        assert.equal((await findFile(world.gateway.db, id))?.fate, 'BOOKED');
      },
    },
    { atLeast: 2 },
  ));

test('whoever has the bytes has a file that is called downloaded', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        await world.pay(shop, '1');
        const got: { bytes: Buffer | null } = { bytes: null };
        return { id: await world.make(), got };
      },
      live: [
        async (_, { id, got }, { db, clock }) => {
          const asked = { id, isAgain: false, actor: 'operator', begin: db.begin } as const;
          got.bytes = (await downloadPaymentFile({ ...world.deps, clock }, asked)).bytes;
        },
      ],
      async end({ id, got }) {
        const { state } = (await findFile(world.gateway.db, id)) ?? {};
        if (got.bytes !== null) assert.equal(state, 'DOWNLOADED');
        const bytes = await world.download(id, { again: 'yes' });
        assert.ok(world.bank.takeFile(bytes).isTaken);
        await world.bringStatement();
      },
    },
    { atLeast: 1 },
  ));

test('a file that is given up is given up whole', () =>
  dieEverywhere(
    world.gateway,
    {
      async begin() {
        const ids = [await world.pay(shop, '1'), await world.pay(shop, '2')];
        return { ids, id: await world.make() };
      },
      live: [
        (_, { id }, { db, clock }) =>
          voidPaymentFile({ clock }, { id, isDeclared: false, actor: 'operator', begin: db.begin }),
      ],
      async end({ ids, id }) {
        const file = await findFile(world.gateway.db, id);
        const states = await Promise.all(ids.map(world.payoutState));
        if (file?.state === 'VOID') assert.deepEqual([states, file.counts], [['QUEUED', 'QUEUED'], { VOID: 2 }]);
        else assert.deepEqual([states, file?.counts], [['SIGNED', 'SIGNED'], { IN_FILE: 2 }]);
        const next = file?.state === 'VOID' ? await world.make() : id;
        assert.ok(world.bank.takeFile(await world.download(next)).isTaken);
        await world.bringStatement();
      },
    },
    { atLeast: 1 },
  ));
