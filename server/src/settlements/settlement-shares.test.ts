/** What is credited of each payment: by the quote, at a rate, as dust, or not at all because it is beyond the price. */
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
  USDC,
} from '../../test/sample-checkout.ts';
import type { Checkout, KeptRate, SettledPart } from '../checkouts/checkout.ts';
import { decimal } from '../money/decimal.ts';
import { type SettlementTerms, settlementParts } from './settlement-parts.ts';

const direct = [
  aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, fee: 5n }),
  aCommitment({ id: 'c2', asset: LTC, due: 4000n, minute: 0, fee: 20n }),
];
const converted = [
  aCommitment({ id: 'c1', asset: BTC, due: 1000n, minute: 0, credited: USDC, gross: 3_000n, fee: 15n }),
];
const rates = sampleTerms({ BTC: '60', USDC: '1' }); // 1000 units of 10^-8 are 60 units of 10^-7

type Told = {
  readonly commitments?: typeof direct;
  readonly terms?: SettlementTerms;
  readonly checkout?: Partial<Checkout>;
  readonly minute?: number;
};

function settle(payments: readonly (Partial<PaymentTerms> & { units: bigint })[], told: Told = {}) {
  const made = payments.map((terms, position) => aPayment({ id: `p${position + 1}`, minute: 5, ...terms }));
  const { commitments = direct, checkout = {}, terms = rates, minute = 100 } = told;
  return settlementParts(aDossier({ commitments, payments: made, checkout }), terms, at(minute));
}

const partsOf = (...asked: Parameters<typeof settle>): readonly SettledPart[] => {
  const outcome = settle(...asked);
  assert.ok('parts' in outcome, JSON.stringify(outcome));
  return outcome.parts;
};
const shown = (parts: readonly SettledPart[]) =>
  parts.map((part) =>
    [part.countedUnits, part.excessUnits, part.grossUnits, part.feeUnits, part.netUnits, part.basis].join(' '),
  );

const onLitecoin = { asset: LTC, commitmentId: 'c2' };

test('what was paid in time is credited by its quote', () => {
  const [part, ...others] = partsOf([{ units: 1000n }]);
  assert.deepEqual(others, []);
  assert.deepEqual(part, {
    commitmentId: 'c1',
    network: 'BITCOIN',
    paidAsset: BTC,
    creditedAsset: BTC,
    basis: 'QUOTE',
    countedUnits: '1000',
    excessUnits: '0',
    grossUnits: '1000',
    feeUnits: '5',
    netUnits: '995',
  });
  assert.deepEqual(shown(partsOf([{ units: 999n }])), ['999 0 999 5 994 QUOTE'], 'the received part of it');
});

test("what is beyond the price is excess from ten units on, and below that the merchant's without a fee", () => {
  assert.deepEqual(shown(partsOf([{ units: 1009n }])), ['1009 0 1009 5 1004 QUOTE']);
  assert.deepEqual(shown(partsOf([{ units: 1010n }])), ['1000 10 1000 5 995 QUOTE']);
  assert.deepEqual(shown(partsOf([{ units: 1000n }, { units: 6n, minute: 6 }])), ['1006 0 1006 5 1001 QUOTE']);
  assert.deepEqual(
    shown(partsOf([{ units: 1006n }, { units: 6n, minute: 6 }])),
    ['1000 12 1000 5 995 QUOTE'],
    'together',
  );
});

test('dust is counted for each asset by itself, and asked for by its network', () => {
  const parts = partsOf([{ units: 500n }, { units: 2009n, minute: 6, ...onLitecoin }, { units: 9n, minute: 7 }]);
  assert.deepEqual(shown(parts), ['509 0 509 3 506 QUOTE', '2009 0 2009 10 1999 QUOTE']);
  const asked: string[] = [];
  const dustUnits = (network: string, asset: string): bigint => {
    asked.push(`${network} ${asset}`);
    return 1n;
  };
  partsOf([{ units: 1001n }], { terms: { ...rates, dustUnits } });
  assert.deepEqual(asked, [`BITCOIN ${BTC}`]);
});

test('only what is confirmed, and meant for the checkout, is settled', () => {
  const parts = partsOf([
    { units: 1000n },
    { units: 50n, state: 'SEEN', minute: 4 },
    { units: 70n, commitmentId: null, asset: USDC },
    { units: 90n, state: 'DROPPED' },
  ]);
  assert.deepEqual(shown(parts), ['1000 0 1000 5 995 QUOTE']);
});

