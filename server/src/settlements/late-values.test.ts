/** What is valued, when, and what the timeline says of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aCommitment,
  aDossier,
  aPayment,
  at,
  BTC,
  LTC,
  type PaymentTerms,
  sampleTerms,
} from '../../test/sample-checkout.ts';
import { valued } from '../../test/sample-facts.ts';
import { decimal } from '../money/decimal.ts';
import { valueLate } from './value-late.ts';

const commitments = [
  aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, price: '100' }),
  aCommitment({ id: 'c2', asset: LTC, due: 4000n, minute: 0, price: '100' }),
];

function value(
  payments: readonly (Partial<PaymentTerms> & { units: bigint; minute: number })[],
  usd: Record<string, string> = { USD: '0.00001', BTC: '100', LTC: '25' }, // 100 cost 1000 units of bitcoin
  minute = 100,
) {
  const made = payments.map((terms, position) => aPayment({ id: `p${position + 1}`, ...terms }));
  const dossier = aDossier({ commitments, payments: made, checkout: { lateTolerance: decimal('0.05') } });
  return { before: dossier, ...valueLate(dossier, sampleTerms(usd), at(minute)) };
}

const momentsOf = (outcome: ReturnType<typeof value>, position = 0) =>
  outcome.dossier.payments[position]?.valuations.map(({ of, moment }) => `${of} ${moment.slice(11, 16)}`);

test('what came late is valued at the rates of now, and the timeline says what it is worth', () => {
  const outcome = value([{ units: 500n, minute: 70 }]);
  assert.deepEqual(outcome.dossier.payments[0]?.valuations, [
    {
      of: 'SIGHT',
      moment: at(70).toISOString(),
      paidUsd: '100',
      billedUsd: '0.00001',
      valuedAt: at(100).toISOString(),
      priceUnits: outcome.dossier.payments[0]?.valuations[0]?.priceUnits,
    },
  ]);
  assert.deepEqual(outcome.notes, [
    { what: 'late_payment_valued', why: { worth: '50 %', usd: { BTC: '100', USD: '0.00001' } } },
  ]);
  assert.equal(outcome.noMarket, null);
});

test('when the coin has fallen it is worth less, and the percentage rounds down', () => {
  const worth = (btc: string) =>
    value([{ units: 500n, minute: 70 }], { USD: '0.00001', BTC: btc }).notes[0]?.why?.['worth'];
  assert.equal(worth('50'), '25 %');
  assert.equal(worth('200'), '50 %', 'never more than its units');
  assert.equal(worth('99.99'), '49.9 %');
});

test('what came in time, is credited, is gone or belongs to nobody is not valued', () => {
  for (const terms of [
    { minute: 50 },
    { minute: 70, place: 'settled' as const },
    { minute: 70, state: 'DROPPED' as const },
    { minute: 70, state: 'REPLACED' as const },
    { minute: 70, commitmentId: null },
  ]) {
    const outcome = value([{ units: 500n, ...terms }]);
    assert.equal(outcome.dossier, outcome.before, JSON.stringify(terms));
    assert.deepEqual([outcome.notes, outcome.noMarket], [[], null]);
  }
});

test('what was valued is not valued again', () => {
  const outcome = value([{ units: 500n, minute: 70, valuations: [valued(2000n, 70)] }]);
  assert.equal(outcome.dossier, outcome.before);
});

test('only late payments of the price make up the worth', () => {
  const outcome = value([
    { units: 500n, minute: 70 },
    { units: 300n, minute: 50 },
    { units: 200n, minute: 71, commitmentId: null },
    { units: 100n, minute: 72, state: 'DROPPED', valuations: [valued(1000n, 72)] },
    { units: 400n, minute: 73, asset: LTC, commitmentId: 'c2' },
  ]);
  assert.equal(outcome.notes[0]?.why?.['worth'], '60 %');
  assert.deepEqual(outcome.notes[0]?.why?.['usd'], { BTC: '100', USD: '0.00001', LTC: '25' });
});

test('without a rate it waits, and others do not', () => {
  const outcome = value(
    [
      { units: 500n, minute: 70 },
      { units: 400n, minute: 73, asset: LTC, commitmentId: 'c2' },
    ],
    { USD: '0.00001', BTC: '100' },
  );
  assert.deepEqual(
    [outcome.noMarket, momentsOf(outcome), momentsOf(outcome, 1)],
    ['LTC: no source', ['SIGHT 13:10'], []],
  );
  const none = value([{ units: 500n, minute: 70 }], {});
  assert.deepEqual([none.noMarket, none.notes, none.dossier === none.before], ['BTC: no source', [], true]);
});

test('a block that was taken away says nothing any more, and what was seen stays true', () => {
  const late = { units: 500n, minute: 5, valuations: [valued(1100n, 5), valued(1300n, 310, 'BLOCK')] };
  const moved = value([{ ...late, blockTime: at(320) }], undefined, 400);
  assert.deepEqual(momentsOf(moved), ['SIGHT 12:05', 'BLOCK 17:20']);
  const inherited = [{ units: '100', seenAt: at(2).toISOString(), valuation: null }];
  const same = value([{ ...late, blockTime: at(310), inherited }], undefined, 400);
  assert.equal(same.dossier, same.before, 'its block is known');
});
