import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canClaimAt } from './claim-condition.ts';

const before = (epoch: number) => ({ abs_before: new Date(epoch * 1000).toISOString(), abs_before_epoch: `${epoch}` });

test('a balance is claimed when its condition holds', () => {
  const after100 = { not: before(100) };
  assert.equal(canClaimAt({ unconditional: true }, 0), true);
  assert.deepEqual(
    [99, 100].map((at) => canClaimAt(before(100), at)),
    [true, false],
  );
  assert.deepEqual(
    [99, 100].map((at) => canClaimAt(after100, at)),
    [false, true],
  );
  assert.deepEqual(
    [99, 100, 200].map((at) => canClaimAt({ and: [after100, before(200)] }, at)),
    [false, true, false],
  );
  assert.equal(canClaimAt({ or: [before(1), { unconditional: true }] }, 5), true);
  assert.equal(canClaimAt({ abs_before: '1970-01-01T00:01:40Z' }, 99), true, 'older versions give the date only');
});

test('a condition that cannot be read does not hold, nor does its opposite', () => {
  for (const odd of [{}, null, 'soon', { abs_before: 'soon' }, { rel_before: '5' }]) {
    assert.equal(canClaimAt(odd, 5), false);
    assert.equal(canClaimAt({ not: odd }, 5), false);
    assert.equal(canClaimAt({ not: { and: [odd, { unconditional: true }] } }, 5), false);
  }
});
