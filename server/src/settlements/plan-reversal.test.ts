/** What a reorganisation below the credited depth posts. Prices and fees are those of plan-advance.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryLedger, type MemoryLedger } from '../../test/memory-ledger.ts';
import { aCommitment, at, BTC, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { balancesOf, eventsOf, postedBy, type Story, tellStory } from '../../test/settlement-story.ts';
import { merchantAccount, operatorAccount } from '../ledger/chart-of-accounts.ts';
import { zero } from '../money/decimal.ts';

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
const unconfirmed = { state: 'SEEN', blockTime: null } as const;

const withdraw = (ledger: MemoryLedger, asset: string, units: bigint): void =>
  ledger.post([
    {
      reference: `withdrawal:${units}`,
      kind: 'transfer_sent',
      merchantId: 'm',
      subject: { kind: 'transfer', id: 'taken out' },
      lines: [
        { account: merchantAccount('m', 'available', asset), units: -units },
        { account: operatorAccount('equity', asset), units },
      ],
    },
  ]);

function paidStory(ledger = createMemoryLedger(), id = 'checkout'): Story {
  const story = tellStory([bitcoin], ledger, id);
  story.pay({ id: `${id}-p`, units: 1000n, minute: 5 });
  story.advance(20);
  return story;
}

test('a reversal takes the credit and the fee back, and the coins off the books', () => {
  const story = paidStory();
  story.change('checkout-p', unconfirmed);
  const plan = story.advance(30);
  assert.deepEqual(postedBy(plan), {
    'settlement_reversed settlement:checkout:1:reversed': {
      'pending BTC': 1000n,
      'fees BTC': -5n,
      'available BTC': -995n,
    },
    'payment_reversed payment:checkout-p:2': { 'pending BTC': -1000n, 'wallet-BITCOIN BTC': 1000n },
  });
  assert.deepEqual(eventsOf(plan), ['CHECKOUT_REVERSED']);
  assert.equal(plan.events[0]?.dossier.checkout.state, 'PROCESSING');
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.exceptions], ['PROCESSING', ['REORGED']]);
  assert.deepEqual(balancesOf(story.ledger), {});
});

test('confirmed again, it is credited again under new references', () => {
  const story = paidStory();
  story.change('checkout-p', unconfirmed);
  story.advance(30);
  story.change('checkout-p', { state: 'CONFIRMED', blockTime: at(35) });
  const plan = story.advance(40);
  assert.deepEqual(postedBy(plan), {
    'payment_received payment:checkout-p:3': { 'wallet-BITCOIN BTC': -1000n, 'pending BTC': 1000n },
    'settlement settlement:checkout:2': { 'pending BTC': -1000n, 'fees BTC': 5n, 'available BTC': 995n },
  });
  assert.deepEqual([story.dossier.checkout.state, eventsOf(plan)], ['COMPLETED', ['CHECKOUT_COMPLETED']]);
});

test('the merchant owes what is no longer there, and the next credit repays it first', () => {
  const ledger = createMemoryLedger();
  const story = paidStory(ledger);
  withdraw(ledger, BTC, 700n);
  story.change('checkout-p', { state: 'DROPPED', blockTime: null });
  assert.deepEqual(postedBy(story.advance(30))['settlement_reversed settlement:checkout:1:reversed'], {
    'pending BTC': 1000n,
    'fees BTC': -5n,
    'available BTC': -295n,
    'receivable BTC': -700n,
  });
  assert.equal(story.dossier.checkout.state, 'PENDING');

  const next = tellStory([bitcoin], ledger, 'next');
  next.pay({ id: 'q', units: 1000n, minute: 35 });
  assert.deepEqual(postedBy(next.advance(40))['settlement settlement:next:1'], {
    'pending BTC': -1000n,
    'fees BTC': 5n,
    'receivable BTC': 700n,
    'available BTC': 295n,
  });
});

test('a debt larger than the next credit takes all of it', () => {
  const ledger = createMemoryLedger();
  const story = paidStory(ledger);
  withdraw(ledger, BTC, 995n);
  story.change('checkout-p', unconfirmed);
  story.advance(30);
  const small = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 100n, fee: 1n, minute: 0 })], ledger, 'small');
  small.pay({ id: 'q', units: 100n, minute: 35 });
  assert.deepEqual(postedBy(small.advance(40))['settlement settlement:small:1'], {
    'pending BTC': -100n,
    'fees BTC': 1n,
    'receivable BTC': 99n,
  });
  assert.equal(balancesOf(ledger)['receivable BTC'], -896n);
});

test('the debt of a reversal is repaid by a credit in the same breath', () => {
  const story = paidStory();
  story.pay({ id: 'q', units: 1000n, minute: 25 });
  story.advance(26); // a duplicate
  withdraw(story.ledger, BTC, 995n);
  story.change('checkout-p', { state: 'DROPPED', blockTime: null });
  const plan = story.advance(30);
  assert.deepEqual(postedBy(plan), {
    'settlement_reversed settlement:checkout:1:reversed': {
      'pending BTC': 1000n,
      'fees BTC': -5n,
      'receivable BTC': -995n,
    },
    'payment_reversed payment:checkout-p:2': { 'pending BTC': -1000n, 'wallet-BITCOIN BTC': 1000n },
    'settlement settlement:checkout:2': { 'suspense BTC': -1000n, 'fees BTC': 5n, 'receivable BTC': 995n },
  });
  assert.deepEqual(eventsOf(plan), ['CHECKOUT_REVERSED', 'CHECKOUT_COMPLETED']);
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.exceptions], ['COMPLETED', ['REORGED']]);
});

test('a reversal of a converted overpayment undoes the position and the suspense', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 15_000n, minute: 5, asset: LTC });
  story.advance(20, sampleTerms({ LTC: '80', USDC: '1' }));
  story.change('p', { state: 'DROPPED', blockTime: null });
  assert.deepEqual(postedBy(story.advance(30))['settlement_reversed settlement:checkout:1:reversed'], {
    'pending LTC': 15_000n,
    'suspense LTC': -5_000n,
    'fx LTC': -10_000n,
    'fx USDC': 79_000n,
    'fees USDC': -395n,
    'available USDC': -78_605n,
  });
  assert.deepEqual(balancesOf(story.ledger), {});
});

test('when one of two payments vanishes after the window, what is left is an underpayment in suspense', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 600n, minute: 5 });
  story.pay({ id: 'q', units: 400n, minute: 6 });
  story.advance(20);
  story.change('q', { state: 'DROPPED', blockTime: null });
  const plan = story.advance(80);
  assert.deepEqual(postedBy(plan), {
    'settlement_reversed settlement:checkout:1:reversed': {
      'pending BTC': 1000n,
      'fees BTC': -5n,
      'available BTC': -995n,
    },
    'payment_reversed payment:q:2': { 'pending BTC': -400n, 'wallet-BITCOIN BTC': 400n },
    'moved_to_suspense payment:p:2': { 'pending BTC': -600n, 'suspense BTC': 600n },
  });
  assert.deepEqual(eventsOf(plan), ['CHECKOUT_REVERSED', 'CHECKOUT_UNDERPAID']);
});

function acceptedStory(): Story {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 300n, minute: 5 });
  story.pay({ id: 'q', units: 200n, minute: 6 });
  story.advance(60);
  story.decide({ acceptedAt: at(70) });
  story.advance(70);
  assert.equal(story.dossier.checkout.state, 'RESOLVED');
  return story;
}

test('an accepted underpayment that is reorganised and confirmed again is credited again', () => {
  const story = acceptedStory();
  story.change('p', unconfirmed);
  story.change('q', unconfirmed);
  assert.deepEqual(eventsOf(story.advance(80)), ['CHECKOUT_REVERSED']);
  assert.equal(story.dossier.checkout.state, 'PENDING');
  story.change('p', { state: 'CONFIRMED', blockTime: at(82) });
  assert.deepEqual(
    Object.keys(postedBy(story.advance(85))),
    ['payment_received payment:p:4'],
    'less than was accepted',
  );
  story.change('q', { state: 'CONFIRMED', blockTime: at(86) });
  assert.deepEqual(eventsOf(story.advance(90)), ['UNDERPAID_ACCEPTED']);
  assert.equal(story.dossier.checkout.state, 'RESOLVED');
});

test('an acceptance does not cover what is left when a part vanishes; the merchant is asked again', () => {
  const story = acceptedStory();
  story.change('q', { state: 'DROPPED', blockTime: null });
  assert.deepEqual(eventsOf(story.advance(80)), ['CHECKOUT_REVERSED', 'CHECKOUT_UNDERPAID']);
  assert.equal(balancesOf(story.ledger)['suspense BTC'], 300n);
  story.decide({ acceptedAt: at(90) });
  assert.deepEqual(eventsOf(story.advance(90)), ['UNDERPAID_ACCEPTED']);
});

test('an acceptance is void when the money vanishes before it could be credited', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 5_000n, minute: 5, asset: LTC });
  story.advance(60);
  story.decide({ acceptedAt: at(70) });
  story.advance(70); // no market
  story.change('p', { state: 'DROPPED', blockTime: null });
  const plan = story.advance(71);
  assert.ok(plan.notes.some(({ what }) => what === 'acceptance_void'));
  story.pay({ id: 'q', units: 1n, minute: 80, asset: LTC });
  assert.deepEqual(eventsOf(story.advance(90, sampleTerms({ LTC: '80', USDC: '1' }))), ['CHECKOUT_UNDERPAID']);
});

test('the same arrival found in another block changes nothing', () => {
  const story = paidStory();
  story.change('checkout-p', { blockTime: at(3 * 24 * 60) });
  const plan = story.advance(4 * 24 * 60);
  assert.deepEqual([plan.entries, plan.notes, plan.events], [[], [], []]);
  assert.equal(story.dossier.checkout.state, 'COMPLETED');
});

const noFees = { percent: zero, minimumUsd: zero };
const atRate = (usd: string) => ({ ...sampleTerms({ LTC: usd, USDC: '1' }), fees: noFees });
const byBank = { ...litecoin, quote: { ...litecoin.quote, isAtBooking: true as const } };

/** Of ten thousand units so many are taken back: the payment is gone, and its rest in its place. */
function takenBackInPart(story: Story, left: bigint): void {
  story.change('p', { state: 'REVERSED' });
  story.pay({ id: 'rest', restOf: 'p', txHash: 'tx-p', units: left, minute: 5, asset: LTC });
}

