/** A credit whose coins go over the bridge: what is named in its event is what every later record names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { eventsOf, type Story, tellStory } from '../../test/settlement-story.ts';
import type { AdvancePlan } from './plan-advance.ts';
import { treasuryOnly } from './plan-exchange.ts';

const bridged = (isAtWork = true) => ({
  ...sampleTerms(),
  exchange: { ...treasuryOnly, needsBridge: (asset: string) => isAtWork && asset === BTC, homeOf: () => 'STELLAR' },
});

function paid(units = 1_000n, minute = 1): Story {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1_000n, minute: 0 })]);
  story.pay({ id: 'p1', units, minute });
  return story;
}

const bridges = ({ dossier }: Story): unknown[] => dossier.payments.map(({ bridge }) => bridge && bridge.txHash);
const told = ({ events }: AdvancePlan): unknown[] =>
  events.map(({ dossier }) => dossier.payments.map(({ bridge }) => bridge?.txHash ?? null));

test('it waits for the tokens, without being looked at all the time, and its event names them', () => {
  const story = paid();
  const waiting = story.advance(2, bridged());
  assert.deepEqual([eventsOf(waiting), story.dossier.checkout.state], [[], 'PROCESSING']);
  assert.deepEqual(waiting.lookAgainAt, at(12));
  assert.deepEqual(story.dossier.checkout.exceptions, [], 'nothing is odd');
  assert.deepEqual(story.advance(5, bridged()).lookAgainAt, at(12), 'since it was due');

  story.change('p1', { bridge: { txHash: 'issued', at: at(6) } });
  const done = story.advance(6, bridged());
  assert.deepEqual([eventsOf(done), told(done)], [['CHECKOUT_COMPLETED'], [['issued']]]);
  assert.equal(story.dossier.checkout.awaitsBridgeSince, null);
  assert.equal(story.dossier.settlements[0]?.parts[0]?.creditedOn, 'STELLAR');
});

test('coins that need no transaction are credited at once and name none', () => {
  const story = paid();
  story.advance(2, bridged());
  story.change('p1', { bridge: { txHash: null, at: at(2) } });
  const done = story.advance(2, bridged());
  assert.deepEqual([eventsOf(done), told(done)], [['CHECKOUT_COMPLETED'], [[null]]]);
});

test('after ten minutes it goes ahead, and names no bridge ever after', () => {
  const story = paid();
  story.advance(2, bridged());
  assert.deepEqual(eventsOf(story.advance(11, bridged())), []);
  const done = story.advance(12, bridged());
  assert.deepEqual([eventsOf(done), told(done)], [['CHECKOUT_COMPLETED'], [[null]]]);
  assert.deepEqual(story.dossier.payments[0]?.bridge, { txHash: null, at: at(12) }, 'nothing will cover it');

  story.change('p1', { state: 'SEEN', blockTime: null });
  assert.deepEqual(eventsOf(story.advance(20, bridged())), ['CHECKOUT_REVERSED']);
  story.change('p1', { state: 'CONFIRMED', blockTime: at(21) });
  const again = story.advance(21, bridged());
  assert.deepEqual([eventsOf(again), told(again)], [['CHECKOUT_COMPLETED'], [[null]]]);
});

test('a credit that is granted again names what it named before', () => {
  const story = paid();
  story.advance(2, bridged());
  story.change('p1', { bridge: { txHash: 'issued', at: at(3) } });
  story.advance(3, bridged());
  story.change('p1', { state: 'SEEN', blockTime: null });
  story.advance(4, bridged());
  story.change('p1', { state: 'CONFIRMED', blockTime: at(5) });
  assert.deepEqual(told(story.advance(5, bridged())), [['issued']]);
});

test('an accepted underpayment waits likewise, and a wait that has become pointless begins anew', () => {
  const story = paid(600n);
  assert.deepEqual(eventsOf(story.advance(61, bridged())), ['CHECKOUT_UNDERPAID']);
  story.decide({ acceptedAt: at(70) });
  assert.deepEqual(eventsOf(story.advance(70, bridged())), []);
  story.change('p1', { state: 'SEEN', blockTime: null });
  story.advance(75, bridged());
  assert.equal(story.dossier.checkout.awaitsBridgeSince, null);
  story.change('p1', { state: 'CONFIRMED', blockTime: at(76), bridge: { txHash: 'issued', at: at(76) } });
  story.advance(76, bridged());
  story.decide({ acceptedAt: at(77) });
  const done = story.advance(77, bridged());
  assert.deepEqual([eventsOf(done), told(done)], [['UNDERPAID_ACCEPTED'], [['issued']]]);
});

test('where no bridge is at work nothing is waited for, and nothing is marked', () => {
  const story = paid();
  assert.deepEqual(eventsOf(story.advance(2, bridged(false))), ['CHECKOUT_COMPLETED']);
  assert.deepEqual(story.dossier.payments[0]?.bridge, null);
  const stellar = tellStory([aCommitment({ id: 'c1', asset: USDC, due: 1_000n, minute: 0 })]);
  stellar.pay({ id: 'p1', units: 1_000n, minute: 1, asset: USDC });
  assert.deepEqual(eventsOf(stellar.advance(2, bridged())), ['CHECKOUT_COMPLETED']);
  assert.deepEqual(bridges(stellar), [null]);
});
