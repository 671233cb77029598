import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { told } from '../lib/errors.ts';
import { type Decimal, decimal, divide, fromUnits, isLess, minus, plus, roundTo, times } from '../money/decimal.ts';
import type { CombinedRate, MissingRate } from './combine-rates.ts';
import { isQuote, type MethodQuote, type QuoteRequest, quoteMethod } from './quote.ts';

const usdPrices: Readonly<Record<string, string>> = {
  BTC: '60000',
  LTC: '80',
  ETH: '3000',
  USDC: '1',
  USD: '1',
  EUR: '1.08',
  JPY: '0.0067',
};
const at = new Date('2026-11-14T12:00:00Z');
const rateOf = (code: string): CombinedRate | MissingRate => {
  const usd = usdPrices[code];
  return usd ? { usd: decimal(usd), sources: ['fixed'], at } : { missing: 'no source knows it' };
};

const bitcoin = {
  assetId: 'BTC:GISSUER',
  code: 'BTC',
  paymentCode: 'BTC',
  ledgerScale: 8,
  railScale: 8,
  minimumUnits: 1_000n,
};
const lightning = { ...bitcoin, paymentCode: 'SAT', minimumUnits: 1n };
const litecoin = { ...bitcoin, assetId: 'LTC:GISSUER', code: 'LTC', paymentCode: 'LTC' };
const usdcOnEthereum = {
  assetId: 'USDC:GCIRCLE',
  code: 'USDC',
  paymentCode: 'USDC',
  ledgerScale: 7,
  railScale: 6,
  minimumUnits: 1_000_000n,
};
const noFees = { percent: decimal('0'), minimumUsd: decimal('0') };
const usdc = { assetId: 'USDC:GCIRCLE', code: 'USDC', ledgerScale: 7 };

const request = (changes: Partial<QuoteRequest>): QuoteRequest => ({
  total: decimal('25'),
  billing: { code: 'USD', decimals: 2 },
  paid: bitcoin,
  settlement: 'ORIGIN',
  fees: { percent: decimal('0.005'), minimumUsd: decimal('0') },
  bufferOf: () => decimal('0.01'),
  spread: decimal(0),
  rateOf,
  isExact: true,
  isAtBooking: false,
  ...changes,
});

function quoted(changes: Partial<QuoteRequest>): MethodQuote {
  const outcome = quoteMethod(request(changes));
  assert.ok(isQuote(outcome), 'leftOut' in outcome ? outcome.reason.sentence : '');
  return outcome;
}

test('25 USD in bitcoin, credited as bitcoin: the payer rounds up, the fee rounds up, no buffer', () => {
  // 25 ÷ 60000 = 0.000416666…; half a percent of 41667 satoshis is 208.335.
  assert.deepEqual(quoted({}), {
    price: '25.00',
    paymentUnits: 41_667n,
    paymentAmount: '0.00041667',
    settlement: {
      assetId: 'BTC:GISSUER',
      grossUnits: 41_667n,
      netUnits: 41_458n,
      feeUnits: 209n,
      amount: '0.00041667',
      netAmount: '0.00041458',
      fee: '0.00000209',
    },
    rates: [
      { code: 'USD', usd: '1', sources: ['fixed'], at: '2026-11-14T12:00:00.000Z' },
      { code: 'BTC', usd: '60000', sources: ['fixed'], at: '2026-11-14T12:00:00.000Z' },
    ],
    bufferApplied: '0',
  });
});

test('99.99 EUR in litecoin, credited in USDC: the payer carries the buffer, the merchant gets the price', () => {
  // 99.99 × 1.08 = 107.9892 USD. × 1.01 ÷ 80 = 1.36336365 LTC exactly. Half a percent of 107.9892 is 0.539946.
  const quote = quoted({
    total: decimal('99.99'),
    billing: { code: 'EUR', decimals: 2 },
    paid: litecoin,
    settlement: usdc,
  });
  assert.equal(quote.paymentAmount, '1.36336365');
  assert.equal(quote.bufferApplied, '0.01');
  assert.equal(quote.settlement.assetId, 'USDC:GCIRCLE');
  assert.equal(quote.settlement.amount, '107.9892');
  assert.equal(quote.settlement.fee, '0.539946');
  assert.equal(quote.settlement.netAmount, '107.449254');
  assert.deepEqual(
    quote.rates.map(({ code }) => code),
    ['EUR', 'LTC', 'USDC'],
  );
});

test('naming the paid asset as the settlement asset is the same as ORIGIN', () => {
  assert.deepEqual(quoted({ settlement: bitcoin }), quoted({ settlement: 'ORIGIN' }));
});

