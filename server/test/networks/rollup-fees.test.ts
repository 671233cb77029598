/** What a rollup takes besides gas: in quotes, in what is sent and collected, and in what it is said to have cost. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { StartEvmChain } from '@quittance/sandbox/evm-chain';
import { l1BlockContract, l1BlockSlots } from '@quittance/sandbox/evm-node';
import { createBaseConnector } from '@quittance/server/networks/base/base';
import { NotEnoughFunds } from '@quittance/server/networks/port/sending';
import { type Hex, toHex } from 'viem';
import { startRollup } from './evm-nodes.ts';
import { dollar, type EvmWorld, startEvmWorld, stranger, whole } from './evm-world.ts';

let world: EvmWorld;
let stop = async (): Promise<void> => undefined;
beforeEach(async () => {
  await stop();
  const start: StartEvmChain = async (options) => {
    const chain = await startRollup(options);
    stop = () => chain.stop();
    return chain;
  };
  world = await startEvmWorld(start, createBaseConnector);
});
after(() => stop());

const gwei = 10n ** 9n;
const setSlot = (slot: keyof typeof l1BlockSlots, value: bigint) =>
  world.chain.node.call('hardhat_setStorageAt', l1BlockContract, toHex(l1BlockSlots[slot]), toHex(value, { size: 32 }));
/** Of the chain below, where a transaction takes about a hundred bytes. The sandbox begins with 10 gwei for both. */
const setPriceBelow = async (perGas: bigint) => {
  await setSlot('baseFee', perGas);
  await setSlot('blobBaseFee', perGas);
};

type Receipt = Readonly<Record<'gasUsed' | 'effectiveGasPrice' | 'l1Fee', Hex>>;
const receiptOf = ({ txHash }: { txHash: string }) =>
  world.chain.node.call<Receipt>('eth_getTransactionReceipt', txHash);
const gasFeeIn = ({ gasUsed, effectiveGasPrice }: Receipt) => BigInt(gasUsed) * BigInt(effectiveGasPrice);

const quote = async (assetCode: string, units: bigint): Promise<bigint> => {
  const transfer = world.transfer(stranger('1'), assetCode, units);
  return (await world.sender().estimateFee(transfer, world.watched.sendContext())).units;
};

test('what a transfer costs is gas and the fee of the chain below, and no more than was quoted', async () => {
  await world.fund(whole);
  await world.chain.pay({ address: world.wallet(), units: 100n * dollar, assetCode: 'USDC' });
  await world.mine(1);
  let spent = 0n;
  for (const [assetCode, units] of [
    ['ETH', whole / 10n],
    ['USDC', 60n * dollar],
  ] as const) {
    const quoted = await quote(assetCode, units);
    const transfer = world.transfer(stranger('1'), assetCode, units);
    const until = new Date(Date.now() + 3_600_000);
    const sent = await world.prepare({ ...transfer, heldFee: { units: quoted, until } });
    await world.sender().broadcast(sent);
    await world.mine(1);
    const receipt = await receiptOf(sent);
    const cost = world.updateOf(sent)?.fee.units ?? 0n;
    assert.ok(BigInt(receipt.l1Fee) > 10n ** 12n, 'the chain below costs something');
    assert.equal(cost, gasFeeIn(receipt) + BigInt(receipt.l1Fee));
    assert.ok(cost <= quoted, `${cost} is more than ${quoted}`);
    spent += cost;
  }
  assert.equal(await world.etherAt(world.wallet()), whole - whole / 10n - spent, 'to the last wei');
});

test('whatever the chain below costs, all ether of an address but its fee is collected, and tokens have theirs', async () => {
  await world.fund(whole);
  const targets = [await world.watched.createOwnTarget(1), await world.watched.createOwnTarget(2)];
  const [ether, tokens] = targets as [(typeof targets)[0], (typeof targets)[0]];
  // Ten thousand times what it is: far above the gas.
  await setPriceBelow(100_000n * gwei);
  await world.chain.pay({ address: ether.address, units: whole / 4n });
  await world.chain.pay({ address: tokens.address, units: 500_000n * dollar, assetCode: 'USDC' });
  await world.mine(1);
  world.restart({ feeCeilingGwei: 100_000 });
  await world.keepHouse();
  assert.equal(await world.tokensAt(world.wallet(), 'USDC'), 500_000n * dollar);
  assert.ok((await world.etherAt(ether.address)) < whole / 20n, 'what was kept for a dearer block');
  for (const update of world.updates()) {
    assert.equal(update.outcome, 'included');
    const receipt = await receiptOf(update);
    assert.ok(BigInt(receipt.l1Fee) > 10n * gasFeeIn(receipt));
    assert.equal(update.fee.units, gasFeeIn(receipt) + BigInt(receipt.l1Fee));
  }
  await world.assertSound(targets, whole);
});

