/** Transactions that are renamed on their way (see renamed-transaction.test.ts), by the rules of a real node. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findLitecoind, startLitecoindHarness } from '@quittance/sandbox/litecoind';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import { connectDogecoinOnLitecoind } from './dogecoin.ts';
import { malleate } from './malleate.ts';
import { dogecoinOnLitecoind } from './utxo-coins.ts';
import { createWatched } from './watched-connector.ts';

const program = findLitecoind();
const doge = 100_000_000n;

async function start(t: TestContext) {
  const harness = await startLitecoindHarness(
    program as string,
    dogecoinOnLitecoind,
    'DOGE',
    connectDogecoinOnLitecoind,
  );
  t.after(() => harness.stop());
  const watched = createWatched(harness.createConnector());
  await watched.observe();
  const target = await watched.createOwnTarget(1);
  return {
    harness,
    watched,
    target,
    /** Nodes do not relay the twin of a signature; a miner may take it all the same. */
    async mineRenamed(raw: string): Promise<string> {
      const { address } = await watched.createOwnTarget(900_000);
      await assert.rejects(harness.rpc.call('sendrawtransaction', malleate(raw)));
      const { hash } = await harness.rpc.call<{ hash: string }>('generateblock', address, [malleate(raw)]);
      const { tx } = await harness.rpc.call<{ tx: string[] }>('getblock', hash, 1);
      assert.equal(tx.length, 2);
      return tx[1] as string;
    },
  };
}

// Where it is missing, litecoind.conformance.deep.test.ts says so aloud.
if (program !== undefined) {
  test('a payment that a miner renames is replaced by itself', async (t) => {
    const { harness, watched, target, mineRenamed } = await start(t);
    const first = await harness.pay({ target, units: 5n * doge });
    await watched.observe();
    const second = await mineRenamed(await harness.rpc.call<string>('getrawtransaction', first));
    assert.notEqual(second, first);
    await watched.observe();
    assert.deepEqual([watched.fateOf(first), watched.fateOf(second)], [`replaced by ${second}`, 'in a block']);
  });

  test('what we send and a miner renames has been sent, and its change can be spent', async (t) => {
    const { harness, watched, target, mineRenamed } = await start(t);
    await harness.pay({ target, units: 40n * doge });
    await harness.mine(1);
    await watched.observe();
    const sender = senderOf(watched.connector);
    const { destination, received } = await harness.recipient();
    const order = (id: string) => ({ id, assetCode: 'DOGE', units: 10n * doge, ...destination });
    const signed = watched.outgoing.keep(await sender.prepare([order('first')], watched.sendContext()));
    await sender.broadcast(signed);
    const other = await mineRenamed(signed.raw);
    await watched.observe();
    const update = watched.outgoing.transactions.get(signed.txHash)?.update;
    assert.deepEqual([update?.outcome, update?.happenedAs], ['included', other]);

    const next = watched.outgoing.keep(await sender.prepare([order('second')], watched.sendContext()));
    assert.ok(next.uses.every((coin) => coin.startsWith(other)));
    await sender.broadcast(next);
    await harness.mine(1);
    await watched.observe();
    assert.equal(await received(), 20n * doge);
  });
}
