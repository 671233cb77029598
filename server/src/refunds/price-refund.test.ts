import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aCommitment, aRefund, at, BTC, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { type Story, tellStory } from '../../test/settlement-story.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import { formatUnits } from '../money/amount.ts';
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
  story.advance(10, sampleTerms({ BTC: '500000', LTC: '500000', USDC: '1', USD: '1' }));
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

/** 1,000 units of the coin are 100 dollars: a unit of dollars is a millionth of a unit of the coin. */
function paidInCoarseCoin(): Story {
  const rates = ['USD', 'USDC', 'BTC'].map((code) => ({ code, usd: '1', sources: [], at: '' }));
  const inBitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, credited: USDC });
  const story = tellStory([{ ...inBitcoin, quote: { ...inBitcoin.quote, price: '100', rates } }]);
  story.pay({ id: 'p1', units: 1000n, minute: 5 });
  story.advance(10, sampleTerms({ BTC: '1', USDC: '1', USD: '1' }));
  assert.equal(story.dossier.checkout.state, 'COMPLETED');
  return story;
}

/** The merchant asks for so much of it, and gets it. */
function refundPart(story: Story, units: bigint): { units: bigint; covered: bigint } {
  const priced = price(story.dossier, { asset: USDC, amount: formatUnits(units, 7) });
  const { context, asset, basis, rates, takes, covers } = priced;
  const id = `r${story.dossier.refunds.length}`;
  story.refund(aRefund({ id, context, asset, units: priced.units, takes, covers, basis, rates, network: 'STELLAR' }));
  return { units: priced.units, covered: covers.reduce((sum, cover) => sum + BigInt(cover.units), 0n) };
}

test('what is too small to be a whole unit of what was paid uses up a whole unit of it', () => {
  const story = paidInCoarseCoin();
  for (const units of [1n, 999_999n, 1_000_000n]) assert.equal(refundPart(story, units).covered, 1n, String(units));
  assert.equal(refundPart(story, 1_000_001n).covered, 2n);
});

test('however it is cut into pieces, no more goes back than was paid: what is cut off is lost to whoever asks', () => {
  const [whole, paid] = [1_000_000_000n, 1_000n]; // 100 dollars
  const pieces = fc.array(fc.oneof(fc.bigInt(1n, 3_000_000n), fc.bigInt(1n, whole)), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(pieces, (wanted) => {
      const story = paidInCoarseCoin();
      let [given, covered] = [0n, 0n];
      for (const units of wanted) {
        if (covered === paid) break;
        const { units: most } = price(story.dossier, { asset: USDC });
        assert.ok(given + most <= whole, `${given} were given, and ${most} still can be`);
        const part = refundPart(story, units < most ? units : most);
        [given, covered] = [given + part.units, covered + part.covered];
        assert.ok(covered * whole >= given * paid, `${covered} of the coin for ${given} of the dollars`);
      }
    }),
    { numRuns: 50 },
  );
});

test('a refund is worth no more than the price, to the unit: what lies between two is not given', () => {
  const inBitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, credited: USDC });
  const rates = ['USD', 'USDC'].map((code) => ({ code, usd: code === 'USD' ? '1' : '3', sources: [], at: '' }));
  const story = tellStory([{ ...inBitcoin, quote: { ...inBitcoin.quote, price: '2', rates } }]);
  story.pay({ id: 'p1', units: 1000n, minute: 5 });
  story.advance(10, sampleTerms({ BTC: '500000', USDC: '1' }));
  for (const basis of ['BILLING_RATE', 'CURRENT_RATE'] as const) {
    const wish = { asset: USDC, basis };
    const { units } = priceRefund(story.dossier, wish, sampleTerms({ USD: '1', USDC: '3' }), at(20));
    assert.equal(units, 6_666_666n, basis); // two thirds
  }
});

test('finer amounts than the books count are refused, and so is a unit more than there is', () => {
  const dossier = paidInTwoCoins(USDC);
  const ask = (amount: string) => () => price(dossier, { asset: LTC, amount });
  assert.equal(ask('0.00002')().units, 2000n);
  assert.equal(ask('0.000020000')().units, 2000n, 'zeros at the end are no decimals');
  assert.throws(ask('0.000019999'), /amount must have at most 8 decimals for LTC\./);
  assert.throws(ask('0.00002001'), /At most 0\.00002 LTC can be refunded\./);
  assert.throws(ask('0'), /amount must be greater than 0\./);
});
