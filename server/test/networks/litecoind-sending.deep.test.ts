/** Sending by the rules of a real node: what it relays, what it calls dust, and what it lets replace what. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { findLitecoind, startLitecoindHarness } from '@quittance/sandbox/litecoind';
import { unitsOf } from '@quittance/server/networks/families/utxo/utxo-block';
import { createUtxoConnector } from '@quittance/server/networks/families/utxo/utxo-connector';
import { createLitecoinConnector, litecoin, litecoinChain } from '@quittance/server/networks/litecoin/litecoin';
import { senderOf } from '@quittance/server/networks/outgoing-memory';
import { type Payout, SendRefused } from '@quittance/server/networks/port/sending';
import { createWatched } from '@quittance/server/test/networks/watched-connector';
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from '@scure/btc-signer';
import { pubECDSA, pubSchnorr } from '@scure/btc-signer/utils.js';
import { litecoinCoin } from './utxo-coins.ts';

const program = findLitecoind();
const { network } = litecoinCoin;

async function startWallet(t: TestContext, coins: readonly bigint[], createConnector = createLitecoinConnector) {
  const harness = await startLitecoindHarness(program as string, litecoinCoin, 'LTC', createConnector);
  t.after(() => harness.stop());
  const watched = createWatched(harness.createConnector());
  await watched.observe();
  const targets = await Promise.all(coins.map((_, index) => watched.createOwnTarget(index)));
  await harness.pay(...targets.map((target, at) => ({ target, units: coins[at] as bigint })));
  await harness.mine(1);
  await watched.observe();
  const sender = senderOf(watched.connector);
  const keep = async (transfers: readonly Payout[]) =>
    watched.outgoing.keep(await sender.prepare(transfers, watched.sendContext()));
  async function mine(count: number) {
    await harness.mine(count);
    await watched.observe();
  }
  return { harness, watched, sender, keep, mine };
}

const transfer = (at: number, address: string, units: bigint): Payout => ({
  id: `transfer-${at}`,
  assetCode: 'LTC',
  units,
  address,
  memo: null,
  memoType: null,
  holder: null,
});

/** An address of each kind there is, for one key. */
function addressesOf(seed: number): string[] {
  const privateKey = new Uint8Array(32).fill(seed);
  const key = pubECDSA(privateKey);
  const inner = p2wpkh(key, network);
  return [
    inner,
    p2pkh(key, network),
    p2sh(inner, network),
    p2wsh(p2pkh(key), network),
    p2tr(pubSchnorr(privateKey), undefined, network),
  ].map(({ script, address }) => {
    assert.ok(address !== undefined && script.length > 0);
    return address;
  });
}

