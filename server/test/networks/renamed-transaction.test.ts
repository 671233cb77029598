/**
 * Without segwit anybody can rename a transaction on its way, and both names are as good. What comes in under another
 * name is a replacement of what was seen; what goes out is ours, however it is called, and is never sent again.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { walletOf } from '@quittance/sandbox/faucet-wallet';
import { Transaction } from '@scure/btc-signer';
import { createDogecoinConnector, dogecoin } from './dogecoin.ts';
import { malleate } from './malleate.ts';
import { spendWith, startSendingWallet } from './sending-wallet.ts';
import { dogecoinCoin } from './utxo-coins.ts';

const doge = 100_000_000n;

async function startWallet(t: TestContext, coins: readonly bigint[]) {
  const wallet = await startSendingWallet(t, coins, [dogecoinCoin, 'DOGE', createDogecoinConnector]);
  const { chain, rpc } = wallet;
  return {
    ...wallet,
    /** What waits under this name waits under another one now. */
    async rename(txHash: string): Promise<string> {
      const renamed = malleate(await rpc.call<string>('getrawtransaction', txHash));
      chain.drop(txHash);
      const other = chain.submit(renamed);
      assert.notEqual(other, txHash);
      return other;
    },
    /** What somebody makes of a transaction that was never seen waiting. */
    submitRenamed: (raw: string): string => chain.submit(malleate(raw)),
  };
}

test('a payment that is renamed while it waits is replaced by itself', async (t) => {
  const { chain, watched, rename } = await startWallet(t, []);
  const target = await watched.createOwnTarget(1);
  const first = chain.pay({ address: target.address, units: 5n * doge });
  await watched.observe();
  const second = await rename(first);
  await watched.observe();
  assert.equal(watched.fateOf(first), `replaced by ${second}`);
  assert.equal(watched.fateOf(second), 'waiting');
  chain.mine(1);
  await watched.observe();
  assert.deepEqual(
    watched.summary(target).filter(([, , fate]) => fate === 'in a block'),
    [[second, 5n * doge, 'in a block']],
  );
});

test('likewise when only the block has the other name, and when a reorganisation brings the first one back', async (t) => {
  const { chain, watched, rename, rpc } = await startWallet(t, []);
  const target = await watched.createOwnTarget(1);
  const first = chain.pay({ address: target.address, units: 5n * doge });
  const raw = await rpc.call<string>('getrawtransaction', first);
  await watched.observe();
  const second = await rename(first);
  chain.mine(1);
  await watched.observe();
  assert.deepEqual([watched.fateOf(first), watched.fateOf(second)], [`replaced by ${second}`, 'in a block']);
  chain.reorganise(1, { keepTransactions: false });
  chain.submit(raw);
  chain.mine(1);
  await watched.observe(); // The other one waits again as far as we know,
  await watched.observe(); // and is then looked for.
  assert.deepEqual([watched.fateOf(first), watched.fateOf(second)], ['in a block', `replaced by ${first}`]);
});

test('what we send is followed under whichever name it gets into a block', async (t) => {
  const wallet = await startWallet(t, [50n * doge]);
  const { destination, received } = await wallet.recipient();
  const signed = await wallet.keep(wallet.transferTo(destination, 10n * doge));
  await wallet.sender().broadcast(signed);
  const other = await wallet.rename(signed.txHash);
  await wallet.watched.observe();
  assert.equal(wallet.updateOf(signed.txHash), null, 'it only waits');
  await wallet.mineAndObserve(1);
  const { outcome, happenedAs, fee } = wallet.updateOf(signed.txHash) ?? assert.fail('nothing is said of it');
  assert.deepEqual([outcome, happenedAs], ['included', other]);
  assert.deepEqual(await wallet.free(), [40n * doge - fee.units], 'the change can be spent');

  const next = await wallet.keep(wallet.transferTo(destination, 10n * doge));
  await wallet.sender().broadcast(next);
  await wallet.mineAndObserve(dogecoin.finalityDepth);
  assert.deepEqual(
    [signed, next].map(({ txHash }) => wallet.updateOf(txHash)?.outcome),
    ['included', 'included'],
  );
  assert.equal(await received(), 20n * doge);
});

test('its change is said to be ours under the other name too, waiting and in a block', async (t) => {
  const wallet = await startWallet(t, [50n * doge]);
  const { destination } = await wallet.recipient();
  const signed = await wallet.keep(wallet.transferTo(destination, 10n * doge));
  await wallet.sender().broadcast(signed);
  const other = await wallet.rename(signed.txHash);
  const changeOf = () =>
    [...wallet.watched.payments.values()]
      .map(({ observation }) => observation)
      .filter(({ txHash }) => txHash === other)
      .map(({ signedAs, block }) => [signedAs, block !== null]);
  await wallet.watched.observe();
  assert.deepEqual(changeOf(), [[signed.txHash, false]]);
  await wallet.mineAndObserve(1);
  assert.deepEqual(changeOf(), [[signed.txHash, true]]);
});

