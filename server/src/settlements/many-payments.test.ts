import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aDossier, aPayment, at, BTC, sampleTerms } from '../../test/sample-checkout.ts';
import { planAdvance } from './plan-advance.ts';

test('ten thousand tiny payments are booked and put into suspense in a moment', () => {
  const payments = Array.from({ length: 10_000 }, (_, position) =>
    aPayment({ id: String(position).padStart(8, '0'), units: 1n, minute: 1 }),
  );
  const commitments = [aCommitment({ id: 'c1', asset: BTC, due: 1_000_000n, minute: 0 })];
  const before = aDossier({ commitments, payments, checkout: { state: 'PENDING' } });
  const nothing = { available: new Map(), owed: new Map() };
  const started = performance.now();
  const booked = planAdvance(before, sampleTerms(), nothing, at(10));
  const parked = planAdvance(booked.after, sampleTerms(), nothing, at(61));
  assert.ok(performance.now() - started < 6_000);
  assert.deepEqual([booked.entries.length, parked.entries.length], [10_000, 10_000]);
  assert.equal(parked.after.checkout.state, 'UNDERPAID');
});
