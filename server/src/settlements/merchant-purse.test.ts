import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import type { Line } from '../ledger/entry.ts';
import { createMerchantPurse } from './merchant-purse.ts';

const purseWith = (available: bigint, owed: bigint) =>
  createMerchantPurse('m', { available: new Map([['BTC', available]]), owed: new Map([['BTC', owed]]) });

/** What lines put into `available`, and what they put into `receivable`: a debt is negative there. */
const moved = (lines: readonly Line[], asset = 'BTC'): [bigint, bigint] => {
  const into = (purpose: 'available' | 'receivable'): bigint =>
    lines
      .filter(({ account }) => account === merchantAccount('m', purpose, asset))
      .reduce((sum, { units }) => sum + units, 0n);
  assert.equal(lines.length, 2);
  return [into('available'), into('receivable')];
};

test('a credit repays a debt first', () => {
  assert.deepEqual(moved(purseWith(0n, 30n).give('BTC', 100n)), [70n, 30n]);
  assert.deepEqual(moved(purseWith(0n, 100n).give('BTC', 100n)), [0n, 100n]);
  assert.deepEqual(moved(purseWith(0n, 130n).give('BTC', 100n)), [0n, 100n]);
  assert.deepEqual(moved(purseWith(5n, 0n).give('BTC', 100n)), [100n, 0n]);
});

test('what is taken and not there becomes a debt', () => {
  assert.deepEqual(moved(purseWith(100n, 0n).take('BTC', 40n)), [-40n, 0n]);
  assert.deepEqual(moved(purseWith(100n, 0n).take('BTC', 100n)), [-100n, 0n]);
  assert.deepEqual(moved(purseWith(100n, 0n).take('BTC', 140n)), [-100n, -40n]);
});

test('what is spent must be there', () => {
  assert.deepEqual(moved(purseWith(100n, 0n).spend('BTC', 100n)), [-100n, 0n]);
  assert.throws(() => purseWith(100n, 0n).spend('BTC', 101n), /only what is available/);
  assert.throws(() => purseWith(100n, 0n).spend('LTC', 1n), /only what is available/);
});

test('an asset that the merchant never had is empty, and assets do not mix', () => {
  const purse = purseWith(100n, 50n);
  assert.deepEqual(moved(purse.take('LTC', 10n), 'LTC'), [0n, -10n]);
  assert.deepEqual(moved(purse.give('LTC', 30n), 'LTC'), [20n, 10n]);
  assert.deepEqual(moved(purse.give('BTC', 60n)), [10n, 50n]);
});

test('every step sees what the steps before it left, and the balances given to it stay as they were', () => {
  const balances = { available: new Map([['BTC', 100n]]), owed: new Map<string, bigint>() };
  const purse = createMerchantPurse('m', balances);
  assert.deepEqual(moved(purse.take('BTC', 130n)), [-100n, -30n]);
  assert.deepEqual(moved(purse.give('BTC', 20n)), [0n, 20n]);
  assert.deepEqual(moved(purse.give('BTC', 20n)), [10n, 10n]);
  assert.deepEqual(moved(purse.spend('BTC', 10n)), [-10n, 0n]);
  assert.throws(() => purse.spend('BTC', 1n));
  assert.deepEqual(balances, { available: new Map([['BTC', 100n]]), owed: new Map() });
});

test('whatever is given and taken, nobody has money and owes some, and nothing is lost', () => {
  const steps = fc.array(fc.record({ isGift: fc.boolean(), units: fc.bigInt({ min: 0n, max: 1000n }) }));
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1000n }), steps, (start, moves) => {
      const purse = purseWith(start, 0n);
      let [available, receivable, sum] = [start, 0n, start];
      for (const { isGift, units } of moves) {
        const [a, r] = moved(isGift ? purse.give('BTC', units) : purse.take('BTC', units));
        available += a;
        receivable += r;
        sum += isGift ? units : -units;
        assert.ok(available >= 0n && receivable <= 0n && (available === 0n || receivable === 0n));
        assert.equal(available + receivable, sum);
      }
    }),
  );
});
