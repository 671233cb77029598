/**
 * Banks publish what money is worth once a day, and the market goes on. Somebody who knows the market of every hour exchanges
 * euros or reais for dollars, or the other way round, whenever the table is behind it: played for some years with the
 * volatilities that these have.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMs, hours } from '../lib/clock.ts';
import { decimal, formatDecimal, one, zero } from '../money/decimal.ts';
import { convertAmount, exchangeRate, isConversion } from './conversion.ts';
import { ecbRates } from './ecb-rates.ts';
import { tableDrift } from './market-buffer.ts';
import { createRateBook } from './rate-book.ts';

const start = new Date('2024-01-01T14:00:00Z');
const fee = 0.005;
const [dayHours, yearHours] = [24, 8_766];
const days = 3 * 365;

/** Mulberry: the same walk every time. */
function drawer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** In parts of what is exchanged, over all the time: what the table gave beyond what the market says. */
function gainOf(percentAYear: number, hasMargin: boolean): number {
  const draw = drawer(percentAYear);
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  let now = start;
  const variance = BigInt(Math.round((percentAYear ** 2 * 1e14) / yearHours));
  const book = createRateBook({
    clock: { now: () => now },
    sources: [ecbRates],
    currencies: [{ code: 'EUR', kind: 'fiat' }],
    ...(hasMargin && {
      driftOf: (_: string, ageMs: number) =>
        tableDrift({ flat: null, least: decimal('0.0025'), most: decimal('0.05') }, variance, ageMs),
    }),
  });
  let [worth, gain] = [1, 0];
  for (let day = 0; day < days; day += 1) {
    now = addMs(start, hours(day * dayHours));
    book.record([{ source: 'ecb', code: 'EUR', usd: decimal(worth.toFixed(8)), observedAt: now }]);
    // Who waits for the last hour of a table has the most to choose from.
    now = addMs(now, hours(dayHours - 1));
    worth *= Math.exp((percentAYear / 100) * Math.sqrt(dayHours / yearHours) * normal());
    const got = (from: string, to: string, market: number) => rateOf(book, from, to) * market * (1 - fee) - 1;
    gain += Math.max(0, got('EUR', 'USD', 1 / worth), got('USD', 'EUR', worth));
  }
  return gain;
}

function rateOf(book: ReturnType<typeof createRateBook>, from: string, to: string): number {
  const rate = exchangeRate(book.rate, from, to, zero);
  assert.ok(isConversion(rate), 'there is a rate');
  return Number(formatDecimal(convertAmount(rate, one, 12, 'down')));
}

test('who swaps whenever the banks’ table is behind the market earns next to nothing by it', () => {
  const played = [8, 15].map((percent) => ({
    percent,
    before: gainOf(percent, false),
    after: gainOf(percent, true),
  }));
  for (const { percent, before, after } of played) {
    assert.ok(before > 0.2, `${percent} % a year: without a margin it pays (${before})`);
    assert.ok(after < before / 50, `${percent} % a year: ${after} instead of ${before}`);
  }
});
