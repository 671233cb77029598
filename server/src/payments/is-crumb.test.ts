import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Arrivals, isCrumb, type Tally } from './is-crumb.ts';

const asset = 'BTC:G';
const leastUnits = 5_000n;
const tally = (count = 0, units = 0n): Tally => ({ count, units: new Map([[asset, units]]) });
const nothing = (more: Partial<Arrivals> = {}): Arrivals => ({
  isReusable: false,
  seen: tally(),
  mined: tally(),
  askedUnits: new Map([[asset, 1_000_000n]]),
  ...more,
});
const is = (units: bigint, arrivals: Arrivals | null, isInBlock = false): boolean =>
  isCrumb({ asset, units, leastUnits, isInBlock }, arrivals);

test("below the network's minimum it is a crumb, except of the operator's own money", () => {
  assert.equal(is(4_999n, nothing()), true);
  assert.equal(is(5_000n, nothing()), false);
  assert.equal(is(4_999n, nothing({ isReusable: true })), true);
  assert.equal(is(1n, null), false);
});

test('the rest of an underpayment is a payment however small a part it is, and so is the price after any number', () => {
  assert.equal(is(5_000n, nothing({ seen: tally(99, 995_000n) })), false);
  assert.equal(is(1_000_000n, nothing({ seen: tally(500, 500_000n) })), false);
  assert.equal(is(5_000n, nothing({ seen: tally(500, 500_000n) })), true);
  assert.equal(is(5_000n, nothing({ seen: tally(500, 995_000n) })), false, 'the rest, after any number');
});

test('what is in a block is counted among all that was seen, and what is in none is not counted among blocks', () => {
  const arrivals = nothing();
  is(6_000n, arrivals, true);
  is(7_000n, arrivals, false);
  assert.deepEqual([arrivals.seen, arrivals.mined], [tally(2, 13_000n), tally(1, 6_000n)]);
});

test('whatever strangers send, there are never many payments', () => {
  const amounts = fc.oneof(
    fc.bigInt({ min: 1n, max: 10_000n }),
    fc.bigInt({ min: 5_000n, max: 2_000_000n }),
    fc.bigInt({ min: 1n, max: 10n ** 16n }), // More than there will ever be.
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(amounts, fc.nat(500), fc.boolean()), { maxLength: 60 }), (runs) => {
      const arrivals = nothing();
      for (const [units, times, isInBlock] of runs)
        for (let time = 0; time < times; time += 1) is(units, arrivals, isInBlock);
      // Each beyond the first five hundred makes the sum larger by a twentieth: ln(10^18) / ln(1.05) of them at most.
      // Twice, for those in blocks are held against each other alone.
      const { count } = arrivals.seen;
      assert.ok(count <= 2 * (500 + 851), `${count} payments`);
    }),
    { numRuns: 200 },
  );
});

test('who pays again and again what a look must read pays twice as much every fifteen times', () => {
  const arrivals = nothing({ seen: tally(500, 1_000_000n) });
  let spent = 1_000_000n;
  for (let payment = 0; payment < 60; payment += 1) {
    const units = (spent + 19n) / 20n;
    assert.equal(is(units - 1n, arrivals), true);
    assert.equal(is(units, arrivals), false);
    spent += units;
  }
  assert.ok(spent > 16n * 1_000_000n);
});

test('what was only ever seen makes no crumb of what is in a block', () => {
  const flooded = nothing({ seen: tally(1_000, 100_000_000n) });
  assert.equal(is(1_000_000n, flooded), true, 'in no block it cannot be told from more of the same');
  assert.equal(is(1_000_000n, flooded, true), false);
  assert.equal(is(5_000n, nothing({ seen: tally(1_000), mined: tally(500) }), true), true);
});

test('the first five hundred are payments however small they are, and are counted where they were seen', () => {
  const arrivals = nothing({ seen: tally(499, 0n), mined: tally(7, 70n) });
  assert.equal(is(5_000n, arrivals), false);
  assert.deepEqual([arrivals.seen, arrivals.mined], [tally(500, 5_000n), tally(7, 70n)]);
  assert.equal(is(5_000n, arrivals), true);
  assert.deepEqual(arrivals.seen, tally(500, 5_000n), 'a crumb is not counted');
  assert.equal(is(5_000n, arrivals, true), false);
  assert.deepEqual([arrivals.seen, arrivals.mined], [tally(501, 10_000n), tally(8, 5_070n)], 'in a block: with both');
});

test('after so many, a twentieth of what is asked for is a payment, and of what came if that is more', () => {
  assert.equal(is(50_000n, nothing({ seen: tally(500) })), false);
  assert.equal(is(49_999n, nothing({ seen: tally(500) })), true);
  assert.equal(is(100_000n, nothing({ seen: tally(500, 2_000_000n) })), false);
  assert.equal(is(99_999n, nothing({ seen: tally(500, 2_000_000n) })), true);
});

test('exactly the rest is the rest, and nothing is once all of it is there', () => {
  assert.equal(is(6_000n, nothing({ seen: tally(500, 994_000n) })), false);
  assert.equal(is(5_999n, nothing({ seen: tally(500, 994_000n) })), true);
  assert.equal(is(5_000n, nothing({ seen: tally(500, 1_000_000n) })), true);
});

test('an asset that nobody asked for, or that never came, counts from nothing', () => {
  const strange = (arrivals: Arrivals) =>
    isCrumb({ asset: 'LTC:G', units: 5_000n, leastUnits, isInBlock: false }, arrivals);
  const arrivals = nothing({ seen: tally(500, 7n) });
  assert.equal(strange(arrivals), false);
  assert.equal(arrivals.seen.units.get('LTC:G'), 5_000n);
  assert.equal(arrivals.seen.units.get(asset), 7n);
});
