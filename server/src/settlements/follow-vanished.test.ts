/** Of a payment that was refunded and then vanished: what comes in its place has been given back already. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, aRefund, at, BTC, LTC } from '../../test/sample-checkout.ts';
import { balancesOf, postedBy, type Story, tellStory } from '../../test/settlement-story.ts';

const bitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1000n, fee: 5n, minute: 0 });
const takes = [{ paymentId: 'p', units: '400', feeUnits: '0' }];
const refund = aRefund({ id: 'r', asset: BTC, units: 400n, takes });

/** 600 of 1,000 were paid, 400 of them are given back, and then the payment is gone. */
function refundedAndVanished(isSent: boolean, replacedBy: string | null = null): Story {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 600n, minute: 5 });
  story.advance(60);
  story.refund(refund);
  story.advance(61);
  if (isSent) {
    story.refund({ ...refund, state: 'COMPLETED', txHash: 'back' });
    story.advance(62);
  }
  story.change('p', { state: replacedBy === null ? 'DROPPED' : 'REPLACED', blockTime: null, replacedBy });
  story.advance(63);
  assert.equal(balancesOf(story.ledger)['receivable BTC'], -400n, 'the customer has it, and the merchant owes it');
  return story;
}

const takesOf = ({ dossier }: Story) => dossier.refunds[0]?.takes.map(({ paymentId, units }) => [paymentId, units]);

test('what was sent was sent of whatever comes in its place, and the merchant owes nothing any more', () => {
  const story = refundedAndVanished(true);
  story.pay({ id: 'q', units: 600n, minute: 64 });
  const posted = postedBy(story.advance(70));
  assert.deepEqual(posted['refund_followed payment:q:2'], { 'pending BTC': -400n, 'receivable BTC': 400n });
  assert.deepEqual(takesOf(story), [['q', '400']]);
  assert.deepEqual(balancesOf(story.ledger), { 'suspense BTC': 200n, 'wallet-BITCOIN BTC': -200n });
});

test('what comes may be less: the rest is still owed, and taken of what comes next', () => {
  const story = refundedAndVanished(true);
  story.pay({ id: 'q', units: 300n, minute: 64 });
  story.advance(70);
  assert.deepEqual(takesOf(story), [
    ['q', '300'],
    ['p', '100'],
  ]);
  assert.equal(balancesOf(story.ledger)['receivable BTC'], -100n);
  story.pay({ id: 's', units: 150n, minute: 71 });
  story.advance(80);
  assert.deepEqual(balancesOf(story.ledger), { 'suspense BTC': 50n, 'wallet-BITCOIN BTC': -50n });
});

test('what came on another rail is something else', () => {
  const story = tellStory([bitcoin, aCommitment({ id: 'c2', asset: LTC, due: 10_000n, minute: 1 })]);
  story.pay({ id: 'p', units: 600n, minute: 5 });
  story.advance(61);
  story.refund({ ...refund, state: 'COMPLETED' });
  story.advance(62);
  story.change('p', { state: 'DROPPED', blockTime: null });
  story.pay({ id: 'q', units: 5_000n, minute: 64, asset: LTC, commitmentId: 'c2' });
  story.advance(70);
  assert.deepEqual(takesOf(story), [['p', '400']]);
  assert.deepEqual(
    [balancesOf(story.ledger)['suspense LTC'], balancesOf(story.ledger)['receivable BTC']],
    [5_000n, -400n],
  );
});

test('what has not left yet follows only the transaction that replaced the payment', () => {
  const replaced = refundedAndVanished(false, 'tx-q');
  replaced.pay({ id: 'other', units: 600n, minute: 64 });
  replaced.advance(70);
  assert.deepEqual(takesOf(replaced), [['p', '400']], 'anything else is another payment');
  replaced.pay({ id: 'q', units: 600n, minute: 71 });
  replaced.advance(80);
  assert.deepEqual(takesOf(replaced), [['q', '400']]);
  assert.equal(balancesOf(replaced.ledger)['receivable BTC'], undefined);
});

