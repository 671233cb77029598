/** The lives of refunds and of what the merchant decides, as one look after the other plans them: notes, entries, places. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aRefund, at, BTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { balancesOf, eventsOf, postedBy, type Story, tellStory } from '../../test/settlement-story.ts';
import type { Refund, Take } from '../checkouts/refund.ts';
import { decimal } from '../money/decimal.ts';
import type { AdvancePlan } from './plan-advance.ts';

const take = (paymentId: string, units: string): Take => ({ paymentId, units, feeUnits: '0' });
const refundOf = (units: bigint, terms: Partial<Refund> = {}): Refund =>
  aRefund({ id: 'r1', asset: BTC, units, takes: [take('p1', units.toString())], ...terms });
const notesOf = ({ notes }: AdvancePlan) => notes.map(({ what, why }) => [what, why ?? {}]);
const postings = (plan: AdvancePlan) => Object.keys(postedBy(plan));
const placeOf = (story: Story) => story.dossier.refunds.map(({ id, place, state }) => `${id} ${place} ${state}`);

/** 600 of 1000 came, and the window is over. */
function underpaid(): Story {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })]);
  story.pay({ id: 'p1', units: 600n, minute: 5 });
  story.advance(61);
  assert.equal(story.dossier.checkout.state, 'UNDERPAID');
  return story;
}

/** With a refund of 400 that is set aside. */
function refunding(terms: Partial<Refund> = {}): Story {
  const story = underpaid();
  story.refund(refundOf(400n, terms));
  const plan = story.advance(62);
  assert.deepEqual(postings(plan), ['refund_held refund:r1']);
  assert.deepEqual(placeOf(story), [`r1 reserved ${terms.state ?? 'SENDING'}`]);
  return story;
}

test('a refund that arrived is booked as sent, and the timeline names it', () => {
  const story = refunding();
  story.refund(refundOf(400n, { state: 'COMPLETED', txHash: 'abc' }));
  const plan = story.advance(63);
  assert.deepEqual(postings(plan), ['refund_sent refund:r1:sent']);
  assert.deepEqual(notesOf(plan), [['refund_completed', { refund: 'r1', tx: 'abc' }]]);
  assert.deepEqual(placeOf(story), ['r1 sent COMPLETED']);
  assert.deepEqual(eventsOf(plan), ['REFUND_PARTIAL']);
});

test('a refund that was cancelled or failed comes back, and the timeline says why', () => {
  for (const [state, failure, note] of [
    ['CANCELED', null, ['refund_canceled', { refund: 'r1' }]],
    ['FAILED', 'too late', ['refund_failed', { refund: 'r1', because: 'too late' }]],
  ] as const) {
    const story = refunding();
    story.refund(refundOf(400n, { state, failure }));
    const plan = story.advance(63);
    assert.deepEqual(postings(plan), ['refund_returned refund:r1:returned']);
    assert.deepEqual(notesOf(plan), [note]);
    assert.deepEqual(placeOf(story), [`r1 returned ${state}`]);
    assert.deepEqual(story.dossier.refunds[0]?.takes, [take('p1', '400')]);
    assert.deepEqual(balancesOf(story.ledger)['suspense BTC'], 600n);
  }
});

test('of a refund that failed at a cost only what it cost stays taken', () => {
  const story = refunding();
  story.refund(refundOf(400n, { state: 'FAILED', costUnits: 30n }));
  story.advance(63);
  assert.deepEqual(story.dossier.refunds[0]?.takes, [take('p1', '30')]);
  assert.equal(story.dossier.payments[0]?.takenUnits, 30n);
  assert.deepEqual([balancesOf(story.ledger)['suspense BTC'], balancesOf(story.ledger)['costs BTC']], [570n, 30n]);
});

test('a refund that had arrived and is undone afterwards is unsent and returned', () => {
  const story = refunding();
  story.refund(refundOf(400n, { state: 'COMPLETED' }));
  story.advance(63);
  story.refund(refundOf(400n, { state: 'FAILED', failure: 'the block is gone' }));
  const plan = story.advance(64);
  assert.deepEqual(placeOf(story), ['r1 returned FAILED']);
  assert.deepEqual(postedBy(plan), {
    'refund_returned refund:r1:returned': { 'wallet-BITCOIN BTC': -400n, 'suspense BTC': 400n },
  });
  assert.deepEqual(eventsOf(plan), ['REFUND_FAILED']);
});

test('what has arrived stays as it is, whatever else is looked at', () => {
  const story = refunding();
  story.refund(refundOf(400n, { state: 'COMPLETED' }));
  story.advance(63);
  assert.deepEqual(postings(story.advance(70)), []);
});

test('what nobody claims comes back in the moment it expires', () => {
  const claim = { state: 'CLAIMABLE' as const, claimExpiresAt: at(90) };
  const story = refunding(claim);
  assert.deepEqual(postings(story.advance(89)), []);
  assert.deepEqual(placeOf(story), ['r1 reserved CLAIMABLE']);
  const plan = story.advance(90);
  assert.deepEqual(notesOf(plan), [['refund_expired', { refund: 'r1' }]]);
  assert.deepEqual(placeOf(story), ['r1 returned EXPIRED']);
  assert.deepEqual(story.dossier.refunds[0]?.endedAt, at(90));
  assert.deepEqual(eventsOf(plan), []);
});

test('a claim without an end never expires, and neither does what is being sent or waits for approval', () => {
  for (const terms of [
    { state: 'CLAIMABLE' as const, claimExpiresAt: null },
    { state: 'SENDING' as const, claimExpiresAt: at(90) },
    { state: 'AWAITING_APPROVAL' as const, claimExpiresAt: at(90) },
  ])
    assert.deepEqual(postings(refunding(terms).advance(99)), [], terms.state);
});

