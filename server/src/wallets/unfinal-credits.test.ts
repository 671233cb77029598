import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Ladder, stepReached, weightAt, wholeWeight } from '../deposits/confirmation-ladder.ts';
import { ceilings, heightAbove, mostWithin, unitsByStep } from './house-ceiling.ts';
import { type UnfinalBlock, unitsOfAsset, waitingBlocks } from './unfinal-credits.ts';

/** 1 below 10, 2 below 100, 3 below 1,000, else 6; the other asset is worth ten times as much. */
const ladder: Ladder = {
  steps: [{ confirmations: 1 }, { confirmations: 2 }, { confirmations: 3 }, { confirmations: 6 }],
  limits: new Map([
    ['coin', [10n, 100n, 1_000n, null]],
    ['gold', [1n, 10n, 100n, null]],
  ]),
};
const heights = { tip: 1_000, safe: 901, final: 901 };

/** A block of this depth. */
const block = (depth: number, coin: bigint, more: Partial<UnfinalBlock> = {}): UnfinalBlock => ({
  height: heights.tip - depth + 1,
  paid: new Map([['coin', coin]]),
  credited: new Map([['coin', coin]]),
  ...more,
});
const waiting = (...blocks: UnfinalBlock[]) =>
  waitingBlocks(ladder, heights, blocks).map(({ height, confirmations }) => [
    height === null ? null : heights.tip - height + 1,
    confirmations,
  ]);

test('a sum waits until it is deep enough, and is told how long that takes', () => {
  assert.deepEqual(waiting(block(1, 9n)), []);
  assert.deepEqual(waiting(block(1, 10n)), [[1, 1]]);
  assert.deepEqual(waiting(block(1, 3_000n)), [[1, 5]]);
  assert.deepEqual(waiting(block(5, 3_000n)), [[5, 1]]);
  assert.deepEqual(waiting(block(6, 3_000n)), []);
});

test('blocks count together as far down as a reorganisation would reach', () => {
  assert.deepEqual(waiting(block(3, 600n), block(4, 600n)), [[3, 2]], 'four deep is good for less than 1,000');
  assert.deepEqual(waiting(block(1, 5n), block(2, 96n)), [[1, 1]]);
  assert.deepEqual(waiting(block(1, 5n), block(6, 5_000n)), [], 'six deep is good for anything');
});

test('what is deep enough never waits for what is not', () => {
  assert.deepEqual(waiting(block(1, 5_000n), block(3, 900n), block(7, 90_000n)), [[1, 5]]);
});

test('what is final does not wait until somebody has noted that, and nor does it where nothing else came', () => {
  assert.deepEqual(waiting(block(100, 5_000n)), []);
  assert.deepEqual(waiting(block(120, 5_000n)), []);
  assert.deepEqual(waiting(block(1, 5_000n), block(120, 5_000n)), [[1, 5]]);
});

test('two assets of one network count together', () => {
  const gold = new Map([['gold', 1n]]);
  assert.deepEqual(
    waiting(
      block(2, 50n, {
        paid: new Map([
          ['coin', 50n],
          ['gold', 4n],
        ]),
      }),
    ),
    [],
  );
  assert.deepEqual(
    waiting(
      block(2, 50n, {
        paid: new Map([
          ['coin', 50n],
          ['gold', 5n],
        ]),
      }),
    ),
    [[2, 1]],
  );
  assert.deepEqual(waiting(block(1, 0n, { paid: gold })), [[1, 1]]);
});

test('what was in a block that was given up waits until somebody knows', () => {
  assert.deepEqual(waiting(block(1, 1n, { height: null })), [[null, null]]);
});

const blocks = fc.array(
  fc.record({ depth: fc.integer({ min: 1, max: 12 }), coin: fc.bigInt({ min: 1n, max: 2_000n }) }),
  {
    maxLength: 12,
  },
);
/** One for each depth. */
const merged = (parts: readonly { depth: number; coin: bigint }[]): UnfinalBlock[] => {
  const byDepth = new Map<number, bigint>();
  for (const { depth, coin } of parts) byDepth.set(depth, (byDepth.get(depth) ?? 0n) + coin);
  return [...byDepth].map(([depth, coin]) => block(depth, coin));
};

test('at every depth less is free than that depth is good for, and no deeper block minds a shallower one', () => {
  fc.assert(
    fc.property(blocks, (parts) => {
      const all = merged(parts);
      const held = new Set(waitingBlocks(ladder, heights, all).map(({ height }) => height));
      const free = all.filter(({ height }) => !held.has(height));
      for (let depth = 1; depth <= 12; depth += 1) {
        const height = heights.tip - depth + 1;
        const taken = unitsOfAsset(
          free.filter((each) => (each.height ?? 0) >= height),
          'coin',
        );
        const step = stepReached(ladder, height, heights);
        assert.ok(weightAt(ladder, step, new Map([['coin', taken]])) < wholeWeight);
        const deeper = all.filter((each) => (each.height ?? 0) <= height);
        const heldAlone = waitingBlocks(ladder, heights, deeper).map((each) => each.height);
        assert.deepEqual(
          deeper.filter((each) => held.has(each.height)).map((each) => each.height),
          deeper.filter((each) => heldAlone.includes(each.height)).map((each) => each.height),
        );
      }
    }),
  );
});

test('splitting the payments of a block over any number of checkouts changes nothing', () => {
  fc.assert(
    fc.property(blocks, (parts) => {
      const halves = parts.flatMap(({ depth, coin }) => [
        { depth, coin: coin / 2n },
        { depth, coin: coin - coin / 2n },
      ]);
      const shown = (of: UnfinalBlock[]) => waiting(...of);
      assert.deepEqual(shown(merged(parts)), shown(merged(halves)));
    }),
  );
});

test('the ceiling of the house is lower where blocks are shallow', () => {
  assert.deepEqual(ceilings(ladder, 'coin', null), [100n, 1_000n, 10_000n, 10_000n]);
  assert.deepEqual(ceilings(ladder, 'coin', 500n), [5n, 50n, 500n, 500n]);
  assert.deepEqual(ceilings({ steps: [{ confirmations: 1 }], limits: new Map([['coin', [null]]]) }, 'coin', 5n), [5n]);
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => heightAbove(ladder, heights, step)),
    [999, 998, 995, 901],
  );
  const all = [block(1, 3n), block(2, 20n), block(50, 400n)];
  assert.deepEqual(unitsByStep(ladder, heights, all, 'coin'), [3n, 23n, 23n, 423n]);
});

test('what an account still has covers what it could lose, and only the rest needs room', () => {
  assert.equal(mostWithin(1_000n, [300n], [0n]), 700n);
  assert.equal(mostWithin(1_000n, [300n, 800n], [50n, 100n]), 300n);
  assert.equal(mostWithin(1_000n, [300n], [-5n]), 700n, 'a house that is beyond its ceiling keeps nobody from his own');
  assert.equal(mostWithin(1_000n, [0n, 0n], [0n, 0n]), 1_000n);
  assert.equal(mostWithin(100n, [300n], [50n]), -150n);
});