const credits = ({ dossier }: Story): string[] =>
  (dossier.settlements.at(-1)?.parts ?? []).map(({ basis, countedUnits, grossUnits }) =>
    [basis, countedUnits, grossUnits].join(' '),
  );

test('of what was credited at the rate of its booking the rest keeps that rate, though a little is taken back', () => {
  const story = tellStory([byBank]);
  story.pay({ id: 'p', units: 10_000n, minute: 5, asset: LTC });
  story.advance(20, atRate('80'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 10000 80000']);
  takenBackInPart(story, 9_990n);
  story.advance(2_000, atRate('160'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 9990 79920'], 'else a cent that is contested doubles the credit');
  story.change('rest', { state: 'REVERSED' });
  story.pay({ id: 'rest2', restOf: 'p', txHash: 'tx-p', units: 9_980n, minute: 5, asset: LTC });
  story.advance(4_000, atRate('40'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 9980 79840'], 'and again');
});

test('what does not make up the price any more waits, and has the rate of the day on which it is credited again', () => {
  const story = tellStory([byBank]);
  story.pay({ id: 'p', units: 10_000n, minute: 5, asset: LTC });
  story.advance(20, atRate('80'));
  takenBackInPart(story, 4_000n);
  story.advance(30, atRate('160'));
  assert.equal(story.dossier.checkout.state, 'PENDING');
  story.pay({ id: 'q', units: 6_000n, minute: 31, asset: LTC });
  story.advance(32, atRate('160'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 4000 32000', 'RATE_OF_ARRIVAL 6000 96000'], 'within four hours');

  const later = tellStory([byBank]);
  later.pay({ id: 'p', units: 10_000n, minute: 5, asset: LTC });
  later.advance(20, atRate('80'));
  takenBackInPart(later, 4_000n);
  later.advance(30, atRate('160'));
  later.pay({ id: 'q', units: 6_000n, minute: 260, asset: LTC });
  later.advance(270, atRate('160'));
  assert.deepEqual(credits(later), ['RATE_OF_ARRIVAL 10000 160000'], 'whoever can wait would have an option');
});

test('what its chain gave up and takes again has the rate of that day', () => {
  const story = tellStory([litecoin]);
  story.pay({ id: 'p', units: 10_000n, minute: 70, asset: LTC });
  story.advance(75, atRate('80'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 10000 80000']);
  story.change('p', unconfirmed);
  story.advance(80, atRate('80'));
  story.change('p', { state: 'CONFIRMED', blockTime: at(85) });
  story.advance(86, atRate('40'));
  assert.deepEqual(credits(story), ['RATE_OF_ARRIVAL 10000 40000']);
});

test('a quote by which a part was credited holds for it, though another part is taken back long after', () => {
  const bank = { ...aCommitment({ id: 'c2', asset: USDC, due: 80_000n, minute: 1 }), expiresAt: at(10_000) };
  const story = tellStory([litecoin, bank]);
  story.pay({ id: 'coin', units: 9_000n, minute: 5, asset: LTC });
  story.pay({ id: 'p', units: 8_000n, minute: 120, asset: USDC, commitmentId: 'c2' });
  story.advance(130, atRate('80'));
  assert.deepEqual(credits(story), ['QUOTE 9000 71100', 'QUOTE 8000 8000']);
  story.change('p', { state: 'REVERSED' });
  story.pay({ id: 'r', restOf: 'p', txHash: 'tx-p', units: 7_990n, minute: 120, asset: USDC, commitmentId: 'c2' });
  story.advance(43_200, atRate('160'));
  assert.deepEqual(credits(story), ['QUOTE 9000 71100', 'QUOTE 7990 7990']);
});
