import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimal } from '../money/decimal.ts';
import { storedConversion } from './conversion.ts';
import { creditAtRate, creditForPayment } from './credit-for-payment.ts';

const quoted = { grossUnits: 1_079_892_000n, feeUnits: 5_399_460n };

test('a full payment is credited as quoted', () => {
  assert.deepEqual(creditForPayment(136_336_365n, 136_336_365n, quoted), {
    grossUnits: 1_079_892_000n,
    feeUnits: 5_399_460n,
    netUnits: 1_074_492_540n,
  });
});

test('what is counted beyond the quote is credited at the same rate, with its fee', () => {
  assert.deepEqual(creditForPayment(200n, 100n, { grossUnits: 100n, feeUnits: 5n }), {
    grossUnits: 200n,
    feeUnits: 10n,
    netUnits: 190n,
  });
});

test('a part is credited in proportion: the gross rounds down, the fee rounds up', () => {
  // A third of 100 and of 10.
  assert.deepEqual(creditForPayment(1n, 3n, { grossUnits: 100n, feeUnits: 10n }), {
    grossUnits: 33n,
    feeUnits: 4n,
    netUnits: 29n,
  });
});

test('a payment of nothing is credited with nothing', () => {
  assert.deepEqual(creditForPayment(0n, 3n, quoted), { grossUnits: 0n, feeUnits: 0n, netUnits: 0n });
});

test('a late payment is converted at the rate of its confirmation', () => {
  // 1.36336365 LTC at 79.5 USD is 108.387410175 USDC, of which half a percent is 0.541937051 (rounded up).
  const credit = creditAtRate(
    136_336_365n,
    storedConversion('79.5', '1'),
    { from: 8, to: 7 },
    { percent: decimal('0.005'), minimumUsd: decimal('0.1') },
  );
  assert.deepEqual(credit, { grossUnits: 1_083_874_101n, feeUnits: 5_419_371n, netUnits: 1_078_454_730n });
});

const units = fc.bigInt({ min: 0n, max: 10n ** 24n });
const price = fc.bigInt({ min: 1n, max: 10n ** 24n });
const anyQuoted = fc.tuple(units, units).map(([a, b]) => ({ grossUnits: a > b ? a : b, feeUnits: a > b ? b : a }));

test('the merchant is never credited more than the gross, and the fee never exceeds the credit', () => {
  fc.assert(
    fc.property(units, price, anyQuoted, (received, due, quote) => {
      const credit = creditForPayment(received, due, quote);
      if (received <= due) assert.ok(credit.grossUnits <= quote.grossUnits && credit.feeUnits <= quote.feeUnits);
      assert.ok(credit.grossUnits * due <= quote.grossUnits * received);
      assert.ok(credit.netUnits >= 0n && credit.feeUnits >= 0n);
      assert.equal(credit.netUnits + credit.feeUnits, credit.grossUnits);
    }),
  );
});

test('more received is never credited less', () => {
  fc.assert(
    fc.property(units, units, price, anyQuoted, (received, more, due, quote) => {
      const smaller = creditForPayment(received, due, quote);
      const larger = creditForPayment(received + more, due, quote);
      assert.ok(larger.grossUnits >= smaller.grossUnits && larger.feeUnits >= smaller.feeUnits);
    }),
  );
});

test('crediting parts one by one never gives more than crediting their sum', () => {
  fc.assert(
    fc.property(units, units, price, anyQuoted, (first, second, due, quote) => {
      fc.pre(first + second <= due);
      const apart = creditForPayment(first, due, quote).grossUnits + creditForPayment(second, due, quote).grossUnits;
      const together = creditForPayment(first + second, due, quote).grossUnits;
      assert.ok(apart <= together && together - apart <= 1n);
    }),
  );
});
