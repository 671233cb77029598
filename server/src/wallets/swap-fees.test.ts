/** What a swap costs when the credit is named instead, and what becomes of its fee when a market gives another gross. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Decimal, decimal } from '../money/decimal.ts';
import type { CombinedRate } from '../pricing/combine-rates.ts';
import { type FeeSchedule, noFees, settlementFee } from '../pricing/settlement-fee.ts';
import { feeOfGross, priceSwap as pricedSwap, rateText, type SwapAmount, unitsOf, withSlippage } from './swap-price.ts';

const bitcoin = { ledgerScale: 8, currencyCode: 'BTC', usd: decimal('60000') };
const dollars = { ledgerScale: 7, currencyCode: 'USDC', usd: decimal('1') };

type Told = {
  readonly ledgerScale: number;
  readonly currencyCode: string;
  readonly usd: Decimal;
  readonly safeUsd?: Decimal;
};

/** At the rates of the two assets: in doubt, what is safe is given with them. */
function priceSwap(source: Told, credited: Told, amount: SwapAmount, fees: FeeSchedule, swapSpread = decimal(0)) {
  const rates = [source, credited].map(({ currencyCode, usd, safeUsd = usd }): [string, CombinedRate] => {
    return [currencyCode, { usd, range: { low: safeUsd, high: safeUsd }, sources: [], at: new Date(0) }];
  });
  const rateOf = (code: string): CombinedRate => new Map(rates).get(code) as CombinedRate;
  const price = pricedSwap(source, credited, amount, fees, { rateOf, swapSpread });
  assert.ok(price === null || 'grossUnits' in price);
  return price;
}

const fees = { percent: decimal('0.01'), minimumUsd: decimal('0') };
const withMinimum = { percent: decimal('0.01'), minimumUsd: decimal('3') };

test('a rate is what one is worth in the other, to eighteen decimals', () => {
  assert.equal(rateText(decimal(60000), decimal(2)), '30000');
  assert.equal(rateText(decimal(2), decimal(3)), '0.666666666666666667');
});

test('the fee is taken from what was bought', () => {
  const price = priceSwap(bitcoin, dollars, { sourceUnits: 1_000_000n }, fees);
  assert.deepEqual([price?.grossUnits, price?.feeUnits, price?.spread], [600_0000000n, 6_0000000n, '0']);
});

test('what a named credit costs is worked out backwards, rounded up', () => {
  const price = (targetUnits: bigint, schedule = fees) => priceSwap(bitcoin, dollars, { targetUnits }, schedule);
  assert.deepEqual(price(594_0000000n), {
    sourceUnits: 1_000_000n,
    grossUnits: 600_0000000n,
    feeUnits: 6_0000000n,
    rate: '60000',
    spread: '0',
  });
  assert.equal(price(594_0000001n)?.sourceUnits, 1_000_001n);
  assert.equal(price(600_0000000n, noFees)?.sourceUnits, 1_000_000n);
  const small = price(10_0000000n, withMinimum);
  assert.deepEqual([small?.grossUnits, small?.feeUnits], [13_0000000n, 3_0000000n]);
});

test('in doubt a named credit costs more, and the spread comes on top', () => {
  const unsure = priceSwap(
    { ...bitcoin, safeUsd: decimal('50000') },
    { ...dollars, safeUsd: decimal('1.25') },
    { targetUnits: 500_0000000n },
    noFees,
  );
  assert.equal(unsure?.sourceUnits, 1_250_000n);
  const spread = priceSwap(bitcoin, dollars, { targetUnits: 450_0000000n }, noFees, decimal('0.25'));
  assert.deepEqual([spread?.sourceUnits, spread?.spread, spread?.rate], [1_000_000n, '25', '60000']);
});

test('so little that nothing would be left of it is no swap', () => {
  assert.equal(priceSwap(dollars, bitcoin, { sourceUnits: 1n }, noFees), null);
  assert.equal(priceSwap(bitcoin, dollars, { sourceUnits: 0n }, noFees), null);
  assert.equal(priceSwap(bitcoin, dollars, { sourceUnits: 5_000n }, withMinimum), null, 'the fee is all of it');
  assert.ok(priceSwap(bitcoin, dollars, { sourceUnits: 5_001n }, withMinimum));
  assert.equal(priceSwap(bitcoin, dollars, { targetUnits: 0n }, noFees), null);
  assert.equal(priceSwap(bitcoin, dollars, { targetUnits: -1n }, noFees), null);
  assert.ok(priceSwap(bitcoin, dollars, { targetUnits: 1n }, noFees));
});

test('of the gross for a named credit, exactly that credit is left after the fee, and of one unit less it is not', () => {
  const net = fc.bigInt({ min: 1n, max: 10n ** 14n });
  const schedules = fc
    .tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 500 }))
    .map(([part, cents]) => ({
      percent: decimal(`${part}e-4`),
      minimumUsd: decimal(`${cents}e-2`),
    }));
  fc.assert(
    fc.property(net, schedules, (targetUnits, schedule) => {
      const price = priceSwap(bitcoin, dollars, { targetUnits }, schedule);
      assert.ok(price);
      const left = (gross: bigint): bigint => gross - settlementFee(gross, 7, decimal(1), schedule);
      assert.equal(price.grossUnits - price.feeUnits, targetUnits);
      assert.ok(left(price.grossUnits) >= targetUnits);
      assert.ok(left(price.grossUnits - 1n) < targetUnits);
    }),
  );
});

test('the least gross that is accepted rounds up', () => {
  assert.equal(withSlippage(1_000n, decimal('1')), 990n);
  assert.equal(withSlippage(1_001n, decimal('0.5')), 996n); // 995.995
  assert.equal(withSlippage(1_000n, decimal('0')), 1_000n);
  assert.equal(withSlippage(1_000n, decimal('100')), 0n);
});

test('a share is taken of what a market really gave, and a minimum stays what it was in the price', () => {
  const byShare = { grossUnits: 1_000n, feeUnits: 10n };
  assert.equal(feeOfGross(2_000n, byShare, fees), 20n);
  assert.equal(feeOfGross(500n, byShare, fees), 5n);
  const byMinimum = { grossUnits: 1_000n, feeUnits: 50n };
  assert.equal(feeOfGross(900n, byMinimum, fees), 50n);
  assert.equal(feeOfGross(6_000n, byMinimum, fees), 60n, 'the share is more by now');
  assert.equal(feeOfGross(40n, byMinimum, fees), 40n, 'no more than there is');
  assert.equal(feeOfGross(0n, byMinimum, fees), 0n);
});

test('an amount that is finer than its asset is none', () => {
  assert.equal(unitsOf(decimal('1.25'), 2), 125n);
  assert.equal(unitsOf(decimal('1.2'), 2), 120n);
  assert.equal(unitsOf(decimal('1.255'), 2), null);
});
