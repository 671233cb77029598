/** How much a refund is: of what was credited at which rates, of what waits in suspense as it came, and what it covers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aCommitment, at, BTC, LTC, sampleTerms, USDC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import type { CheckoutDossier } from '../checkouts/checkout.ts';
import type { SettlementTerms } from '../settlements/settlement-parts.ts';
import { type PricedRefund, priceRefund, type RefundWish } from './price-refund.ts';

const price = (dossier: CheckoutDossier, wish: RefundWish = {}, terms: SettlementTerms = sampleTerms()): PricedRefund =>
  priceRefund(dossier, wish, terms, at(20));

const asset = ({ asset }: PricedRefund): string => asset.split(':')[0] ?? '';
const covered = ({ covers }: PricedRefund) => covers.map(({ commitmentId, units }) => `${commitmentId} ${units}`);

/** Paid in bitcoin and credited in it. */
function paidDirectly(units = 1000n): CheckoutDossier {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })]);
  story.pay({ id: 'p1', units, minute: 5 });
  story.advance(10, sampleTerms({ BTC: '50000', LTC: '5000', USDC: '1' }));
  return story.dossier;
}

type Conversion = { paid?: bigint; due?: bigint; billed?: string; price?: string };

/** Paid in bitcoin and credited in dollars, of a price in euro. */
function paidConverted({
  paid = 1000n,
  due = 1000n,
  billed = '1.25',
  price = '100',
}: Conversion = {}): CheckoutDossier {
  const plain = aCommitment({ id: 'c1', asset: BTC, due, minute: 0, credited: USDC, price });
  const rates = Object.entries({ EUR: billed, USDC: '1', BTC: '50000' }).map(([code, usd]) => ({
    code,
    usd,
    sources: ['then'],
    at: '',
  }));
  const story = tellStory([{ ...plain, quote: { ...plain.quote, rates } }]);
  story.decide({ billingCurrency: 'EUR' });
  story.pay({ id: 'p1', units: paid, minute: 5 });
  story.advance(10, sampleTerms({ BTC: '50000', LTC: '5000', USDC: '1' }));
  assert.equal(story.dossier.checkout.state, 'COMPLETED');
  return story.dossier;
}

test('without a word, all that was paid goes back as it was paid', () => {
  const priced = price(paidDirectly());
  const { context, network, units, takes, basis, rates } = priced;
  assert.deepEqual(
    [context, network, asset(priced), units, basis],
    ['COMPLETED_CHECKOUT', 'BITCOIN', 'BTC', 1000n, 'PAID_UNITS'],
  );
  assert.deepEqual([takes, rates, covered(priced)], [[], [], ['c1 1000']]);
});

test('a part covers so much of what was paid', () => {
  const priced = price(paidDirectly(), { amount: '0.000003' });
  assert.deepEqual([priced.units, covered(priced)], [300n, ['c1 300']]);
});

test('an amount is more than nothing, no finer than the asset, and no more than there is', () => {
  const dossier = paidDirectly();
  assert.equal(price(dossier, { amount: '0.00001' }).units, 1000n);
  assert.throws(() => price(dossier, { amount: '0.00001001' }), /At most 0\.00001 BTC can be refunded\./);
  assert.throws(() => price(dossier, { amount: '0.000000001' }), /amount must have at most 8 decimals for BTC\./);
  assert.throws(() => price(dossier, { amount: '0' }), /amount must be greater than 0\./);
});

test('what was converted is worth its price at the rates of the checkout', () => {
  const priced = price(paidConverted());
  assert.deepEqual([asset(priced), priced.units, priced.basis], ['USDC', 1_250_000_000n, 'BILLING_RATE']);
  assert.deepEqual(
    priced.rates.map(({ code, usd, sources }) => [code, usd, sources[0]]),
    [
      ['EUR', '1.25', 'then'],
      ['USDC', '1', 'then'],
    ],
  );
  assert.deepEqual(covered(priced), ['c1 1000']);
});

test('or at the rates of now, if that is asked for', () => {
  const terms = sampleTerms({ EUR: '1.5', USDC: '1' });
  const priced = price(paidConverted(), { basis: 'CURRENT_RATE' }, terms);
  assert.deepEqual([priced.units, priced.basis], [1_500_000_000n, 'CURRENT_RATE']);
  assert.deepEqual(priced.rates, [
    { code: 'EUR', usd: '1.5', sources: ['test'], at: at(0).toISOString() },
    { code: 'USDC', usd: '1', sources: ['test'], at: at(0).toISOString() },
  ]);
  assert.throws(
    () => price(paidConverted(), { basis: 'CURRENT_RATE' }, sampleTerms({ EUR: '1.5' })),
    /There is no current rate for USDC: no source\./,
  );
});