test('over a rail coarser than the ledger the merchant is credited exactly what was paid', () => {
  // 1000.5 rounds half up to 1001 JPY, which are 6.7067 USDC.
  const quote = quoted({
    total: decimal('1000.5'),
    billing: { code: 'JPY', decimals: 0 },
    paid: usdcOnEthereum,
    settlement: usdc,
  });
  assert.equal(quote.price, '1001');
  assert.equal(quote.paymentUnits, 6_706_700n);
  assert.equal(quote.paymentAmount, '6.7067');
  assert.equal(quote.settlement.grossUnits, 67_067_000n);
  assert.equal(quote.bufferApplied, '0');
});

test('a total rounds half up to the decimals of its currency before anything else', () => {
  assert.equal(quoted({ total: decimal('10.005') }).price, '10.01');
  assert.equal(quoted({ total: decimal('10.00499999') }).price, '10.00');
  // The noise of a float is not what the shop meant, but everything up to twelve decimals is.
  assert.equal(quoted({ total: decimal('10.0049999999999') }).price, '10.01');
  assert.equal(quoted({ total: decimal('10.004999999999') }).price, '10.00');
});

test('a lightning payment is asked for in satoshis', () => {
  const quote = quoted({ paid: lightning });
  assert.equal(quote.paymentUnits, 41_667n);
  assert.equal(quote.paymentAmount, '41667');
  assert.equal(quote.settlement.amount, '0.00041667');
});

test('a price in the paid asset is paid to the unit', () => {
  const quote = quoted({ total: decimal('0.12345678'), billing: { code: 'BTC', decimals: 8 } });
  assert.equal(quote.paymentAmount, '0.12345678');
});

test('the minimum fee is converted into the credited asset and rounded up', () => {
  // 0.50 USD ÷ 60000 = 833.33 satoshis.
  const fees = { percent: decimal('0.005'), minimumUsd: decimal('0.5') };
  assert.equal(quoted({ fees }).settlement.feeUnits, 834n);
});

test('a fee larger than the gross takes all of it and no more', () => {
  const fees = { percent: decimal('0'), minimumUsd: decimal('1000') };
  const { settlement } = quoted({ fees });
  assert.deepEqual([settlement.feeUnits, settlement.netUnits], [settlement.grossUnits, 0n]);
});

test('a payment below the economic minimum of its network is left out', () => {
  assert.deepEqual(quoteMethod(request({ total: decimal('0.59') })), {
    leftOut: 'BELOW_MINIMUM',
    reason: told('method_too_small', 'The smallest possible payment is 0.00001 BTC.', { least: '0.00001 BTC' }),
  });
  assert.equal(quoted({ total: decimal('0.6') }).paymentUnits, 1_000n);
});

test('a method whose rate is missing is left out with the reason, whichever of the three it is', () => {
  const unknown = { ...bitcoin, assetId: 'XYZ:GISSUER', code: 'XYZ' };
  const reason = told('method_no_rate', 'There is no current rate for XYZ: no source knows it.', { code: 'XYZ' });
  for (const changes of [{ paid: unknown }, { settlement: unknown }, { billing: { code: 'XYZ', decimals: 2 } }])
    assert.deepEqual(quoteMethod(request(changes)), { leftOut: 'NO_RATE', reason });
});

test('a total that rounds to nothing is left out', () => {
  const outcome = quoteMethod(request({ total: decimal('0.004'), paid: lightning }));
  const reason = told('method_too_little', 'The total rounds to 0 USD.');
  assert.deepEqual(outcome, { leftOut: 'BELOW_MINIMUM', reason });
});

const anyTotal = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((digits) => fromUnits(digits, 4));
const anyRate = fc.bigInt({ min: 1n, max: 10n ** 13n }).map((digits): Decimal => ({ digits, scale: 8 }));
const anyFees = fc.record({
  percent: fc.bigInt({ min: 0n, max: 1_200n }).map((digits) => fromUnits(digits, 3)),
  minimumUsd: fc.bigInt({ min: 0n, max: 1_000n }).map((digits) => fromUnits(digits, 2)),
});

