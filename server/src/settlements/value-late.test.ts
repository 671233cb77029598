/**
 * What came late is worth what it was worth when it was first seen. One coin costs 100 dollars when the price of 0.001
 * dollars is 1000 units; the fee is 5.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC, sampleTerms } from '../../test/sample-checkout.ts';
import { balancesOf, eventsOf, postedBy, type Story, tellStory } from '../../test/settlement-story.ts';
import { decimal } from '../money/decimal.ts';

const bitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1000n, fee: 5n, minute: 0, price: '0.001' });
const atRate = (usd: string) => sampleTerms({ BTC: usd, USD: '1' });
const noMarket = sampleTerms();
const unconfirmed = { state: 'SEEN', blockTime: null } as const;

function tellLate(): Story {
  const story = tellStory([bitcoin]);
  story.decide({ lateTolerance: decimal('0.05') });
  return story;
}

test('what came late is valued once, when it is first looked at, and the timeline says at what', () => {
  const story = tellLate();
  story.pay({ id: 'p', units: 1000n, minute: 70, ...unconfirmed });
  const first = story.advance(70, atRate('50'));
  assert.deepEqual(first.notes[0], {
    what: 'late_payment_valued',
    why: { worth: '50 %', usd: { BTC: '50', USD: '1' } },
  });
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.exceptions], ['EXPIRED', ['PARTIAL', 'LATE']]);
  story.change('p', { state: 'CONFIRMED', blockTime: at(80) });
  const second = story.advance(80, atRate('100'));
  assert.equal(story.dossier.checkout.state, 'UNDERPAID', 'although it is worth the price by now');
  assert.match(String(second.notes.at(-1)?.why?.['because']), /worth less than the price/);
  assert.deepEqual(eventsOf(second), ['CHECKOUT_UNDERPAID']);
});

test('of a coin that fell, more units make up the price, and all of them have their fee', () => {
  const story = tellLate();
  story.pay({ id: 'p', units: 2_500n, minute: 70 });
  // At half the rate 2000 units are the price: twice the quote, with twice its fee. The rest is excess.
  assert.deepEqual(postedBy(story.advance(80, atRate('50')))['settlement settlement:checkout:1'], {
    'pending BTC': -2_500n,
    'suspense BTC': 500n,
    'fees BTC': 10n,
    'available BTC': 1_990n,
  });
  assert.deepEqual(story.dossier.checkout.exceptions, ['OVERPAID', 'LATE']);
});

test('of a coin that rose, the units of the quote are the price: fewer are an underpayment, more an excess', () => {
  const fewer = tellLate();
  fewer.pay({ id: 'p', units: 500n, minute: 70 });
  fewer.advance(80, atRate('200'));
  assert.deepEqual([fewer.dossier.checkout.state, fewer.dossier.checkout.exceptions], ['UNDERPAID', ['PARTIAL']]);
  const more = tellLate();
  more.pay({ id: 'p', units: 1_500n, minute: 70 });
  more.advance(80, atRate('200'));
  assert.equal(balancesOf(more.ledger)['suspense BTC'], 500n);
});

test('what came late and cannot be valued waits, is retried, and has the first rate that there is', () => {
  const story = tellLate();
  story.pay({ id: 'p', units: 1000n, minute: 70 });
  const first = story.advance(80, noMarket);
  assert.deepEqual(Object.keys(postedBy(first)), ['payment_received payment:p:1']);
  assert.deepEqual(
    [story.dossier.checkout.state, story.dossier.checkout.exceptions],
    ['PROCESSING', ['NO_MARKET', 'LATE']],
  );
  assert.deepEqual([first.lookAgainAt, first.notes.map(({ what }) => what)], [at(81), ['no_market', 'state']]);
  assert.deepEqual(eventsOf(story.advance(81, atRate('95'))), ['CHECKOUT_COMPLETED']);
  assert.deepEqual(story.dossier.checkout.exceptions, ['LATE']);
});

test('what was too little when it was seen is accepted by the merchant at its units', () => {
  const story = tellLate();
  story.pay({ id: 'p', units: 1000n, minute: 70 });
  story.advance(80, atRate('50'));
  story.decide({ acceptedAt: at(90) });
  assert.deepEqual(eventsOf(story.advance(90, noMarket)), ['UNDERPAID_ACCEPTED']);
  assert.deepEqual(story.dossier.checkout.exceptions, ['PARTIAL', 'LATE']);
  assert.equal(balancesOf(story.ledger)['available BTC'], 995n);
});

test('a late payment that a reorganisation takes away and brings back keeps its value', () => {
  const story = tellLate();
  story.pay({ id: 'p', units: 1000n, minute: 70 });
  story.advance(80, atRate('100'));
  story.change('p', unconfirmed);
  story.advance(85, atRate('50'));
  assert.deepEqual(
    [story.dossier.checkout.state, story.dossier.checkout.exceptions],
    ['PROCESSING', ['REORGED', 'LATE']],
  );
  story.change('p', { state: 'CONFIRMED', blockTime: at(90) });
  assert.deepEqual(eventsOf(story.advance(90, atRate('50'))), ['CHECKOUT_COMPLETED']);
});

test('how much it is worth is said rounded down', () => {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 3000n, minute: 0, price: '0.003' })]);
  story.decide({ lateTolerance: decimal('0.05') });
  story.pay({ id: 'p', units: 4000n, minute: 70, ...unconfirmed });
  const { notes } = story.advance(70, atRate('50'));
  assert.equal(notes[0]?.why?.['worth'], '66.66 %');
});
