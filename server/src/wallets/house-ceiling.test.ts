import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ladder } from '../deposits/confirmation-ladder.ts';
import { ceilings, heightAbove, mostWithin, unitsByStep } from './house-ceiling.ts';
import type { UnfinalBlock } from './unfinal-credits.ts';

/** One confirmation below 10, two below 100, else three. */
const ladder: Ladder = {
  steps: [{ confirmations: 1 }, { confirmations: 2 }, { confirmations: 3 }],
  limits: new Map([
    ['coin', [10n, 100n, null]],
    ['free', [null, null, null]],
    ['shut', [0n, 0n, null]],
  ]),
};
const heights = { tip: 100, safe: 90, final: 90 };

const block = (height: number | null, coin: bigint): UnfinalBlock => ({
  height,
  paid: new Map(),
  credited: new Map([['coin', coin]]),
});

test('the ceiling is ten times the largest amount with a limit, and less where blocks are shallow', () => {
  assert.deepEqual(ceilings(ladder, 'coin', null), [100n, 1_000n, 1_000n]);
  assert.deepEqual(ceilings(ladder, 'coin', 50n), [5n, 50n, 50n]);
  assert.deepEqual(ceilings(ladder, 'coin', 55n), [5n, 55n, 55n], 'rounded down');
  assert.deepEqual(ceilings(ladder, 'coin', 0n), [0n, 0n, 0n]);
});

test('where no payment has a limit the ceiling is what the operator sets; of an unknown asset there is none', () => {
  assert.equal(ceilings(ladder, 'free', null), null);
  assert.deepEqual(ceilings(ladder, 'free', 50n), [50n, 50n, 50n]);
  assert.deepEqual(ceilings(ladder, 'free', 0n), [0n, 0n, 0n]);
  assert.equal(ceilings(ladder, 'shut', 50n), null);
  assert.equal(ceilings(ladder, 'unknown', 50n), null);
});

test('a step with a higher limit than the last one has no higher ceiling', () => {
  const bumpy: Ladder = { steps: ladder.steps, limits: new Map([['coin', [200n, 100n, null]]]) };
  assert.deepEqual(ceilings(bumpy, 'coin', 50n), [50n, 50n, 50n]);
});

test('what could be taken away is counted by how far its block has come', () => {
  const blocks = [block(100, 1n), block(99, 20n), block(95, 300n), block(null, 4_000n)];
  assert.deepEqual(unitsByStep(ladder, heights, blocks, 'coin'), [4_001n, 4_021n, 4_321n]);
  assert.deepEqual(unitsByStep(ladder, heights, blocks, 'gold'), [0n, 0n, 0n]);
});

test('blocks above a height have come no further than a step', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((step) => heightAbove(ladder, heights, step)),
    [99, 98, 90, 90],
  );
  assert.equal(heightAbove(ladder, { tip: 91, safe: 90, final: 90 }, 1), 90);
  assert.equal(heightAbove(ladder, { tip: 90, safe: 90, final: 90 }, 0), 90);
});

test('what an account still has covers what it could lose, and only the rest needs room', () => {
  assert.equal(mostWithin(1_000n, [], []), 1_000n);
  assert.equal(mostWithin(1_000n, [300n, 800n], [50n, 100n]), 300n);
  assert.equal(mostWithin(1_000n, [800n, 300n], [0n, 0n]), 200n);
  assert.equal(mostWithin(1_000n, [300n], [-5n]), 700n, 'beyond its ceiling the house keeps nobody from his own');
  assert.equal(mostWithin(1_000n, [300n], []), 700n, 'no room is known');
  assert.equal(mostWithin(1_000n, [300n], [1n]), 701n);
});
