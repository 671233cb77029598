/** What contracts can do to a payment, on a real EVM with real contracts. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CompiledContract, readCompiledContracts } from '@quittance/sandbox/compile-contracts';
import type { EvmChain } from '@quittance/sandbox/evm-chain';
import { evmChainSettings } from '@quittance/sandbox/evm-chain-harness';
import { createEthereumConnector } from '@quittance/server/networks/ethereum/ethereum';
import { rewindEvmCursor } from '@quittance/server/networks/families/evm/evm-cursor';
import { NetworkError } from '@quittance/server/networks/port/connector';
import type { DepositTarget } from '@quittance/server/networks/port/receiving';
import { createWatched, type Watched } from '@quittance/server/test/networks/watched-connector';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { Secret } from '../../src/lib/secret.ts';
import { describeOnEvmNodes } from './evm-nodes.ts';

type Settings = Parameters<typeof createEthereumConnector>[0];

describeOnEvmNodes('contracts on Ethereum', ({ startChain }) => {
  let chain: EvmChain;
  let contracts: Record<'PlainToken' | 'FeeToken' | 'Forwarder', CompiledContract>;
  let nextIndex = 0;

  before(async () => {
    contracts = await readCompiledContracts();
    chain = await startChain({ user: 'sandbox', password: 'sandbox' });
  });
  after(() => chain?.stop());

  async function watchOne(more: Partial<Settings> = {}): Promise<{ watched: Watched; target: DepositTarget }> {
    const watched = createWatched(createEthereumConnector({ ...evmChainSettings(chain), ...more }));
    const index = nextIndex++;
    const target = await watched.connector.createTarget({
      targetId: 't',
      index,
      reference: 'c',
      assetCode: 'ETH',
      requestedAt: new Date(),
      expiresAt: new Date(),
      amount: { asset: 'ETH:NATIVE', units: 1n },
    });
    watched.targets.add(target.key);
    await watched.observe();
    return { watched, target };
  }

  const tokenCall = (functionName: 'transfer' | 'approve', to: string, units: bigint): Hex =>
    encodeFunctionData({ abi: erc20Abi, functionName, args: [to as Hex, units] });

  const forwardCall = (...to: string[]): Hex =>
    encodeFunctionData({ abi: contracts.Forwarder.abi, functionName: 'forward', args: [to] });

  const unitsOf = (watched: Watched, target: DepositTarget): bigint[] =>
    watched.paymentsTo(target).flatMap(({ observation, fate }) => (fate === 'in a block' ? [observation.units] : []));

  test('ether that a contract passes on is found by the balance, once', async () => {
    const { watched, target } = await watchOne();
    const { target: other } = await watchOne();
    watched.targets.add(other.key);
    const forwarder = await chain.deploy(contracts.Forwarder, []);
    await chain.send({ to: forwarder, data: forwardCall(target.address, other.address), value: 10n });
    await chain.mine(1);
    await watched.observe();
    assert.deepEqual([unitsOf(watched, target), unitsOf(watched, other)], [[5n], [5n]]);
    await chain.pay({ address: target.address, units: 7n });
    await chain.mine(3);
    await watched.observe();
    assert.deepEqual(unitsOf(watched, target), [5n, 7n]);

    await chain.send({ to: forwarder, data: forwardCall(target.address), value: 2n });
    await chain.mine(1);
    watched.restart(createEthereumConnector(evmChainSettings(chain)));
    await watched.observe();
    assert.deepEqual(unitsOf(watched, target), [5n, 7n, 2n]);
  });

  test('ether from inside a contract and a payment in the same block are told apart', async () => {
    const { watched, target } = await watchOne();
    const forwarder = await chain.deploy(contracts.Forwarder, []);
    await chain.send({ to: forwarder, data: forwardCall(target.address), value: 3n });
    await chain.pay({ address: target.address, units: 4n });
    await chain.mine(1);
    await watched.observe();
    assert.deepEqual(unitsOf(watched, target), [4n, 3n]);
  });

  test('ether from inside a contract vanishes with its block and is found again', async () => {
    const { watched, target } = await watchOne();
    const forwarder = await chain.deploy(contracts.Forwarder, []);
    await chain.mine(1);
    await chain.send({ to: forwarder, data: forwardCall(target.address), value: 9n });
    await chain.mine(1);
    await watched.observe();
    assert.deepEqual(unitsOf(watched, target), [9n]);
    await chain.reorganise(1);
    await watched.observe();
    assert.deepEqual(unitsOf(watched, target), []);
    assert.deepEqual(
      watched.summary(target).map(([, , fate]) => fate),
      ['dropped'],
    );
    await chain.mine(1);
    await watched.observe();
    assert.deepEqual(unitsOf(watched, target), [9n]);
  });

  test('the balances of many targets are compared a part per block, until all have had their turn', async () => {
    const { watched, target } = await watchOne();
    const many = Array.from({ length: 1_200 }, (_, at) => `0x${(at + 1).toString(16).padStart(40, '0')}`);
    for (const key of many) watched.targets.add(key);
    const forwarder = await chain.deploy(contracts.Forwarder, []);
    await chain.send({ to: forwarder, data: forwardCall(target.address), value: 11n });
    for (let block = 0; block < 4 && unitsOf(watched, target).length === 0; block += 1) {
      await chain.mine(1);
      await watched.observe();
    }
    assert.deepEqual(unitsOf(watched, target), [11n]);
  });

  test('a token that keeps a fee counts with what it passed on', async () => {
    const contract = await chain.deploy(contracts.FeeToken, ['USDT', 6]);
    const { watched, target } = await watchOne({ tokens: [{ assetCode: 'USDT', contract, decimals: 6 }] });
    await chain.send({ to: contract, data: tokenCall('transfer', target.address, 1_000n) });
    await watched.observe();
    assert.deepEqual(
      watched.summary(target).map(([, units, fate]) => [units, fate]),
      [[1_000n, 'waiting']],
      'what was asked for is all that is known before it is mined',
    );
    await chain.mine(1);
    await watched.observe();
    assert.deepEqual(
      watched.summary(target).map(([, units, fate]) => [units, fate]),
      [
        [1_000n, 'dropped'],
        [990n, 'in a block'],
      ],
    );
    const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [target.address as Hex] });
    assert.equal(BigInt(await chain.node.call<Hex>('eth_call', { to: contract, data: balance }, 'latest')), 990n);
  });

  test('a token that nobody offered is reported as a stray, and so is a forged USDC', async () => {
    const forged = await chain.deploy(contracts.PlainToken, ['USDC', 6]);
    const { watched, target } = await watchOne();
    const txHash = await chain.send({ to: forged, data: tokenCall('transfer', target.address, 5_000n) });
    await chain.mine(1);
    const [first] = await watched.observe();
    assert.deepEqual(watched.summary(target), []);
    assert.deepEqual(
      first?.strays?.map((stray) => [stray.targetKey, stray.txHash, stray.what, stray.units]),
      [[target.key, txHash, forged.toLowerCase(), 5_000n]],
    );
  });

  test('a transaction that fails moves nothing, although its block says what it would have moved', async () => {
    const { watched, target } = await watchOne();
    // Code at the address that refuses everything: the one way to let a plain payment fail.
    await chain.node.call('hardhat_setCode', target.address, '0x60006000fd');
    const ether = await chain.pay({ address: target.address, units: 100n });
    const token = await chain.send({
      to: chain.tokens.USDC,
      data: tokenCall('transfer', target.address, 10n ** 30n),
    });
    await watched.observe();
    assert.deepEqual([watched.fateOf(ether), watched.fateOf(token)], ['waiting', 'waiting']);
    await chain.mine(1);
    await watched.observe();
    assert.deepEqual([watched.fateOf(ether), watched.fateOf(token)], ['dropped', 'dropped']);
  });

  test('a waiting transaction that asks for more than there can be is not reported', async () => {
    const { watched, target } = await watchOne();
    await chain.send({ to: chain.tokens.USDC, data: tokenCall('transfer', target.address, 2n ** 256n - 1n) });
    await watched.observe();
    assert.equal(watched.payments.size, 0);
    await chain.mine(1);
  });

  test('transfers of nothing, and those between strangers, are not reported', async () => {
    const { watched, target } = await watchOne();
    await chain.send({ to: chain.tokens.USDC, data: tokenCall('transfer', target.address, 0n) });
    await chain.send({ to: target.address as Hex, value: 0n });
    await chain.send({ to: chain.tokens.USDC, data: tokenCall('approve', target.address, 5n) });
    await chain.mine(1);
    const rounds = await watched.observe();
    assert.equal(watched.payments.size, 0);
    assert.deepEqual(
      rounds.flatMap(({ strays }) => strays ?? []),
      [],
    );
  });

  test('a node on another chain, and a contract that is not the token, need the operator', async () => {
    const settings = evmChainSettings(chain);
    const wrong: Settings[] = [
      { ...settings, chainId: 1 },
      { ...settings, tokens: [{ assetCode: 'USDC', contract: chain.tokens.USDC, decimals: 7 }] },
      { ...settings, tokens: [{ assetCode: 'USDC', contract: `0x${'99'.repeat(20)}`, decimals: 6 }] },
    ];
    for (const options of wrong) {
      const watched = createWatched(createEthereumConnector(options));
      await assert.rejects(watched.ask(), (error) => error instanceof NetworkError && !error.isRetryable);
    }
  });

  test('errors never contain the address of the node, because it may contain a key', async () => {
    const rpcUrl = new Secret('http://127.0.0.1:9/v2/secret-key');
    const watched = createWatched(createEthereumConnector({ ...evmChainSettings(chain), rpcUrl }));
    await assert.rejects(watched.ask(), (error: Error) => {
      const { cause } = error as { cause?: Error };
      return !`${error.stack} ${cause?.stack}`.includes('secret-key');
    });
  });

  test('blocks that are read again show what was overlooked, and nothing twice', async () => {
    const { watched, target } = await watchOne();
    const other = await watched.createOwnTarget(nextIndex++);
    await chain.pay({ address: target.address, units: 5n });
    await chain.pay({ address: target.address, units: 70n, assetCode: 'USDC' });
    await chain.mine(1);
    await watched.observe();
    // Unknown while these arrive: ether is found by the balance as soon as the address is known, a token is not.
    watched.targets.delete(target.key);
    watched.targets.delete(other.key);
    await chain.pay({ address: target.address, units: 6n });
    await chain.pay({ address: target.address, units: 80n, assetCode: 'USDC' });
    await chain.pay({ address: other.address, units: 90n, assetCode: 'USDC' });
    await chain.mine(1);
    await watched.observe();
    watched.targets.add(target.key);
    watched.targets.add(other.key);
    await chain.mine(1);
    await watched.observe();
    assert.deepEqual(unitsOf(watched, target), [5n, 70n, 6n]);

    // Overlooked as well, and no balance has told of it yet.
    watched.targets.delete(target.key);
    await chain.pay({ address: target.address, units: 4n });
    await chain.mine(40);
    const last = (await watched.observe()).at(-1);
    watched.targets.add(target.key);
    const { cursor, firstBlock } = rewindEvmCursor(last?.cursor ?? {}, 60);
    assert.equal(firstBlock, (last?.tip.height ?? 0) - 59);
    watched.resumeAt(cursor);
    const rounds = await watched.observe();
    assert.deepEqual(new Set(unitsOf(watched, target)), new Set([4n, 5n, 6n, 70n, 80n]));
    assert.equal(unitsOf(watched, target).length, 5);
    assert.deepEqual(unitsOf(watched, other), [90n]);
    assert.equal(rounds.at(-1)?.cursor['rereadAbove'], undefined, 'it comes to an end');
  });
});
