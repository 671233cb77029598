import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Decimal, decimal } from '../money/decimal.ts';
import type { CombinedRate } from '../pricing/combine-rates.ts';
import { type FeeSchedule, noFees } from '../pricing/settlement-fee.ts';
import { isStillWorth, priceSwap as pricedSwap, type SwapAmount, withSlippage } from './swap-price.ts';

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

test('a quoted price stands while what is given is worth what is credited for it, at the rates of now', () => {
  const fees = { percent: decimal('0.005'), minimumUsd: decimal(0) };
  const price = priceSwap(bitcoin, dollars, { sourceUnits: 1_000_000n }, fees);
  assert.ok(price); // 600 dollars, of which 597 are credited
  const stands = (usd: string) =>
    isStillWorth(price, bitcoin, dollars, (code) => ({
      usd: decimal(code === 'BTC' ? usd : '1'),
      sources: [],
      at: new Date(0),
    }));
  assert.deepEqual(['60000', '90000', '59700', '59699.99'].map(stands), [true, true, true, false]);
  assert.equal(
    isStillWorth(price, bitcoin, dollars, () => ({ missing: 'all' })),
    false,
  );
});