/** Random rates, scales and fees around one total; `assetId` decides whether a conversion is needed. */
const anyRequest = fc
  .record({
    total: anyTotal,
    billingUsd: anyRate,
    paidUsd: anyRate,
    creditedUsd: anyRate,
    railScale: fc.integer({ min: 0, max: 18 }),
    finer: fc.integer({ min: 0, max: 4 }),
    creditedScale: fc.integer({ min: 2, max: 18 }),
    decimals: fc.constantFrom(0, 2, 3),
    fees: anyFees,
    bufferDigits: fc.bigInt({ min: 0n, max: 50n }),
    isConverted: fc.boolean(),
    isExact: fc.boolean(),
  })
  .map((draw): QuoteRequest => {
    const prices: Record<string, Decimal> = { BIL: draw.billingUsd, PAI: draw.paidUsd, CRE: draw.creditedUsd };
    return {
      total: draw.total,
      billing: { code: 'BIL', decimals: draw.decimals },
      paid: {
        assetId: 'PAI:G',
        code: 'PAI',
        paymentCode: 'PAI',
        railScale: draw.railScale,
        ledgerScale: draw.railScale + draw.finer,
        minimumUnits: 1n,
      },
      settlement: draw.isConverted ? { assetId: 'CRE:G', code: 'CRE', ledgerScale: draw.creditedScale } : 'ORIGIN',
      fees: draw.fees,
      bufferOf: () => fromUnits(draw.bufferDigits, 3),
      spread: decimal(0),
      rateOf: (code) => ({ usd: prices[code] ?? decimal(1), sources: ['a', 'b'], at }),
      isExact: draw.isExact,
      isAtBooking: false,
    };
  });

const usdOf = (made: QuoteRequest, code: string): Decimal => (made.rateOf(code) as CombinedRate).usd;

test('a price that was converted is asked for in few digits, and the books go by them', () => {
  const ether = { ...bitcoin, assetId: 'ETH:GISSUER', code: 'ETH', paymentCode: 'ETH', ledgerScale: 18, railScale: 18 };
  const quote = quoted({ total: decimal('20.19'), paid: ether, isExact: false, fees: noFees });
  assert.deepEqual([quote.paymentAmount, quote.settlement.amount], ['0.00673', '0.00673']);
  const converted = quoted({ total: decimal('20.19'), paid: ether, settlement: usdc, isExact: false, fees: noFees });
  // 20.19 × 1.01 ÷ 3000 = 0.0067973; the merchant is credited the price, not what rounding adds.
  assert.deepEqual([converted.paymentAmount, converted.settlement.amount], ['0.0067973', '20.19']);
  assert.equal(quoted({ paid: lightning, isExact: false }).paymentAmount, '41670', 'whole satoshis');
});

test('fewer digits cost the payer no more than a ten-thousandth', () => {
  fc.assert(
    fc.property(anyRequest, (made) => {
      const [exact, rounded] = [true, false].map((isExact) => quoteMethod({ ...made, isExact }));
      if (!exact || !rounded || !isQuote(exact) || !isQuote(rounded)) return;
      assert.ok(rounded.paymentUnits >= exact.paymentUnits);
      assert.ok((rounded.paymentUnits - exact.paymentUnits) * 10_000n <= exact.paymentUnits);
    }),
  );
});

test('what the payer pays is worth at least the price and its buffer, and one unit less would not be', () => {
  fc.assert(
    fc.property(anyRequest, (drawn) => {
      const made = { ...drawn, isExact: true };
      const quote = quoteMethod(made);
      if (!isQuote(quote)) return;
      const price = roundTo(made.total, made.billing.decimals, 'half-up');
      const buffer = made.settlement === 'ORIGIN' ? decimal(0) : made.bufferOf('PAI', 'CRE');
      const value = times(times(price, usdOf(made, 'BIL')), plus(decimal(1), buffer));
      const worth = (units: bigint): Decimal => times(fromUnits(units, made.paid.railScale), usdOf(made, 'PAI'));
      assert.ok(!isLess(worth(quote.paymentUnits), value));
      assert.ok(isLess(worth(quote.paymentUnits - 1n), value));
    }),
  );
});

test('the merchant is never promised more than the price is worth, and at most a unit less', () => {
  fc.assert(
    fc.property(anyRequest, (made) => {
      const quote = quoteMethod(made);
      if (!isQuote(quote) || made.settlement === 'ORIGIN') return;
      const price = roundTo(made.total, made.billing.decimals, 'half-up');
      const value = times(price, usdOf(made, 'BIL'));
      const scale = made.settlement.ledgerScale;
      const worth = (units: bigint): Decimal => times(fromUnits(units, scale), usdOf(made, 'CRE'));
      assert.ok(!isLess(value, worth(quote.settlement.grossUnits)));
      assert.ok(isLess(value, worth(quote.settlement.grossUnits + 1n)));
    }),
  );
});

test('without conversion there is no buffer and the gross is exactly what was paid', () => {
  fc.assert(
    fc.property(anyRequest, (made) => {
      const quote = quoteMethod({ ...made, settlement: 'ORIGIN' });
      if (!isQuote(quote)) return;
      assert.equal(quote.bufferApplied, '0');
      assert.equal(quote.settlement.amount, quote.paymentAmount);
    }),
  );
});

