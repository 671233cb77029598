/** At, just before and just after: one commitment costs 1000 units and runs from minute 0 to minute 60. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../test/sample-checkout.ts';
import { commitment, confirmed, facts, seen, valued } from '../../test/sample-facts.ts';
import { decimal } from '../money/decimal.ts';
import { deriveCheckout } from './checkout-state.ts';
import { windowEnd } from './payment-portions.ts';

const millisecond = 1 / 60_000;
const graceEnds = 60 + 4 * 60;

test('enough that is in no block is overdue from the very end of its grace on, and looked at then', () => {
  const derived = (minute: number) => deriveCheckout(facts({ payments: [seen(1000n, 5)] }), at(minute));
  assert.deepEqual(
    [graceEnds - millisecond, graceEnds, graceEnds + millisecond].map((minute) => derived(minute).isOverdue),
    [false, true, true],
  );
  assert.deepEqual(derived(graceEnds - millisecond).lookAgainAt, at(graceEnds));
});

test('who cancels in the moment of the commitment has cancelled it, and who commits after that has not', () => {
  const commitments = [commitment('c1', 10)];
  const state = (canceledAt: Date) => deriveCheckout(facts({ commitments, canceledAt }), at(11)).state;
  assert.deepEqual(
    [10 - millisecond, 10, 10 + millisecond].map((minute) => state(at(minute))),
    ['PENDING', 'CANCELED', 'CANCELED'],
  );
  assert.deepEqual(windowEnd({ commitments, canceledAt: at(10) }), at(10));
  assert.deepEqual(windowEnd({ commitments, canceledAt: at(10 - millisecond) }), at(70));
});

test('what is first seen at the end of the window is late, and a moment before it is not', () => {
  const exceptions = (minute: number) =>
    deriveCheckout(facts({ payments: [seen(1000n, minute)] }), at(minute)).exceptions;
  assert.deepEqual([exceptions(60 - millisecond), exceptions(60)], [[], ['LATE']]);
});

test('late is enough down to exactly the price less the late tolerance', () => {
  const isEnough = (priceUnits: bigint): boolean => {
    const payments = [seen(1000n, 70, { valuations: [valued(priceUnits, 70)] })];
    return deriveCheckout(facts({ payments, lateTolerance: decimal('0.05') }), at(71)).state === 'PROCESSING';
  };
  // 1,000 units are worth 950 of those that the price was, or 949.
  assert.deepEqual([isEnough(1_052n), isEnough(1_053n)], [true, false]);
});

test('an underpayment is accepted by itself from exactly the wanted part on, and not after a part of it went back', () => {
  const isAccepted = (units: bigint, takenUnits = 0n): boolean => {
    const payments = [confirmed(units + takenUnits, 5, { takenUnits })];
    return deriveCheckout(facts({ payments, acceptFrom: decimal('0.9') }), at(61)).isAcceptanceDue;
  };
  assert.deepEqual([isAccepted(899n), isAccepted(900n), isAccepted(901n)], [false, true, true]);
  assert.deepEqual([isAccepted(900n, 1n), isAccepted(950n, 40n)], [false, false]);
});
