/** What can happen to a transaction of our own between signing and being final, and that each of it is noticed. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { testAccountKey, testAccountSecret } from '@quittance/sandbox/utxo-chain-harness';
import { createBitcoinConnector } from '@quittance/server/networks/bitcoin/bitcoin';
import { rewindUtxoCursor } from '@quittance/server/networks/families/utxo/utxo-cursor';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import { NotEnoughFunds, type SendContext, SendRefused } from '@quittance/server/networks/port/sending';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { Secret } from '../../src/lib/secret.ts';
import { bitcoinTestChain, ownKey, spendWith, startSendingWallet } from './sending-wallet.ts';

const keyOf = (seed: number) => new Uint8Array(32).fill(seed);
const addressOf = (seed: number) => p2wpkh(pubECDSA(keyOf(seed)), bitcoinTestChain).address;

/** Where the payment to an address is in a transaction. */
function outputTo(raw: string, units: bigint): { txid: string; index: number; units: bigint } {
  const tx = Transaction.fromRaw(Buffer.from(raw, 'hex'));
  const index = Array.from({ length: tx.outputsLength }, (_, at) => tx.getOutput(at).amount).indexOf(units);
  return { txid: tx.id, index, units };
}

test('several transfers travel in one transaction, each gets its exact amount, and the rest comes back', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const people = await Promise.all([1, 2, 3].map(() => wallet.recipient()));
  const signed = await wallet.prepare(
    ...people.map(({ destination }, at) => wallet.transferTo(destination, 100_000n + BigInt(at))),
  );
  assert.equal(signed.payoutIds.length, 3);
  assert.equal(signed.uses.length, 1);
  await wallet.sender().broadcast(wallet.watched.outgoing.keep(signed));
  await wallet.mineAndObserve(1);
  assert.deepEqual(await Promise.all(people.map(({ received }) => received())), [100_000n, 100_001n, 100_002n]);
  assert.deepEqual(await wallet.free(), [1_000_000n - 300_003n - signed.fee.units]);
  const { sequence } = Transaction.fromRaw(Buffer.from(signed.raw, 'hex')).getInput(0);
  assert.equal(sequence, 0xfffffffd, 'it does not say that it can be replaced');
});

test('however many crumbs came first, the money behind them can be sent, also to raise a fee', async (t) => {
  const wallet = await startSendingWallet(t, [600n, 600n, 600n, 600n, 100_000n, 50_000n]);
  const context = wallet.watched.sendContext();
  const few: SendContext = {
    ...context,
    unspent: (wish) => context.unspent({ ...wish, limit: Math.min(wish.limit, 2) }),
  };
  const transfer = wallet.transferTo({ address: addressOf(1) }, 98_800n);
  const first = wallet.watched.outgoing.keep(await wallet.sender().prepare([transfer], few));
  assert.equal(first.uses.length, 1);
  const now = new Date(first.signedAt.getTime() + 31 * 60_000);
  const replacement = await wallet.sender().replace?.(first, { ...few, now });
  assert.equal(replacement?.uses.length, 2);
});

test('what can never be sent is refused by name, and what must wait is not', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const good = wallet.transferTo({ address: addressOf(1) }, 10_000n);
  const dust = wallet.transferTo({ address: addressOf(1) }, 293n);
  const isRefused = (id: string, text: RegExp) => (error: Error) =>
    error instanceof SendRefused && error.payoutId === id && text.test(error.message);
  await assert.rejects(
    wallet.prepare(good, dust),
    isRefused(dust.id, /0\.00000293 BTC is too little.*0\.00000294 BTC/),
  );
  const nobody = wallet.transferTo({ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }, 10_000n);
  await assert.rejects(wallet.prepare(nobody), isRefused(nobody.id, /another network/));
  const noted = { ...good, memo: '7', memoType: 'text' };
  await assert.rejects(wallet.prepare(noted), isRefused(good.id, /no memo/));
  const all = wallet.transferTo({ address: addressOf(1) }, 2_100_000_000_000_001n);
  await assert.rejects(wallet.prepare(all), isRefused(all.id, /more than there will ever be/));
  const large = wallet.transferTo({ address: addressOf(1) }, 1_000_000n);
  await assert.rejects(wallet.prepare(large), NotEnoughFunds);
  assert.deepEqual((await wallet.prepare(good, large)).payoutIds, [good.id]);
});

