import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { privateKeyToAccount } from 'viem/accounts';
import { startEvmChain } from './evm-chain.ts';

type Block = { hash: string; parentHash: string; number: string; transactions: string[] };

const address = `0x${'ab'.repeat(20)}`;
const credentials = { user: 'sandbox', password: 'secret' };

async function blocksOf(chain: { node: { call<T>(method: string, ...params: unknown[]): Promise<T> } }) {
  const tip = Number(await chain.node.call<string>('eth_blockNumber'));
  const heights = Array.from({ length: tip + 1 }, (_, height) => `0x${height.toString(16)}`);
  return Promise.all(heights.map((height) => chain.node.call<Block>('eth_getBlockByNumber', height, false)));
}

test('a chain is the same after a restart, block by block, and its waiting transactions still wait', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-evm-'));
  const before = await startEvmChain({ ...credentials, folder });
  await before.pay({ address, units: 5n });
  await before.mine(2);
  await before.pay({ address, units: 60n, assetCode: 'USDT' });
  await before.mine(1);
  await before.reorganise(2);
  const forgotten = await before.pay({ address, units: 7n });
  await before.drop(forgotten);
  const replaced = await before.pay({ address, units: 8n });
  const waiting = await before.replace(replaced);
  const blocks = await blocksOf(before);
  await before.stop();

  const after = await startEvmChain({ ...credentials, folder });
  assert.deepEqual(await blocksOf(after), blocks);
  await after.mine(1);
  const newest = (await blocksOf(after)).at(-1);
  assert.ok(newest?.transactions.includes(waiting));
  assert.ok(!newest?.transactions.includes(replaced) && !newest?.transactions.includes(forgotten));
  await after.stop();
  await rm(folder, { recursive: true });
});

test('whenever it dies while it is being set up, the next start has the same tokens', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-evm-'));
  await (await startEvmChain({ ...credentials, folder })).stop();
  const lines = (await readFile(join(folder, 'ethereum.jsonl'), 'utf8')).trimEnd().split('\n');
  for (let kept = 0; kept < lines.length; kept += 1) {
    await writeFile(
      join(folder, 'ethereum.jsonl'),
      lines
        .slice(0, kept)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const chain = await startEvmChain({ ...credentials, folder });
    for (const token of Object.values(chain.tokens))
      assert.notEqual(await chain.node.call('eth_getCode', token, 'latest'), '0x', `after ${kept} steps`);
    await chain.stop();
  }
  await rm(folder, { recursive: true });
});

test('a transaction that the node refused is refused again at the next start, and nothing else is lost', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-evm-'));
  const before = await startEvmChain({ ...credentials, folder });
  await assert.rejects(before.submit('0x02c0'));
  await before.pay({ address, units: 5n });
  await before.mine(1);
  const blocks = await blocksOf(before);
  await before.stop();
  const after = await startEvmChain({ ...credentials, folder });
  assert.deepEqual(await blocksOf(after), blocks);
  await after.stop();
  await rm(folder, { recursive: true });
});

test('a reorganisation gives other blocks with other parents, and what they held waits again or is gone', async () => {
  const chain = await startEvmChain(credentials);
  for (const keepTransactions of [true, false]) {
    const tx = await chain.pay({ address, units: 5n });
    await chain.mine(3);
    const before = await blocksOf(chain);
    await chain.reorganise(3, { keepTransactions });
    const after = await blocksOf(chain);
    assert.equal(after.length, before.length + 1);
    const changed = after.filter(({ hash }, at) => hash !== before[at]?.hash);
    assert.equal(changed.length, 4);
    assert.equal(changed[0]?.parentHash, before.at(-4)?.hash);
    for (const [at, block] of changed.entries()) if (at > 0) assert.equal(block.parentHash, changed[at - 1]?.hash);
    assert.ok(changed.every(({ transactions }) => transactions.length === 0));
    const [mined] = await chain.mine(1);
    const block = (await blocksOf(chain)).find(({ hash }) => hash === mined);
    assert.equal(block?.transactions.includes(tx), keepTransactions);
  }
  await assert.rejects(chain.reorganise(1_000), /cannot be given up/);
  await chain.stop();
});

test("the chain takes anybody's signed transaction, but orders only from its owner", async () => {
  const chain = await startEvmChain(credentials);
  const rpc = async (method: string, params: unknown[], authorization = `Basic ${btoa('sandbox:secret')}`) => {
    const response = await fetch(`http://127.0.0.1:${chain.port}`, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return { status: response.status, body: response.ok ? ((await response.json()) as any) : null };
  };
  const wallet = privateKeyToAccount(`0x${'22'.repeat(32)}`);
  await chain.pay({ address: wallet.address, units: 10n ** 18n });
  await chain.mine(1);
  const raw = await wallet.signTransaction({
    chainId: chain.chainId,
    type: 'eip1559',
    nonce: 0,
    to: address as `0x${string}`,
    value: 3n,
    gas: 21_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
  const { body } = await rpc('eth_sendRawTransaction', [raw]);
  await rpc('sandbox_mine', [1]);
  assert.ok((await blocksOf(chain)).at(-1)?.transactions.includes(body.result));

  assert.equal((await rpc('hardhat_setBalance', [address, '0x1'])).body.error.code, -32601);
  assert.equal((await rpc('sandbox_mine', [1], 'Basic d3Jvbmc=')).status, 401);
  assert.match((await rpc('sandbox_pay', [{ address, amount: '1', asset: 'DAI' }])).body.error.message, /DAI/);
  await chain.stop();
});
