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
  type PaymentTerms,
} from '../../test/sample-checkout.ts';
import type { CheckoutDossier, SettledPart, Settlement } from './checkout.ts';
import {
  creditedUnits,
  excessByCommitment,
  factsOf,
  givenBackUnits,
  isAcceptable,
  isEverythingSentBack,
  railOf,
  receivedUnits,
  settlementReference,
  standingSettlement,
} from './checkout-facts.ts';
import type { Refund } from './refund.ts';

const commitments = [
  aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0 }),
  aCommitment({ id: 'c2', asset: LTC, due: 4000n, minute: 1 }),
];
const paid = (id: string, units: bigint, terms: Partial<PaymentTerms> = {}) =>
  aPayment({ id, units, minute: 5, place: 'settled', ...terms });

const part = (commitmentId: string, counted: bigint, terms: Partial<SettledPart> = {}): SettledPart => ({
  commitmentId,
  network: 'BITCOIN',
  paidAsset: BTC,
  creditedAsset: BTC,
  basis: 'QUOTE',
  countedUnits: counted.toString(),
  excessUnits: '0',
  grossUnits: '0',
  feeUnits: '0',
  netUnits: '0',
  ...terms,
});
const settlement = (parts: readonly SettledPart[], terms: Partial<Settlement> = {}): Settlement => ({
  generation: 1,
  reference: 'r',
  parts,
  settledAt: at(10),
  reversedAt: null,
  ...terms,
});
const dossier = (parts: Partial<CheckoutDossier> = {}, checkout: Partial<CheckoutDossier['checkout']> = {}) => ({
  ...aDossier({ commitments, checkout }),
  ...parts,
});
const back = (id: string, terms: Partial<Refund>): Refund =>
  aRefund({ id, asset: BTC, units: 1n, takes: [], place: 'sent', ...terms });
const take = (paymentId: string, units: string) => ({ paymentId, units, feeUnits: '0' });
const rail = (asset: string) => railOf({ network: asset === BTC ? 'BITCOIN' : 'LITECOIN', asset });

test('one settlement stands, the one that was not taken back', () => {
  const [old, standing] = [settlement([], { reversedAt: at(11) }), settlement([], { generation: 2 })];
  assert.equal(standingSettlement(dossier({ settlements: [old, standing] })), standing);
  assert.equal(standingSettlement(dossier({ settlements: [old] })), undefined);
  assert.equal(settlementReference('abc', 2), 'settlement:abc:2');
});

test('what is known of a new checkout', () => {
  assert.deepEqual(factsOf(dossier()), {
    commitments,
    payments: [],
    hasStrays: false,
    canceledAt: null,
    acceptedAt: null,
    acceptFrom: null,
    tolerance: { digits: 5n, scale: 3 },
    lateTolerance: { digits: 1n, scale: 0 },
    acceptedShare: { numerator: 0n, denominator: 1n },
    isSettled: false,
    creditedAs: null,
    reversals: 0,
    hasExcess: false,
    isMarketMissing: false,
    isAllSentBack: false,
    isCreditRefunded: false,
    wasCreditRefunded: false,
    refundedWith: null,
  });
});

test('what the merchant was told counts while the settlement stands', () => {
  const creditedAs = (state: 'COMPLETED' | 'PROCESSING', settlements: Settlement[]) =>
    factsOf(dossier({ settlements }, { state })).creditedAs;
  assert.equal(creditedAs('COMPLETED', [settlement([part('c1', 1000n)])]), 'COMPLETED');
  assert.equal(creditedAs('PROCESSING', [settlement([part('c1', 1000n)])]), null);
  assert.equal(creditedAs('COMPLETED', [settlement([part('c1', 1000n)], { reversedAt: at(11) })]), null);
});

test('every settlement that was taken back counts as a reversal', () => {
  const gone = settlement([part('c1', 1000n)], { reversedAt: at(11) });
  assert.equal(factsOf(dossier({ settlements: [gone, gone, settlement([part('c1', 1000n)])] })).reversals, 2);
});

