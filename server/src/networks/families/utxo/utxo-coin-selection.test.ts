import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startCpuStopwatch } from '../../../../test/cpu-stopwatch.ts';
import { dogecoinChain } from '../../../../test/networks/dogecoin.ts';
import { bitcoinChain } from '../../bitcoin/bitcoin.ts';
import { litecoinChain } from '../../litecoin/litecoin.ts';
import type { Coin } from '../../port/sending.ts';
import { collectCoins, fitOutputs, outpointOf, selectCoins, sum } from './utxo-coin-selection.ts';
import { spendingTerms } from './utxo-fee-rate.ts';
import type { UtxoParameters } from './utxo-parameters.ts';
import { dustLimit, feeFor, leastOwnOutput, ownScriptLength, vsizeMax, vsizeOf } from './utxo-transaction-size.ts';

const coinOf = (units: bigint, at: number): Coin => ({
  txHash: 'ab'.repeat(32),
  index: String(at),
  units,
  targetKey: 'address',
  targetIndex: at,
});
const coinsOf = (...units: bigint[]): Coin[] => units.map(coinOf);
const script = Uint8Array.of(0, 20, ...new Uint8Array(20));
const output = (units: bigint) => ({ script, units });
const termsAt = (rate: bigint, coin: UtxoParameters = bitcoinChain) =>
  spendingTerms({ rate, floor: 1_000n, incremental: 1_000n }, coin);

const anyCoins = fc.array(fc.bigInt(1n, 5_000_000n), { maxLength: 150 }).map((units) => units.map(coinOf));
const anyOutputs = fc.array(fc.bigInt(294n, 2_000_000n).map(output), { minLength: 1, maxLength: 20 });
const anyRate = fc.bigInt(1_000n, 500_000n);
const anyCoin = fc.constantFrom<UtxoParameters[]>(bitcoinChain, litecoinChain, dogecoinChain);

test('what goes in comes out as payments, change and a fee within bounds, and change is never dust', () => {
  fc.assert(
    fc.property(anyCoins, anyOutputs, anyRate, anyCoin, (coins, outputs, rate, coin) => {
      const terms = termsAt(rate, coin);
      const spending = selectCoins(coins, outputs, terms);
      if (!spending) return;
      const { coins: chosen, changeUnits, fee, vsize } = spending;
      assert.equal(sum(chosen), sum(outputs) + changeUnits + fee);
      assert.equal(new Set(chosen.map(outpointOf)).size, chosen.length);
      assert.ok(changeUnits === 0n || changeUnits >= leastOwnOutput(coin.addressKind, coin.spendingRules));
      assert.ok(fee >= feeFor(vsize, rate));
      // At most the fee by the rate, plus change that was too small to keep.
      const { addressKind } = coin;
      const lengths = [...outputs.map(() => script.length), ownScriptLength(addressKind)];
      const withChange = vsizeOf(addressKind, chosen.length, lengths);
      assert.ok(fee <= feeFor(withChange, rate) + terms.changeMin);
      assert.ok(vsize <= vsizeMax);
    }),
    { numRuns: 1_000 },
  );
});

test('coins are only too few when even all of them would be', () => {
  fc.assert(
    fc.property(anyCoins, anyOutputs, anyRate, (coins, outputs, rate) => {
      if (selectCoins(coins, outputs, termsAt(rate))) return;
      const worthwhile = coins.filter(({ units }) => units > feeFor(68, rate));
      const lengths = outputs.map(() => script.length);
      assert.ok(sum(worthwhile) < sum(outputs) + feeFor(vsizeOf('p2wpkh', worthwhile.length, lengths), rate));
    }),
    { numRuns: 1_000 },
  );
});

test('the order in which coins are given does not matter', () => {
  fc.assert(
    fc.property(anyCoins, anyOutputs, anyRate, (coins, outputs, rate) => {
      const forth = selectCoins(coins, outputs, termsAt(rate));
      assert.deepEqual(selectCoins([...coins].reverse(), outputs, termsAt(rate)), forth);
    }),
    { numRuns: 200 },
  );
});

test('the smallest coin that is enough alone is taken, and otherwise the largest first', () => {
  const coins = coinsOf(900_000n, 50_000n, 200_000n, 120_000n);
  const taken = (units: bigint) =>
    selectCoins(coins, [output(units)], termsAt(10_000n))?.coins.map((coin) => coin.units);
  assert.deepEqual(taken(100_000n), [120_000n]);
  assert.deepEqual(taken(1_000_000n), [900_000n, 200_000n]);
  assert.equal(taken(1_270_000n), undefined);
});

