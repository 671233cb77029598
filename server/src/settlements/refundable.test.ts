import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aCommitment,
  aDossier,
  aPayment,
  aRefund,
  at,
  BTC,
  LTC,
  sampleTerms,
  USDC,
} from '../../test/sample-checkout.ts';
import { balancesOf, tellStory } from '../../test/settlement-story.ts';
import { recountTaken } from '../checkouts/refund.ts';
import { credited, inSuspense, refundableInSuspense, takesOf } from './refundable.ts';

const commitment = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 });

test('money of an asset that nobody asked for can go back at once, whatever the checkout is waiting for', () => {
  const story = tellStory([commitment]);
  story.pay({ id: 'p1', units: 77n, minute: 5, asset: USDC, commitmentId: null });
  story.advance(6);
  const [option, ...others] = inSuspense(story.dossier, at(6));
  assert.deepEqual(others, []);
  assert.deepEqual([option?.context, option?.asset, option?.units], ['UNDERPAID_CHECKOUT', USDC, 77n]);
});

test('of an excess the last payments go back first, and never more of them than the excess', () => {
  const story = tellStory([commitment]);
  story.pay({ id: 'p1', units: 600n, minute: 5 });
  story.pay({ id: 'p2', units: 900n, minute: 6 });
  story.advance(8);
  story.pay({ id: 'p3', units: 50n, minute: 9 });
  story.advance(10);
  const [option] = inSuspense(story.dossier, at(10));
  assert.ok(option);
  assert.deepEqual([option.context, option.units], ['OVERPAID_CHECKOUT', 550n]);
  assert.deepEqual(
    takesOf(option, 60n).map(({ paymentId, units }) => [paymentId, units]),
    [
      ['p3', '50'],
      ['p2', '10'],
    ],
  );
  const [credit] = credited(story.dossier, at(10));
  assert.deepEqual(
    credit?.commitments.map(({ units }) => units),
    [1000n],
  );
});

test('what no market exchanges can go back once the window is over, and is credited if it does not', () => {
  const inDollars = aCommitment({ id: 'c1', asset: BTC, due: 1000n, credited: USDC, gross: 60_000n, minute: 0 });
  const story = tellStory([inDollars]);
  story.advance(60);
  story.pay({ id: 'p1', units: 700n, minute: 61 });
  story.pay({ id: 'p2', units: 300n, minute: 62 });
  story.advance(80, sampleTerms());
  assert.deepEqual(balancesOf(story.ledger)['pending BTC'], 1000n);
  assert.deepEqual(inSuspense(story.dossier, at(59)), [], 'the window is open');
  const [option] = inSuspense(story.dossier, at(80));
  assert.ok(option);
  const refund = aRefund({ id: 'r', asset: BTC, units: 400n, takes: takesOf(option, 400n) });
  story.refund(refund);
  story.advance(81, sampleTerms());
  assert.equal(story.dossier.checkout.state, 'UNDERPAID');
  assert.deepEqual([balancesOf(story.ledger)['suspense BTC'], balancesOf(story.ledger)['reserved BTC']], [600n, 400n]);
  story.refund({ ...refund, state: 'FAILED' });
  story.advance(82, sampleTerms({ BTC: '60', USDC: '1' }));
  assert.deepEqual([story.dossier.checkout.state, story.dossier.checkout.exceptions], ['DELAYED_COMPLETED', ['LATE']]);
  assert.equal(balancesOf(story.ledger)['suspense BTC'], undefined);
});

test('while a credited payment is being confirmed anew nothing can be refunded', () => {
  const story = tellStory([commitment]);
  story.pay({ id: 'p1', units: 1200n, minute: 5 });
  story.advance(6);
  story.change('p1', { state: 'SEEN', blockTime: null });
  assert.deepEqual([inSuspense(story.dossier, at(7)), credited(story.dossier, at(7))], [[], []]);
});

test('what was given back for a payment that vanished takes of another coin at least the same part', () => {
  const inLitecoin = aCommitment({ id: 'c2', asset: LTC, due: 100n, minute: 0 });
  const dossier = aDossier({
    commitments: [commitment, inLitecoin],
    payments: [
      aPayment({ id: 'p1', units: 333n, minute: 5, state: 'DROPPED', place: 'suspense' }),
      aPayment({ id: 'p2', units: 50n, minute: 6, asset: LTC, commitmentId: 'c2', place: 'suspense' }),
    ],
    checkout: { state: 'UNDERPAID' },
  });
  const takes = [{ paymentId: 'p1', units: '333', feeUnits: '0' }];
  const refund = aRefund({ id: 'r', asset: BTC, units: 333n, takes, state: 'COMPLETED', place: 'sent' });
  const [option] = refundableInSuspense(recountTaken({ ...dossier, refunds: [refund] }), at(90));
  assert.deepEqual([option?.asset, option?.units], [LTC, 16n], 'of 50 without 33.3');
});
