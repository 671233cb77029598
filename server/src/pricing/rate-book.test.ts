import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMs, hours, minutes } from '../lib/clock.ts';
import { decimal, formatDecimal } from '../money/decimal.ts';
import { isRate, marginOf } from './combine-rates.ts';
import { isOfAfter } from './conversion.ts';
import { fixedRates } from './fixed-rates.ts';
import { liveRateSources } from './live-rate-sources.ts';
import { createRateBook } from './rate-book.ts';
import type { RateObservation, RateSource } from './rate-source.ts';

const start = new Date('2026-11-14T12:00:00Z');
const currencies = [
  { code: 'BTC', kind: 'crypto' },
  { code: 'USDC', kind: 'crypto' },
  { code: 'EUR', kind: 'fiat' },
  { code: 'USD', kind: 'fiat' },
] as const;

type BookOptions = Parameters<typeof createRateBook>[0];

function openBook(sources: readonly RateSource[] = liveRateSources, more: Pick<BookOptions, 'driftOf'> = {}) {
  let now = start;
  const book = createRateBook({ clock: { now: () => now }, sources, currencies, ...more });
  const wait = (ms: number) => {
    now = addMs(now, ms);
  };
  const said = (source: string, code: string, usd: string): RateObservation => ({
    source,
    code,
    usd: decimal(usd),
    observedAt: now,
  });
  const usd = (code: string): string | undefined => {
    const rate = book.rate(code);
    return isRate(rate) ? formatDecimal(rate.usd) : undefined;
  };
  return { book, wait, said, usd };
}

test('a dollar is a dollar, whatever the sources say', () => {
  const { book, said, usd } = openBook();
  book.record([said('open-er-api', 'USD', '0.97')]);
  assert.equal(usd('USD'), '1');
});

test('a later observation of a source replaces its earlier one, never the other way round', () => {
  const { book, wait, said, usd } = openBook();
  const early = [said('kraken', 'BTC', '60000'), said('bitstamp', 'BTC', '60000')];
  wait(minutes(1));
  book.record([said('kraken', 'BTC', '61000'), said('bitstamp', 'BTC', '61000')]);
  book.record(early);
  assert.equal(usd('BTC'), '61000');
});

test('the book remembers its last good rate for a while after the sources fell silent', () => {
  const { book, wait, said, usd } = openBook();
  book.record([said('kraken', 'BTC', '60000'), said('bitstamp', 'BTC', '60000')]);
  wait(minutes(5));
  assert.equal(usd('BTC'), '60000');
  wait(1);
  assert.equal(usd('BTC'), undefined);
});

test('a source that is not configured is not believed', () => {
  const { book, said, usd } = openBook();
  book.record([said('fixed', 'BTC', '1'), said('kraken', 'BTC', '60000'), said('bitstamp', 'BTC', '60000')]);
  assert.equal(usd('BTC'), '60000');
});

test('a bank’s table is not believed about a crypto asset', () => {
  const { book, said, usd } = openBook();
  book.record([said('ecb', 'BTC', '60000'), said('open-er-api', 'BTC', '60000')]);
  assert.equal(usd('BTC'), undefined);
});

test('the sandbox needs only its fixed source, which never grows old', () => {
  const { book, wait, said, usd } = openBook([fixedRates]);
  book.record([said('fixed', 'BTC', '60000')]);
  wait(minutes(100_000));
  assert.equal(usd('BTC'), '60000');
});

test('a currency that was never heard of is missing, with a reason', () => {
  const { book } = openBook();
  assert.deepEqual(book.rate('XYZ'), { missing: 'XYZ is not a currency with a rate' });
  assert.deepEqual(book.rate('EUR'), { missing: '0 of at least 1 sources have a fresh price' });
});

test('a price between two currencies goes through the dollar and names every source', () => {
  const { book, wait, said } = openBook();
  book.record([said('ecb', 'EUR', '1.2')]);
  wait(minutes(1));
  book.record([said('kraken', 'BTC', '60000'), said('bitstamp', 'BTC', '60000')]);
  assert.deepEqual(book.price('BTC', 'EUR'), {
    price: decimal('50000'),
    sources: ['bitstamp', 'ecb', 'kraken'],
    at: start,
  });
  assert.equal('missing' in book.price('BTC', 'USDC'), true);
  assert.equal('missing' in book.price('USDC', 'BTC'), true);
});