test('a transaction whose block was read before it was known to be ours is found all the same', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const signed = await wallet.prepare(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  await wallet.rpc.call('sendrawtransaction', signed.raw);
  const [block] = wallet.chain.mine(1);
  await wallet.mineAndObserve(5);
  wallet.watched.outgoing.keep(signed);
  await wallet.watched.observe();
  assert.equal(wallet.updateOf(signed.txHash)?.block?.hash, block);
  assert.equal(wallet.updateOf(signed.txHash)?.fee.units, signed.fee.units);
});

test('likewise when everything that it paid is already spent', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const signed = await wallet.prepare(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  await wallet.rpc.call('sendrawtransaction', signed.raw);
  const [block] = wallet.chain.mine(1);
  await wallet.mineAndObserve(1);
  const elsewhere = { address: addressOf(2), fee: 1_000n };
  await wallet.rpc.call('sendrawtransaction', spendWith(keyOf(1), outputTo(signed.raw, 100_000n), elsewhere));
  const second = await wallet.prepare(wallet.transferTo({ address: addressOf(3) }, 100_000n)); // from the change
  await wallet.rpc.call('sendrawtransaction', second.raw);
  await wallet.mineAndObserve(25);
  wallet.watched.outgoing.keep(signed);
  await wallet.watched.observe();
  assert.equal(wallet.updateOf(signed.txHash)?.block?.hash, block);
});

test('blocks that are read again tell again', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const signed = await wallet.keep(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  await wallet.sender().broadcast(signed);
  wallet.chain.mine(1);
  const [{ cursor } = assert.fail()] = await wallet.watched.observe();
  wallet.watched.resumeAt(rewindUtxoCursor(cursor, 3).cursor);
  const again = await wallet.watched.observe();
  assert.deepEqual(
    again.flatMap(({ sent = [] }) => sent).map(({ txHash, outcome }) => [txHash, outcome]),
    [[signed.txHash, 'included']],
  );
});

test('a reorganisation takes a transaction back, and the next block that has it is told', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const signed = await wallet.keep(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  await wallet.sender().broadcast(signed);
  await wallet.mineAndObserve(1);
  const first = wallet.updateOf(signed.txHash)?.block?.hash;
  for (const keepTransactions of [true, false]) {
    wallet.chain.reorganise(1, { keepTransactions });
    await wallet.watched.observe();
    assert.equal(wallet.updateOf(signed.txHash), null);
    await wallet.sender().broadcast(signed);
    const [hash] = wallet.chain.mine(1);
    await wallet.watched.observe();
    assert.equal(wallet.updateOf(signed.txHash)?.block?.hash, hash);
    assert.notEqual(hash, first);
  }
});

test('a reorganisation that moves a transaction to another block is told in one answer', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const signed = await wallet.keep(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  await wallet.sender().broadcast(signed);
  await wallet.mineAndObserve(1);
  wallet.chain.reorganise(1, { keepTransactions: true });
  const [hash] = wallet.chain.mine(1);
  await wallet.watched.observe();
  assert.equal(wallet.updateOf(signed.txHash)?.block?.hash, hash);
});

/** A way to the node that loses the answers to what is broadcast. */
async function startForgetfulWay(t: TestContext, url: string) {
  let lost = 2; // The connector itself tries a second time when it is hung up on.
  const target = new URL(url);
  const server = createServer((incoming, outgoing) => void passOn(incoming, outgoing));
  async function passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const isLost = body.includes('sendrawtransaction') && lost-- > 0;
    const { authorization = '' } = incoming.headers;
    const passed = request(target.origin, { method: 'POST', headers: { authorization } }, (reply) => {
      if (isLost) reply.resume().once('end', () => incoming.socket.destroy());
      else reply.pipe(outgoing.writeHead(reply.statusCode ?? 500));
    });
    passed.end(body);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close().closeAllConnections());
  const way = new URL(url);
  way.port = String((server.address() as AddressInfo).port);
  return way.href;
}