test('change too small to be worth spending is left to the miners', () => {
  const feeOf = (...lengths: number[]) => feeFor(vsizeOf('p2wpkh', 1, lengths), 10_000n);
  const [fee, withChange] = [feeOf(22), feeOf(22, 22)];
  const spent = (units: bigint) => selectCoins(coinsOf(units), [output(100_000n)], termsAt(10_000n));
  assert.deepEqual(spent(100_000n + fee)?.changeUnits, 0n);
  assert.deepEqual(spent(100_000n + withChange + 679n)?.changeUnits, 0n); // Spending it would cost 680.
  assert.deepEqual(spent(100_000n + withChange + 680n)?.changeUnits, 680n);
});

test('small coins come along while fees are low and they have piled up, and not otherwise', () => {
  const pile = coinsOf(1_000_000n, ...Array.from({ length: 120 }, () => 5_000n));
  const count = (coins: readonly Coin[], rate: bigint) =>
    selectCoins(coins, [output(100_000n)], termsAt(rate))?.coins.length;
  assert.equal(count(pile, 1_000n), 21);
  assert.equal(count(pile, 50_000n), 1);
  assert.equal(count(pile.slice(0, 50), 1_000n), 1);
});

test('a heap of small coins becomes one while fees are low, and is left alone otherwise', () => {
  const heap = coinsOf(1_000_000n, ...Array.from({ length: 500 }, () => 5_000n));
  const collected = collectCoins(heap, termsAt(2_000n));
  assert.equal(collected?.coins.length, 100);
  assert.equal(sum(collected.coins), 500_000n);
  assert.equal(collected.changeUnits, 500_000n - collected.fee);
  assert.equal(collectCoins(heap, termsAt(2_001n)), null);
  assert.equal(collectCoins(heap.slice(1), termsAt(2_000n)), null);
  // These inputs are larger: as many as one transaction can take.
  const legacy = { ...dogecoinChain, spendingRules: bitcoinChain.spendingRules };
  assert.equal(collectCoins(heap, termsAt(2_000n, legacy))?.coins.length, 94);
  const worthless = coinsOf(...Array.from({ length: 501 }, () => 100n));
  assert.equal(collectCoins(worthless, termsAt(2_000n)), null);
});

test('a batch carries the first payout and whichever others can be paid', () => {
  const fit = (...units: bigint[]) =>
    fitOutputs(coinsOf(100_000n, 100_000n), units.map(output), termsAt(1_000n))?.carried.map((each) => each.units);
  assert.deepEqual(fit(50_000n, 60_000n, 70_000n), [50_000n, 60_000n, 70_000n]);
  assert.deepEqual(fit(50_000n, 900_000n, 70_000n), [50_000n, 70_000n]);
  assert.equal(fit(900_000n, 50_000n), undefined);
});

test('thousands of coins and payouts are decided in moments, and fit into one transaction', () => {
  const coins = Array.from({ length: 5_000 }, (_, at) => coinOf(10_000n, at));
  const outputs = Array.from({ length: 300 }, () => output(100_000n));
  const computedMs = startCpuStopwatch();
  const fitting = fitOutputs(coins, outputs, termsAt(1_000n));
  assert.ok(computedMs() < 20_000, `${computedMs()} ms`);
  assert.ok(fitting && fitting.carried.length > 10 && fitting.spending.vsize <= vsizeMax);
});

test('dust is what nodes say it is', () => {
  const scripts = { p2wpkh: `0014${'00'.repeat(20)}`, p2wsh: `0020${'00'.repeat(32)}`, p2tr: `5120${'00'.repeat(32)}` };
  const older = { p2pkh: `76a914${'00'.repeat(20)}88ac`, p2sh: `a914${'00'.repeat(20)}87` };
  const limits = Object.values({ ...scripts, ...older }).map((hex) => dustLimit(Buffer.from(hex, 'hex'), 3_000n));
  assert.deepEqual(limits, [294n, 330n, 330n, 546n, 540n]);
});

test('what a coin says of all outputs counts beside what spending them would cost', () => {
  assert.equal(leastOwnOutput('p2pkh', { dustRate: 3_000n }), 546n);
  assert.equal(leastOwnOutput('p2wpkh', { dustRate: 3_000n }), 294n);
  assert.equal(leastOwnOutput('p2pkh', { dustRate: 3_000n, outputMin: 545n }), 546n);
  assert.equal(leastOwnOutput('p2pkh', { dustRate: 0n, outputMin: 1_000_000n }), 1_000_000n);
});
