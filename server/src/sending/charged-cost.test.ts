import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargedCost } from './charged-cost.ts';

const held = { feeUnits: 500n, totalUnits: 10_500n };

test('an attempt is charged by the rate at which its fee was quoted, rounded up', () => {
  const quoted = { heldFeeUnits: 1_000n };
  assert.equal(chargedCost({ ...quoted, costUnits: 0n }, held), 0n);
  assert.equal(chargedCost({ ...quoted, costUnits: 1_000n }, held), 500n);
  assert.equal(chargedCost({ ...quoted, costUnits: 1n }, held), 1n);
  assert.equal(chargedCost({ ...quoted, costUnits: 401n }, held), 201n);
});

test('a crowd that fails by one may cost more than its fee: the amount pays that, and nothing beyond what is held', () => {
  assert.equal(chargedCost({ heldFeeUnits: 1_000n, costUnits: 8_000n }, held), 4_000n);
  assert.equal(chargedCost({ heldFeeUnits: 1_000n, costUnits: 80_000n }, held), 10_500n);
});

test('what was quoted before fees were kept is not charged', () => {
  assert.equal(chargedCost({ heldFeeUnits: null, costUnits: 7n }, held), 0n);
});

test('within what was set aside the operator loses nothing', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 24n });
  fc.assert(
    fc.property(units, units, units, units, (heldFeeUnits, spent, feeUnits, units) => {
      const costUnits = spent % (heldFeeUnits + 1n);
      const charged = chargedCost({ heldFeeUnits, costUnits }, { feeUnits, totalUnits: units + feeUnits });
      assert.ok(charged * heldFeeUnits >= costUnits * feeUnits && charged <= feeUnits);
    }),
  );
});
