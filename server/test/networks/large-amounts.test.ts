/** Some coins are counted in billions, so that one output has more of them than a JSON number tells apart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDogecoinConnector } from './dogecoin.ts';
import { startSendingWallet } from './sending-wallet.ts';
import { dogecoinCoin } from './utxo-coins.ts';

/** A miner's block makes more than we are paid. */
const coin = { ...dogecoinCoin, subsidyUnits: 10n ** 16n };
const large = 84_000_000n * 100_000_000n + 1n;

test('a payment of any size is read to the unit, a stranger’s too, and the watcher goes on', async (t) => {
  const { chain, watched, recipient, mineAndObserve } = await startSendingWallet(
    t,
    [],
    [coin, 'DOGE', createDogecoinConnector],
  );
  const target = await watched.createOwnTarget(1);
  const { destination } = await recipient();
  chain.pay({ address: destination.address, units: large });
  const tx = chain.pay({ address: target.address, units: large });
  await watched.observe();
  assert.deepEqual(watched.summary(target), [[tx, large, 'waiting']]);
  await mineAndObserve(1);
  assert.deepEqual(watched.summary(target), [[tx, large, 'in a block']]);
});

test('it can be sent on, and what is sent is followed', async (t) => {
  const wallet = await startSendingWallet(t, [large], [coin, 'DOGE', createDogecoinConnector]);
  const { destination, received } = await wallet.recipient();
  const units = large - 5_000_000_000_000_000n;
  const sent = await wallet.keep(wallet.transferTo(destination, units));
  await wallet.sender().broadcast(sent);
  await wallet.mineAndObserve(1);
  assert.equal(wallet.updateOf(sent.txHash)?.outcome, 'included');
  assert.equal(await received(), units);
});