// Where it is missing, litecoind.conformance.deep.test.ts says so aloud.
if (program !== undefined) {
  test('fifty transfers to addresses of every kind are one transaction', async (t) => {
    const { harness, watched, sender, keep, mine } = await startWallet(t, [4_000_000n, 3_000_000n, 2_000_000n]);
    const addresses = Array.from({ length: 10 }, (_, at) => addressesOf(at + 1)).flat();
    const transfers = addresses.map((address, at) => transfer(at, address, 100_000n + BigInt(at)));
    const signed = await keep(transfers);
    assert.deepEqual(watched.outgoing.transactions.get(signed.txHash)?.payoutIds.length, 50);
    await sender.broadcast(signed);
    const { fees, vsize } = await harness.rpc.call<{ fees: { base: number }; vsize: number }>(
      'getmempoolentry',
      signed.txHash,
    );
    // Paid by the size that the node sees: never less than asked for, and hardly more.
    const rate = (unitsOf(fees.base) * 1_000n) / BigInt(vsize);
    assert.ok(rate >= 20_000n && rate < 20_300n, `${rate}`);
    await mine(1);
    assert.equal(watched.outgoing.transactions.get(signed.txHash)?.update?.outcome, 'included');
    for (const [at, address] of addresses.entries()) {
      const { unspents } = await harness.rpc.call<{ unspents: { amount: number }[] }>('scantxoutset', 'start', [
        `addr(${address})`,
      ]);
      assert.deepEqual(
        unspents.map(({ amount }) => unitsOf(amount)),
        [100_000n + BigInt(at)],
        address,
      );
    }
  });

  test('the least that we send is the least that the node relays, to every kind of address', async (t) => {
    const { watched, sender, keep, mine } = await startWallet(t, [1_000_000n]);
    const addresses = addressesOf(77);
    const least = [2_940n, 5_460n, 5_400n, 3_300n, 3_300n];
    for (const [at, address] of addresses.entries()) {
      const tooLittle = transfer(at, address, (least[at] ?? 0n) - 1n);
      await assert.rejects(sender.prepare([tooLittle], watched.sendContext()), SendRefused);
    }
    await sender.broadcast(await keep(addresses.map((address, at) => transfer(at, address, least[at] ?? 0n))));
    await mine(1);
  });

  test('of an original and its replacements the node lets one happen, whichever is mined', async (t) => {
    const { harness, watched, sender, keep, mine } = await startWallet(t, [130_000n, 120_000n, 110_000n]);
    const [address = ''] = addressesOf(9);
    const outcomes = (hashes: readonly string[]) =>
      hashes.map((txHash) => watched.outgoing.transactions.get(txHash)?.update?.outcome ?? null);
    let minutes = 0;
    const replacementOf = async (txHash: string) => {
      minutes += 31;
      const now = new Date(Date.now() + minutes * 60_000);
      watched.outgoing.setClock(() => now);
      const signed = await sender.replace?.(watched.outgoing.asOutgoing(txHash), watched.sendContext());
      assert.ok(signed, 'it was not replaced');
      return watched.outgoing.keep(signed, txHash);
    };

    // There is no change to take a higher fee from, so that a second coin comes along.
    const first = await keep([transfer(1, address, 107_000n)]);
    await sender.broadcast(first);
    const second = await replacementOf(first.txHash);
    assert.ok(second.uses.length > first.uses.length);
    await sender.broadcast(second);
    const third = await replacementOf(second.txHash);
    await sender.broadcast(third);
    assert.deepEqual(await harness.rpc.call('getrawmempool'), [third.txHash]);
    await mine(100);
    assert.deepEqual(outcomes([first.txHash, second.txHash, third.txHash]), ['expired', 'expired', 'included']);

    const original = await keep([transfer(2, address, 50_000n)]);
    await sender.broadcast(original);
    const late = await replacementOf(original.txHash);
    await mine(1);
    await assert.rejects(sender.broadcast(late));
    await mine(99);
    assert.deepEqual(outcomes([original.txHash, late.txHash]), ['included', 'expired']);
  });

  test('a heap of small coins is turned into one while fees are low, once', async (t) => {
    // A node without estimates is believed to be one with the least there are.
    const spendingRules = { ...litecoinChain.spendingRules, feeRateFallback: 1_000n };
    const coins = Array.from({ length: 501 }, (_, at) => 10_000n + BigInt(at));
    const { watched, sender, mine } = await startWallet(t, coins, (settings) =>
      createUtxoConnector(litecoin, { ...settings, ...litecoinChain, spendingRules }),
    );
    const [signed] = (await sender.housekeeping?.(watched.sendContext())) ?? [];
    assert.ok(signed);
    assert.deepEqual([signed.payoutIds, signed.note, signed.uses.length], [[], 'collect', 100]);
    await sender.broadcast(watched.outgoing.keep(signed));
    assert.deepEqual(await sender.housekeeping?.(watched.sendContext()), []);
    await mine(1);
    assert.equal(watched.outgoing.transactions.get(signed.txHash)?.update?.outcome, 'included');
    const left = await watched.sendContext().unspent({ assetCode: 'LTC', limit: 1_000 });
    assert.equal(left.length, 402);
    const total = left.reduce((sum, { units }) => sum + units, 0n);
    assert.equal(
      total + signed.fee.units,
      coins.reduce((sum, units) => sum + units, 0n),
    );
  });
}
