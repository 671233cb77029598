import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addMs, hours, minutes } from '../lib/clock.ts';
import { compare, type Decimal, decimal, formatDecimal, isLess, times } from '../money/decimal.ts';
import { type CombinedRate, combineRates, defaultRateLimits, highUsd, isRate, lowUsd } from './combine-rates.ts';
import type { RateObservation } from './rate-source.ts';

const now = new Date('2026-11-14T12:00:00Z');
const { crypto, fiat } = defaultRateLimits;

const said = (source: string, usd: string | Decimal, ageMs = 0): RateObservation => ({
  source,
  code: 'BTC',
  usd: typeof usd === 'string' ? decimal(usd) : usd,
  observedAt: addMs(now, -ageMs),
});

const usdOf = (rate: ReturnType<typeof combineRates>): string =>
  isRate(rate) ? formatDecimal(rate.usd) : rate.missing;

test('the rate is the median of the sources, with their names and the time of the oldest', () => {
  const rate = combineRates(
    [said('kraken', '60010', minutes(1)), said('bitstamp', '60005'), said('coinbase', '60100', minutes(2))],
    crypto,
    now,
  );
  assert.deepEqual(rate, {
    usd: decimal('60010'),
    sources: ['bitstamp', 'coinbase', 'kraken'],
    at: addMs(now, -minutes(2)),
  });
});

test('the median of an even number of sources lies in the middle of the middle two', () => {
  const four = ['100', '101', '100', '102'].map((usd, index) => said(`s${index}`, usd));
  assert.equal(usdOf(combineRates(four, crypto, now)), '100.5');
});

test('two sources must agree within half a percent, and say from where to where', () => {
  const pair = (other: string) => combineRates([said('a', '60000'), said('b', other)], crypto, now);
  const rate = pair('60300');
  assert.ok(isRate(rate));
  assert.deepEqual([usdOf(rate), lowUsd(rate), highUsd(rate)], ['60150', decimal('60000'), decimal('60300')]);
  assert.match(usdOf(pair('60300.01')), /only two sources vouch for a price, and they disagree/);
  assert.match(usdOf(pair('59701')), /disagree/, 'counted from the lower one');
});

test('a source that is exactly two percent off is still close, and one that is a little further is not', () => {
  const with3 = (third: string) => combineRates([said('a', '100'), said('b', '100'), said('c', third)], crypto, now);
  const sourcesOf = (rate: ReturnType<typeof combineRates>) => (isRate(rate) ? rate.sources : rate.missing);
  for (const close of ['102', '98']) assert.deepEqual(sourcesOf(with3(close)), ['a', 'b', 'c'], close);
  for (const far of ['102.000001', '97.999999']) assert.deepEqual(sourcesOf(with3(far)), ['a', 'b'], far);
});

test('a source that is far off does not vouch for the rate', () => {
  const rate = combineRates([said('a', '60000'), said('b', '60010'), said('c', '6000')], crypto, now);
  assert.ok(isRate(rate));
  assert.equal(usdOf(rate), '60005', 'so two are left, which must agree as two must');
  assert.deepEqual(rate.sources, ['a', 'b']);
  assert.match(usdOf(combineRates([said('a', '60000'), said('b', '60900'), said('c', '6000')], crypto, now)), /two/);
});

test('a crypto rate needs two sources that agree', () => {
  assert.match(usdOf(combineRates([said('a', '60000')], crypto, now)), /1 of at least 2 sources/);
  assert.match(usdOf(combineRates([said('a', '60000'), said('b', '70000')], crypto, now)), /disagree/);
  assert.match(usdOf(combineRates([said('a', '1'), said('b', '2'), said('c', '3')], crypto, now)), /disagree/);
});

test('two that agree are not enough against three that each say something else', () => {
  const five = ['50', '80', '100', '100.5', '150'].map((usd, index) => said(`s${index}`, usd));
  assert.match(usdOf(combineRates(five, crypto, now)), /2 of 5/);
});

test('half of the sources are not most of them, and one more is', () => {
  const rateOf = (...usd: string[]) =>
    usdOf(
      combineRates(
        usd.map((each, index) => said(`s${index}`, each)),
        crypto,
        now,
      ),
    );
  assert.match(rateOf('50', '100', '100.2', '150'), /2 of 4/);
  assert.match(rateOf('50', '60', '100', '100.2', '100.4', '150'), /3 of 6/);
  assert.equal(rateOf('50', '100', '100.2', '100.4', '150'), '100.2');
});

test('a stale source is not heard', () => {
  const rate = combineRates(
    [said('a', '60000'), said('b', '60010', minutes(2)), said('c', '50000', minutes(2) + 1)],
    crypto,
    now,
  );
  assert.ok(isRate(rate));
  assert.deepEqual(rate.sources, ['a', 'b']);
});

test('a source whose clock runs ahead is not heard', () => {
  assert.match(usdOf(combineRates([said('a', '1'), said('b', '1', -minutes(2))], crypto, now)), /1 of at least 2/);
});

test('a fiat rate needs one source that is not older than 72 hours', () => {
  assert.equal(usdOf(combineRates([said('ecb', '1.08', hours(72))], fiat, now)), '1.08');
  assert.match(usdOf(combineRates([said('ecb', '1.08', hours(72) + 1)], fiat, now)), /0 of at least 1/);
});

test('two fiat sources that contradict each other give no rate', () => {
  assert.match(usdOf(combineRates([said('ecb', '1.08'), said('open-er-api', '1.9')], fiat, now)), /disagree/);
});