test('what came late and is not converted is credited by its quote', () => {
  assert.deepEqual(shown(partsOf([{ units: 1000n, minute: 70 }])), ['1000 0 1000 5 995 QUOTE']);
});

test('what came late and is converted has the rate of its arrival, and what came in time its quote', () => {
  assert.deepEqual(shown(partsOf([{ units: 1000n }], { commitments: converted })), ['1000 0 3000 15 2985 QUOTE']);
  const late = settle([{ units: 500n }, { units: 500n, minute: 70 }], { commitments: converted });
  assert.ok('parts' in late);
  assert.deepEqual(shown(late.parts), ['500 0 1500 8 1492 QUOTE', '500 0 3000 15 2985 RATE_OF_ARRIVAL']);
  assert.deepEqual(late.rates.slice(1), [
    { paymentId: 'p2', basis: 'RATE_OF_ARRIVAL', paidUsd: '60', creditedUsd: '1', keptAt: at(100).toISOString() },
  ]);
});

test('two payments at one rate are one part, and at two rates they are two', () => {
  const payments = [
    { units: 500n, minute: 70 },
    { units: 500n, minute: 71 },
  ];
  assert.deepEqual(shown(partsOf(payments, { commitments: converted })), ['1000 0 6000 30 5970 RATE_OF_ARRIVAL']);
  const kept = (paymentId: string, paidUsd: string): KeptRate => ({
    paymentId,
    basis: 'RATE_OF_ARRIVAL',
    paidUsd,
    creditedUsd: '1',
    keptAt: at(90).toISOString(),
  });
  const checkout = { keptRates: [kept('p1', '80'), kept('p2', '40')] };
  assert.deepEqual(shown(partsOf(payments, { commitments: converted, checkout })), [
    '500 0 4000 20 3980 RATE_OF_ARRIVAL',
    '500 0 2000 10 1990 RATE_OF_ARRIVAL',
  ]);
});

test('a rate is kept for four hours, for the same payment and the same reason', () => {
  const gross = (kept: Partial<KeptRate>, minute = 100) => {
    const rate: KeptRate = {
      paymentId: 'p1',
      basis: 'RATE_OF_ARRIVAL',
      paidUsd: '80',
      creditedUsd: '1',
      keptAt: at(90).toISOString(),
      ...kept,
    };
    const told = { commitments: converted, checkout: { keptRates: [rate] }, minute };
    return partsOf([{ units: 1000n, minute: 70 }], told)[0]?.grossUnits;
  };
  assert.equal(gross({}), '8000');
  assert.equal(gross({}, 90 + 239), '8000');
  assert.equal(gross({}, 90 + 240), '6000');
  assert.equal(gross({ paymentId: 'p2' }), '6000');
  assert.equal(gross({ basis: 'RATE_OF_ACCEPTANCE' }), '6000');
});

test('what is given is valued at the lower price, what is credited at the higher', () => {
  const unsure = (code: string, low: string, high: string) => ({
    usd: decimal('1'),
    sources: [code],
    at: at(0),
    range: { low: decimal(low), high: decimal(high) },
  });
  const terms: SettlementTerms = {
    ...rates,
    rateOf: (code) => (code === 'BTC' ? unsure(code, '50', '70') : unsure(code, '0.5', '2')),
  };
  const outcome = settle([{ units: 1000n, minute: 70 }], { commitments: converted, terms });
  assert.ok('rates' in outcome);
  assert.deepEqual([outcome.rates[0]?.paidUsd, outcome.rates[0]?.creditedUsd], ['50', '2']);
});

test('what came in time is credited by its quote while it is worth that, and no more than it is worth', () => {
  const at50 = (usd: string) =>
    settle([{ units: 1000n }], { commitments: converted, terms: sampleTerms({ BTC: usd, USDC: '1' }) });
  const told = (usd: string) => {
    const outcome = at50(usd);
    return 'parts' in outcome && [...shown(outcome.parts), outcome.outrun?.quotedUnits, outcome.outrun?.grossUnits];
  };
  assert.deepEqual(told('30'), ['1000 0 3000 15 2985 QUOTE', undefined, undefined]);
  assert.deepEqual(told('29.99'), ['1000 0 2999 15 2984 RATE_OF_ARRIVAL', 3000n, 2999n]);
});

