/** A ladder small enough to work out by hand: which step a block has reached, and which one a sum needs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepFor } from '../../test/ladder-step.ts';
import { createAssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { present } from '../lib/assert.ts';
import { power10 } from '../money/decimal.ts';
import { bitcoin } from '../networks/bitcoin/bitcoin.ts';
import type { ConfirmationTier, NetworkDefinition } from '../networks/port/definition.ts';
import {
  confirmationLadder,
  type Ladder,
  openHeight,
  stepReached,
  unitWeight,
  weightAt,
  wholeWeight,
} from './confirmation-ladder.ts';

const ladder: Ladder = {
  steps: [
    { confirmations: 1 },
    { confirmations: 3 },
    { confirmations: 2, until: 'safe' },
    { confirmations: 4, until: 'final' },
  ],
  limits: new Map([
    ['coin', [10n, 30n, 100n, null]],
    ['gold', [0n, 3n, 10n, null]],
  ]),
};
const heights = { tip: 100, safe: 95, final: 90 };

test('a block has reached the highest step that its depth and the network allow', () => {
  const reached = (height: number | null) => stepReached(ladder, height, heights);
  assert.deepEqual([null, 101, 100, 99, 98, 96].map(reached), [-1, -1, 0, 0, 1, 1]);
  assert.deepEqual([95, 91, 90, 1].map(reached), [2, 2, 3, 3], 'safe blocks, and final ones');
  assert.equal(stepReached(ladder, 100, { tip: 100, safe: 100, final: 90 }), 0, 'safe, but not deep enough for it');
  assert.equal(stepReached(ladder, 99, { tip: 100, safe: 99, final: 90 }), 2);
});

test('blocks are open to any amount up to a height', () => {
  assert.equal(openHeight(ladder, heights), 90);
  const upTo = (last: Ladder['steps'][number]) =>
    openHeight({ ...ladder, steps: [{ confirmations: 1 }, last] }, heights);
  assert.equal(upTo({ confirmations: 4 }), 97);
  assert.equal(upTo({ confirmations: 40 }), 90, 'what is final is open however shallow it is');
  assert.equal(upTo({ confirmations: 2, until: 'safe' }), 95);
  assert.equal(upTo({ confirmations: 8, until: 'safe' }), 93);
  assert.equal(upTo({ confirmations: 1, until: 'final' }), 90);
  assert.equal(openHeight({ ...ladder, steps: [] }, heights), 90);
});

test('a unit weighs its part of the limit, rounded up; without a limit nothing, with one of zero all', () => {
  assert.equal(wholeWeight, power10(72));
  assert.equal(unitWeight(null), 0n);
  assert.equal(unitWeight(0n), wholeWeight);
  assert.equal(unitWeight(2n) * 2n, wholeWeight);
  assert.equal(unitWeight(3n) * 3n, wholeWeight + 2n);
});

test('a sum weighs what all its assets weigh together', () => {
  const sums = new Map([
    ['coin', 5n],
    ['gold', 2n],
  ]);
  assert.equal(weightAt(ladder, 2, sums), 5n * unitWeight(100n) + 2n * unitWeight(10n));
  assert.equal(weightAt(ladder, 3, sums), 0n);
  assert.equal(weightAt(ladder, -1, sums), 7n * wholeWeight, 'in no block everything is too much');
  assert.equal(weightAt(ladder, 0, new Map([['unknown', 5n]])), 0n);
  assert.equal(weightAt(ladder, -1, new Map([['unknown', 5n]])), 5n * wholeWeight);
  assert.equal(weightAt(ladder, 0, new Map()), 0n);
});

test('a sum needs the first step whose limit it is below', () => {
  const needs = (coin: bigint, gold = 0n) =>
    stepFor(ladder, new Map([['coin', coin], ...(gold > 0n ? [['gold', gold] as const] : [])]));
  assert.deepEqual(
    [9n, 10n, 29n, 30n, 99n, 100n, 10n ** 30n].map((coin) => needs(coin)),
    [0, 1, 1, 2, 2, 3, 3],
  );
  assert.equal(needs(1n, 1n), 1);
  assert.equal(needs(20n, 1n), 2, 'two thirds and a third are the whole');
  const shut: Ladder = { steps: ladder.steps.slice(0, 2), limits: new Map([['coin', [1n, 1n]]]) };
  assert.equal(stepFor(shut, new Map([['coin', 5n]])), 1, 'the last one, where none is deep enough');
});

const assets = createAssetCatalog({
  issuerAccount: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
  issuerName: 'Operator',
  issuerDomain: 'localhost',
  issuerAddress: '',
});
const idOf = (code: string): string => present(findAsset(assets, code), code).id;

/** A network that carries bitcoin and litecoin, each with tiers of its own. */
function networkWith(tiers: readonly ConfirmationTier[], ofLitecoin?: readonly ConfirmationTier[]): NetworkDefinition {
  const [rail] = bitcoin.assets;
  assert.ok(rail);
  return {
    ...bitcoin,
    confirmationTiers: tiers,
    assets: [
      { ...rail, assetCode: 'BTC', scale: 8 },
      { ...rail, assetCode: 'LTC', scale: 6, ...(ofLitecoin && { confirmationTiers: ofLitecoin }) },
      { ...rail, assetCode: 'NOBODY KNOWS' },
    ],
  };
}

test('a ladder has every depth once, from the shallowest on, and of one depth the one that waits for less first', () => {
  const { steps } = confirmationLadder(
    assets,
    networkWith(
      [
        { belowUnits: 10n, confirmations: 2 },
        { belowUnits: 20n, confirmations: 6, until: 'safe' },
        { confirmations: 6, until: 'final' },
      ],
      [{ belowUnits: 10n, confirmations: 1 }, { belowUnits: 20n, confirmations: 2 }, { confirmations: 6 }],
    ),
  );
  assert.deepEqual(steps, [
    { confirmations: 1 },
    { confirmations: 2 },
    { confirmations: 6 },
    { confirmations: 6, until: 'safe' },
    { confirmations: 6, until: 'final' },
  ]);
});

test('at each step an asset has the limit of the highest tier it has reached, at the scale of the ledger', () => {
  const { limits } = confirmationLadder(
    assets,
    networkWith(
      [{ belowUnits: 10n, confirmations: 2 }, { confirmations: 6 }],
      [
        { belowUnits: 7n, confirmations: 1 },
        { belowUnits: 30n, confirmations: 3, until: 'safe' },
        { confirmations: 6 },
      ],
    ),
  );
  assert.deepEqual(limits.get(idOf('BTC')), [0n, 10n, 10n, null]);
  assert.deepEqual(limits.get(idOf('LTC')), [700n, 700n, 3_000n, null]);
  assert.equal(limits.size, 2);
});