test('a broadcast whose answer is lost may be repeated, and the money arrives once', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const { destination, received } = await wallet.recipient();
  const signed = await wallet.keep(wallet.transferTo(destination, 100_000n));
  const rpcUrl = await startForgetfulWay(t, wallet.chain.url);
  const sender = senderOf(
    createBitcoinConnector({
      rpcUrl: new Secret(rpcUrl),
      xpub: testAccountKey,
      xprv: testAccountSecret,
      chain: 'regtest',
    }),
  );
  await assert.rejects(sender.broadcast(signed), { name: 'NetworkError', isRetryable: true });
  await sender.broadcast(signed);
  await wallet.mineAndObserve(1);
  await sender.broadcast(signed);
  await wallet.mineAndObserve(1);
  assert.equal(await received(), 100_000n);
  assert.equal(wallet.updateOf(signed.txHash)?.outcome, 'included');
});

test('a transaction is replaced only when it is stuck, from its change, and again if need be', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n, 500_000n]);
  const { destination, received } = await wallet.recipient();
  const first = await wallet.keep(wallet.transferTo(destination, 100_000n));
  const early = new Date(first.signedAt.getTime() + 29 * 60_000);
  wallet.watched.outgoing.setClock(() => early);
  assert.equal(await wallet.sender().replace?.(first, wallet.watched.sendContext()), null);
  await wallet.sender().broadcast(first);
  const second = await wallet.replace(first);
  assert.deepEqual(second.uses, first.uses);
  await wallet.sender().broadcast(second);
  const third = await wallet.replace(second);
  await wallet.sender().broadcast(third);
  assert.deepEqual(await wallet.rpc.call('getrawmempool'), [third.txHash]);
  await wallet.mineAndObserve(1);
  assert.equal(await received(), 100_000n);
  const inBlock = wallet.watched.outgoing.asOutgoing(third.txHash);
  assert.equal(await wallet.sender().replace?.(inBlock, wallet.watched.sendContext()), null);

  await wallet.mineAndObserve(98);
  assert.equal(wallet.updateOf(first.txHash), null, 'a rival is given up before the winner is final');
  await wallet.mineAndObserve(1);
  const outcomes = [first, second, third].map(({ txHash }) => wallet.updateOf(txHash)?.outcome);
  assert.deepEqual(outcomes, ['expired', 'expired', 'included']);
});

test('where the change is too small further coins help, and are free again if the original wins', async (t) => {
  const wallet = await startSendingWallet(t, [101_500n, 50_000n]);
  const first = await wallet.keep(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  assert.equal(first.uses.length, 1);
  await wallet.sender().broadcast(first);
  const second = await wallet.replace(first);
  assert.equal(second.uses.length, 2);
  assert.deepEqual(await wallet.free(), []);
  await wallet.mineAndObserve(1); // The second was never broadcast.
  assert.equal(wallet.updateOf(first.txHash)?.outcome, 'included');
  assert.deepEqual(await wallet.free(), []);
  await wallet.mineAndObserve(99);
  assert.equal(wallet.updateOf(second.txHash)?.outcome, 'expired');
  assert.deepEqual(await wallet.free(), [50_000n]);
});

test('a replacement outbids what a recipient has built on the original', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const first = await wallet.keep(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  await wallet.sender().broadcast(first);
  const child = spendWith(keyOf(1), outputTo(first.raw, 100_000n), { address: addressOf(2), fee: 20_000n });
  await wallet.rpc.call('sendrawtransaction', child);
  const second = await wallet.replace(first);
  await wallet.sender().broadcast(second);
  assert.deepEqual(await wallet.rpc.call('getrawmempool'), [second.txHash]);
});

test('nothing is replaced at a fee that no one should pay', async (t) => {
  const wallet = await startSendingWallet(t, [5_000_000n]);
  const first = await wallet.keep(wallet.transferTo({ address: addressOf(1) }, 1_000_000n));
  await wallet.sender().broadcast(first);
  const child = spendWith(keyOf(1), outputTo(first.raw, 1_000_000n), { address: addressOf(2), fee: 500_000n });
  await wallet.rpc.call('sendrawtransaction', child);
  await assert.rejects(wallet.replace(first), /it was not replaced/);
});

test('a coin that another wallet spent is left aside, and what we had signed for it is given up once that is final', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n, 2_000_000n]);
  const [coin = assert.fail()] = await wallet.watched.sendContext().unspent({ assetCode: 'BTC', limit: 1 });
  const signed = await wallet.keep(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  assert.deepEqual(signed.uses, [`${coin.txHash}:${coin.index}`]);
  const output = { txid: coin.txHash, index: Number(coin.index), units: 1_000_000n };
  await wallet.rpc.call('sendrawtransaction', spendWith(ownKey(0), output, { address: addressOf(2), fee: 50_000n }));
  await assert.rejects(wallet.sender().broadcast(signed));
  await wallet.mineAndObserve(1);
  await assert.rejects(wallet.sender().broadcast(signed));
  await wallet.mineAndObserve(99);
  assert.equal(wallet.updateOf(signed.txHash), null);
  await wallet.mineAndObserve(1);
  assert.equal(wallet.updateOf(signed.txHash)?.outcome, 'expired');
  // The coin counts as free again, but the node knows better.
  const next = await wallet.prepare(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  assert.equal(next.uses.includes(`${coin.txHash}:${coin.index}`), false);
});