test('what is converted at a rate has the spread and the margins taken from it, whatever caused it', () => {
  const unsure = (code: string) => ({
    usd: decimal(code === 'BTC' ? '60' : '1'),
    sources: [code],
    at: at(100),
    margin: decimal('0.005'),
  });
  const terms: SettlementTerms = { ...rates, rateOf: unsure, spread: decimal('0.09') };
  const gross = (told: Told, minute: number) =>
    partsOf([{ units: 500n, minute }], { ...told, commitments: converted, terms })[0]?.grossUnits;
  assert.equal(gross({ checkout: { acceptedAt: at(80), state: 'UNDERPAID' } }, 5), '2700', 'an acceptance');
  assert.equal(gross({}, 70), '2700', 'what came late');
});

test('a rate of before a payment came does not count: whoever paid may have known a better one', () => {
  const live = (at: Date) => (code: string) => ({
    usd: decimal(code === 'BTC' ? '60' : '1'),
    sources: [code],
    at,
    margin: decimal(0),
  });
  const payment = { units: 1000n, blockTime: at(10) };
  const outcome = (rateAt: number, blockTime = at(10)) =>
    settle([{ ...payment, blockTime }], {
      commitments: converted,
      terms: { ...rates, rateOf: live(at(rateAt)) },
    });
  assert.deepEqual(outcome(9), { awaitsRate: true });
  const accepted = (rateAt: number) =>
    settle([{ ...payment, units: 500n }], {
      commitments: converted,
      checkout: { acceptedAt: at(10), state: 'UNDERPAID' },
      terms: { ...rates, rateOf: live(at(rateAt)) },
    });
  assert.deepEqual(accepted(9), { awaitsRate: true }, 'nor for what was too little, and is accepted when it comes');
  assert.ok('parts' in accepted(10));
  assert.ok('parts' in outcome(10));
  assert.ok('parts' in outcome(9, at(101)), 'a block from the future says nothing');
});

test('without a rate there is no market, and it is said for which coin', () => {
  const outcome = (usd: Record<string, string>) =>
    settle([{ units: 1000n, minute: 70 }], { commitments: converted, terms: sampleTerms(usd) });
  assert.deepEqual(outcome({ USDC: '1' }), { noMarket: 'BTC: no source' });
  assert.deepEqual(outcome({ BTC: '60' }), { noMarket: 'USDC: no source' });
});

test('a late payment that is only excess needs no market', () => {
  const outcome = settle([{ units: 1000n }, { units: 400n, minute: 70 }], { commitments: converted });
  assert.ok('parts' in outcome);
  assert.deepEqual(
    outcome.rates.map(({ paymentId }) => paymentId),
    ['p1'],
  );
  assert.deepEqual(shown(outcome.parts), ['1000 0 3000 15 2985 QUOTE', '0 400 0 0 0 RATE_OF_ARRIVAL']);
});

test('what was accepted although it was too little is converted at the rate of the acceptance', () => {
  const told = { commitments: converted, checkout: { acceptedAt: at(80), state: 'UNDERPAID' as const } };
  assert.deepEqual(shown(partsOf([{ units: 500n }], told)), ['500 0 3000 15 2985 RATE_OF_ACCEPTANCE']);
  assert.deepEqual(shown(partsOf([{ units: 1000n }], told)), ['1000 0 3000 15 2985 QUOTE'], 'paid in full after all');
});

test('a quote does not wait for the rest of the price for ever', () => {
  const payments = [{ units: 900n }, { units: 100n, minute: 70 }];
  const basis = (minute: number) => partsOf(payments, { commitments: converted, minute }).map((part) => part.basis);
  assert.deepEqual(basis(299), ['QUOTE', 'RATE_OF_ARRIVAL']);
  assert.deepEqual(basis(300), ['RATE_OF_ARRIVAL']);
  const inTime = [{ units: 900n }, { units: 100n, minute: 50 }];
  assert.deepEqual(
    partsOf(inTime, { commitments: converted, minute: 999 }).map((part) => part.basis),
    ['QUOTE'],
    'all of it was there in time',
  );
});

test('a settlement settles something', () => {
  assert.throws(() => settle([]), /settles something/);
});