test('an excess that the merchant keeps is booked once, each under a number of its own', () => {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })]);
  story.pay({ id: 'p1', units: 1500n, minute: 5 });
  story.advance(6);
  const accepted = (units: string, isBooked = false) => ({ takes: [take('p1', units)], acceptedAt: '', isBooked });
  story.decide({ acceptedExcess: [accepted('200')] });
  assert.deepEqual(postedBy(story.advance(7)), {
    'excess_accepted excess:checkout:1': { 'suspense BTC': -200n, 'available BTC': 200n },
  });
  assert.deepEqual(story.dossier.checkout.acceptedExcess, [accepted('200', true)]);
  story.decide({ acceptedExcess: [...story.dossier.checkout.acceptedExcess, accepted('50')] });
  assert.deepEqual(postings(story.advance(8)), ['excess_accepted excess:checkout:2']);
});

test('an underpayment that reaches the part that the merchant accepts is accepted by itself', () => {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, fee: 5n })]);
  story.decide({ acceptFrom: decimal('0.6') });
  story.pay({ id: 'p1', units: 600n, minute: 5 });
  const plan = story.advance(61);
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.acceptedAt], ['RESOLVED', at(61)]);
  assert.deepEqual(notesOf(plan), [
    ['underpayment_accepted', { because: 'it reached the part that the merchant accepts' }],
    ['state', { from: 'PENDING', to: 'UNDERPAID' }],
    ['state', { from: 'UNDERPAID', to: 'RESOLVED' }],
  ]);
  assert.deepEqual(eventsOf(plan), ['UNDERPAID_ACCEPTED']);
});

test('not once a part of it is set aside for a refund', () => {
  const story = underpaid();
  story.decide({ acceptFrom: decimal('0.5') });
  story.refund(refundOf(10n));
  story.advance(62);
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.acceptedAt], ['UNDERPAID', null]);
});

/** Accepted, but there is no market that would convert it. */
function acceptedInVain(): Story {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, credited: USDC, gross: 60n })]);
  story.pay({ id: 'p1', units: 600n, minute: 5 });
  story.pay({ id: 's1', units: 7n, minute: 6, commitmentId: null, asset: BTC });
  story.advance(61);
  story.decide({ acceptedAt: at(62) });
  const plan = story.advance(62);
  assert.deepEqual(notesOf(plan), [['no_market', { reason: 'BTC: no source' }]]);
  assert.deepEqual(plan.lookAgainAt, at(63));
  return story;
}

test('an acceptance that was not used is void when its money is given back instead', () => {
  const story = acceptedInVain();
  story.refund(refundOf(100n));
  const plan = story.advance(63);
  assert.deepEqual(notesOf(plan), [['acceptance_void', { because: 'the merchant gives it back instead' }]]);
  assert.equal(story.dossier.checkout.acceptedAt, null);
});

test('but not when only what nobody had asked for goes back', () => {
  const story = acceptedInVain();
  story.refund(refundOf(7n, { takes: [take('s1', '7')] }));
  story.advance(63);
  assert.deepEqual(story.dossier.checkout.acceptedAt, at(62));
});

test('an acceptance is void when the accepted payment vanishes, and not when another one does', () => {
  const story = acceptedInVain();
  story.change('s1', { state: 'DROPPED', blockTime: null });
  story.advance(63);
  assert.deepEqual(story.dossier.checkout.acceptedAt, at(62));
  story.change('p1', { state: 'DROPPED', blockTime: null });
  const plan = story.advance(64);
  assert.deepEqual(notesOf(plan)[0], ['acceptance_void', { because: 'an accepted payment is no longer confirmed' }]);
  assert.equal(story.dossier.checkout.acceptedAt, null);
});

test('an acceptance that was credited stays, whatever becomes of its payment', () => {
  const story = underpaid();
  story.decide({ acceptedAt: at(62) });
  story.advance(62);
  assert.equal(story.dossier.checkout.state, 'RESOLVED');
  story.change('p1', { state: 'DROPPED', blockTime: null });
  const plan = story.advance(63);
  assert.deepEqual(story.dossier.checkout.acceptedAt, at(62));
  assert.deepEqual(notesOf(plan)[0], [
    'state',
    { from: 'RESOLVED', to: 'PROCESSING', because: 'a credited payment is no longer confirmed' },
  ]);
  assert.deepEqual(eventsOf(plan), ['CHECKOUT_REVERSED']);
});

test('what came late and cannot be valued waits, and the merchant is told once', () => {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })]);
  story.decide({ lateTolerance: decimal('0.05') });
  story.advance(60);
  story.pay({ id: 'p1', units: 1000n, minute: 70 });
  const plan = story.advance(71, sampleTerms());
  assert.deepEqual(notesOf(plan).at(0), ['no_market', { reason: 'BTC: no source' }]);
  assert.deepEqual(plan.lookAgainAt, at(72));
  assert.deepEqual(story.dossier.checkout.exceptions.toSorted(), ['LATE', 'NO_MARKET']);
  assert.deepEqual(notesOf(story.advance(72, sampleTerms())), []);
  const valued = story.advance(73, sampleTerms({ BTC: '100', USD: '0.00001' }));
  assert.equal(story.dossier.checkout.state, 'DELAYED_COMPLETED');
  assert.deepEqual(eventsOf(valued), ['CHECKOUT_COMPLETED']);
});
