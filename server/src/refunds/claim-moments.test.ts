/** A claim holds until the moment in which it ends, and in that moment the money goes back: never both, never neither. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aRefund, at, BTC } from '../../test/sample-checkout.ts';
import { balancesOf, tellStory } from '../../test/settlement-story.ts';
import { isClaimable } from './claim-refund.ts';

const millisecond = 1 / 60_000;
const ends = 100;

test('what can be claimed no more is given back, in the very moment', () => {
  const claimExpiresAt = at(ends);
  const takes = [{ paymentId: 'p1', units: '400', feeUnits: '0' }];
  const claim = { id: 'r', asset: BTC, units: 400n, takes, address: null, claimExpiresAt };
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })]);
  story.pay({ id: 'p1', units: 500n, minute: 5 });
  story.advance(61);
  story.refund(aRefund({ ...claim, state: 'CLAIMABLE' }));
  for (const [minute, state, reserved] of [
    [70, 'CLAIMABLE', 400n],
    [ends - millisecond, 'CLAIMABLE', 400n],
    [ends, 'EXPIRED', undefined],
  ] as const) {
    story.advance(minute);
    const [refund] = story.dossier.refunds;
    assert.deepEqual([refund?.state, balancesOf(story.ledger)['reserved BTC']], [state, reserved], String(minute));
    const asAsked = aRefund({ ...claim, state: 'CLAIMABLE' });
    assert.equal(isClaimable(asAsked, at(minute)), state === 'CLAIMABLE', String(minute));
  }
  assert.equal(balancesOf(story.ledger)['suspense BTC'], 500n);
});
