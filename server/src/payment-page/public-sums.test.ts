import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { aCommitment, aRefund, at, BTC, LTC } from '../../test/sample-checkout.ts';
import { tellStory } from '../../test/settlement-story.ts';
import { type AssetCatalog, createAssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import { recountTaken } from '../checkouts/refund.ts';
import { present } from '../lib/assert.ts';
import { newIssuerKeypair } from '../lib/strkey.ts';
import { decimal } from '../money/decimal.ts';
import { publicSums } from './public-sums.ts';

const operator = {
  issuerAccount: newIssuerKeypair().accountId,
  issuerName: 'o',
  issuerDomain: 'o',
  issuerAddress: 'o',
};
const known = createAssetCatalog(operator);
const assets: AssetCatalog = {
  ...known,
  byIdOrCode: new Map([BTC, LTC].map((id) => [id, present(findAsset(known, id.slice(0, 3)), id)])),
};

/** 100.00 of the bill are 0.00001 BTC, or 0.00004 LTC. */
const byBitcoin = aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, price: '100.00' });
const byLitecoin = aCommitment({ id: 'c2', asset: LTC, due: 4000n, minute: 1, price: '100.00' });

test('before anything has come, all of it is missing', () => {
  const { dossier } = tellStory([byBitcoin]);
  assert.deepEqual(publicSums(assets, dossier, at(2)), {
    due: { amount: '0.00001', assetCode: 'BTC', price: '100.00' },
    received: [],
    receivedPrice: '0.00',
    missingPrice: '100.00',
    acceptedPrice: null,
    excess: [],
    returned: [],
  });
});

test('parts in two coins are told apart, and together with what is missing they are the price', () => {
  const story = tellStory([byBitcoin, byLitecoin]);
  story.pay({ id: 'p1', units: 333n, minute: 2 });
  story.pay({ id: 'p2', units: 1000n, minute: 3, commitmentId: 'c2', asset: LTC });
  const sums = publicSums(assets, story.dossier, at(4));
  assert.deepEqual(sums.received, [
    { amount: '0.00000333', assetCode: 'BTC', price: '33.30' },
    { amount: '0.00001', assetCode: 'LTC', price: '25.00' },
  ]);
  assert.deepEqual([sums.receivedPrice, sums.missingPrice], ['58.30', '41.70']);
  assert.deepEqual(sums.due, { amount: '0.00004', assetCode: 'LTC', price: '100.00' }, 'by what was chosen last');
});

test('a cent that cannot be split is missing rather than received', () => {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 3000n, minute: 0, price: '0.10' })]);
  story.pay({ id: 'p1', units: 1000n, minute: 2 });
  const { receivedPrice, missingPrice } = publicSums(assets, story.dossier, at(4));
  assert.deepEqual([receivedPrice, missingPrice], ['0.03', '0.07']);
});

test('where the bill’s own money can be paid, no cent less is said to be missing than is asked for', () => {
  const byCoin = aCommitment({ id: 'c1', asset: BTC, due: 214_200n, minute: 0, price: '119.00' });
  const chosen = aCommitment({ id: 'c2', asset: LTC, due: 11_900n, minute: 1, price: '119.00' });
  const byBank = { ...chosen, quote: { ...chosen.quote, paymentCode: 'USD' } };
  for (const [commitments, expected] of [
    [
      [byCoin, chosen],
      ['55.56', '63.44'],
    ],
    [
      [byCoin, byBank],
      ['55.55', '63.45'],
    ],
  ] as const) {
    const story = tellStory([...commitments]);
    story.pay({ id: 'p1', units: 100_000n, minute: 2 });
    const { receivedPrice, missingPrice, received } = publicSums(assets, story.dossier, at(4));
    assert.deepEqual([receivedPrice, missingPrice], expected);
    assert.equal(received[0]?.price, receivedPrice);
  }

  const story = tellStory([byCoin, byBank]);
  story.pay({ id: 'p1', units: 100_000n, minute: 2 });
  story.pay({ id: 'p2', units: 6_345n, minute: 3, commitmentId: 'c2', asset: LTC });
  const { received } = publicSums(assets, story.dossier, at(4));
  assert.deepEqual(
    received.map(({ price }) => price),
    ['55.55', '63.45'],
    'what was transferred is worth itself',
  );
});

test('a worth is rounded to the nearest cent, and the order and what is too much are what was sent', () => {
  const story = tellStory([aCommitment({ id: 'c1', asset: BTC, due: 40_163n, minute: 0, price: '29.75' })]);
  story.pay({ id: 'p1', units: 50_000n, minute: 2 });
  story.advance(3);
  const { due, received, excess } = publicSums(assets, story.dossier, at(4));
  assert.deepEqual([due?.price, received[0]?.price, excess[0]?.price], ['29.75', '37.04', '7.29']);
});

