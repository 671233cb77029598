/**
 * A node that goes silent at any moment of the sending: before it hears of a request, or after it has done what was
 * asked and before it says so. However it is, the money is sent exactly once.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { sampleOf } from './depth.ts';
import { type Gateway, startGateway, withoutLitecoin } from './gateway.ts';
import { type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { freshAddress, mine, openSender, receivedAt, rpc, type Sender } from './transfer-story.ts';
import { turns } from './until.ts';

let proxy: NodeProxy;
let gateway: Gateway;
let shop: Sender;
before(async () => {
  proxy = await startNodeProxy();
  gateway = await startGateway({
    env: { ...withoutLitecoin, BITCOIN_RPC_URL: proxy.urlFor('sandbox:sandbox') },
  });
  proxy.passTo(gateway.bitcoin.chain.url);
  await gateway.runUntilIdle();
  shop = await openSender(gateway, '1');
});
after(async () => {
  await gateway.stop();
  await proxy.close();
});

/** One transfer, and the node silent from the k-th request of its sending on. Tells at which request. */
async function sendThroughCut(request: number, moment: 'before' | 'after'): Promise<string | null> {
  const address = freshAddress();
  const { id } = await shop.send({ amount: '0.001', address });
  proxy.cutAt({ request, moment });
  for (const sender of gateway.app.senders) await sender.tick();
  for (const watcher of gateway.app.watchers) await watcher.tick();
  for (const sender of gateway.app.senders) await sender.tick();
  const at = proxy.mend();

  gateway.clock.advance({ minutes: 2 }); // What may not have arrived is broadcast again after a minute.
  await gateway.runUntilIdle();
  await mine(gateway, 3); // So many does the change need until it may be spent by the next one.
  const where = `${moment} request ${request}, ${at}`;
  assert.equal((await shop.transfer(id)).state, 'COMPLETED', where);
  assert.equal(await receivedAt(gateway, address), 100_000n, where);
  assert.deepEqual(await rpc(gateway, 'getrawmempool'), [], where);
  assert.deepEqual(shop.eventsOf(id), ['TRANSFER_COMPLETED COMPLETED'], where);
  return at;
}

for (const moment of sampleOf(['before', 'after'] as const, (each) => each === 'after'))
  test(`a transfer is sent once, wherever the node goes silent ${moment} it has done what was asked`, async () => {
    const cutAt = new Set<string>();
    for (const turn of turns()) {
      const request = turn + 1;
      const at = await sendThroughCut(request, moment);
      if (at === null) break;
      cutAt.add(at);
    }
    assert.ok(cutAt.has('sendrawtransaction'), [...cutAt].join(', '));
    assert.ok(cutAt.size >= 4, [...cutAt].join(', '));
    assert.deepEqual(await verifyLedger(gateway.db), []);
  });
