import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal } from '../money/decimal.ts';
import { noFees } from '../pricing/settlement-fee.ts';
import { priceSwap, withSlippage } from './swap-price.ts';

const bitcoin = { ledgerScale: 8, usd: decimal('60000') };
const dollars = { ledgerScale: 7, usd: decimal('1') };

test('the spread is taken from what is given, and shown beside the rate', () => {
  const price = priceSwap(bitcoin, dollars, { sourceUnits: 1_000_000n }, noFees, decimal('0.005'));
  assert.deepEqual(price, {
    sourceUnits: 1_000_000n,
    grossUnits: 597_0000000n,
    feeUnits: 0n,
    rate: '60000',
    spread: '0.5',
  });
});

test('in doubt what is given counts less and what is wanted costs more', () => {
  const price = priceSwap(
    { ...bitcoin, safeUsd: decimal('59850') },
    { ...dollars, safeUsd: decimal('1.0025') },
    { sourceUnits: 1_000_000n },
    noFees,
  );
  assert.deepEqual([price?.grossUnits, price?.rate, price?.spread], [597_0074812n, '60000', '0']);
});

test('there and back again never leaves more than there was, whatever the spread', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const spreads = fc.integer({ min: 0, max: 2_500 }).map((parts) => decimal(`${parts}e-4`));
  fc.assert(
    fc.property(amounts, spreads, (sourceUnits, spread) => {
      const there = priceSwap(bitcoin, dollars, { sourceUnits }, noFees, spread);
      const back = there && priceSwap(dollars, bitcoin, { sourceUnits: there.grossUnits }, noFees, spread);
      assert.ok((back?.grossUnits ?? 0n) <= sourceUnits);
      const named = there && priceSwap(bitcoin, dollars, { targetUnits: there.grossUnits }, noFees, spread);
      assert.ok(!named || named.sourceUnits <= sourceUnits, 'what is named costs no more than what was given for it');
    }),
  );
});

test('what is still taken for the price is rounded up: a market never gives less than the slippage that was agreed', () => {
  const least = (units: bigint, percent: string) => withSlippage(units, decimal(percent));
  assert.deepEqual([least(1_000n, '1'), least(1_001n, '1'), least(999n, '0.5')], [990n, 991n, 995n]);
  assert.deepEqual([least(1n, '5'), least(7n, '0'), least(7n, '100')], [1n, 7n, 0n]);
});

test('what is named and worth no whole units costs one more', () => {
  const cost = (targetUnits: bigint) => priceSwap(bitcoin, dollars, { targetUnits }, noFees)?.sourceUnits;
  assert.deepEqual([cost(1n), cost(5_999n), cost(6_000n), cost(6_001n)], [1n, 1n, 1n, 2n]);
});

test('what is named costs the least that buys it: a unit less would not', () => {
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
  const fees = fc.record({
    percent: fc.integer({ min: 0, max: 500 }).map((parts) => decimal(`${parts}e-4`)),
    minimumUsd: fc.integer({ min: 0, max: 500 }).map((cents) => decimal(`${cents}e-2`)),
  });
  fc.assert(
    fc.property(amounts, fees, (targetUnits, agreed) => {
      const named = priceSwap(dollars, bitcoin, { targetUnits }, agreed);
      assert.ok(named && named.grossUnits - named.feeUnits === targetUnits);
      const bought = (sourceUnits: bigint): bigint => {
        const price = priceSwap(dollars, bitcoin, { sourceUnits }, agreed);
        return price ? price.grossUnits - price.feeUnits : 0n;
      };
      assert.ok(bought(named.sourceUnits) >= targetUnits, 'it buys what was named');
      assert.ok(bought(named.sourceUnits - 1n) < targetUnits || named.sourceUnits === 0n, 'and nothing less does');
    }),
  );
});
