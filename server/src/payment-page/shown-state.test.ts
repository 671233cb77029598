import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import type { CheckoutState } from '../checkouts/checkout-state.ts';
import { decimal } from '../money/decimal.ts';
import { asksForMoney, shownState } from './shown-state.ts';

/** Half a percent may be missing of a thousand units. */
const open = () => tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })]);
const overIn = { EXPIRED: {}, CANCELED: { canceledAt: at(10) }, UNDERPAID: {}, PENDING: {} } as const;

test('what is enough is seen at once, late too, and with all that the shop lets be missing', () => {
  for (const [state, decided] of Object.entries(overIn) as [CheckoutState, object][])
    for (const [units, shown] of [
      [995n, 'PROCESSING'],
      [1000n, 'PROCESSING'],
      [994n, state],
    ] as const) {
      const story = open();
      story.decide({ state, ...decided });
      story.pay({ id: 'p1', units, minute: 70, state: 'SEEN' });
      assert.equal(shownState(story.dossier, at(70)), shown, `${units} when ${state}`);
    }
});

test('a late rest completes the part that came in time', () => {
  const story = open();
  story.decide({ state: 'UNDERPAID', lateTolerance: decimal('0.05') });
  story.pay({ id: 'p1', units: 400n, minute: 2 });
  assert.equal(shownState(story.dossier, at(70)), 'UNDERPAID');
  story.pay({ id: 'p2', units: 596n, minute: 70, state: 'SEEN' });
  assert.equal(shownState(story.dossier, at(70)), 'PROCESSING');
  story.change('p2', { state: 'DROPPED' });
  assert.equal(shownState(story.dossier, at(71)), 'UNDERPAID', 'it has not come after all');
});

test('no other news changes what the page shows before it is decided', () => {
  const story = open();
  story.decide({ state: 'PENDING' });
  assert.equal(shownState(story.dossier, at(70)), 'PENDING', 'the clock alone');
  story.decide({ state: 'COMPLETED' });
  story.pay({ id: 'p1', units: 1000n, minute: 2, state: 'SEEN' });
  assert.equal(shownState(story.dossier, at(3)), 'COMPLETED', 'a credit that a reorganisation takes back');
});

test('money is asked for until enough was seen', () => {
  const asking = ['CREATED', 'PENDING', 'EXPIRED', 'CANCELED', 'UNDERPAID'] as const;
  const others = ['PROCESSING', 'COMPLETED', 'DELAYED_COMPLETED', 'RESOLVED', 'REFUNDED'] as const;
  assert.deepEqual(asking.filter(asksForMoney), asking);
  assert.deepEqual(others.filter(asksForMoney), []);
});
