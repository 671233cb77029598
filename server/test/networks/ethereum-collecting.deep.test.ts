/** Collecting what customers paid, on a real EVM, with deaths between any two steps. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type CompiledContract, readCompiledContracts } from '@quittance/sandbox/compile-contracts';
import type { DepositTarget } from '@quittance/server/networks/port/receiving';
import type { OutgoingTransaction } from '@quittance/server/networks/port/sending';
import { encodeFunctionData, toHex } from 'viem';
import { describeOnEvmNodes } from './evm-nodes.ts';
import { dollar, type EvmWorld, startEvmWorld, stranger, whole } from './evm-world.ts';

describeOnEvmNodes('collecting on Ethereum', ({ name, startChain }) => {
  let contracts: Record<'FeeToken' | 'FreezableToken' | 'SulkingToken' | 'Forwarder', CompiledContract>;
  let world: EvmWorld;
  before(async () => {
    contracts = await readCompiledContracts();
  });
  beforeEach(async () => {
    await world?.chain.stop();
    world = await startEvmWorld(startChain);
  });
  after(() => world?.chain.stop());

  test('three customers pay, and everything is collected once, whoever dies between any two steps', async () => {
    await world.fund(whole);
    const targets = [
      await world.watched.createOwnTarget(1),
      await world.watched.createOwnTarget(2),
      await world.watched.createOwnTarget(3),
    ];
    const [a, b, c] = targets as [DepositTarget, DepositTarget, DepositTarget];
    await world.chain.pay({ address: a.address, units: 60n * dollar, assetCode: 'USDC' });
    await world.chain.pay({ address: a.address, units: 40n * dollar, assetCode: 'USDC' });
    await world.chain.pay({ address: b.address, units: 70n * dollar, assetCode: 'USDT' });
    await world.chain.pay({ address: b.address, units: 30n * dollar, assetCode: 'USDC' });
    await world.chain.pay({ address: c.address, units: whole / 2n });
    await world.chain.pay({ address: c.address, units: 50n * dollar, assetCode: 'USDT' });
    await world.mine(3);

    const notes: string[] = [];
    for (let idle = 0, step = 0; idle < 3; step += 1) {
      assert.ok(step < 50, 'it never ends');
      await world.nextChores(); // Signed, and dead before it was stored: nothing has happened.
      world.restart();
      const kept = await world.chores();
      idle = kept.length > 0 ? 0 : idle + 1;
      notes.push(...kept.map(({ trace }) => String(trace['kind'])));
      world.restart();
      // Dead before the rest was broadcast: whoever comes next broadcasts all that is open.
      for (const each of kept.slice(0, step % 3)) await world.sender().broadcast(each);
      if (kept.length > 0) continue;
      for (const open of world.watched.outgoing.open()) await world.sender().broadcast(open);
      await world.chain.mine(1);
      world.restart();
      await world.watched.observe();
    }
    assert.deepEqual(notes.sort(), [...Array(5).fill('collect'), ...Array(3).fill('topUp')]);
    assert.equal(await world.tokensAt(world.wallet(), 'USDC'), 130n * dollar);
    assert.equal(await world.tokensAt(world.wallet(), 'USDT'), 120n * dollar);
    assert.deepEqual(
      world.updates().map(({ outcome }) => outcome),
      Array(8).fill('included'),
    );
    await world.assertSound(targets, whole);
  });

  test('many addresses are under way at once, and what is not worth it is left until more arrives', async () => {
    await world.fund(whole);
    const targets = await Promise.all([11, 12, 13, 14].map((index) => world.watched.createOwnTarget(index)));
    for (const { address } of targets) await world.chain.pay({ address, units: 20n * dollar, assetCode: 'USDC' });
    const small = await world.watched.createOwnTarget(15);
    await world.chain.pay({ address: small.address, units: 9n * dollar, assetCode: 'USDC' });
    await world.chain.pay({ address: small.address, units: whole / 1_000n });
    await world.mine(1);
    assert.equal((await world.chores()).length, 4, 'four top-ups without waiting');
    for (const open of world.watched.outgoing.open()) await world.sender().broadcast(open);
    await world.mine(1);
    await world.keepHouse();
    assert.equal(await world.tokensAt(world.wallet(), 'USDC'), 80n * dollar);
    await world.chain.pay({ address: small.address, units: dollar, assetCode: 'USDC' });
    await world.mine(1);
    await world.keepHouse();
    assert.equal(await world.tokensAt(world.wallet(), 'USDC'), 90n * dollar);
    await world.assertSound([...targets, small], whole);
  });

  test('five addresses are topped up in one block, and collected from in the next', async () => {
    await world.fund(whole);
    const targets = await Promise.all([1, 2, 3, 4, 5].map((index) => world.watched.createOwnTarget(index)));
    for (const { address } of targets) await world.payTokens(address, 'USDT', 20n * dollar);
    await world.mine(1);
    for (const note of ['top up', 'collect']) {
      const batch = await world.nextChores();
      assert.deepEqual(
        batch.map((each) => each.note),
        Array(5).fill(note),
      );
      for (const each of batch) await world.sender().broadcast(world.watched.outgoing.keep(each));
      assert.deepEqual(await world.nextChores(), [], 'until they are in a block there is nothing to do');
      await world.mine(1);
      const blocks = new Set(batch.map((each) => world.updateOf(each)?.block?.hash));
      assert.deepEqual([blocks.size, blocks.has(undefined)], [1, false], 'all are in one block');
    }
    assert.deepEqual(await world.nextChores(), []);
    const nonces = [...world.watched.outgoing.transactions.values()].map(({ trace }) => trace['nonce']);
    assert.deepEqual(nonces, [0, 1, 2, 3, 4, ...Array(5).fill(0)]);
    assert.equal(await world.tokensAt(world.wallet(), 'USDT'), 100n * dollar);
    await world.assertSound(targets, whole);
  });

  // Sixty addresses are about us, not about the node.
  if (name === 'EDR') {
    test('more addresses than fit into one round are served in the next, and ether is shared out as far as it goes', async () => {
      const targets = await Promise.all(Array.from({ length: 60 }, (_, at) => world.watched.createOwnTarget(at)));
      for (const { address } of targets) await world.payTokens(address, 'USDC', 20n * dollar);
      await world.mine(1);
      await world.fund(whole / 1_000n); // Enough for a few.
      const few = await world.chores();
      assert.ok(few.length > 0 && few.length < 50, `${few.length} top-ups`);
      for (const each of few) await world.sender().broadcast(each);
      await world.fund(whole);
      const [first, second] = [await world.chores(), await world.chores()];
      assert.deepEqual([first.length, first.length + second.length], [50, 60]);
      for (const each of [...first, ...second]) await world.sender().broadcast(each);
      await world.mine(1);
      await world.keepHouse();
      assert.equal(await world.tokensAt(world.wallet(), 'USDC'), 1_200n * dollar);
    });
  }

  test('without ether in the wallet tokens wait at their addresses, and ether that is collected sets them moving', async () => {
    const [tokens, ether] = [await world.watched.createOwnTarget(1), await world.watched.createOwnTarget(2)];
    await world.chain.pay({ address: tokens.address, units: 20n * dollar, assetCode: 'USDT' });
    await world.mine(1);
    assert.deepEqual(await world.nextChores(), []);
    await world.chain.pay({ address: ether.address, units: whole });
    await world.mine(1);
    await world.keepHouse();
    assert.equal(await world.tokensAt(world.wallet(), 'USDT'), 20n * dollar);
    await world.assertSound([tokens, ether], 0n);
  });

  test('a customer who pays again after the collection is seen, directly and from inside a contract', async () => {
    await world.fund(whole);
    const forwarder = await world.chain.deploy(contracts.Forwarder, []);
    const target = await world.watched.createOwnTarget(1);
    const forward = encodeFunctionData({
      abi: contracts.Forwarder.abi,
      functionName: 'forward',
      args: [[target.address]],
    });
    await world.chain.pay({ address: target.address, units: whole / 10n });
    await world.chain.pay({ address: target.address, units: 20n * dollar, assetCode: 'USDC' });
    await world.mine(1);
    await world.keepHouse();
    await world.mine(3);
    const units = () =>
      world.watched
        .paymentsTo(target)
        .flatMap(({ observation, fate }) =>
          fate === 'in a block' ? [[observation.assetCode, observation.units]] : [],
        );
    const before = units();
    assert.equal(before.length, 2, 'what our own transactions left or brought is no payment');

    await world.chain.send({ to: forwarder, data: forward, value: 5n });
    await world.mine(1);
    await world.chain.pay({ address: target.address, units: 7n });
    await world.chain.send({ to: forwarder, data: forward, value: whole / 20n });
    await world.mine(1);
    assert.deepEqual(units().slice(2), [
      ['ETH', 5n],
      ['ETH', 7n],
      ['ETH', whole / 20n],
    ]);
    await world.keepHouse();
    await world.mine(2);
    assert.equal(units().length, 5);
    await world.assertSound([target], whole);
  });

  test('a top-up that a reorganisation takes away is no payment, and is broadcast again', async () => {
    await world.fund(whole);
    const target = await world.watched.createOwnTarget(1);
    await world.chain.pay({ address: target.address, units: 20n * dollar, assetCode: 'USDC' });
    await world.mine(3);
    const [topUp] = (await world.chores()) as [OutgoingTransaction];
    await world.sender().broadcast(topUp);
    await world.mine(1);
    const first = world.updateOf(topUp)?.block?.hash;
    await world.chain.reorganise(1, { keepTransactions: false });
    await world.watched.observe();
    assert.equal(world.updateOf(topUp), null);
    assert.deepEqual(await world.nextChores(), [], 'it is still under way');
    await world.sender().broadcast(topUp);
    await world.mine(1);
    assert.equal(world.updateOf(topUp)?.outcome, 'included');
    assert.notEqual(world.updateOf(topUp)?.block?.hash, first);
    await world.keepHouse();
    assert.equal(world.watched.payments.size, 1);
    await world.assertSound([target], whole);
  });

  test('ether that is collected pays for its own replacement', async () => {
    const target = await world.watched.createOwnTarget(1);
    await world.chain.pay({ address: target.address, units: whole });
    await world.mine(1);
    const [stuck] = (await world.chores()) as [OutgoingTransaction];
    await world.sender().broadcast(stuck);
    await world.chain.node.call('hardhat_setNextBlockBaseFeePerGas', toHex(30n * 10n ** 9n));
    await world.mine(1);
    assert.equal(world.updateOf(stuck), null);
    const later = new Date(Date.now() + 11 * 60_000);
    world.watched.outgoing.setClock(() => later);
    const replacement = await world.sender().replace?.(stuck, world.watched.sendContext());
    assert.ok(replacement);
    await world.sender().broadcast(world.watched.outgoing.keep(replacement, stuck.txHash));
    await world.mine(2);
    assert.equal(world.updateOf(replacement)?.outcome, 'included');
    await world.assertSound([target], 0n);
  });

  test('of a token that keeps a fee the recipient gets what the token gives', async () => {
    const contract = await world.chain.deploy(contracts.FeeToken, ['USDT', 6]);
    await world.open({ tokens: [{ assetCode: 'USDT', contract, decimals: 6 }] });
    await world.fund(whole);
    const target = await world.watched.createOwnTarget(1);
    await world.payTokens(target.address, 'USDT', 100n * dollar);
    await world.mine(1);
    await world.keepHouse();
    assert.equal(await world.tokensAt(world.wallet(), 'USDT'), 98_010_000n);
    await world.sender().broadcast(await world.prepare(world.transfer(stranger('1'), 'USDT', 98_000_000n)));
    await world.mine(1);
    assert.equal(await world.tokensAt(stranger('1'), 'USDT'), 97_020_000n);
    await world.assertSound([target], whole);
  });
});
