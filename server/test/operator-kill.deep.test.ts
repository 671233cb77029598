/** Death at any point while the operator decides about money, and the operator who asks again. See die-everywhere. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { enqueue } from '../src/jobs/enqueue.ts';
import { present } from '../src/lib/assert.ts';
import { newId } from '../src/lib/ids.ts';
import { assignUnmatched } from '../src/watching/assign-unmatched.ts';
import { returnUnmatched } from '../src/watching/return-unmatched.ts';
import { listUnmatched } from '../src/watching/unmatched-store.ts';
import { assertHappenedOnce, dieEverywhere, sendAll, watchAll, workAll } from './die-everywhere.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { returnDeps } from './return-deps.ts';
import { openShop, type Shop } from './shop.ts';
import { freshAddress, mine, openSender, receivedAt } from './transfer-story.ts';

let gateway: Gateway;
let shop: Shop;
before(async () => {
  gateway = await startGateway({ hasStellar: true, env: withoutLitecoin });
  shop = await openShop(gateway);
  for (const _ of ['channels', 'trust lines']) await closeLedgers(2);
});
after(() => gateway.stop());

async function closeLedgers(count: number): Promise<void> {
  for (let ledger = 0; ledger < count; ledger += 1) {
    await gateway.runUntilIdle();
    gateway.clock.advance({ seconds: 5 });
    gateway.stellar.close();
  }
  await gateway.runUntilIdle();
}

/** Nobody can say what it is for. */
async function payWithoutMemo(units: bigint): Promise<string> {
  gateway.stellar.pay(null, { address: String(gateway.env['STELLAR_ACCOUNT']), units });
  await closeLedgers(1);
  const [unmatched, ...others] = await listUnmatched(gateway.db);
  assert.deepEqual(others, []);
  return present(unmatched, 'the payment that named nobody').id;
}

const entriesOf = (kind: string) => gateway.db`select from ledger_entry where kind = ${kind}`;

test('what named nobody is sent back once', async () => {
  const order = { destination: null, feeUnits: 100n };
  let returned = 0;
  await dieEverywhere(
    gateway,
    {
      begin: () => payWithoutMemo(100_000_000n),
      live: [
        (_, id, process) => returnUnmatched({ ...returnDeps(gateway), ...process }, id, order),
        sendAll,
        () => gateway.stellar.close(),
        watchAll,
        workAll,
      ],
      async end(id) {
        await returnUnmatched(returnDeps(gateway), id, order).catch((error: Error) =>
          assert.match(error.message, /is already on its way back|was sent back before/),
        );
        await closeLedgers(4);
        returned += 1;
        assert.deepEqual(await listUnmatched(gateway.db), []);
        assert.equal((await entriesOf('unmatched_returned')).length, returned);
      },
    },
    { atLeast: 29 },
  );
});

test('what named nobody is assigned once', async () => {
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const checkout = await shop.open('1.00 USD', 'STELLAR');
        return { checkoutId: checkout.id, id: await payWithoutMemo(100_000_000n) };
      },
      live: [(_, { id, checkoutId }, process) => assignUnmatched(process, id, checkoutId), workAll],
      async end({ id, checkoutId }) {
        await assignUnmatched(gateway, id, checkoutId);
        await gateway.runUntilIdle();
        assert.equal(await shop.state(checkoutId), 'COMPLETED');
        await assertHappenedOnce(gateway, checkoutId, {
          entries: ['unmatched_assigned', 'payment_received', 'settlement'],
          events: ['CHECKOUT_COMPLETED'],
        });
      },
    },
    { atLeast: 13 },
  );
});

test('what is the operator’s own is taken out once', async () => {
  await openSender(gateway, '1'); // Of which the operator earned half a percent.
  let taken = 0;
  await dieEverywhere(
    gateway,
    {
      async begin() {
        const address = freshAddress();
        const order = { network: 'BITCOIN', asset: 'BTC', amount: '0.0001', address, memo: null, memoType: null };
        const payload = { ...order, transferId: newId() };
        const job = { name: 'withdrawal.request' as const, payload, runAt: gateway.clock.now() };
        await gateway.db.begin((tx) => enqueue(tx, [job]));
        return address;
      },
      live: [workAll, sendAll, () => gateway.bitcoin.mine(1), watchAll, workAll],
      async end(address) {
        gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
        await gateway.runUntilIdle();
        await mine(gateway, 3);
        taken += 1;
        assert.equal(await receivedAt(gateway, address), 10_000n);
        assert.equal((await entriesOf('withdrawal_sent')).length, taken);
      },
    },
    { atLeast: 33 },
  );
});