test('what has not left yet follows to what is left of a payment that was taken back in part', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 600n, minute: 5 });
  story.advance(60);
  story.refund(refund);
  story.advance(61);
  story.change('p', { state: 'REVERSED' });
  story.pay({ id: 'rest', restOf: 'p', txHash: 'tx-p', units: 250n, minute: 5 });
  story.pay({ id: 'other', units: 100n, minute: 62 });
  story.advance(63);
  assert.deepEqual(takesOf(story), [
    ['rest', '250'],
    ['p', '150'],
  ]);
  assert.deepEqual(balancesOf(story.ledger), {
    'receivable BTC': -150n,
    'reserved BTC': 400n,
    'suspense BTC': 100n,
    'wallet-BITCOIN BTC': -350n,
  });
});

test('a payment that comes back itself is followed by nobody', () => {
  const story = refundedAndVanished(true);
  story.change('p', { state: 'CONFIRMED', blockTime: at(69) });
  story.pay({ id: 'q', units: 100n, minute: 64 });
  story.advance(70);
  assert.deepEqual(takesOf(story), [['p', '400']]);
  assert.deepEqual(balancesOf(story.ledger), { 'suspense BTC': 300n, 'wallet-BITCOIN BTC': -300n });
});

test('what a failed attempt cost of a vanished payment is taken of what comes in its place', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 600n, minute: 5 });
  story.advance(60);
  story.refund(refund);
  story.advance(61);
  story.refund({ ...refund, state: 'FAILED', costUnits: 30n });
  story.advance(62);
  story.change('p', { state: 'DROPPED', blockTime: null });
  story.advance(63);
  assert.equal(balancesOf(story.ledger)['receivable BTC'], -30n);
  story.pay({ id: 'q', units: 600n, minute: 64 });
  story.advance(70);
  assert.deepEqual(takesOf(story), [['q', '30']]);
  assert.equal(balancesOf(story.ledger)['receivable BTC'], undefined, 'nothing is owed any more');
});

test('a refund that came back at no cost follows nothing', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 600n, minute: 5 });
  story.advance(60);
  story.refund(refund);
  story.advance(61);
  story.refund({ ...refund, state: 'CANCELED' });
  story.advance(62);
  story.change('p', { state: 'DROPPED', blockTime: null });
  story.pay({ id: 'q', units: 600n, minute: 64 });
  story.advance(70);
  assert.deepEqual(takesOf(story), [['p', '400']]);
  assert.deepEqual(balancesOf(story.ledger), { 'suspense BTC': 600n, 'wallet-BITCOIN BTC': -600n });
});

test('what waits in suspense already stands in too, and only for the refund whose payment is gone', () => {
  const story = tellStory([bitcoin]);
  story.pay({ id: 'p', units: 600n, minute: 5 });
  story.pay({ id: 'q', units: 100n, minute: 6 });
  story.pay({ id: 's', units: 50n, minute: 7 });
  story.advance(60);
  const ofAll = aRefund({
    id: 'first',
    asset: BTC,
    units: 20n,
    takes: [{ paymentId: 's', units: '20', feeUnits: '0' }],
  });
  const both = [...takes, { paymentId: 's', units: '10', feeUnits: '0' }];
  story.refund(ofAll);
  story.refund({ ...refund, units: 410n, sentUnits: 410n, takes: both });
  story.advance(61);
  story.refund({ ...ofAll, state: 'COMPLETED', txHash: 'a' });
  story.refund({ ...refund, units: 410n, sentUnits: 410n, takes: both, state: 'COMPLETED', txHash: 'b' });
  story.advance(62);
  story.change('p', { state: 'DROPPED', blockTime: null });
  const posted = postedBy(story.advance(63));
  assert.deepEqual(posted['refund_followed payment:q:3'], { 'suspense BTC': -100n, 'receivable BTC': 100n });
  const found = Object.fromEntries(
    story.dossier.refunds.map(({ id, takes }) => [id, takes.map(({ paymentId, units }) => `${units} of ${paymentId}`)]),
  );
  assert.deepEqual(found, { first: ['20 of s'], r: ['100 of q', '20 of s', '280 of p', '10 of s'] });
});
