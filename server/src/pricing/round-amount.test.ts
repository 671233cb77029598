import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatUnits } from '../money/amount.ts';
import { decimal, toUnits } from '../money/decimal.ts';
import { roundAmountUp } from './round-amount.ts';

test('an amount gets as few digits as cost no more than a ten-thousandth', () => {
  assert.equal(roundAmountUp(6_729_966_666_666_667n), 6_730_000_000_000_000n); // 0.00673 ETH
  assert.equal(roundAmountUp(41_667n), 41_670n); // satoshis
  assert.equal(roundAmountUp(8_212_320_000n), 8_213_000_000n); // 821.3 XLM
  assert.equal(roundAmountUp(99_995n), 100_000n);
  assert.equal(roundAmountUp(1_368_720_000_000_000_001n), 1_368_800_000_000_000_000n);
});

test('what is round already, and what is too small for any digit to be spared, stays', () => {
  assert.equal(roundAmountUp(100_000n), 100_000n);
  assert.equal(roundAmountUp(1_001n), 1_001n);
  assert.equal(roundAmountUp(9_999n), 9_999n, 'one more would be more than a ten-thousandth');
  assert.equal(roundAmountUp(1n), 1n);
});

test('what would be an excess is not asked for, however few digits it had', () => {
  assert.equal(roundAmountUp(123_456_789n), 123_460_000n);
  assert.equal(roundAmountUp(123_456_789n, 3_211n), 123_457_000n, '3,211 more would have to be given back');
  assert.equal(roundAmountUp(123_456_789n, 3_212n), 123_460_000n);
  assert.equal(roundAmountUp(123_456_789n, 1n), 123_456_789n);
});

const wei = (ether: string): bigint => toUnits(decimal(ether), 18, 'up');
const decimalsOf = (units: bigint): number => formatUnits(units, 18).split('.')[1]?.length ?? 0;

test('of ether there are at most eight decimals, but for amounts so small that they would cost too much', () => {
  assert.equal(roundAmountUp(wei('0.000166666666666667')), wei('0.00016667'));
  assert.equal(roundAmountUp(wei('0.000050001')), wei('0.000050001'), 'one step of the eighth is a five-thousandth');
  fc.assert(
    fc.property(fc.bigInt({ min: wei('0.0001'), max: wei('1000') }), (units) => {
      assert.ok(decimalsOf(roundAmountUp(units)) <= 8);
    }),
  );
  fc.assert(
    fc.property(fc.bigInt({ min: wei('0.00001'), max: wei('0.0001') }), (units) => {
      assert.ok(decimalsOf(roundAmountUp(units)) <= 9);
    }),
  );
});

const anyUnits = fc.bigInt({ min: 1n, max: 10n ** 30n });
/** Without the zeros at the end, which are no digits that anybody reads. */
const digitsOf = (units: bigint): number => units.toString().replace(/0+$/, '').length;

test('never less, never more than 0.01 % more, and no shorter number lies in between', () => {
  fc.assert(
    fc.property(anyUnits, (units) => {
      const rounded = roundAmountUp(units);
      const most = units + units / 10_000n;
      assert.ok(units <= rounded && rounded <= most);
      for (let step = 1n; step <= 10n * most; step *= 10n) {
        const next = ((units + step - 1n) / step) * step;
        assert.ok(next > most || digitsOf(next) >= digitsOf(rounded), `${next} is shorter than ${rounded}`);
      }
    }),
  );
});

test('more never becomes less', () => {
  fc.assert(
    fc.property(anyUnits, fc.bigInt({ min: 0n, max: 10n ** 26n }), (units, more) => {
      assert.ok(roundAmountUp(units) <= roundAmountUp(units + more));
    }),
  );
});
