/** Which refund is told of as all of it, and which as a part. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aRefund, at, BTC, LTC } from '../../test/sample-checkout.ts';
import { eventsOf, type Story, tellStory } from '../../test/settlement-story.ts';
import type { Refund } from '../checkouts/refund.ts';

const price = () => tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1_000n, minute: 0 })]);

type Parts = Pick<Refund, 'context'> & Partial<Pick<Refund, 'takes' | 'covers' | 'asset'>>;

const sent = (id: string, units: bigint, parts: Parts): Refund =>
  aRefund({ id, asset: BTC, units, takes: [], state: 'COMPLETED', endedAt: at(90), ...parts });

const ofCredit = (id: string, units: bigint): Refund =>
  sent(id, units, { context: 'COMPLETED_CHECKOUT', covers: [{ commitmentId: 'c1', units: units.toString() }] });

const ofPayment = (id: string, units: bigint, paymentId: string, context: Refund['context'], asset = BTC): Refund =>
  sent(id, units, { context, asset, takes: [{ paymentId, units: units.toString(), feeUnits: '0' }] });

function arrive(story: Story, minute: number, ...refunds: Refund[]): string[] {
  for (const refund of refunds) story.refund(refund);
  return eventsOf(story.advance(minute));
}

/** Credited for the whole price, by a merchant who has enough for whatever it gives back. */
function credited(units = 1_000n): Story {
  const story = price();
  const other = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 5_000n, minute: 0 })], story.ledger, 'other');
  other.pay({ id: 'o1', units: 5_000n, minute: 1 });
  other.advance(2);
  story.pay({ id: 'p1', units, minute: 1 });
  assert.deepEqual(eventsOf(story.advance(2)), ['CHECKOUT_COMPLETED']);
  return story;
}

test('three refunds that together give everything back are two parts and one completed', () => {
  const story = credited();
  assert.deepEqual(arrive(story, 3, ofCredit('r1', 300n)), ['REFUND_PARTIAL']);
  assert.deepEqual(arrive(story, 4, ofCredit('r2', 300n)), ['REFUND_PARTIAL']);
  assert.deepEqual(arrive(story, 5, ofCredit('r3', 400n)), ['REFUND_COMPLETED']);
});

test('of refunds that arrive at the same moment the last one completes it', () => {
  const events = arrive(credited(), 3, ofCredit('r1', 300n), ofCredit('r2', 700n));
  assert.deepEqual(events, ['REFUND_PARTIAL', 'REFUND_COMPLETED']);
});

test('an underpayment is completed when all of it is back, also what nobody had asked for', () => {
  const story = price();
  story.pay({ id: 'p1', units: 600n, minute: 1 });
  story.pay({ id: 'w1', units: 50n, minute: 1, asset: LTC, commitmentId: null });
  assert.deepEqual(eventsOf(story.advance(61)), ['CHECKOUT_UNDERPAID']);
  const context = 'UNDERPAID_CHECKOUT';
  assert.deepEqual(arrive(story, 62, ofPayment('r1', 50n, 'w1', context, LTC)), ['REFUND_PARTIAL']);
  assert.deepEqual(arrive(story, 63, ofPayment('r2', 200n, 'p1', context)), ['REFUND_PARTIAL']);
  assert.deepEqual(arrive(story, 64, ofPayment('r3', 400n, 'p1', context)), ['REFUND_COMPLETED']);

  const strange = price();
  strange.pay({ id: 'w1', units: 50n, minute: 1, asset: LTC, commitmentId: null });
  strange.advance(61);
  assert.deepEqual(arrive(strange, 62, ofPayment('r1', 50n, 'w1', context, LTC)), ['REFUND_COMPLETED']);
});

test('an excess is completed when none of it is left, in any asset, and the price is a question of its own', () => {
  const story = credited(1_500n);
  story.pay({ id: 'd1', units: 70n, minute: 3, asset: LTC, commitmentId: null });
  story.advance(4);
  const context = 'OVERPAID_CHECKOUT';
  assert.deepEqual(arrive(story, 5, ofPayment('r1', 500n, 'p1', context)), ['REFUND_PARTIAL']);
  assert.deepEqual(arrive(story, 6, ofPayment('r2', 70n, 'd1', context, LTC)), ['REFUND_COMPLETED']);
  assert.deepEqual(arrive(story, 7, ofCredit('r3', 999n)), ['REFUND_PARTIAL']);
  assert.deepEqual(arrive(story, 8, ofCredit('r4', 1n)), ['REFUND_COMPLETED']);
});

test('one that arrives while its payment is gone completes it when the payment is back', () => {
  const story = price();
  story.pay({ id: 'p1', units: 600n, minute: 1 });
  story.advance(61);
  story.refund({ ...ofPayment('r1', 600n, 'p1', 'UNDERPAID_CHECKOUT'), state: 'SENDING' });
  story.advance(62);
  story.change('p1', { state: 'SEEN', blockTime: null });
  story.advance(63);
  const done: Partial<Refund> = { state: 'COMPLETED', endedAt: at(64) };
  const [reserved] = story.dossier.refunds;
  assert.ok(reserved);
  assert.deepEqual(arrive(story, 64, { ...reserved, ...done }), ['REFUND_PARTIAL']);
  story.change('p1', { state: 'CONFIRMED', blockTime: at(2) });
  const events = eventsOf(story.advance(65));
  assert.equal(events.at(-1), 'REFUND_COMPLETED');
  assert.equal(story.dossier.checkout.state, 'REFUNDED');
});