test('bitcoin on Lightning has the rate of bitcoin, and a satoshi a hundred-millionth of it', () => {
  const { book, said, usd } = openBook();
  assert.equal(usd('BTCLN'), undefined);
  book.record([said('kraken', 'BTC', '60000'), said('bitstamp', 'BTC', '60000'), said('coinbase', 'SAT', '1')]);
  assert.equal(usd('BTCLN'), '60000');
  assert.equal(usd('SAT'), '0.0006');
});

test('an old rate, and one that few vouch for, has a margin; a fixed price has none', () => {
  const { book, wait, said } = openBook();
  const margin = (code: string) => {
    const rate = book.rate(code);
    return isRate(rate) ? formatDecimal(marginOf(rate)) : rate.missing;
  };
  book.record(['kraken', 'bitstamp', 'coinbase'].map((source) => said(source, 'BTC', '60000')));
  book.record([said('ecb', 'EUR', '1.08'), said('kraken', 'USDC', '1'), said('bitstamp', 'USDC', '1')]);
  assert.deepEqual([margin('BTC'), margin('BTCLN'), margin('USDC'), margin('USD')], ['0', '0', '0.001', '0']);
  wait(1);
  assert.equal(margin('BTC'), '0.001', 'a minute that has begun');
  wait(minutes(1) - 1);
  assert.equal(margin('BTC'), '0.001');
  wait(minutes(4));
  assert.deepEqual([margin('BTC'), margin('USDC')], ['0.005', '0.006']);
  const { book: fixed, said: saidBy } = openBook([fixedRates]);
  fixed.record([saidBy('fixed', 'EUR', '1.08')]);
  const rate = fixed.rate('EUR');
  assert.ok(isRate(rate) && rate.margin === undefined);
});

test('a bank’s table has a margin: what the money may have moved since, and how far two of them are apart', () => {
  const seen: [string, number][] = [];
  const driftOf = (code: string, ageMs: number) => {
    seen.push([code, ageMs]);
    return decimal('0.004');
  };
  const { book, wait, said } = openBook(liveRateSources, { driftOf });
  const rateOf = () => {
    const rate = book.rate('EUR');
    assert.ok(isRate(rate));
    return rate;
  };
  book.record([said('ecb', 'EUR', '1')]);
  wait(hours(20));
  assert.deepEqual([formatDecimal(marginOf(rateOf())), seen.at(-1)], ['0.004', ['EUR', hours(20)]]);
  // One of them may be right, whichever: the middle is so far off at most.
  book.record([said('open-er-api', 'EUR', '1.03')]);
  assert.deepEqual([formatDecimal(rateOf().usd), formatDecimal(marginOf(rateOf()))], ['1.015', '0.018779']);
  assert.deepEqual(seen.at(-1), ['EUR', hours(20)], 'the older of them');
  wait(hours(2));
  assert.equal(rateOf().range, undefined, 'prices in euros stay in the middle');
});

test('there is no newer table to wait for', () => {
  const { book, said, wait } = openBook();
  book.record([
    said('ecb', 'EUR', '1.08'),
    ...['kraken', 'bitstamp', 'coinbase'].map((each) => said(each, 'USDC', '1')),
  ]);
  const later = addMs(start, 1);
  assert.equal(isOfAfter(book.rate, ['EUR', 'USDC'], start), true);
  assert.equal(isOfAfter(book.rate, ['EUR', 'USDC'], later), false, 'of the coin there is one');
  wait(1);
  book.record(['kraken', 'bitstamp', 'coinbase'].map((each) => said(each, 'USDC', '1')));
  assert.equal(isOfAfter(book.rate, ['EUR', 'USDC'], later), true);
});

test('a price that cannot be written down is the nearest one to 24 decimals', () => {
  const { book, said } = openBook();
  book.record(['kraken', 'bitstamp'].flatMap((source) => [said(source, 'BTC', '2'), said(source, 'USDC', '3')]));
  const price = book.price('BTC', 'USDC');
  assert.ok('price' in price);
  assert.equal(formatDecimal(price.price), `0.${'6'.repeat(23)}7`);
});