test('it is recognised in the block that has it, without a search', async (t) => {
  const wallet = await startWallet(t, [50n * doge]);
  const { destination } = await wallet.recipient();
  const signed = await wallet.keep(wallet.transferTo(destination, 10n * doge));
  const other = wallet.submitRenamed(signed.raw);
  wallet.chain.mine(40);
  // As long as there are blocks to read, nothing is searched for.
  const { sent = [], isCaughtUp } = await wallet.watched.ask();
  assert.equal(isCaughtUp, false);
  assert.deepEqual(
    sent.map(({ txHash, outcome, happenedAs }) => [txHash, outcome, happenedAs]),
    [[signed.txHash, 'included', other]],
  );
});

test('also when its block was read before it was known to be ours', async (t) => {
  const wallet = await startWallet(t, [50n * doge]);
  const { destination } = await wallet.recipient();
  const signed = await wallet.prepare(wallet.transferTo(destination, 10n * doge));
  const other = wallet.submitRenamed(signed.raw);
  const [block] = wallet.chain.mine(1);
  await wallet.mineAndObserve(30);
  wallet.watched.outgoing.keep(signed);
  await wallet.watched.observe();
  const update = wallet.updateOf(signed.txHash);
  assert.deepEqual([update?.outcome, update?.block?.hash, update?.happenedAs], ['included', block, other]);
});

test('a reorganisation may give it its own name back', async (t) => {
  const wallet = await startWallet(t, [50n * doge]);
  const { destination, received } = await wallet.recipient();
  const signed = await wallet.keep(wallet.transferTo(destination, 10n * doge));
  wallet.submitRenamed(signed.raw);
  await wallet.mineAndObserve(1);
  assert.notEqual(wallet.updateOf(signed.txHash)?.happenedAs, undefined);
  wallet.chain.reorganise(1, { keepTransactions: false });
  await wallet.watched.observe();
  assert.equal(wallet.updateOf(signed.txHash), null);
  await wallet.sender().broadcast(signed);
  await wallet.mineAndObserve(1);
  const update = wallet.updateOf(signed.txHash);
  assert.deepEqual([update?.outcome, update?.happenedAs], ['included', undefined]);
  assert.equal(await received(), 10n * doge);
});

test('what would have spent change under a name that is gone is given up, once that is final', async (t) => {
  const wallet = await startWallet(t, [50n * doge]);
  const { destination, received } = await wallet.recipient();
  const first = await wallet.keep(wallet.transferTo(destination, 10n * doge));
  wallet.submitRenamed(first.raw);
  await wallet.mineAndObserve(1);
  const second = await wallet.keep(wallet.transferTo(destination, 20n * doge)); // from the change
  await wallet.sender().broadcast(second);
  wallet.chain.reorganise(1, { keepTransactions: false });
  await wallet.sender().broadcast(first);
  await wallet.mineAndObserve(1);
  await assert.rejects(wallet.sender().broadcast(second), /missingorspent/);
  assert.equal(wallet.updateOf(second.txHash), null);
  await wallet.mineAndObserve(dogecoin.finalityDepth);
  await wallet.mineAndObserve(dogecoin.finalityDepth); // It is looked for again when what took its coins may be final.
  assert.deepEqual(
    [first, second].map(({ txHash }) => wallet.updateOf(txHash)?.outcome),
    ['included', 'expired'],
  );
  assert.equal(await received(), 10n * doge);
});

test('a replacement outbids what a recipient has built on the original, by what an old node says of it', async (t) => {
  const wallet = await startWallet(t, [50n * doge]);
  const key = new Uint8Array(32).fill(1);
  const { address } = walletOf(key, dogecoinCoin);
  const first = await wallet.keep(wallet.transferTo({ address }, 10n * doge));
  await wallet.sender().broadcast(first);
  const paid = Transaction.fromRaw(Buffer.from(first.raw, 'hex'));
  const index = [0, 1].find((at) => paid.getOutput(at).amount === 10n * doge) ?? assert.fail('it is not paid');
  const built = { txid: first.txHash, index, units: 10n * doge };
  const fee = doge / 10n;
  await wallet.rpc.call('sendrawtransaction', spendWith(key, built, { address, fee }, dogecoinCoin));
  const second = await wallet.replace(first);
  await wallet.sender().broadcast(second);
  assert.deepEqual(await wallet.rpc.call('getrawmempool'), [second.txHash]);
});

test('what takes the same coins and pays somebody else is not taken for ours', async (t) => {
  const wallet = await startWallet(t, [50n * doge]);
  const [mine, theirs] = [await wallet.recipient(), await wallet.recipient()];
  const signed = await wallet.prepare(wallet.transferTo(mine.destination, 10n * doge));
  const rival = await wallet.prepare(wallet.transferTo(theirs.destination, 10n * doge));
  assert.deepEqual(rival.uses, signed.uses);
  wallet.watched.outgoing.keep(signed);
  wallet.submitRenamed(rival.raw);
  await wallet.mineAndObserve(1);
  assert.equal(wallet.updateOf(signed.txHash), null);
});
