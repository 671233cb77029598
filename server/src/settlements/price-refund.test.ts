import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCommitment, at, BTC, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { priceRefund, type RefundWish } from './price-refund.ts';

const price = (dossier: CheckoutDossier, wish: RefundWish) => priceRefund(dossier, wish, sampleTerms(), at(20));

test('what waits in suspense goes first, wherever it is to be sent', () => {
  const story = tellStory([aCommitment({ id: 'c1', asset: USDC, due: 1000n, minute: 0 })]);
  story.pay({ id: 'p1', units: 1500n, minute: 5, asset: USDC });
  story.advance(10);
  for (const network of [undefined, 'STELLAR', 'ETHEREUM']) {
    const { context, units, takes, covers } = price(story.dossier, { network });
    assert.deepEqual([context, units, takes.length, covers.length], ['OVERPAID_CHECKOUT', 500n, 1, 0]);
  }
});

/** Half of the price in each coin, credited in dollars, or in what the second coin is. */
function paidInTwoCoins(credited: string): CheckoutDossier {
  const inBitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, credited });
  const inLitecoin = aCommitment({ id: 'c2', asset: LTC, due: 4000n, minute: 1, credited });
  const rates = ['USD', 'USDC', 'BTC', 'LTC'].map((code) => ({ code, usd: '1', sources: [], at: '' }));
  const priced = [inBitcoin, inLitecoin].map((each) => ({ ...each, quote: { ...each.quote, price: '100', rates } }));
  const story = tellStory(priced);
  story.pay({ id: 'p1', units: 500n, minute: 5 });
  story.pay({ id: 'p2', units: 2000n, minute: 6, asset: LTC, commitmentId: 'c2' });
  story.advance(10);
  assert.equal(story.dossier.checkout.state, 'COMPLETED');
  return story.dossier;
}

const everything = [
  { commitmentId: 'c1', units: '500' },
  { commitmentId: 'c2', units: '2000' },
];

test('in the asset in which it was credited, all that was paid in several coins is one refund', () => {
  const dossier = paidInTwoCoins(USDC);
  for (const wish of [{}, { asset: USDC }, { asset: USDC, network: 'STELLAR' }]) {
    const { asset, units, covers, basis } = price(dossier, wish);
    assert.deepEqual([asset, units, basis], [USDC, 1_000_000_000n, 'BILLING_RATE']); // 100 dollars
    assert.deepEqual(covers, everything);
  }
});

test('in one of the coins that were paid, only what was paid in it', () => {
  const { network, asset, units, covers, basis } = price(paidInTwoCoins(USDC), { asset: LTC });
  assert.deepEqual([network, asset, units, basis], ['LITECOIN', LTC, 2000n, 'PAID_UNITS']);
  assert.deepEqual(covers, everything.slice(1));
});

test('when one of the coins is also what was credited, it is asked for the credit, and comes back where it came from', () => {
  const { network, asset, covers, basis } = price(paidInTwoCoins(LTC), { asset: LTC });
  assert.deepEqual([network, asset, basis], ['LITECOIN', LTC, 'BILLING_RATE']);
  assert.deepEqual(covers, everything);
});

test('what was credited in two assets must be named, or the network on which it was paid', () => {
  const story = tellStory([
    aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 }),
    aCommitment({ id: 'c2', asset: LTC, due: 4000n, minute: 1 }),
  ]);
  story.pay({ id: 'p1', units: 500n, minute: 5 });
  story.pay({ id: 'p2', units: 2000n, minute: 6, asset: LTC, commitmentId: 'c2' });
  story.advance(10);
  assert.throws(
    () => price(story.dossier, {}),
    /Say which asset is to be refunded: BTC on BITCOIN or LTC on LITECOIN\./,
  );
  for (const wish of [{ asset: LTC }, { network: 'LITECOIN' }])
    assert.deepEqual(price(story.dossier, wish).covers, everything.slice(1));
});

test('when there is nothing to refund, the sentence says so', () => {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })]);
  story.advance(5);
  assert.throws(() => price(story.dossier, {}), /This checkout is PENDING and has nothing to refund\./);
  assert.throws(() => price(story.dossier, { asset: LTC }), /has nothing in LTC to refund\./);
});