test('a worth rounds down, and what it covers of the paid units rounds up', () => {
  const dossier = paidConverted({ paid: 3n, due: 3n, price: '0.0000001', billed: '2.9' });
  assert.deepEqual([price(dossier).units, covered(price(dossier))], [2n, ['c1 3']]);
  const part = price(dossier, { amount: '0.0000001' });
  assert.deepEqual([part.units, covered(part)], [1n, ['c1 2']]); // half of three
});

test('only what was paid of the due units is worth anything', () => {
  const most = (paid: bigint): bigint => price(paidConverted({ paid, price: '100', billed: '1' })).units;
  assert.equal(most(1000n), 1_000_000_000n);
  assert.equal(most(995n), 995_000_000n);
});

test('many small refunds cover no less of what was paid than one large one', () => {
  const dossier = paidConverted({ paid: 7919n, due: 7919n });
  const whole = price(dossier).units;
  const amount = fc.bigInt({ min: 1n, max: whole });
  const coveredBy = (units: bigint): bigint => {
    const text = `0.${units.toString().padStart(7, '0')}`;
    const written =
      units >= 10_000_000n ? `${units / 10_000_000n}.${(units % 10_000_000n).toString().padStart(7, '0')}` : text;
    return price(dossier, { amount: written }).covers.reduce((sum, { units }) => sum + BigInt(units), 0n);
  };
  fc.assert(
    fc.property(amount, amount, (one, other) => {
      fc.pre(one + other <= whole);
      assert.ok(coveredBy(one) + coveredBy(other) >= coveredBy(one + other));
      assert.ok(coveredBy(one) * whole >= one * 7919n, 'never less than its part');
    }),
    { numRuns: 50 },
  );
});

/** Half of the price in each coin, credited in dollars. */
function paidInTwoCoins(credited = USDC): CheckoutDossier {
  const rates = ['USD', 'USDC', 'BTC', 'LTC'].map((code) => ({ code, usd: '1', sources: [], at: '' }));
  const terms = [
    aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, credited }),
    aCommitment({ id: 'c2', asset: LTC, due: 4000n, minute: 1, credited }),
  ];
  const story = tellStory(terms.map((each) => ({ ...each, quote: { ...each.quote, rates } })));
  story.pay({ id: 'p1', units: 500n, minute: 5 });
  story.pay({ id: 'p2', units: 2000n, minute: 6, asset: LTC, commitmentId: 'c2' });
  story.advance(10, sampleTerms({ BTC: '50000', LTC: '5000', USDC: '1' }));
  return story.dossier;
}

test('of two commitments the first is covered before the second', () => {
  const dossier = paidInTwoCoins();
  assert.deepEqual(covered(price(dossier, { amount: '50' })), ['c1 500']);
  assert.deepEqual(covered(price(dossier, { amount: '75' })), ['c1 500', 'c2 1000']);
  assert.deepEqual(covered(price(dossier, { amount: '25' })), ['c1 250']);
  assert.equal(price(dossier, { amount: '75' }).rates.length, 2, 'each rate is told once');
});

test('as many units as were paid can only be had in what was paid', () => {
  assert.throws(
    () => price(paidConverted(), { basis: 'PAID_UNITS' }),
    /basis cannot be PAID_UNITS: BTC was paid, and this refund is in USDC\./,
  );
  const priced = price(paidConverted(), { asset: BTC });
  assert.deepEqual([asset(priced), priced.units, priced.basis], ['BTC', 1000n, 'PAID_UNITS']);
  const byRate = price(paidConverted(), { asset: BTC, basis: 'BILLING_RATE' });
  assert.deepEqual([byRate.units, byRate.basis], [250_000n, 'BILLING_RATE']);
});

test('what travels on no network goes back as it came', () => {
  const terms: SettlementTerms = {
    ...sampleTerms(),
    assetFacts: (id) => ({ ...sampleTerms().assetFacts(id), ...(id === USDC && { networks: [] }) }),
  };
  const priced = price(paidConverted(), {}, terms);
  assert.deepEqual([asset(priced), priced.units, priced.basis], ['BTC', 1000n, 'PAID_UNITS']);
  assert.throws(() => price(paidInTwoCoins(), {}, terms), /BTC on BITCOIN or LTC on LITECOIN/);
});