const lastGood = (ageMs: number): CombinedRate => ({
  usd: decimal('60000'),
  sources: ['a', 'b'],
  at: addMs(now, -ageMs),
});

test('the last good rate bridges a silence of up to 5 minutes', () => {
  assert.equal(usdOf(combineRates([], crypto, now, lastGood(minutes(5)))), '60000');
  assert.match(usdOf(combineRates([], crypto, now, lastGood(minutes(5) + 1))), /0 of at least 2/);
});

test('the last good rate does not stand against a fresh price that contradicts it', () => {
  assert.equal(usdOf(combineRates([said('a', '60300')], crypto, now, lastGood(minutes(4)))), '60000');
  assert.match(usdOf(combineRates([said('a', '60301')], crypto, now, lastGood(minutes(4)))), /1 of at least 2/);
  const split = [said('a', '60000'), said('b', '50000')];
  assert.match(usdOf(combineRates(split, crypto, now, lastGood(minutes(1)))), /disagree/);
});

const price = fc.bigInt({ min: 1n, max: 10n ** 14n }).map((digits): Decimal => ({ digits, scale: 6 }));
const honestPrice = fc.bigInt({ min: 99_500n, max: 100_500n }).map((digits): Decimal => ({ digits, scale: 3 }));

test('sources that lie cannot move the rate past the honest ones while these are more', () => {
  const sources = fc
    .tuple(fc.array(honestPrice, { minLength: 3, maxLength: 6 }), fc.array(price, { maxLength: 5 }))
    .filter(([honest, lying]) => lying.length < honest.length);
  fc.assert(
    fc.property(sources, ([honest, lying]) => {
      const all = [...honest, ...lying].map((usd, index) => said(`s${index}`, usd));
      const rate = combineRates(all, crypto, now);
      assert.ok(isRate(rate), 'the honest majority agrees, so there is a rate');
      assert.ok(honest.some((usd) => !isLess(rate.usd, usd)));
      assert.ok(honest.some((usd) => !isLess(usd, rate.usd)));
    }),
  );
});

test('one liar among any number makes no price better for whoever asks by more than the bound, and among two by nothing', () => {
  const close = fc.bigInt({ min: 98_000n, max: 102_000n }).map((digits): Decimal => ({ digits, scale: 3 }));
  const sources = fc.tuple(fc.array(close, { minLength: 1, maxLength: 6 }), fc.oneof(close, price));
  fc.assert(
    fc.property(sources, ([honest, lie]) => {
      const rate = combineRates(
        [...honest, lie].map((usd, index) => said(`s${index}`, usd)),
        crypto,
        now,
      );
      if (!isRate(rate)) return;
      const [least, most] = [honest.toSorted(compare)[0], honest.toSorted(compare).at(-1)] as [Decimal, Decimal];
      const bound = decimal('1.005');
      assert.ok(!isLess(times(lowUsd(rate), bound), least), 'what is paid is not valued much below');
      assert.ok(!isLess(times(most, bound), highUsd(rate)), 'what is given is not valued much above');
      assert.ok(!isLess(most, lowUsd(rate)) && !isLess(highUsd(rate), least), 'and neither is a bargain');
      if (honest.length === 1) assert.ok(!isLess(least, lowUsd(rate)) && !isLess(highUsd(rate), least));
    }),
  );
});

test('lies that stay close to the honest prices cannot move the rate past them either', () => {
  const close = fc.bigInt({ min: 95_000n, max: 105_000n }).map((digits): Decimal => ({ digits, scale: 3 }));
  const sources = fc
    .tuple(fc.array(close, { minLength: 3, maxLength: 6 }), fc.array(close, { maxLength: 5 }))
    .filter(([honest, lying]) => lying.length < honest.length);
  fc.assert(
    fc.property(sources, ([honest, lying]) => {
      const all = [...honest, ...lying].map((usd, index) => said(`s${index}`, usd));
      const rate = combineRates(all, crypto, now);
      if (!isRate(rate)) return;
      assert.ok(honest.some((usd) => !isLess(rate.usd, usd)));
      assert.ok(honest.some((usd) => !isLess(usd, rate.usd)));
    }),
  );
});

test('the order in which sources are read does not matter', () => {
  const observations = fc
    .array(fc.tuple(fc.oneof(price, honestPrice), fc.integer({ min: -120_000, max: 600_000 })), { maxLength: 7 })
    .map((items) => items.map(([usd, ageMs], index) => said(`s${index}`, usd, ageMs)));
  const shuffled = observations.chain((items) =>
    fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })),
  );
  fc.assert(
    fc.property(shuffled, ([items, again]) => {
      assert.deepEqual(combineRates(again, crypto, now), combineRates(items, crypto, now));
    }),
  );
});

test('a rate always rests on the required number of fresh sources', () => {
  const observations = fc
    .array(fc.tuple(honestPrice, fc.integer({ min: 0, max: 600_000 })), { maxLength: 6 })
    .map((items) => items.map(([usd, ageMs], index) => said(`s${index}`, usd, ageMs)));
  fc.assert(
    fc.property(observations, (items) => {
      const rate = combineRates(items, crypto, now);
      const fresh = items.filter(({ observedAt }) => now.getTime() - observedAt.getTime() <= crypto.ageMaxMs);
      // Two alone must agree more closely than these always do.
      if (fresh.length !== 2) assert.equal(isRate(rate), fresh.length >= 2);
      if (isRate(rate)) assert.ok(rate.at >= addMs(now, -crypto.ageMaxMs));
    }),
  );
});
