import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedWork } from '../../test/counted-work.ts';
import { isSample } from '../../test/depth.ts';
import { aCommitment, aDossier, aPayment, at, BTC, sampleTerms } from '../../test/sample-checkout.ts';
import { planAdvance } from './plan-advance.ts';

/** Booked when they are confirmed, and put into suspense when the window is over. */
function playThrough(count: number) {
  const payments = Array.from({ length: count }, (_, position) =>
    aPayment({ id: String(position).padStart(8, '0'), units: 1n, minute: 1 }),
  );
  const commitments = [aCommitment({ id: 'c1', asset: BTC, due: 1_000_000n, minute: 0 })];
  const before = aDossier({ commitments, payments, checkout: { state: 'PENDING' } });
  const nothing = { available: new Map(), owed: new Map() };
  const booked = planAdvance(before, sampleTerms(), nothing, at(10));
  const parked = planAdvance(booked.after, sampleTerms(), nothing, at(61));
  return { booked, parked };
}

const tiny = isSample() ? 1_000 : 10_000;
test(`${tiny} tiny payments are booked and put into suspense`, () => {
  const { booked, parked } = playThrough(tiny);
  assert.deepEqual([booked.entries.length, parked.entries.length], [tiny, tiny]);
  assert.equal(parked.after.checkout.state, 'UNDERPAID');
});

test('four times as many tiny payments are four times the work, and not sixteen times', async () => {
  const few = await countedWork(() => void playThrough(250));
  const many = await countedWork(() => void playThrough(1_000));
  assert.ok(few > 250 * 10, `${few} is too little to have been counted`);
  assert.ok(many < few * 5, `${many} after ${few}`);
});
