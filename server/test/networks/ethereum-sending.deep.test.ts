/** Sending on a real EVM. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { type CompiledContract, readCompiledContracts } from '@quittance/sandbox/compile-contracts';
import { evmChainSettings } from '@quittance/sandbox/evm-chain-harness';
import { openEvmKeys } from '@quittance/server/networks/families/evm/evm-keys';
import { NotEnoughFunds, type OutgoingTransaction, SendRefused } from '@quittance/server/networks/port/sending';
import { encodeFunctionData, getContractAddress, type Hex, parseTransaction, toHex } from 'viem';
import { Secret } from '../../src/lib/secret.ts';
import { describeOnEvmNodes } from './evm-nodes.ts';
import { dollar, type EvmWorld, startEvmWorld, stranger, whole } from './evm-world.ts';

const isSentence = /^Ethereum would not carry it out: [^.]+\.$/;

/** Code that counts down so many times, for 26 gas each. */
const loopOf = (count: number): Hex => `0x62${count.toString(16).padStart(6, '0')}5b60019003806004570000`;

/** What a transaction carries that brings this code on the chain: it copies what follows it. */
function deploying(code: Hex): Hex {
  const length = (code.length / 2 - 1).toString(16).padStart(2, '0');
  return `0x60${length}600c60003960${length}6000f3${code.slice(2)}`;
}

