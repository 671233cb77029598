import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createUtxoRpc } from '@quittance/server/networks/families/utxo/utxo-rpc';
import { bitcoinCoin } from '@quittance/server/test/networks/utxo-coins';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { startCpuStopwatch } from '../../server/test/cpu-stopwatch.ts';
import { startUtxoChain, type UtxoChainOptions } from './utxo-chain.ts';

const { network } = bitcoinCoin;
const keyOf = (seed: number) => new Uint8Array(32).fill(seed);
const walletOf = (seed: number) => {
  const { address, script } = p2wpkh(pubECDSA(keyOf(seed)), network);
  return { address, script };
};

async function startChain(t: TestContext, options: Partial<UtxoChainOptions> = {}) {
  const chain = await startUtxoChain({ coin: bitcoinCoin, user: 'test', password: 'test', ...options });
  let isRunning = true;
  const stop = async () => {
    if (isRunning) await chain.stop();
    isRunning = false;
  };
  t.after(stop);
  return { ...chain, stop, rpc: createUtxoRpc(chain.url, 60_000) };
}

/** A payment of 1 coin that wallet 1 has received, spent to wallet 2 and signed by `signer`. */
function spend(txid: string, units: bigint, { signer = 1, claimedUnits = 100_000_000n } = {}): string {
  const tx = new Transaction();
  const { script } = walletOf(signer);
  tx.addInput({ txid, index: 0, witnessUtxo: { script, amount: claimedUnits } });
  tx.addOutputAddress(walletOf(2).address, units, network);
  tx.sign(keyOf(signer));
  tx.finalize();
  return tx.hex;
}

function littleEndian(units: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(units);
  return bytes.toString('hex');
}

test('coins can be spent with their own signature, once', async (t) => {
  const { rpc, ...chain } = await startChain(t);
  const funding = chain.fund({ address: walletOf(1).address, units: 100_000_000n });

  await assert.rejects(rpc.call('sendrawtransaction', spend(funding, 99_990_000n, { signer: 3 })), /script-verify/);
  const forged = spend(funding, 99_990_000n).replace(littleEndian(99_990_000n), littleEndian(99_980_000n));
  await assert.rejects(rpc.call('sendrawtransaction', forged), /Signature check failed/);
  await assert.rejects(
    rpc.call('sendrawtransaction', spend(funding, 100_000_001n, { claimedUnits: 200_000_000n })),
    /in-belowout/,
  );
  await assert.rejects(rpc.call('sendrawtransaction', spend(funding, 293n)), /dust/);

  const txid = await rpc.call<string>('sendrawtransaction', spend(funding, 99_990_000n));
  await assert.rejects(rpc.call('sendrawtransaction', spend(funding, 99_995_000n)), /insufficient fee/);
  const replacement = await rpc.call<string>('sendrawtransaction', spend(funding, 99_980_000n));
  assert.deepEqual(await rpc.call('getrawmempool'), [replacement]);
  assert.notEqual(replacement, txid);
  chain.mine();
  await assert.rejects(rpc.call('sendrawtransaction', spend(funding, 99_000_000n)), /missingorspent/);
});

test('the chain answers nobody without the password', async (t) => {
  const { url } = await startChain(t);
  const stranger = createUtxoRpc(url.replace('test:test', 'test:guess'), 60_000);
  await assert.rejects(stranger.call('getblockcount'), /user name and password/);
});

test('a payment can be made, mined, replaced and forgotten over the wire', async (t) => {
  const { rpc } = await startChain(t);
  const payment = { address: walletOf(1).address, amount: '0.5' };
  const first = await rpc.call<string>('sandbox_pay', payment);
  const second = await rpc.call<string>('sandbox_replace', { txid: first });
  assert.deepEqual(await rpc.call('getrawmempool'), [second]);
  await rpc.call('sandbox_drop', second);
  assert.deepEqual(await rpc.call('getrawmempool'), []);
  const third = await rpc.call<string>('sandbox_fundWallet', payment);
  const [hash] = await rpc.call<string[]>('sandbox_mine', 1);
  assert.equal(await rpc.call('getbestblockhash'), hash);
  const branch = await rpc.call<string[]>('sandbox_reorganise', { depth: 2 });
  assert.equal(branch.length, 3);
  assert.deepEqual(await rpc.call('getrawmempool'), [third]);
  assert.equal((await rpc.call<{ confirmations: number }>('getblockheader', hash)).confirmations, -1);
});

test('block time is the time of the clock it is given', async (t) => {
  let now = new Date('2030-01-01T00:00:00Z');
  const { rpc, ...chain } = await startChain(t, { now: () => now });
  now = new Date('2030-01-02T00:00:00Z');
  const [hash] = chain.mine();
  assert.equal((await rpc.call<{ time: number }>('getblockheader', hash)).time, now.getTime() / 1000);
});

test('a chain in a folder is the same after a restart, also after one in the middle of a write', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-chain-'));
  t.after(() => rm(folder, { recursive: true }));
  const first = await startChain(t, { folder });
  first.fund({ address: walletOf(1).address, units: 100_000_000n });
  first.reorganise(1);
  first.mine(2);
  const waiting = first.pay({ address: walletOf(2).address, units: 5_000n });
  const tip = await first.rpc.call('getbestblockhash');
  await first.stop();

  await appendFile(join(folder, 'bitcoin.jsonl'), '{"block":{"time":17');
  const second = await startChain(t, { folder });
  assert.equal(await second.rpc.call('getbestblockhash'), tip);
  assert.deepEqual(await second.rpc.call('getrawmempool'), [waiting]);
  const [mined] = second.mine();
  await second.stop();
  assert.ok((await readFile(join(folder, 'bitcoin.jsonl'), 'utf8')).endsWith('\n'));

  const third = await startChain(t, { folder });
  assert.equal(await third.rpc.call('getbestblockhash'), mined);
  assert.deepEqual(await third.rpc.call('getrawmempool'), []);
});

test('thousands of blocks are mined, and read again at a start, in a few seconds', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-chain-'));
  t.after(() => rm(folder, { recursive: true }));
  const first = await startChain(t, { folder });
  first.mine(3_000);
  await first.stop();
  const computedMs = startCpuStopwatch();
  const second = await startChain(t, { folder });
  assert.ok(computedMs() < 20_000, `${computedMs()} ms`);
  assert.equal(await second.rpc.call('getblockcount'), 3_119);
});
