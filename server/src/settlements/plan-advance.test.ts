/**
 * What each thing that can happen to a checkout posts, line by line. `bitcoin` costs 1000 units and is credited as it
 * is, with a fee of 5; `litecoin` costs 10 000 units and is credited as 79 000 units of USDC, with a fee of 395.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { balancesOf, eventsOf, postedBy, tellStory } from '../../test/settlement-story.ts';

const bitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1000n, fee: 5n, minute: 0 });
const litecoin = aCommitment({
  id: 'c1',
  asset: LTC,
  due: 10_000n,
  credited: USDC,
  gross: 79_000n,
  fee: 395n,
  minute: 0,
});
const rates = sampleTerms({ LTC: '80', USDC: '1' }); // 1 unit of LTC is 8 units of USDC
const noMarket = sampleTerms();
const unconfirmed = { state: 'SEEN', blockTime: null } as const;

test('a payment that is only seen moves the state and no money', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 1000n, minute: 5, ...unconfirmed });
  const plan = story.advance(6);
  assert.deepEqual(plan.entries, []);
  assert.deepEqual(plan.notes, [{ what: 'state', why: { from: 'PENDING', to: 'PROCESSING' } }]);
  assert.deepEqual([story.dossier.checkout.state, eventsOf(plan)], ['PROCESSING', []]);
});

test('the full price is credited in the paid asset, less the fee', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 1000n, minute: 5 });
  const plan = story.advance(20);
  assert.deepEqual(postedBy(plan), {
    'payment_received payment:p:1': { 'wallet-BITCOIN BTC': -1000n, 'pending BTC': 1000n },
    'settlement settlement:checkout:1': { 'pending BTC': -1000n, 'fees BTC': 5n, 'available BTC': 995n },
  });
  assert.deepEqual(eventsOf(plan), ['CHECKOUT_COMPLETED']);
  assert.equal(plan.events[0]?.dossier.checkout.state, 'COMPLETED', 'the event shows its effect');
  assert.deepEqual(
    plan.notes.map(({ why }) => why?.['to']),
    ['PROCESSING', 'COMPLETED'],
  );
  assert.equal(story.dossier.payments[0]?.place, 'settled');
});

test('a price within the tolerance is credited in proportion, the fee rounded up', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 997n, minute: 5 });
  // The fee is 5 × 997 ÷ 1000 = 4.985.
  assert.deepEqual(postedBy(story.advance(20))['settlement settlement:checkout:1'], {
    'pending BTC': -997n,
    'fees BTC': 5n,
    'available BTC': 992n,
  });
  assert.equal(story.dossier.checkout.state, 'COMPLETED');
});

test('an excess waits in suspense in the paid asset', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 1010n, minute: 5 });
  const plan = story.advance(20);
  assert.deepEqual(postedBy(plan)['settlement settlement:checkout:1'], {
    'pending BTC': -1010n,
    'suspense BTC': 10n,
    'fees BTC': 5n,
    'available BTC': 995n,
  });
  assert.deepEqual(story.dossier.checkout.exceptions, ['OVERPAID']);
});

test('an excess of dust is the merchant’s, without a fee', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 1009n, minute: 5 });
  assert.deepEqual(postedBy(story.advance(20))['settlement settlement:checkout:1'], {
    'pending BTC': -1009n,
    'fees BTC': 5n,
    'available BTC': 1004n,
  });
  assert.deepEqual(story.dossier.checkout.exceptions, []);
});

test('dust is the merchant’s also when it is converted, at the rate of the quote', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 10_009n, minute: 5, asset: LTC });
  // 79 000 × 9 ÷ 10 000 = 71.1
  assert.deepEqual(postedBy(story.advance(20, rates))['settlement settlement:checkout:1'], {
    'pending LTC': -10_009n,
    'fx LTC': 10_009n,
    'fx USDC': -79_071n,
    'fees USDC': 395n,
    'available USDC': 78_676n,
  });
});

test('a converted payment is credited by its quote, and the operator books the position', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 10_000n, minute: 5, asset: LTC });
  const plan = story.advance(20, rates);
  assert.deepEqual(postedBy(plan)['settlement settlement:checkout:1'], {
    'pending LTC': -10_000n,
    'fx LTC': 10_000n,
    'fx USDC': -79_000n,
    'fees USDC': 395n,
    'available USDC': 78_605n,
  });
  assert.equal(story.dossier.settlements[0]?.parts[0]?.basis, 'QUOTE');
});

test('a converted overpayment sells only the price', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 15_000n, minute: 5, asset: LTC });
  assert.deepEqual(postedBy(story.advance(20, rates))['settlement settlement:checkout:1'], {
    'pending LTC': -15_000n,
    'suspense LTC': 5_000n,
    'fx LTC': 10_000n,
    'fx USDC': -79_000n,
    'fees USDC': 395n,
    'available USDC': 78_605n,
  });
});

test('an underpayment waits in suspense once the window is over, and is announced once', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 400n, minute: 5 });
  assert.deepEqual(postedBy(story.advance(20)), {
    'payment_received payment:p:1': { 'wallet-BITCOIN BTC': -400n, 'pending BTC': 400n },
  });
  const plan = story.advance(60);
  assert.deepEqual(postedBy(plan), {
    'moved_to_suspense payment:p:2': { 'pending BTC': -400n, 'suspense BTC': 400n },
  });
  assert.deepEqual(eventsOf(plan), ['CHECKOUT_UNDERPAID']);
  assert.deepEqual(story.dossier.checkout.exceptions, ['PARTIAL']);
});

test('the rest of an underpayment arrives late and everything is credited', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 400n, minute: 5 });
  story.advance(60);
  story.pay({ id: 'q', units: 600n, minute: 90 });
  const plan = story.advance(100);
  assert.deepEqual(postedBy(plan), {
    'payment_received payment:q:1': { 'wallet-BITCOIN BTC': -600n, 'pending BTC': 600n },
    'settlement settlement:checkout:1': {
      'suspense BTC': -400n,
      'pending BTC': -600n,
      'fees BTC': 5n,
      'available BTC': 995n,
    },
  });
  assert.deepEqual([story.dossier.checkout.state, eventsOf(plan)], ['DELAYED_COMPLETED', ['CHECKOUT_COMPLETED']]);
});

test('of a converted price paid in two parts, only the late one is converted at the rate of its arrival', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 4_000n, minute: 5, asset: LTC });
  story.advance(60, rates);
  story.pay({ id: 'q', units: 6_000n, minute: 90, asset: LTC });
  // In time: 0.4 × 79 000 = 31 600, fee 158. Late: 6 000 × 8 = 48 000, fee 240.
  assert.deepEqual(postedBy(story.advance(100, rates))['settlement settlement:checkout:1'], {
    'suspense LTC': -4_000n,
    'pending LTC': -6_000n,
    'fx LTC': 10_000n,
    'fx USDC': -79_600n,
    'fees USDC': 398n,
    'available USDC': 79_202n,
  });
  assert.deepEqual(
    story.dossier.settlements[0]?.parts.map((part) => part.basis),
    ['QUOTE', 'RATE_OF_ARRIVAL'],
  );
});

test('an accepted underpayment is credited in proportion', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 333n, minute: 5 });
  story.advance(60);
  story.decide({ acceptedAt: at(70) });
  const plan = story.advance(70);
  // The fee is 5 × 0.333 = 1.665.
  assert.deepEqual(postedBy(plan), {
    'settlement settlement:checkout:1': { 'suspense BTC': -333n, 'fees BTC': 2n, 'available BTC': 331n },
  });
  assert.deepEqual([story.dossier.checkout.state, eventsOf(plan)], ['RESOLVED', ['UNDERPAID_ACCEPTED']]);
});

test('an accepted underpayment is converted at the rate of the acceptance', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 3_333n, minute: 5, asset: LTC });
  story.advance(60, rates);
  story.decide({ acceptedAt: at(70) });
  // At 79.99: 26 660.667 rounded down; the fee 133.3 rounded up.
  const plan = story.advance(70, sampleTerms({ LTC: '79.99', USDC: '1' }));
  assert.deepEqual(postedBy(plan)['settlement settlement:checkout:1'], {
    'suspense LTC': -3_333n,
    'fx LTC': 3_333n,
    'fx USDC': -26_660n,
    'fees USDC': 134n,
    'available USDC': 26_526n,
  });
  assert.equal(story.dossier.settlements[0]?.parts[0]?.basis, 'RATE_OF_ACCEPTANCE');
});

test('an acceptance without a market waits, and is credited when there is one', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 3_000n, minute: 5, asset: LTC });
  story.advance(60, rates);
  story.decide({ acceptedAt: at(70) });
  const waiting = story.advance(70, noMarket);
  assert.deepEqual([waiting.entries, waiting.lookAgainAt], [[], at(71)]);
  assert.deepEqual(
    [story.dossier.checkout.state, story.dossier.checkout.exceptions],
    ['UNDERPAID', ['NO_MARKET', 'PARTIAL']],
  );
  assert.deepEqual(eventsOf(story.advance(71, rates)), ['UNDERPAID_ACCEPTED']);
});

test('what was accepted and then paid in full after all is paid in full', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 3_000n, minute: 5, asset: LTC });
  story.advance(60, rates);
  story.decide({ acceptedAt: at(70) });
  story.advance(70, noMarket);
  story.pay({ id: 'q', units: 7_000n, minute: 80, asset: LTC, ...unconfirmed });
  assert.deepEqual(story.advance(81, rates).entries, [], 'the rest is on its way');
  story.change('q', { state: 'CONFIRMED', blockTime: at(85) });
  const plan = story.advance(90, rates);
  assert.deepEqual([story.dossier.checkout.state, eventsOf(plan)], ['DELAYED_COMPLETED', ['CHECKOUT_COMPLETED']]);
  assert.deepEqual(
    story.dossier.settlements[0]?.parts.map((part) => part.basis),
    ['QUOTE', 'RATE_OF_ARRIVAL'],
  );
});

test('a late payment is converted at the rate of its arrival', () => {
  const story = tellStory([litecoin]);
  assert.deepEqual(eventsOf(story.advance(60)), []);
  story.pay({ id: 'p', units: 10_001n, minute: 61, asset: LTC });
  const plan = story.advance(80, rates);
  // One unit is dust. 10 001 × 8 = 80 008; the fee 400.04 rounded up.
  assert.deepEqual(postedBy(plan)['settlement settlement:checkout:1'], {
    'pending LTC': -10_001n,
    'fx LTC': 10_001n,
    'fx USDC': -80_008n,
    'fees USDC': 401n,
    'available USDC': 79_607n,
  });
  assert.deepEqual(story.dossier.checkout.exceptions, ['LATE']);
});

test('a quote that ran out is not honoured because another commitment keeps the checkout open', () => {
  const other = aCommitment({ id: 'c2', asset: BTC, due: 1000n, minute: 59 });
  const story = tellStory([litecoin, other]);
  story.pay({ id: 'p', units: 10_000n, minute: 100, asset: LTC });
  story.advance(110, sampleTerms({ LTC: '40', USDC: '1' }));
  assert.equal(story.dossier.checkout.state, 'COMPLETED');
  assert.deepEqual(
    story.dossier.settlements[0]?.parts.map(({ basis, grossUnits }) => [basis, grossUnits]),
    [['RATE_OF_ARRIVAL', '40000']],
  );
});

test('without a market a late payment waits in pending, is retried and credited once', () => {
  const story = tellStory([litecoin]);
  story.advance(60);
  story.pay({ id: 'p', units: 10_000n, minute: 61, asset: LTC });
  const first = story.advance(80, noMarket);
  assert.deepEqual(Object.keys(postedBy(first)), ['payment_received payment:p:1']);
  assert.deepEqual(
    [story.dossier.checkout.state, story.dossier.checkout.exceptions],
    ['PROCESSING', ['NO_MARKET', 'LATE']],
  );
  assert.deepEqual(first.lookAgainAt, at(81));
  assert.deepEqual(
    first.notes.map(({ what }) => what),
    ['no_market', 'state'],
  );
  const second = story.advance(81, noMarket);
  assert.deepEqual([second.entries, second.notes, second.lookAgainAt], [[], [], at(82)]);
  const third = story.advance(82, rates);
  assert.deepEqual(eventsOf(third), ['CHECKOUT_COMPLETED']);
  assert.deepEqual([story.dossier.checkout.exceptions, third.lookAgainAt], [['LATE'], null]);
});

test('a late duplicate is excess, whatever the market', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 10_000n, minute: 5, asset: LTC });
  story.pay({ id: 'q', units: 10_000n, minute: 61, asset: LTC });
  story.advance(80, rates);
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.exceptions], ['COMPLETED', ['OVERPAID']]);
  assert.equal(balancesOf(story.ledger)['suspense LTC'], 10_000n);
});

test('parts on two networks are each credited by their own quote', () => {
  const second = aCommitment({
    id: 'c2',
    asset: LTC,
    due: 10_000n,
    credited: USDC,
    gross: 79_000n,
    fee: 395n,
    minute: 10,
  });
  const story = tellStory([bitcoin, second]);
  story.pay({ id: 'p', units: 300n, minute: 5 });
  story.pay({ id: 'q', units: 7_000n, minute: 15, asset: LTC, commitmentId: 'c2' });
  // Bitcoin: 0.3 of the fee of 5 is 1.5. Litecoin: 0.7 of 79 000 is 55 300, of 395 it is 276.5.
  assert.deepEqual(postedBy(story.advance(30, rates))['settlement settlement:checkout:1'], {
    'pending BTC': -300n,
    'fees BTC': 2n,
    'available BTC': 298n,
    'pending LTC': -7_000n,
    'fx LTC': 7_000n,
    'fx USDC': -55_300n,
    'fees USDC': 277n,
    'available USDC': 55_023n,
  });
});

test('of parts on two networks, what came last is the excess', () => {
  const second = aCommitment({
    id: 'c2',
    asset: LTC,
    due: 10_000n,
    credited: USDC,
    gross: 79_000n,
    fee: 395n,
    minute: 10,
  });
  const story = tellStory([bitcoin, second]);
  story.pay({ id: 'q', units: 7_000n, minute: 15, asset: LTC, commitmentId: 'c2' });
  story.pay({ id: 'p', units: 500n, minute: 20 });
  story.advance(30, rates);
  assert.equal(balancesOf(story.ledger)['suspense BTC'], 200n);
  assert.equal(balancesOf(story.ledger)['suspense LTC'], undefined);
});

test('another payment after the credit waits in suspense', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 1000n, minute: 5 });
  story.advance(20);
  story.pay({ id: 'q', units: 1000n, minute: 25, ...unconfirmed });
  assert.deepEqual(story.advance(26).entries, []);
  story.change('q', { state: 'CONFIRMED', blockTime: at(28) });
  const plan = story.advance(30);
  assert.deepEqual(postedBy(plan), {
    'payment_received payment:q:1': { 'wallet-BITCOIN BTC': -1000n, 'pending BTC': 1000n },
    'moved_to_suspense payment:q:2': { 'pending BTC': -1000n, 'suspense BTC': 1000n },
  });
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.exceptions], ['COMPLETED', ['DUPLICATE']]);
  assert.deepEqual(eventsOf(plan), []);
});

test('an asset that nobody asked for waits in suspense and pays nothing', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 9_999n, minute: 5, asset: USDC, commitmentId: null });
  assert.deepEqual(postedBy(story.advance(20)), {
    'payment_received payment:p:1': { 'wallet-STELLAR USDC': -9_999n, 'pending USDC': 9_999n },
    'moved_to_suspense payment:p:2': { 'pending USDC': -9_999n, 'suspense USDC': 9_999n },
  });
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.exceptions], ['PENDING', ['WRONG_ASSET']]);
});

test('a payment that vanishes from suspense leaves nothing behind', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 400n, minute: 5 });
  story.advance(60);
  story.change('p', unconfirmed);
  assert.deepEqual(postedBy(story.advance(70)), {
    'payment_reversed payment:p:3': { 'suspense BTC': -400n, 'wallet-BITCOIN BTC': 400n },
  });
  assert.equal(story.dossier.checkout.state, 'PENDING');
  story.change('p', { state: 'DROPPED' });
  story.advance(71);
  assert.equal(story.dossier.checkout.state, 'EXPIRED');
  assert.deepEqual(balancesOf(story.ledger), {});
});

test('another payment to a refunded checkout is a duplicate and waits in suspense', () => {
  const story = tellStory([bitcoin]);
  story.decide({ state: 'REFUNDED' });
  story.pay({ id: 'p', units: 1000n, minute: 90 });
  const plan = story.advance(100);
  assert.deepEqual(Object.keys(postedBy(plan)), ['payment_received payment:p:1', 'moved_to_suspense payment:p:2']);
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.exceptions], ['REFUNDED', ['DUPLICATE']]);
});