test('an excess is what the settlement says, or what has come back into it since', () => {
  const hasExcess = (parts: Partial<CheckoutDossier>) => factsOf(dossier(parts)).hasExcess;
  const counted = part('c1', 1000n);
  assert.equal(hasExcess({ settlements: [settlement([counted])], payments: [paid('p1', 1000n)] }), false);
  assert.equal(hasExcess({ settlements: [settlement([{ ...counted, excessUnits: '1' }])] }), true);
  assert.equal(hasExcess({ settlements: [settlement([counted])], payments: [paid('p1', 1001n)] }), true);
  assert.equal(hasExcess({ payments: [paid('p1', 1001n)] }), false);
});

test('what is refunded keeps what was odd about it', () => {
  assert.deepEqual(factsOf(dossier({}, { state: 'REFUNDED', exceptions: ['LATE'] })).refundedWith, ['LATE']);
  assert.equal(factsOf(dossier({}, { state: 'UNDERPAID', exceptions: ['LATE'] })).refundedWith, null);
  assert.equal(factsOf(dossier({}, { exceptions: ['NO_MARKET'] })).isMarketMissing, true);
});

test('the excess of a commitment is what is settled of its payments and not counted', () => {
  const settlements = [settlement([part('c1', 600n), part('c1', 400n), part('c2', 50n)])];
  const payments = [
    paid('p1', 800n),
    paid('p2', 700n, { takenUnits: 100n }),
    paid('p3', 50n, { commitmentId: 'c2', asset: LTC }),
    paid('p4', 99n, { place: 'suspense' }),
    paid('p5', 99n, { commitmentId: null }),
  ];
  assert.deepEqual(
    [...excessByCommitment(dossier({ settlements, payments }))],
    [
      ['c1', 400n],
      ['c2', 0n],
    ],
  );
  assert.deepEqual([...excessByCommitment(dossier({ payments }))], []);
});

test('what was credited is the sum of the parts of a commitment', () => {
  const credited = creditedUnits(settlement([part('c1', 600n), part('c2', 5n), part('c1', 400n)]));
  assert.deepEqual(
    [...credited],
    [
      ['c1', 1000n],
      ['c2', 5n],
    ],
  );
});

test('a credit is given back when all of every part is sent', () => {
  const settlements = [settlement([part('c1', 600n), part('c2', 40n)])];
  const isGiven = (...refunds: Refund[]) => {
    const { isCreditRefunded, wasCreditRefunded } = factsOf(dossier({ settlements, refunds }));
    assert.equal(wasCreditRefunded, isCreditRefunded);
    return isCreditRefunded;
  };
  const cover = (c1: string, c2: string, place: Refund['place'] = 'sent') =>
    back(`${c1} ${c2}`, {
      place,
      covers: [
        { commitmentId: 'c1', units: c1 },
        { commitmentId: 'c2', units: c2 },
      ],
    });
  assert.equal(isGiven(cover('600', '40')), true);
  assert.equal(isGiven(cover('599', '40')), false);
  assert.equal(isGiven(cover('600', '39')), false);
  assert.equal(isGiven(cover('300', '20'), cover('300', '21')), true);
  assert.equal(isGiven(cover('600', '40', 'reserved')), false);
  assert.equal(isGiven(), false);
});

test('a credit that was given back and then taken back was given back all the same', () => {
  const settlements = [settlement([part('c1', 600n)], { reversedAt: at(11) }), settlement([part('c1', 700n)])];
  const refunds = [back('r1', { covers: [{ commitmentId: 'c1', units: '600' }] })];
  const { isCreditRefunded, wasCreditRefunded } = factsOf(dossier({ settlements, refunds }));
  assert.deepEqual([isCreditRefunded, wasCreditRefunded], [false, true]);
});

test('only what is confirmed, meant for the checkout and not given back can be accepted', () => {
  assert.equal(isAcceptable(paid('p1', 10n)), true);
  assert.equal(isAcceptable(paid('p1', 10n, { commitmentId: null })), false);
  assert.equal(isAcceptable(paid('p1', 10n, { state: 'SEEN' })), false);
  assert.equal(isAcceptable(paid('p1', 10n, { takenUnits: 10n })), false);
  assert.equal(isAcceptable(paid('p1', 10n, { takenUnits: 9n })), true);
});