test('whatever has come by two coins, what is shown of it and what is missing are the price, to the nearest cent', () => {
  const cents = (price: string | null | undefined): bigint => BigInt((price ?? '0.00').replace('.', ''));
  /** Within so many half cents of what it is exactly, which is given in parts of ten thousand. */
  const isNear = (shown: bigint, exact: bigint, by: bigint): boolean => {
    const off = 2n * (shown * 10_000n - exact);
    return -by * 10_000n <= off && off <= by * 10_000n;
  };
  const units = fc.bigInt(1n, 4_999n);
  fc.assert(
    fc.property(fc.bigInt(100n, 99_999n), units, units, (price, first, second) => {
      const of = { price: `${price / 100n}.${String(price % 100n).padStart(2, '0')}`, due: 10_000n };
      const story = tellStory([
        aCommitment({ id: 'c1', asset: BTC, minute: 0, ...of }),
        aCommitment({ id: 'c2', asset: LTC, minute: 1, ...of }),
      ]);
      story.pay({ id: 'p1', units: first, minute: 2 });
      story.pay({ id: 'p2', units: second, minute: 3, commitmentId: 'c2', asset: LTC });
      const { received, receivedPrice, missingPrice } = publicSums(assets, story.dossier, at(4));
      const [one = 0n, two = 0n] = received.map((sum) => cents(sum.price));
      assert.equal(one + two + cents(missingPrice), price);
      assert.equal(cents(receivedPrice) + cents(missingPrice), price);
      const near = (by: bigint): boolean[] => [isNear(one, first * price, by), isNear(two, second * price, by)];
      assert.ok(near(1n).includes(true), 'one is rounded to the nearest');
      assert.deepEqual(near(3n), [true, true], 'the larger has the cent that rounding has won or lost');
      assert.ok(cents(missingPrice) > 0n);
    }),
  );
});

test('what came late is worth what it counts for, so that it and what is missing are the price', () => {
  const story = tellStory([byBitcoin]);
  story.pay({ id: 'p1', units: 200n, minute: 2 });
  story.pay({ id: 'p2', units: 800n, minute: 70 });
  // By then the price was 0.000016 BTC, so this is worth half of it.
  const priceUnits = { numerator: '1600', denominator: '1' };
  const rates = { paidUsd: '1', billedUsd: '1', valuedAt: at(70).toISOString() };
  story.change('p2', { valuations: [{ of: 'SIGHT', moment: at(70).toISOString(), priceUnits, ...rates }] });
  story.decide({ lateTolerance: decimal('0.05') });
  const sums = publicSums(assets, story.dossier, at(80));
  assert.deepEqual(sums.received, [{ amount: '0.00001', assetCode: 'BTC', price: '70.00' }]);
  assert.deepEqual([sums.receivedPrice, sums.missingPrice], ['70.00', '30.00']);
});

test('what is too much is one sum while it is held, waits, is on its way, was sent back, or is held again', () => {
  const story = tellStory([byBitcoin]);
  story.pay({ id: 'p1', units: 1500n, minute: 2 });
  story.advance(3);
  const tooMuch = { amount: '0.000005', assetCode: 'BTC', price: '50.00' };
  const sums = publicSums(assets, story.dossier, at(4));
  assert.deepEqual(sums.excess, [tooMuch]);
  assert.deepEqual([sums.receivedPrice, sums.missingPrice], ['150.00', null]);

  const takes = [{ paymentId: 'p1', units: '500', feeUnits: '0' }];
  const refund = aRefund({ id: 'r', asset: BTC, units: 500n, takes, context: 'OVERPAID_CHECKOUT', state: 'CLAIMABLE' });
  for (const state of ['AWAITING_APPROVAL', 'CLAIMABLE', 'SENDING', 'COMPLETED'] as const) {
    story.refund({ ...refund, state });
    const { excess, returned } = publicSums(assets, story.dossier, at(5));
    assert.deepEqual(excess, [tooMuch], state);
    assert.deepEqual(returned, state === 'COMPLETED' ? [tooMuch] : [], state);
  }
  for (const state of ['FAILED', 'CANCELED', 'EXPIRED'] as const) {
    const dossier = recountTaken({ ...story.dossier, refunds: [{ ...refund, state, place: 'returned' }] });
    assert.deepEqual(publicSums(assets, dossier, at(5)).excess, [tooMuch], state);
  }
});

test('what the shop accepted is what had come by then, whatever comes later', () => {
  const story = tellStory([byBitcoin, byLitecoin]);
  story.pay({ id: 'p1', units: 333n, minute: 2 });
  story.pay({ id: 'p2', units: 1000n, minute: 3, commitmentId: 'c2', asset: LTC });
  story.advance(70);
  const accepted = () => publicSums(assets, story.dossier, at(80)).acceptedPrice;
  assert.deepEqual([story.dossier.checkout.state, accepted()], ['UNDERPAID', null]);
  story.decide({ acceptedAt: at(71) });
  story.advance(71);
  assert.deepEqual([story.dossier.checkout.state, accepted()], ['RESOLVED', '58.30']);
  story.pay({ id: 'p3', units: 100n, minute: 72 });
  story.advance(73);
  assert.deepEqual([story.dossier.checkout.state, accepted()], ['RESOLVED', '58.30']);
});

test('who has paid the price has paid nothing that had to be accepted', () => {
  const story = tellStory([byBitcoin]);
  story.pay({ id: 'p1', units: 1000n, minute: 2 });
  story.advance(3);
  assert.equal(publicSums(assets, story.dossier, at(4)).acceptedPrice, null);
});