test('a transaction whose coin vanished with a reorganisation is never given up: both may come back', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n]);
  const first = await wallet.keep(wallet.transferTo({ address: addressOf(1) }, 100_000n));
  await wallet.sender().broadcast(first);
  await wallet.mineAndObserve(1);
  const second = await wallet.keep(wallet.transferTo({ address: addressOf(2) }, 100_000n)); // from the change
  wallet.chain.reorganise(1, { keepTransactions: false });
  for (let count = 0; count < 5; count += 1) await wallet.mineAndObserve(60);
  assert.equal(wallet.updateOf(second.txHash), null);
  await wallet.sender().broadcast(first);
  await wallet.sender().broadcast(second);
  await wallet.mineAndObserve(1);
  assert.deepEqual(
    [first, second].map(({ txHash }) => wallet.updateOf(txHash)?.outcome),
    ['included', 'included'],
  );
});

test('a transaction never costs more than was set aside for what it carries, and what waits for that keeps nobody waiting', async (t) => {
  const wallet = await startSendingWallet(t, [1_000_000n, ...Array<bigint>(40).fill(30_000n)]);
  const context = wallet.watched.sendContext();
  const until = new Date(context.now.getTime() + 3_600_000);
  const holding = (units: bigint, heldUnits: bigint) => ({
    ...wallet.transferTo({ address: addressOf(1) }, units),
    heldFee: { units: heldUnits, until },
  });
  const quoteFor = async (units: bigint): Promise<bigint> =>
    (await wallet.sender().estimateFee(wallet.transferTo({ address: addressOf(1) }, units), context)).units;
  const quote = await quoteFor(50_000n);
  const [poor, good] = [holding(50_000n, 500n), holding(50_000n, quote)];
  await assert.rejects(wallet.prepare(poor), (error) => error instanceof NotEnoughFunds && /fee/.test(error.message));
  const signed = await wallet.prepare(poor, good);
  assert.deepEqual(signed.payoutIds, [good.id]);
  assert.ok(signed.fee.units <= quote, `${signed.fee.units} is more than ${quote}`);
  const overdue = { ...poor, heldFee: { units: 500n, until: context.now } };
  await assert.rejects(
    wallet.prepare(overdue, good),
    (error) => error instanceof SendRefused && error.payoutId === poor.id && /new quote/.test(error.message),
  );

  // Thirty coins more are needed, and were quoted.
  const many = await quoteFor(2_000_000n);
  assert.ok(many > 10n * quote, `${many} for 35 coins, ${quote} for two`);
  await assert.rejects(wallet.prepare(holding(2_000_000n, quote)), NotEnoughFunds);
  assert.ok((await wallet.prepare(holding(2_000_000n, many))).fee.units <= many);

  // Nor is it replaced by one that costs more, whatever a recipient does to make it dearer.
  const stuck = wallet.watched.outgoing.keep(signed);
  await wallet.sender().broadcast(stuck);
  const later = { ...context, now: new Date(stuck.signedAt.getTime() + 31 * 60_000) };
  assert.ok(await wallet.sender().replace?.({ ...stuck, heldFeeUnits: 2n * quote }, later));
  const child = spendWith(keyOf(1), outputTo(stuck.raw, 50_000n), { address: addressOf(2), fee: 20_000n });
  await wallet.rpc.call('sendrawtransaction', child);
  assert.equal(await wallet.sender().replace?.({ ...stuck, heldFeeUnits: 2n * quote }, later), null);
});
