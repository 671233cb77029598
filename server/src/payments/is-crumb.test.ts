import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Arrivals, isCrumb } from './is-crumb.ts';

const asset = 'BTC:G';
const leastUnits = 5_000n;
const nothing = (more: Partial<Arrivals> = {}): Arrivals => ({
  ...{ isReusable: false, count: 0, units: new Map(), askedUnits: new Map([[asset, 1_000_000n]]) },
  ...more,
});
const is = (units: bigint, arrivals: Arrivals | null): boolean => isCrumb({ asset, units, leastUnits }, arrivals);

test("below the network's minimum it is a crumb, except of the operator's own money", () => {
  assert.equal(is(4_999n, nothing()), true);
  assert.equal(is(5_000n, nothing()), false);
  assert.equal(is(4_999n, nothing({ isReusable: true })), true);
  assert.equal(is(1n, null), false);
});

test('the rest of an underpayment is a payment however small a part it is, and so is the price after any number', () => {
  assert.equal(is(5_000n, nothing({ count: 99, units: new Map([[asset, 995_000n]]) })), false);
  assert.equal(is(1_000_000n, nothing({ count: 500, units: new Map([[asset, 500_000n]]) })), false);
  assert.equal(is(5_000n, nothing({ count: 500, units: new Map([[asset, 500_000n]]) })), true);
});

test('whatever strangers send, there are never many payments', () => {
  const amounts = fc.oneof(
    fc.bigInt({ min: 1n, max: 10_000n }),
    fc.bigInt({ min: 5_000n, max: 2_000_000n }),
    fc.bigInt({ min: 1n, max: 10n ** 16n }), // More than there will ever be.
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(amounts, fc.nat(500)), { maxLength: 60 }), (runs) => {
      const arrivals = nothing();
      for (const [units, times] of runs) for (let time = 0; time < times; time += 1) is(units, arrivals);
      // Each beyond the first five hundred makes the sum larger by a twentieth: ln(10^18) / ln(1.05) of them at most.
      assert.ok(arrivals.count <= 500 + 850, `${arrivals.count} payments`);
    }),
    { numRuns: 200 },
  );
});

test('who pays again and again what a look must read pays twice as much every fifteen times', () => {
  const arrivals = nothing({ count: 500, units: new Map([[asset, 1_000_000n]]) });
  let spent = 1_000_000n;
  for (let payment = 0; payment < 60; payment += 1) {
    const units = (spent + 19n) / 20n;
    assert.equal(is(units - 1n, arrivals), true);
    assert.equal(is(units, arrivals), false);
    spent += units;
  }
  assert.ok(spent > 16n * 1_000_000n);
});
