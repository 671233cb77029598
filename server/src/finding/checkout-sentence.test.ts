import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aRefund, at, BTC, USDC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import type { CheckoutState } from '../checkouts/checkout-state.ts';
import { checkoutSentence, sentenceKeys } from './checkout-sentence.ts';

const commitment = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 });
const told = new Set<string>();

/** `key units… minute`. */
function said(dossier: CheckoutDossier, minute: number): string {
  const { key, values } = checkoutSentence(dossier, at(minute));
  told.add(key);
  const when = (values.at.getTime() - at(0).getTime()) / 60_000;
  return [key, ...values.amounts.map(({ asset, units }) => `${units} ${asset.slice(0, 4)}`), `@${when}`].join(' ');
}

test('it is waited for, comes in parts, is confirmed and credited', () => {
  const story = tellStory([commitment]);
  story.advance(1);
  assert.equal(said(story.dossier, 1), 'waiting @60');
  story.pay({ id: 'p1', units: 400n, minute: 5 });
  story.advance(6);
  assert.equal(said(story.dossier, 6), 'partlyPaid 400 BTC: @60');
  story.pay({ id: 'p2', units: 600n, minute: 7, state: 'SEEN' });
  story.advance(8);
  assert.equal(said(story.dossier, 8), 'confirming 1000 BTC: @7');
  const odd = (...exceptions: ('NO_MARKET' | 'REORGED')[]): CheckoutDossier => ({
    ...story.dossier,
    checkout: { ...story.dossier.checkout, exceptions },
  });
  assert.equal(said(odd('NO_MARKET'), 8), 'noMarket 1000 BTC: @7');
  assert.equal(said(odd('REORGED'), 8), 'takenBack 1000 BTC: @7');
});

test('what a bank took back does not come again by itself, until it is paid anew', () => {
  const story = tellStory([commitment]);
  story.pay({ id: 'p1', units: 1000n, minute: 5 });
  const { dossier } = story;
  const payments = dossier.payments.map((payment) => ({ ...payment, state: 'REVERSED' as const }));
  const inState = (state: CheckoutState, ...exceptions: 'REORGED'[]): CheckoutDossier => ({
    ...dossier,
    payments,
    checkout: { ...dossier.checkout, state, exceptions },
  });
  for (const state of ['PENDING', 'EXPIRED'] as const)
    assert.equal(said(inState(state), 9), 'takenBackByBank @60', state);
  assert.equal(said(inState('PROCESSING', 'REORGED'), 9).split(' ')[0], 'takenBackByBank');
  assert.equal(said(inState('PROCESSING'), 9).split(' ')[0], 'confirming');
  assert.equal(said(inState('COMPLETED'), 9).split(' ')[0], 'paid');
});

test('too little, too much, twice, and in another asset wait for the merchant', () => {
  const little = tellStory([commitment]);
  little.pay({ id: 'p1', units: 400n, minute: 5 });
  little.advance(61);
  assert.equal(said(little.dossier, 70), 'paidTooLittle 400 BTC: @5');

  const much = tellStory([commitment]);
  much.pay({ id: 'p1', units: 1500n, minute: 5 });
  much.advance(6);
  assert.equal(said(much.dossier, 6), 'paidTooMuch 500 BTC: @5');

  const twice = tellStory([commitment]);
  twice.pay({ id: 'p1', units: 1000n, minute: 5 });
  twice.advance(6);
  assert.equal(said(twice.dossier, 6), 'paid 1000 BTC: @6');
  twice.pay({ id: 'p2', units: 1000n, minute: 9 });
  twice.advance(10);
  assert.equal(said(twice.dossier, 10), 'paidTwice 1000 BTC: @9');

  const other = tellStory([commitment]);
  other.pay({ id: 'p1', units: 77n, minute: 5, asset: USDC, commitmentId: null });
  other.advance(6);
  assert.equal(said(other.dossier, 6), 'paidInAnotherAsset 77 USDC @5');
});

const inState = (state: CheckoutDossier['checkout']['state'], more: Partial<CheckoutDossier['checkout']> = {}) => {
  const { dossier } = tellStory([commitment]);
  return { ...dossier, checkout: { ...dossier.checkout, state, windowEndsAt: at(60), ...more } };
};

test('what nobody paid says so, and when', () => {
  assert.equal(said(inState('CREATED', { createdAt: at(0) }), 1), 'notChosen @0');
  assert.equal(said(inState('EXPIRED'), 99), 'expired @60');
  assert.equal(said(inState('CANCELED', { canceledAt: at(12) }), 99), 'canceled @12');
});

test('how it was credited is said, and what goes back is said instead', () => {
  assert.match(said(inState('DELAYED_COMPLETED', { createdAt: at(0) }), 99), /^paidLate @/);
  assert.equal(said(inState('RESOLVED', { acceptedAt: at(80) }), 99), 'lessAccepted @80');
  assert.match(said(inState('UNDERPAID'), 99), /^beingDecided @60/);
  const refund = aRefund({ id: 'r1', asset: BTC, units: 300n, takes: [], requestedAt: at(20) });
  for (const [state, place, sentence] of [
    ['AWAITING_APPROVAL', 'reserved', 'refundNeedsApproval 300 BTC: @20'],
    ['CLAIMABLE', 'reserved', 'refundWaitsForPayer 300 BTC: @20'],
    ['SENDING', 'reserved', 'refundOnItsWay 300 BTC: @20'],
    ['COMPLETED', 'sent', 'refunded 300 BTC: @25'],
  ] as const) {
    const refunds = [{ ...refund, state, place, endedAt: place === 'sent' ? at(25) : null }];
    assert.equal(said({ ...inState('REFUNDED'), refunds }, 99), sentence);
  }
  const story = tellStory([commitment]);
  story.pay({ id: 'p1', units: 1000n, minute: 5 });
  story.advance(6);
  const part = { ...refund, state: 'COMPLETED' as const, place: 'sent' as const, endedAt: at(25) };
  assert.equal(said({ ...story.dossier, refunds: [part] }, 30), 'partlyRefunded 300 BTC: @25');
});

test('what no market takes can go back once the window is over', () => {
  const story = tellStory([commitment]);
  story.pay({ id: 'p1', units: 1000n, minute: 5 });
  const { dossier } = story;
  const payments = dossier.payments.map((payment) => ({ ...payment, place: 'pending' as const }));
  const checkout = { ...dossier.checkout, state: 'PROCESSING' as const, exceptions: ['NO_MARKET' as const] };
  assert.equal(said({ ...dossier, payments, checkout }, 61), 'paidInVain 1000 BTC: @5');
});

test('every sentence was told', () => {
  assert.deepEqual([...told].toSorted(), [...sentenceKeys].toSorted());
});