test('net and fee add up to the gross, and the fee is neither negative nor more than the gross', () => {
  fc.assert(
    fc.property(anyRequest, (made) => {
      const quote = quoteMethod(made);
      if (!isQuote(quote)) return;
      const { grossUnits, netUnits, feeUnits } = quote.settlement;
      assert.equal(netUnits + feeUnits, grossUnits);
      assert.ok(feeUnits >= 0n && netUnits >= 0n);
      const wanted = times({ digits: grossUnits, scale: 0 }, made.fees.percent);
      assert.ok(feeUnits === grossUnits || !isLess({ digits: feeUnits, scale: 0 }, wanted));
    }),
  );
});

test('a larger total never costs the payer less nor credits the merchant less', () => {
  fc.assert(
    fc.property(anyRequest, anyTotal, (made, more) => {
      const smaller = quoteMethod(made);
      const larger = quoteMethod({ ...made, total: plus(made.total, more) });
      if (!isQuote(smaller)) return;
      assert.ok(isQuote(larger));
      assert.ok(larger.paymentUnits >= smaller.paymentUnits);
      assert.ok(larger.settlement.grossUnits >= smaller.settlement.grossUnits);
    }),
  );
});

test('the buffer pays for a market that falls by as much within the 120 minutes', () => {
  fc.assert(
    fc.property(anyRequest, (made) => {
      const quote = quoteMethod(made);
      if (!isQuote(quote) || made.settlement === 'ORIGIN') return;
      const fallen = divide(usdOf(made, 'PAI'), plus(decimal(1), made.bufferOf('PAI', 'CRE')), 40, 'up');
      const received = times(fromUnits(quote.paymentUnits, made.paid.railScale), fallen);
      const owed = times(fromUnits(quote.settlement.grossUnits, made.settlement.ledgerScale), usdOf(made, 'CRE'));
      assert.ok(minus(received, owed).digits >= 0n);
    }),
  );
});

test('where two sources disagree a little the payer gives, and the merchant is credited, what is safe', () => {
  const range = { low: decimal('59850'), high: decimal('60150') };
  const doubtful = (code: string) =>
    code === 'BTC' ? { usd: decimal('60000'), range, sources: ['a', 'b'], at } : rateOf(code);
  const amounts = (changes: Partial<QuoteRequest>) => {
    const { paymentAmount, settlement, bufferApplied } = quoted({
      rateOf: doubtful,
      bufferOf: () => decimal(0),
      ...changes,
    });
    return [paymentAmount, settlement.amount, bufferApplied];
  };
  const total = decimal('600');
  assert.deepEqual(amounts({ total }), ['0.01002507', '0.01002507', '0'], '600 ÷ 59850');
  assert.deepEqual(
    amounts({ total, paid: usdcOnEthereum, settlement: bitcoin }),
    ['600', '0.00997506', '0'],
    '600 ÷ 60150',
  );
  const inBitcoin = { total: decimal('0.01'), billing: { code: 'BTC', decimals: 8 } };
  assert.deepEqual(amounts(inBitcoin), ['0.01', '0.01', '0'], 'its own price is not in doubt');
  assert.deepEqual(amounts({ ...inBitcoin, paid: usdcOnEthereum, settlement: bitcoin }), ['601.5', '0.01', '0']);
  assert.deepEqual(amounts({ ...inBitcoin, settlement: usdc }), ['0.01', '598.5', '0']);
});

test('the buffer grows with the margins of both rates, but only where something is converted', () => {
  const margins: Record<string, string> = { BTC: '0.003', USDC: '0.001' };
  const old = (code: string) => ({ ...rateOf(code), margin: decimal(margins[code] ?? 0) }) as CombinedRate;
  assert.equal(quoted({ rateOf: old, settlement: usdc }).bufferApplied, '0.014');
  assert.equal(quoted({ rateOf: old }).bufferApplied, '0');
  const kept = { rateOf: old, settlement: usdc, spread: decimal('0.005') };
  assert.equal(quoted(kept).bufferApplied, '0.019', 'and with what the house keeps of every exchange');
});

test('what is decided at the booking is shown as it would be now: less what any exchange costs, and asked for as it is', () => {
  const table = (code: string) =>
    ({ ...rateOf(code), margin: decimal(code === 'USDC' ? '0.01' : '0') }) as CombinedRate;
  const wish = { settlement: usdc, isAtBooking: true, rateOf: table, spread: decimal('0.005') };
  const { paymentAmount, settlement, bufferApplied } = quoted({ ...wish, total: decimal('600') });
  assert.deepEqual([paymentAmount, settlement.amount, bufferApplied], ['0.01', '591', '0']);
});
