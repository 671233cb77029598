import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bitcoinChain } from '../../bitcoin/bitcoin.ts';
import { readFeeRates, type SpendingRules } from './utxo-fee-rate.ts';
import type { RpcCall, UtxoRpc } from './utxo-rpc.ts';

/** A node that gives these answers, and the list of what it was asked. */
function nodeThatSays(answers: Record<string, object>) {
  const asked: RpcCall[] = [];
  const rpc: UtxoRpc = {
    call: () => assert.fail('all is asked at once'),
    async batch<Result>(calls: readonly RpcCall[]) {
      asked.push(...calls);
      return calls.map(({ method }) => answers[method] as Result);
    },
  };
  return { rpc, asked };
}

const rules: SpendingRules = bitcoinChain.spendingRules;
const today = {
  estimatesmartfee: { feerate: 0.0001, blocks: 6 },
  getmempoolinfo: { mempoolminfee: 0.00001, minrelaytxfee: 0.00001 },
  getnetworkinfo: { relayfee: 0.00001, incrementalfee: 0.00001 },
};

test("the node's estimate is taken, not below what it relays and not above what we pay", async () => {
  const rateOf = async (feerate: number, mempoolminfee = 0.00001) => {
    const answers = { ...today, estimatesmartfee: { feerate }, getmempoolinfo: { mempoolminfee } };
    return (await readFeeRates(nodeThatSays(answers).rpc, rules, 6)).rate;
  };
  assert.equal(await rateOf(0.0001), 10_000n);
  assert.equal(await rateOf(0.0001, 0.0002), 20_000n);
  assert.equal(await rateOf(1), rules.feeRateMax);
  await assert.rejects(rateOf(0.0001, 0.0051), /takes no transaction below 510000 units/);
});

test('a node that has seen too little to estimate is believed whatever it says instead', async () => {
  for (const estimate of [
    { errors: ['Insufficient data'], blocks: 6 },
    { feerate: -1, blocks: 6 },
  ]) {
    const { rpc } = nodeThatSays({ ...today, estimatesmartfee: estimate });
    assert.equal((await readFeeRates(rpc, rules, 6)).rate, rules.feeRateFallback);
  }
});

test('an old node is asked what it understands, and says what it relays in another place', async () => {
  const old = {
    ...today,
    getmempoolinfo: { mempoolminfee: 0 },
    getnetworkinfo: { relayfee: 0.001, incrementalfee: 0.0001 },
  };
  const { rpc, asked } = nodeThatSays(old);
  const rates = await readFeeRates(rpc, { ...rules, hasOneEstimate: true }, 6);
  assert.deepEqual(rates, { rate: 100_000n, floor: 100_000n, incremental: 10_000n });
  assert.deepEqual(asked[0], { method: 'estimatesmartfee', params: [6] });
  const { rpc: newer, asked: askedNewer } = nodeThatSays(today);
  await readFeeRates(newer, rules, 6);
  assert.deepEqual(askedNewer[0]?.params, [6, 'ECONOMICAL']);
});
