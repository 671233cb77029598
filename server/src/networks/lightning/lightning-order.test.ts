import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBolt11 } from './bolt11.ts';
import { invoiceProblem } from './lightning-destination.ts';
import { partsOf } from './lightning-order.ts';

test('a payment may be cut into a part for each hundred thousand satoshis begun, and into eight at most', () => {
  const parts = [1n, 100_000n, 100_001n, 200_000n, 700_000n, 700_001n, 10n ** 12n].map((units) => partsOf(units));
  assert.deepEqual(parts, [1, 1, 2, 2, 7, 8, 8]);
  assert.deepEqual(
    [partsOf(500_000n, 3), partsOf(500_000n, 5), partsOf(500_000n, 6), partsOf(500_000n, 1)],
    [3, 5, 5, 1],
  );
});

test('never more parts than slots, and always one', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), fc.integer({ min: 1, max: 500 }), (units, slots) => {
      const parts = partsOf(units, slots);
      assert.ok(parts >= 1 && parts <= Math.min(slots, 8) && parts <= partsOf(units));
    }),
  );
});

const { valid } = JSON.parse(readFileSync(new URL('../../../test/vectors/bolt11.json', import.meta.url), 'utf8')) as {
  valid: { invoice: string; chain: 'main' | 'test' | 'regtest' }[];
};

test('an invoice that wants to hold its payment for longer than may be is refused, by the block', () => {
  const { invoice, chain } = valid[0] ?? assert.fail();
  const { finalBlocks } = decodeBolt11(invoice);
  const problem = (holdBlocksMax: number) => invoiceProblem(invoice, { chain, holdBlocksMax });
  assert.equal(problem(finalBlocks + 3), null, 'three more, which LND adds');
  assert.equal(
    problem(finalBlocks + 2),
    `The invoice wants to hold the payment for ${finalBlocks} blocks, and ${finalBlocks - 1} are the most: ask for one with less.`,
  );
});
