import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC, USDC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import { credited, inSuspense, takesOf } from './refundable.ts';

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

test('while a credited payment is being confirmed anew nothing can be refunded', () => {
  const story = tellStory([commitment]);
  story.pay({ id: 'p1', units: 1200n, minute: 5 });
  story.advance(6);
  story.change('p1', { state: 'SEEN', blockTime: null });
  assert.deepEqual([inSuspense(story.dossier, at(7)), credited(story.dossier, at(7))], [[], []]);
});
