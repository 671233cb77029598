/**
 * A channel carries only so many payments at once, and whoever is paid decides for how long. A merchant who pays invoices of
 * its own, and holds what comes, gets no more than a share: a neighbour's payment arrives.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deepTest } from './depth.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { openSender, type Sender } from './transfer-story.ts';
import { until } from './until.ts';

let gateway: Gateway;
before(async () => {
  gateway = await startGateway({ lightningSat: 10_000_000n, env: withoutLitecoin });
});
after(() => gateway.stop());

/** Of the fifty slots that a channel of the sandbox has: what one merchant gets while nobody else sends. */
const share = 13;

async function openRichSender(): Promise<Sender> {
  const shop = await openSender(gateway, '0');
  const { depositInstructions } = await shop.post('/deposit-address', { network: 'LIGHTNING', amount: '0.004' });
  await gateway.lightning.pay({ address: depositInstructions.address });
  await gateway.runUntilIdle();
  return shop;
}

const orderOf = (address: string) => ({ network: 'LIGHTNING', asset: 'SAT', amount: '400', address });

/** Invoices whose recipient neither takes nor refuses what comes, for a day. */
const heldInvoice = () => gateway.lightning.wallet.request({ sat: 400n, isHeld: true, finalBlocks: 144 });

async function stateOf(shop: Sender, id: string, state: string): Promise<any> {
  let transfer: any;
  await until(`${id} is ${state}`, async () => {
    await gateway.runUntilIdle();
    transfer = await shop.transfer(id);
    return transfer.state === state;
  });
  return transfer;
}

type Held = { readonly id: string; readonly hash: string };

async function holdAsMuchAsPossible(shop: Sender, orders: number): Promise<{ taken: Held[]; refused: string[] }> {
  const taken: Held[] = [];
  const refused: string[] = [];
  for (let ordered = 0; ordered < orders; ordered += 1) {
    const { invoice, hash } = heldInvoice();
    const { status, headers, body } = await shop.order(orderOf(invoice));
    if (status === 200) taken.push({ id: body.transfer.id, hash });
    else refused.push(`${status} ${headers.get('retry-after')} ${body.errors.join(' ')}`);
  }
  await gateway.runUntilIdle();
  await until('what was taken has arrived', () =>
    taken.every(({ hash }) => gateway.lightning.wallet.arrivals(hash) > 0),
  );
  return { taken, refused };
}

deepTest(
  'sixty payments that their recipient holds leave room for a neighbour, and what cannot leave is refused',
  async () => {
    const [holder, neighbour] = [await openRichSender(), await openRichSender()];
    const before = await holder.balances();
    const { taken, refused } = await holdAsMuchAsPossible(holder, 60);
    assert.deepEqual([taken.length, refused.length], [share, 60 - share]);
    const sentence =
      '503 60 This account has as many payments under way on Lightning as it may have at once, because the rest is kept for others: ' +
      'order this one again when one of them has ended.';
    assert.deepEqual(new Set(refused), new Set([sentence]));

    const wanted = gateway.lightning.wallet.request({ sat: 400n });
    const { id } = await neighbour.send(orderOf(wanted.invoice));
    await stateOf(neighbour, id, 'COMPLETED');
    assert.equal(gateway.lightning.wallet.received(wanted.hash), 400_000n);

    // Whoever is paid takes one, which makes room for another.
    const [first, ...others] = taken as [Held, ...Held[]];
    gateway.lightning.wallet.release(first.hash, 'take');
    await stateOf(holder, first.id, 'COMPLETED');
    const again = await holdAsMuchAsPossible(holder, 2);
    assert.deepEqual([again.taken.length, again.refused], [1, [sentence]]);

    // The time is over for all that are held: the money is back, and nothing has arrived.
    await gateway.lightning.mine(100);
    await until('nothing is on its way', async () => {
      await gateway.lightning.mine(1);
      return gateway.lightning.underWay() === 0;
    });
    for (const { id, hash } of [...others, ...again.taken]) {
      await stateOf(holder, id, 'FAILED');
      assert.deepEqual([gateway.lightning.wallet.arrivals(hash), gateway.lightning.wallet.received(hash)], [1, 0n]);
    }
    const cost = Math.round(1e8 * Number((await holder.transfer(first.id)).total));
    const [was, is] = [before['available/BTCLN'], (await holder.balances())['available/BTCLN']].map(Number);
    assert.equal(is, (was ?? 0) - cost);
  },
);

test('what was ordered while nobody knew of slots waits and says so, and a neighbour goes first', async () => {
  const [holder, neighbour] = [await openRichSender(), await openRichSender()];
  // A watcher of the previous release does not tell of slots.
  await gateway.db`update network_cursor set facts = facts - 'slots' where network = 'LIGHTNING'`;
  await gateway.app.refresh();
  const invoices = Array.from({ length: share + 4 }, heldInvoice);
  const ids: string[] = [];
  for (const { invoice } of invoices) ids.push((await holder.send(orderOf(invoice))).id);
  const wanted = gateway.lightning.wallet.request({ sat: 400n });
  const first = await neighbour.send(orderOf(wanted.invoice));
  await stateOf(neighbour, first.id, 'COMPLETED');
  assert.equal(gateway.lightning.wallet.received(wanted.hash), 400_000n);

  const transfers = async () => Promise.all(ids.map((id) => holder.transfer(id)));
  const told = (await transfers()).map(({ state, waitsFor }) => `${state} ${waitsFor}`).toSorted();
  assert.deepEqual(told, [...Array(4).fill('QUEUED OWN_PAYMENTS'), ...Array(share).fill('SENT undefined')]);
  const waiting = (await transfers()).filter(({ state }) => state === 'QUEUED');
  const { transfer: canceled } = await holder.post('/transfer/cancel', { id: waiting[0].id });
  assert.deepEqual([canceled.state, canceled.waitsFor], ['CANCELED', undefined]);

  const { wallet } = gateway.lightning;
  const isLeft = ({ id }: { id: string }): boolean => id !== canceled.id;
  await until('all others have arrived', async () => {
    await gateway.runUntilIdle();
    for (const { hash } of invoices)
      if (wallet.arrivals(hash) > 0 && wallet.received(hash) === 0n) wallet.release(hash, 'take');
    return (await transfers()).filter(isLeft).every(({ state }) => state === 'COMPLETED');
  });
  const received = invoices.map(({ hash }) => wallet.received(hash));
  assert.deepEqual(
    received,
    ids.map((id) => (id === canceled.id ? 0n : 400_000n)),
  );
});