test('received is what is confirmed, by the rail it came on', () => {
  const payments = [
    paid('p1', 10n),
    paid('p2', 5n),
    paid('p3', 7n, { asset: LTC }),
    paid('p4', 99n, { state: 'SEEN' }),
  ];
  assert.deepEqual(
    [...receivedUnits(dossier({ payments }))],
    [
      [rail(BTC), 15n],
      [rail(LTC), 7n],
    ],
  );
});

test('given back is what refunds took of payments and covered of commitments, and what was lost on the way back', () => {
  const payments = [paid('p1', 100n), paid('p2', 100n, { asset: LTC, commitmentId: 'c2' })];
  const refunds = [
    back('r1', { takes: [take('p1', '10'), take('p2', '3')] }),
    back('r2', { covers: [{ commitmentId: 'c2', units: '20' }] }),
    back('r3', { takes: [take('p1', '1')], place: 'reserved' }),
    back('r4', { takes: [take('p1', '200')], place: 'returned' }),
    back('r5', { takes: [take('p1', '4000')], place: 'returned', costUnits: 4000n }),
  ];
  const given = givenBackUnits(dossier({ payments, refunds }), ({ place }) => place === 'sent');
  assert.deepEqual(
    [...given],
    [
      [rail(BTC), 4010n],
      [rail(LTC), 23n],
    ],
  );
  const all = givenBackUnits(dossier({ payments, refunds }), () => true);
  assert.equal(all.get(rail(BTC)), 4211n, 'each refund counts once');
});

/** For the price, and altogether. */
const sentBack = (payments: CheckoutDossier['payments'], refunds: readonly Refund[]) => {
  const some = dossier({ payments, refunds });
  return [factsOf(some).isAllSentBack, isEverythingSentBack(some)];
};

test('all was sent back when each rail has had as much as came, and nothing is on its way', () => {
  const r1 = back('r1', { takes: [take('p1', '100')] });
  assert.deepEqual(sentBack([paid('p1', 100n)], [r1]), [true, true]);
  assert.deepEqual(sentBack([paid('p1', 101n)], [r1]), [false, false]);
  assert.deepEqual(sentBack([paid('p1', 100n)], [{ ...r1, place: 'reserved' }]), [false, false]);
  assert.deepEqual(sentBack([paid('p1', 100n)], []), [false, false]);
  assert.deepEqual(sentBack([paid('p1', 100n), paid('p2', 1n, { state: 'SEEN' })], [r1]), [false, false]);
  assert.deepEqual(sentBack([paid('p1', 100n), paid('p2', 1n, { state: 'DROPPED' })], [r1]), [true, true]);
  assert.deepEqual(sentBack([paid('p1', 100n), paid('p2', 1n, { asset: LTC })], [r1]), [false, false]);
});

test('what nobody had asked for counts only where all that arrived is meant', () => {
  const r1 = back('r1', { takes: [take('p1', '100')] });
  const stray = paid('p2', 5n, { asset: LTC, commitmentId: null });
  assert.deepEqual(sentBack([paid('p1', 100n), stray], [r1]), [true, false]);
  const both = back('r1', { takes: [take('p1', '100'), take('p2', '5')] });
  assert.deepEqual(sentBack([paid('p1', 100n), stray], [both]), [true, true]);
  assert.deepEqual(sentBack([paid('p1', 100n, { state: 'DROPPED' })], [r1]), [true, false], 'nothing is there');
});

test('an acceptance covers what the last settlement since then was about, and a newer one has no limit', () => {
  const share = (acceptedMinute: number | null, settlements: Settlement[]) => {
    const acceptedAt = acceptedMinute === null ? null : at(acceptedMinute);
    const { numerator, denominator } = factsOf(dossier({ settlements }, { acceptedAt })).acceptedShare;
    return Number(numerator) / Number(denominator);
  };
  const half = settlement([part('c1', 250n), part('c2', 1000n)], { reversedAt: at(11) });
  const all = settlement([part('c1', 1000n)], { reversedAt: at(9), settledAt: at(8) });
  assert.equal(share(5, [all, half]), 0.5);
  assert.equal(share(10, [half]), 0.5);
  assert.equal(share(11, [half]), 0);
  assert.equal(share(null, [half]), 0);
  assert.equal(share(5, []), 0);
});