/** A node that answers everything, but refuses to say what a transfer to this address would take. */
async function startReluctantNode(nodeUrl: string, to: string): Promise<{ url: string; stop(): Promise<unknown> }> {
  const { username, password, origin } = new URL(nodeUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(Buffer.concat(chunks).toString()).then((reply) => response.end(reply)));
  });
  async function answer(body: string): Promise<string> {
    const headers = { 'content-type': 'application/json', authorization };
    const replies: any = await (await fetch(origin, { method: 'POST', headers, body })).json();
    const calls: any[] = [JSON.parse(body)].flat();
    const isUnwanted = ({ id }: any) =>
      calls.some((call) => call.id === id && call.method === 'eth_estimateGas' && call.params[0].to === to);
    const refused = [replies]
      .flat()
      .map((reply) =>
        isUnwanted(reply) ? { jsonrpc: '2.0', id: reply.id, error: { code: -32000, message: 'too busy' } } : reply,
      );
    return JSON.stringify(Array.isArray(replies) ? refused : refused[0]);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describeOnEvmNodes('sending on Ethereum', ({ startChain }) => {
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

  test('what was signed and never broadcast keeps its number and its money', async () => {
    await world.fund(whole);
    const first = await world.prepare(world.transfer(stranger('1'), 'ETH', (whole * 6n) / 10n));
    world.restart();
    await assert.rejects(world.prepare(world.transfer(stranger('2'), 'ETH', (whole * 6n) / 10n)), NotEnoughFunds);
    const second = await world.prepare(world.transfer(stranger('2'), 'ETH', whole / 10n));
    const third = await world.prepare(world.transfer(stranger('3'), 'ETH', whole / 10n));
    assert.deepEqual(
      [first, second, third].map(({ uses }) => uses[0]?.split(':').at(-1)),
      ['0', '1', '2'],
    );
    await world.sender().broadcast(third);
    await world.mine(2);
    assert.equal(world.updateOf(third), null, 'it waits for those before it');
    for (const each of [first, second]) await world.sender().broadcast(each);
    await world.mine(2);
    assert.deepEqual(
      [first, second, third].map((each) => world.updateOf(each)?.outcome),
      ['included', 'included', 'included'],
    );
    assert.equal(await world.etherAt(stranger('1')), (whole * 6n) / 10n);
  });

  test('of two that sign in the same moment one is kept, and everything that is signed fits into one block', async () => {
    await world.fund(whole);
    const targets = await Promise.all([1, 2, 3].map((index) => world.watched.createOwnTarget(index)));
    for (const { address } of targets) await world.payTokens(address, 'USDC', 20n * dollar);
    await world.mine(1);
    const transfers = ['1', '2'].map((digit) => world.transfer(stranger(digit), 'ETH', 5n));
    const sign = (at: number) => world.sender().prepare(transfers.slice(at, at + 1), world.watched.sendContext());
    const [winner, loser] = await Promise.all([sign(0), sign(1)]);
    assert.equal(winner.uses[0], loser.uses[0], 'they take the same number');
    const kept = [world.watched.outgoing.keep(winner)];
    assert.throws(() => world.watched.outgoing.keep(loser), /used twice/);
    kept.push(world.watched.outgoing.keep(await sign(1)));
    kept.push(...(await world.chores()));
    assert.deepEqual(
      kept.map(({ trace }) => trace['nonce']),
      [0, 1, 2, 3, 4],
    );
    // In any order: the node holds back what comes too early.
    for (const each of kept.toReversed()) await world.sender().broadcast(each);
    await world.mine(1);
    assert.equal(new Set(kept.map((each) => world.updateOf(each)?.block?.hash)).size, 1);
    assert.ok(kept.every((each) => world.updateOf(each)?.outcome === 'included'));
  });

  test('only what is first in line is replaced, when it is old enough and below the ceiling', async () => {
    await world.fund(whole);
    const stuck = [];
    for (const digit of ['1', '2']) stuck.push(await world.prepare(world.transfer(stranger(digit), 'ETH', 5n)));
    for (const each of stuck) await world.sender().broadcast(each);
    const [first, second] = stuck as [OutgoingTransaction, OutgoingTransaction];
    const replace = (each: OutgoingTransaction) => world.sender().replace?.(each, world.watched.sendContext());
    assert.equal(await replace(first), null, 'it is not stuck yet');
    const later = new Date(Date.now() + 11 * 60_000);
    world.watched.outgoing.setClock(() => later);
    assert.equal(await replace(second), null, 'it waits for the first');
    world.restart({ feeCeilingGwei: 1 });
    assert.equal(await replace(first), null, 'more would be above the ceiling');
    world.restart();
    const replacement = await replace(first);
    assert.ok(replacement);
    await world.sender().broadcast(world.watched.outgoing.keep(replacement, first.txHash));
    await world.mine(1);
    assert.deepEqual([world.updateOf(first), world.updateOf(replacement)?.outcome], [null, 'included']);
    assert.equal(world.updateOf(second)?.outcome, 'included');
    assert.equal(await replace(first), null, 'its place is taken');
    assert.equal(await world.etherAt(stranger('1')), 5n);
  });

  test('all the gas of a transfer at its price is no more than what was set aside, and what waits keeps nobody waiting', async () => {
    await world.fund(whole);
    const context = world.watched.sendContext();
    const until = new Date(context.now.getTime() + 3_600_000);
    const holding = (to: string, units: bigint, until_ = until) => ({
      ...world.transfer(to, 'ETH', 5n),
      heldFee: { units, until: until_ },
    });
    const quoteFor = async (to: string) =>
      (await world.sender().estimateFee(world.transfer(to, 'ETH', 5n), context)).units;
    await world.chain.node.call('hardhat_setCode', stranger('8'), loopOf(500)); // 13,000 more than a plain transfer.
    const [plain, toContract] = [await quoteFor(stranger('1')), await quoteFor(stranger('8'))];
    assert.ok(toContract > plain);
    for (const [to, quote] of [
      [stranger('1'), plain],
      [stranger('8'), toContract],
    ] as const) {
      const { raw } = await world.prepare(holding(to, quote));
      const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(raw as `0x02${string}`);
      assert.ok(gas * maxFeePerGas <= quote, `${gas * maxFeePerGas} is more than ${quote}`);
    }
    // It became a contract, or gas became dearer, after it was quoted.
    const dear = holding(stranger('8'), plain);
    await assert.rejects(world.prepare(dear), (error) => error instanceof NotEnoughFunds && /fee/.test(error.message));
    const good = holding(stranger('1'), plain);
    const signed = await world.sender().prepare([dear, good], world.watched.sendContext());
    assert.deepEqual(signed.payoutIds, [good.id]);
    const overdue = world.prepare(holding(stranger('8'), plain, context.now));
    await assert.rejects(overdue, (error) => error instanceof SendRefused && /new quote/.test(error.message));
  });

  test('a transfer that would fail is refused with the reason, and costs nothing', async () => {
    const contract = await world.chain.deploy(contracts.FreezableToken, ['USDC', 6]);
    await world.open({ tokens: [{ assetCode: 'USDC', contract, decimals: 6 }] });
    await world.fund(whole);
    await world.payTokens(world.wallet(), 'USDC', 100n * dollar);
    await world.mine(1);
    const freeze = (account: string) =>
      encodeFunctionData({ abi: contracts.FreezableToken.abi, functionName: 'freeze', args: [account] });
    await world.chain.send({ to: contract, data: freeze(stranger('9')) });
    await world.mine(1);
    const refused = (error: unknown) => error instanceof SendRefused && error.message.endsWith('account is frozen.');
    await assert.rejects(world.prepare(world.transfer(stranger('9'), 'USDC', dollar)), refused);
    await world.chain.node.call('hardhat_setCode', stranger('8'), '0x60006000fd');
    await assert.rejects(world.prepare(world.transfer(stranger('8'), 'ETH', 1n)), SendRefused);
    await assert.rejects(world.prepare(world.transfer(world.wallet(), 'ETH', 1n)), SendRefused);
    await assert.rejects(world.prepare(world.transfer(contract, 'USDC', 1n)), SendRefused);
    const fee = await world
      .sender()
      .estimateFee(world.transfer(stranger('9'), 'USDC', dollar), world.watched.sendContext());
    assert.ok(fee.units > 0n, 'what it would cost can be said all the same');

    // Frozen between signing and inclusion: it fails on the chain, for money.
    const late = await world.prepare(world.transfer(stranger('7'), 'USDC', dollar));
    await world.chain.send({ to: contract, data: freeze(stranger('7')) });
    await world.mine(1);
    await world.sender().broadcast(late);
    await world.mine(63);
    assert.equal(world.updateOf(late), null, 'in another block it might still succeed');
    await world.mine(2);
    assert.equal(world.updateOf(late)?.outcome, 'failed');
    assert.match(world.updateOf(late)?.reason ?? '', /account is frozen/);
    assert.equal((await world.etherAt(world.wallet())) + (world.updateOf(late)?.fee.units ?? 0n), whole);

    // An address that is frozen is not topped up, and keeps nobody else waiting.
    const [frozen, other] = [await world.watched.createOwnTarget(1), await world.watched.createOwnTarget(2)];
    for (const { address } of [frozen, other]) await world.payTokens(address, 'USDC', 20n * dollar);
    await world.chain.send({ to: contract, data: freeze(frozen.address) });
    await world.mine(1);
    await world.keepHouse();
    assert.equal(await world.etherAt(frozen.address), 0n);
    assert.equal(await world.tokensAt(other.address, 'USDC'), 0n);
  });

  test('a token that answers no, instead of failing, is believed', async () => {
    const contract = await world.chain.deploy(contracts.SulkingToken, ['USDC', 6]);
    await world.open({ tokens: [{ assetCode: 'USDC', contract, decimals: 6 }] });
    await world.fund(whole);
    await world.payTokens(world.wallet(), 'USDC', dollar);
    await world.mine(1);
    await assert.rejects(world.prepare(world.transfer(stranger('1'), 'USDC', 666n)), SendRefused);
    const sent = await world.prepare(world.transfer(stranger('1'), 'USDC', 667n));
    await world.sender().broadcast(sent);
    await world.mine(1);
    assert.equal(await world.tokensAt(stranger('1'), 'USDC'), 667n);
  });

  test('a wallet with too little of anything waits', async () => {
    await assert.rejects(world.prepare(world.transfer(stranger('1'), 'USDC', dollar)), NotEnoughFunds);
    await world.chain.pay({ address: world.wallet(), units: dollar, assetCode: 'USDC' });
    await world.mine(1);
    await assert.rejects(world.prepare(world.transfer(stranger('1'), 'USDC', dollar)), /too little ETH/);
    await world.fund(21_000n * 10n ** 9n);
    await assert.rejects(world.prepare(world.transfer(stranger('1'), 'ETH', 21_000n * 10n ** 9n)), /too little ETH/);
  });

  test('what was included while nobody knew of it is found by asking', async () => {
    await world.fund(whole);
    const signed = await world
      .sender()
      .prepare([world.transfer(stranger('1'), 'ETH', 5n)], world.watched.sendContext());
    await world.chain.submit(signed.raw as Hex);
    await world.mine(5);
    world.watched.outgoing.keep(signed);
    world.restart();
    await world.watched.observe();
    assert.equal(world.updateOf(signed)?.outcome, 'included');
  });

  test('gas above the ceiling is waited out', async () => {
    await world.fund(whole);
    const target = await world.watched.createOwnTarget(1);
    await world.chain.pay({ address: target.address, units: whole });
    await world.chain.node.call('hardhat_setNextBlockBaseFeePerGas', toHex(90n * 10n ** 9n));
    await world.mine(1);
    world.restart({ feeCeilingGwei: 50 });
    await assert.rejects(world.prepare(world.transfer(stranger('1'), 'ETH', 5n)), /more than the ceiling/);
    assert.deepEqual(await world.nextChores(), []);
    await world.mine(10);
    assert.equal((await world.nextChores()).length, 1);
  });

  test('what the wallet holds is told to the operator', async () => {
    await world.fund(5n);
    await world.chain.pay({ address: world.wallet(), units: 7n, assetCode: 'USDT' });
    await world.mine(1);
    const { facts } = await world.watched.ask();
    assert.deepEqual(facts?.sendable, { ETH: '5', USDC: '0', USDT: '7' });
  });

  test('what a payment costs whoever sends it is told in ether, more for a token than for ether itself', async () => {
    const { facts } = await world.watched.ask();
    const { ETH, USDC } = facts?.payerCost ?? {};
    assert.deepEqual([ETH?.assetCode, USDC?.assetCode], ['ETH', 'ETH']);
    assert.ok(BigInt(ETH?.units ?? 0) > 21_000n, 'gas costs at least a wei');
    assert.equal(BigInt(USDC?.units ?? 0) * 21n, BigInt(ETH?.units ?? 0) * 65n);
  });

  test('a transaction whose number the operator used by hand has expired, once that is final', async () => {
    await world.fund(whole);
    const usurped = await world.prepare(world.transfer(stranger('1'), 'ETH', 5n));
    const byHand = await openEvmKeys(
      evmChainSettings(world.chain).xprv,
      evmChainSettings(world.chain).xpub,
    ).wallet.signTransaction({
      type: 'eip1559',
      chainId: world.chain.chainId,
      nonce: 0,
      gas: 21_000n,
      to: stranger('2') as Hex,
      value: 1n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 10n ** 9n,
    });
    await world.chain.submit(byHand);
    await world.mine(63);
    await assert.rejects(world.sender().broadcast(usurped));
    assert.equal(world.updateOf(usurped), null);
    const next = await world.prepare(world.transfer(stranger('3'), 'ETH', 5n));
    assert.equal(next.uses[0], `nonce:${world.wallet().toLowerCase()}:1`);
    await world.mine(2);
    assert.equal(world.updateOf(usurped)?.outcome, 'expired');
    assert.equal(world.updateOf(next), null);
  });

  test('an asset of which there is too little does not keep the others waiting', async () => {
    await world.fund(whole);
    const transfers = [
      world.transfer(stranger('1'), 'USDC', dollar),
      world.transfer(stranger('2'), 'USDC', 1n),
      world.transfer(stranger('3'), 'ETH', 5n),
    ];
    const { payoutIds } = await world.sender().prepare(transfers, world.watched.sendContext());
    assert.deepEqual(payoutIds, [transfers[2]?.id]);
  });

  test('a transfer that is too large for now does not keep the smaller ones of its asset waiting', async () => {
    await world.fund(whole);
    await world.payTokens(world.wallet(), 'USDC', 10n * dollar);
    await world.mine(1);
    const transfers = [
      world.transfer(stranger('1'), 'ETH', whole),
      world.transfer(stranger('2'), 'USDC', 11n * dollar),
      world.transfer(stranger('3'), 'USDC', 10n * dollar),
      world.transfer(stranger('4'), 'ETH', 5n),
    ];
    const next = async () =>
      world.watched.outgoing.keep(await world.sender().prepare(transfers, world.watched.sendContext()));
    for (const expected of [2, 3]) {
      const { txHash } = await next();
      assert.deepEqual(world.watched.outgoing.transactions.get(txHash)?.payoutIds, [transfers[expected]?.id]);
    }
  });

  test('a recipient whose code breaks, or never ends, is refused', async () => {
    await world.fund(whole);
    const good = world.transfer(stranger('1'), 'ETH', 5n);
    for (const code of ['0xfe', '0x50', '0x600056', '0x5b600056', loopOf(100_000)]) {
      await world.chain.node.call('hardhat_setCode', stranger('8'), code);
      const bad = world.transfer(stranger('8'), 'ETH', 5n);
      await assert.rejects(
        world.sender().prepare([bad, good], world.watched.sendContext()),
        (error) => error instanceof SendRefused && error.payoutId === bad.id && isSentence.test(error.message),
        code,
      );
    }
  });

  test('a recipient gets as much gas as a transfer may cost, and no more', async () => {
    await world.fund(whole);
    await world.chain.node.call('hardhat_setCode', stranger('7'), loopOf(4_000));
    await world.chain.node.call('hardhat_setCode', stranger('8'), loopOf(10_000));
    await assert.rejects(world.prepare(world.transfer(stranger('8'), 'ETH', 5n)), /200000 gas/);
    const dear = await world.prepare(world.transfer(stranger('7'), 'ETH', 5n));
    assert.ok((parseTransaction(dear.raw as `0x02${string}`).gas ?? 0n) <= 200_000n);
    await world.sender().broadcast(dear);
    await world.mine(1);
    assert.equal(world.updateOf(dear)?.outcome, 'included');
  });

  test('a transfer that used up its gas says so, although with more of it it would have succeeded', async () => {
    await world.fund(whole);
    const { faucetAddress: from, node } = world.chain;
    const nonce = BigInt(await node.call<Hex>('eth_getTransactionCount', from, 'pending'));
    const transfer = await world.prepare(world.transfer(getContractAddress({ from, nonce }), 'ETH', 5n));
    await world.chain.deploy({ abi: [], bytecode: deploying(loopOf(500)) }, []); // After it was signed.
    await world.sender().broadcast(transfer);
    await world.mine(70);
    assert.equal(world.updateOf(transfer)?.outcome, 'failed');
    assert.match(world.updateOf(transfer)?.reason ?? '', /^The network undid it: .*out ?of ?gas/i);
  });

  test('a transfer that the node does not want to try waits, and keeps nobody else waiting', async (t) => {
    await world.fund(whole);
    const { url, stop } = await startReluctantNode(world.chain.url, stranger('8'));
    t.after(stop);
    world.restart({ rpcUrl: new Secret(url) });
    const [odd, good] = [world.transfer(stranger('8'), 'ETH', 5n), world.transfer(stranger('1'), 'ETH', 5n)];
    const { payoutIds } = await world.sender().prepare([odd, good], world.watched.sendContext());
    assert.deepEqual(payoutIds, [good.id]);
    await assert.rejects(
      world.prepare(odd),
      (error) => error instanceof NotEnoughFunds && /too busy/.test(error.message),
    );
  });
});