test('what is not worth its fee stays where it is until the chain below is cheap again', async () => {
  await world.fund(whole);
  const targets = [await world.watched.createOwnTarget(1), await world.watched.createOwnTarget(2)];
  await world.chain.pay({ address: targets[0]?.address ?? '', units: whole / 1_000n });
  await world.chain.pay({ address: targets[1]?.address ?? '', units: 2n * dollar, assetCode: 'USDC' });
  await setPriceBelow(3_000n * gwei);
  await world.mine(1);
  assert.deepEqual(await world.nextChores(), []);
  await setPriceBelow(gwei);
  await world.mine(1);
  await world.keepHouse();
  assert.equal(await world.tokensAt(world.wallet(), 'USDC'), 2n * dollar);
  assert.ok((await world.etherAt(targets[0]?.address ?? '')) < whole / 10_000n);
  await world.assertSound(targets, whole);
});

test('a transfer whose fee below rose above what was set aside waits, and above the ceiling everything does', async () => {
  await world.fund(whole);
  const units = await quote('ETH', 5n);
  const until = new Date(Date.now() + 3_600_000);
  const held = () => ({ ...world.transfer(stranger('1'), 'ETH', 5n), heldFee: { units, until } });
  await setPriceBelow(200n * gwei);
  await world.mine(1);
  await assert.rejects(
    world.prepare(held()),
    (error) => error instanceof NotEnoughFunds && /fee, which is above what was set aside/.test(error.message),
  );
  await setPriceBelow(10n * gwei);
  await world.mine(1);
  await world.prepare(held());

  await setPriceBelow(1_000_000n * gwei);
  await world.mine(1);
  await assert.rejects(world.prepare(world.transfer(stranger('1'), 'ETH', 5n)), /more than the ceiling/);
});

test('an operator fee is quoted and booked too', async () => {
  await world.fund(whole);
  const without = await quote('ETH', 5n);
  const [scalar, constant] = [3_000_000n, 70_000_000_000n];
  await setSlot('operatorFee', (scalar << 64n) | constant);
  await world.mine(1);
  const ofOperator = 3n * 21_000n + constant;
  const quoted = await quote('ETH', 5n);
  assert.ok(quoted >= without + ofOperator - without / 100n, 'gas becomes cheaper by a little in every empty block');
  const sent = await world.prepare(world.transfer(stranger('1'), 'ETH', 5n));
  await world.sender().broadcast(sent);
  await world.mine(1);
  const receipt = await receiptOf(sent);
  assert.equal(world.updateOf(sent)?.fee.units, gasFeeIn(receipt) + BigInt(receipt.l1Fee) + ofOperator);
  await world.assertSound([], whole - 5n);
});

test('ether whose fee below rose after it was signed is collected later, with less of it', async () => {
  await world.fund(whole);
  const target = await world.watched.createOwnTarget(1);
  await world.chain.pay({ address: target.address, units: whole / 100n });
  await world.mine(1);
  const [collecting] = await world.chores();
  assert.ok(collecting);
  await setPriceBelow(1_000n * gwei); // A hundred times as much: what was kept for the fee is no longer enough.
  await world.mine(1);
  const later = new Date(Date.now() + 11 * 60_000);
  world.watched.outgoing.setClock(() => later);
  const replacement = await world.sender().replace?.(collecting, world.watched.sendContext());
  assert.ok(replacement);
  await world.sender().broadcast(world.watched.outgoing.keep(replacement, collecting.txHash));
  await world.mine(1);
  assert.equal(world.updateOf(replacement)?.outcome, 'included');
  await world.assertSound([target], whole);
});

test('a token whose fee below rose after it was signed gets more ether, once, and is collected at the new price', async () => {
  await world.fund(whole);
  const target = await world.watched.createOwnTarget(1);
  await world.chain.pay({ address: target.address, units: 500_000n * dollar, assetCode: 'USDC' });
  await world.mine(1);
  const [topUp] = await world.chores();
  assert.ok(topUp);
  await world.sender().broadcast(topUp);
  await world.mine(1);
  const [collecting] = await world.chores();
  assert.equal(collecting?.trace['kind'], 'collect');
  await setPriceBelow(1_000n * gwei); // And it stays so: nothing is as cheap any more as when it was signed.
  await world.mine(1);
  let minutes = 0;
  const lookAgain = () => {
    const later = new Date(Date.now() + (minutes += 11) * 60_000);
    world.watched.outgoing.setClock(() => later);
    return world.sender().replace?.(collecting ?? assert.fail(), world.watched.sendContext());
  };
  assert.equal(await lookAgain(), null, 'the address cannot pay for it');
  const [more, ...others] = await world.chores();
  assert.ok(more);
  assert.deepEqual([more.trace['kind'], more.trace['to'], others], ['topUp', target.key, []]);
  await lookAgain();
  assert.deepEqual(await world.nextChores(), [], 'it is on its way');
  await world.sender().broadcast(more);
  await world.mine(1);
  const replacement = await lookAgain();
  assert.ok(replacement);
  assert.deepEqual(await world.nextChores(), []);
  await world.sender().broadcast(world.watched.outgoing.keep(replacement, collecting?.txHash));
  await world.mine(1);
  assert.equal(world.updateOf(replacement)?.outcome, 'included');
  assert.equal(await world.tokensAt(world.wallet(), 'USDC'), 500_000n * dollar);
  await world.assertSound([target], whole);
});