test('out of suspense goes what was paid, and only as it was paid', () => {
  const dossier = paidDirectly(1500n);
  const priced = price(dossier);
  assert.deepEqual([priced.context, priced.units, priced.basis], ['OVERPAID_CHECKOUT', 500n, 'PAID_UNITS']);
  assert.deepEqual(
    [priced.takes, priced.covers, priced.rates],
    [[{ paymentId: 'p1', units: '500', feeUnits: '0' }], [], []],
  );
  assert.deepEqual(price(dossier, { amount: '0.000002', basis: 'PAID_UNITS' }).takes[0]?.units, '200');
  assert.throws(() => price(dossier, { amount: '0.00000501' }), /At most 0\.000005 BTC/);
  for (const basis of ['BILLING_RATE', 'CURRENT_RATE'] as const)
    assert.throws(() => price(dossier, { basis }), /basis must be PAID_UNITS for what was not credited/);
});

test('who says so is given back what was credited, although more waits in suspense', () => {
  const priced = price(paidDirectly(1500n), { context: 'COMPLETED_CHECKOUT' });
  assert.deepEqual([priced.context, priced.units, covered(priced)], ['COMPLETED_CHECKOUT', 1000n, ['c1 1000']]);
  assert.equal(price(paidDirectly(1500n), { context: 'OVERPAID_CHECKOUT' }).units, 500n);
  assert.equal(price(paidDirectly(1500n), { asset: BTC }).units, 500n);
});

test('what is not there is named in the sentence', () => {
  const dossier = paidDirectly();
  assert.throws(
    () => price(dossier, { context: 'OVERPAID_CHECKOUT' }),
    /is COMPLETED and has nothing beyond its price to refund\./,
  );
  assert.throws(() => price(dossier, { context: 'UNDERPAID_CHECKOUT' }), /has nothing in suspense to refund\./);
  assert.throws(
    () => price(dossier, { context: 'UNDERPAID_CHECKOUT', asset: LTC }),
    /nothing in suspense in LTC to refund\./,
  );
  assert.throws(() => price(dossier, { context: 'COMPLETED_CHECKOUT', asset: LTC }), /has nothing in LTC to refund\./);
});

/** Too much in bitcoin, and two assets on Stellar that nobody had asked for. */
function withStrays(): CheckoutDossier {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 })]);
  story.pay({ id: 'p1', units: 1500n, minute: 5 });
  for (const [id, each] of [
    ['s1', USDC],
    ['s2', 'EURC:GISSUER'],
  ] as const)
    story.pay({ id, units: 70n, minute: 6, asset: each, network: 'STELLAR', commitmentId: null });
  story.advance(10, sampleTerms({ BTC: '50000', LTC: '5000', USDC: '1' }));
  return story.dossier;
}

test('of several in suspense the asset says which, or the network if only one came there', () => {
  const takenFrom = (wish: RefundWish) => price(withStrays(), wish).takes.map(({ paymentId }) => paymentId);
  assert.deepEqual(takenFrom({ asset: USDC }), ['s1']);
  assert.deepEqual(takenFrom({ asset: BTC }), ['p1']);
  assert.deepEqual(takenFrom({ network: 'BITCOIN' }), ['p1']);
  assert.throws(() => takenFrom({ network: 'STELLAR' }), /Say which asset is to be refunded/);
  assert.throws(() => takenFrom({}), /Say which asset is to be refunded/);
  assert.throws(() => takenFrom({ context: 'UNDERPAID_CHECKOUT' }), /nothing in suspense to refund/);
});

test('a commitment whose part is worth less than a unit is covered by nothing', () => {
  const dossier = paidInTwoCoins();
  const [first, second] = dossier.commitments;
  assert.ok(first && second);
  const commitments = [{ ...first, quote: { ...first.quote, price: '0.0000001' } }, second];
  const priced = price({ ...dossier, commitments });
  assert.deepEqual([priced.units, covered(priced)], [500_000_000n, ['c2 2000']]);
});

test('while a credited payment is being confirmed anew nothing is priced', () => {
  const dossier = paidDirectly();
  const payments = dossier.payments.map((payment) => ({ ...payment, state: 'SEEN' as const, blockTime: null }));
  assert.throws(() => price({ ...dossier, payments }), /being confirmed again/);
});
