/** Money that leaves over Lightning: asked for once, paid once, and what it cost is in the books. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { present } from '../src/lib/assert.ts';
import { findPayout, insertPayouts, type StoredPayout } from '../src/sending/payout-store.ts';
import { type Gateway, startGateway, testIssuer, withoutLitecoin } from './gateway.ts';
import { openShop } from './shop.ts';
import { until } from './until.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ lightningSat: 10_000_000n, env: withoutLitecoin });
  // A hundredth of the channel is reserve; the rest of what the shop takes can be sent.
  const shop = await openShop(gateway);
  const checkout = await shop.open('300.00 USD', 'LIGHTNING');
  await gateway.lightning.pay({ address: checkout.address });
  await gateway.runUntilIdle();
});
after(() => gateway.stop());

async function send(id: string, address: string, units: bigint): Promise<void> {
  const destination = { address, memo: null, memoType: null, holder: null };
  const transfer = { ...destination, id, network: 'LIGHTNING', asset: `BTCLN:${testIssuer}`, units };
  await gateway.db.begin((tx) =>
    insertPayouts(tx, [{ ...transfer, purpose: 'withdrawal', merchantId: 'operator' }], gateway.clock.now()),
  );
}

/** Nodes talk in their own time. */
async function ended(id: string): Promise<StoredPayout> {
  let transfer: StoredPayout | undefined;
  await until(`${id} has ended`, async () => {
    await gateway.runUntilIdle();
    transfer = await findPayout(gateway.db, id);
    return transfer !== undefined && transfer.state !== 'QUEUED' && transfer.state !== 'SIGNED';
  });
  return present(transfer, id);
}

test('an invoice is paid once, though it was asked for twice', async () => {
  const { invoice, hash } = gateway.lightning.wallet.request({ sat: 5_000n });
  await send('first', invoice, 5_000n);
  await send('first', invoice, 5_000n);
  const { state, txHash } = await ended('first');
  assert.deepEqual([state, txHash, gateway.lightning.wallet.received(hash)], ['DONE', hash, 5_000_000n]);
});

test('a restart in the middle loses nothing', async () => {
  const { invoice, hash } = gateway.lightning.wallet.request({ sat: 6_000n, isHeld: true });
  await send('held', invoice, 6_000n);
  await gateway.runUntilIdle();
  await gateway.restart(async () => {
    await until('the payment arrives', () => gateway.lightning.wallet.arrivals(hash) > 0);
    gateway.lightning.wallet.release(hash, 'take');
  });
  assert.equal((await ended('held')).state, 'DONE');
  assert.deepEqual([gateway.lightning.wallet.arrivals(hash), gateway.lightning.wallet.received(hash)], [1, 6_000_000n]);
});

test('what can never be sent fails with a sentence, and keeps nobody else waiting', async () => {
  const { wallet } = gateway.lightning;
  await send('own', gateway.lightning.createInvoice(500n), 500n);
  await send('large', wallet.request({ sat: 9_000_000n }).invoice, 9_000_000n);
  await send('small', wallet.request({ sat: 700n }).invoice, 700n);
  assert.match((await ended('own')).failure ?? '', /our own node/);
  assert.equal((await ended('small')).state, 'DONE');
  assert.equal((await findPayout(gateway.db, 'large'))?.state, 'QUEUED');
});
