import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { merchantAccount, operatorAccount } from './chart-of-accounts.ts';
import { balancedEntry, type Line, opposite } from './entry.ts';

const entryOf = (lines: readonly Line[]) =>
  balancedEntry({ reference: 'r', kind: 'swap', merchantId: 'm', checkoutId: null, lines });
const line = (account: string, units: bigint): Line => ({ account, units });
const [mine, fees] = [merchantAccount('m', 'available', 'BTC'), operatorAccount('fees', 'BTC')];
const [dollars, dollarFees] = [merchantAccount('m', 'available', 'USDC'), operatorAccount('fees', 'USDC')];

test('lines on one account are added up, and lines of zero disappear', () => {
  const { lines, reference } = entryOf([line(mine, 3n), line(fees, -5n), line(mine, 2n), line(dollars, 0n)]);
  assert.deepEqual(lines, [line(mine, 5n), line(fees, -5n)]);
  assert.equal(reference, 'r');
});

test('an entry balances for each asset', () => {
  assert.equal(entryOf([line(mine, 5n), line(fees, -5n), line(dollars, 7n), line(dollarFees, -7n)]).lines.length, 4);
  assert.throws(() => entryOf([line(mine, 5n), line(fees, -4n)]), /off by 1 BTC/);
  assert.throws(() => entryOf([line(mine, 5n), line(dollars, -5n)]), /off by 5 BTC/);
});

test('an entry that moves nothing is refused', () => {
  assert.throws(() => entryOf([]), /moves nothing/);
  assert.throws(() => entryOf([line(mine, 5n), line(mine, -5n)]), /moves nothing/);
  assert.throws(() => entryOf([line(mine, 5n)]), /moves nothing/);
});

test('the opposite of lines undoes them', () => {
  assert.deepEqual(opposite([line(mine, 5n), line(fees, -5n)]), [line(mine, -5n), line(fees, 5n)]);
  const lines = fc.array(
    fc.tuple(fc.constantFrom(mine, fees, dollars), fc.bigInt()).map(([account, units]) => line(account, units)),
  );
  fc.assert(
    fc.property(lines, (some) => {
      const sum = [...some, ...opposite(some)].reduce((total, { units }) => total + units, 0n);
      assert.equal(sum, 0n);
      assert.deepEqual(opposite(opposite(some)), some);
    }),
  );
});
