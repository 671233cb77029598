import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { atLeastOne } from '../../test/at-least-one.ts';
import { compare, decimal, formatDecimal, isLess } from '../money/decimal.ts';
import { bitfinexRates } from './bitfinex-rates.ts';
import { bitstampRates } from './bitstamp-rates.ts';
import { coinbaseRates } from './coinbase-rates.ts';
import { coingeckoRates } from './coingecko-rates.ts';
import { ecbRates } from './ecb-rates.ts';
import { fixedRateCodes, fixedRates } from './fixed-rates.ts';
import { krakenRates } from './kraken-rates.ts';
import { liveRateSources } from './live-rate-sources.ts';
import { openErApiRates } from './open-er-api-rates.ts';
import type { RateSource } from './rate-source.ts';

const crypto = ['BTC', 'ETH', 'LTC', 'XLM', 'XRP', 'USDC', 'USDT'];

/** In the shape of the real replies, but written by hand: see the README beside them. */
const sample = (name: string): string =>
  readFileSync(new URL(`../../test/vectors/rates/${name}`, import.meta.url), 'utf8');

const replyOf = (source: RateSource): string => sample(source.name === 'ecb' ? 'ecb.xml' : `${source.name}.json`);

/** The rates as text, by code, from a source that answers with `reply`. */
async function read(source: RateSource, reply: string, codes: readonly string[]): Promise<Record<string, string>> {
  const rates = await source.fetchRates(async () => reply, codes);
  return Object.fromEntries(rates.map(({ code, usd }) => [code, formatDecimal(usd)]));
}

test('replies that every source really gave on some day are read to the last digit', async () => {
  const recorded: readonly [RateSource, Record<string, string>, at?: string][] = [
    [krakenRates, { BTC: '44099.95' }],
    [bitfinexRates, { BTC: '23227.5', LTC: '107.115' }],
    [bitstampRates, { BTC: '26209.5' }, '2023-06-06T16:29:04Z'],
    [coingeckoRates, { BTC: '97330.07874144994' }, '2024-12-21T03:38:48Z'],
    [coinbaseRates, { BTC: '4000', CHF: '1', BHD: '2.652519893899204244031830' }],
    [ecbRates, { EUR: '1.1905', GBP: '1.296064449403951880681509' }, '2017-09-04T14:00:00Z'],
    [openErApiRates, { BHD: '2.659574468085106382978723', AED: '0.272294077603812117086453' }, '2024-08-19T00:02:31Z'],
  ];
  assert.deepEqual(new Set(recorded.map(([source]) => source)), new Set(liveRateSources));
  for (const [source, prices, at] of recorded) {
    const reply = sample(`recorded/${source.name}.${source === ecbRates ? 'xml' : 'json'}`);
    const rates = await source.fetchRates(async () => reply, Object.keys(prices));
    const expected = Object.entries(prices).map(([code, usd]) => ({
      code,
      usd: decimal(usd),
      ...(at && { publishedAt: new Date(at) }),
    }));
    assert.deepEqual(rates, expected, source.name);
  }
});

test('Kraken tells the middle of its book for every crypto asset', async () => {
  assert.deepEqual(await read(krakenRates, sample('kraken.json'), crypto), {
    BTC: '60010',
    ETH: '3001.495',
    LTC: '80.02',
    XLM: '0.10012',
    XRP: '0.50104',
    USDC: '0.99995',
    USDT: '1.00025',
  });
});

test('Bitstamp tells the middle of its book and when it was', async () => {
  const rates = await bitstampRates.fetchRates(async () => sample('bitstamp.json'), ['BTC', 'XLM']);
  const publishedAt = new Date('2026-11-14T12:00:00Z');
  assert.deepEqual(rates, [
    { code: 'BTC', usd: decimal('60005'), publishedAt },
    { code: 'XLM', usd: decimal('0.10005'), publishedAt },
  ]);
});

test('Bitfinex writes prices as JSON numbers, and none of their digits is lost', async () => {
  assert.deepEqual(await read(bitfinexRates, sample('bitfinex.json'), ['BTC', 'LTC', 'USDC']), {
    BTC: '60012.5',
    LTC: '80.02',
    USDC: '0.99995',
  });
});

test('CoinGecko writes more digits than a float holds, and none of them is lost', async () => {
  const rates = await read(coingeckoRates, sample('coingecko.json'), ['BTC', 'XRP']);
  assert.deepEqual(rates, { BTC: '60008.123456789014', XRP: '0.501020449' });
  const longer = sample('coingecko.json').replace('60008.123456789014', '60008.12345678901234567891');
  assert.equal((await read(coingeckoRates, longer, ['BTC'])).BTC, '60008.12345678901234567891');
});

test('Coinbase tells what a dollar buys, which is turned round', async () => {
  const rates = await read(coinbaseRates, sample('coinbase.json'), ['BTC', 'VND', 'EUR', 'USDC']);
  assert.match(rates.BTC ?? '', /^60010\.0004/);
  assert.equal(rates.VND, '0.00004');
  assert.equal(rates.EUR, '1.080030240846743708823847');
  assert.equal(rates.USDC, '1');
});

test('Coinbase is not believed about a code that is also the name of a token', async () => {
  const reply = sample('coinbase.json').replace('"AED"', '"MNT":"0.8","AED"');
  assert.deepEqual(Object.keys(await read(coinbaseRates, reply, ['MNT', 'EUR'])), ['EUR']);
});

test('the ECB is based on the euro and is turned into dollars with its own dollar line', async () => {
  const rates = await ecbRates.fetchRates(async () => sample('ecb.xml'), ['EUR', 'HUF', 'SEK', 'BTC', 'ARS']);
  const publishedAt = new Date('2026-11-13T14:00:00Z');
  assert.deepEqual(rates, [
    { code: 'EUR', usd: decimal('1.08'), publishedAt },
    { code: 'HUF', usd: decimal('0.0027'), publishedAt },
    { code: 'SEK', usd: decimal('0.096'), publishedAt },
  ]);
});

test('the open exchange rates carry the day on which they were made', async () => {
  const rates = await openErApiRates.fetchRates(async () => sample('open-er-api.json'), ['BHD', 'VEF']);
  assert.deepEqual(
    rates.map(({ code, publishedAt }) => ({ code, publishedAt })),
    [{ code: 'BHD', publishedAt: new Date('2026-11-14T00:02:31Z') }],
  );
  assert.equal(formatDecimal(rates[0]?.usd ?? decimal(0)), '2.659574468085106382978723');
});

test('the crypto sources agree with each other on the recorded day', async () => {
  for (const code of crypto) {
    const prices = [];
    for (const source of liveRateSources.filter(({ kind }) => kind !== 'fiat'))
      prices.push(...(await source.fetchRates(async () => replyOf(source), [code])));
    assert.equal(prices.length, 5, code);
    const sorted = prices.map(({ usd }) => usd).toSorted(compare);
    const [lowest, highest] = [sorted[0] ?? decimal(0), sorted.at(-1) ?? decimal(0)];
    assert.ok(isLess(highest, { digits: lowest.digits * 102n, scale: lowest.scale + 2 }), code);
  }
});

test('a source is not asked for what it does not know', async () => {
  const unasked = () => assert.fail('no request was needed');
  for (const source of [krakenRates, bitstampRates, bitfinexRates, coingeckoRates])
    assert.deepEqual(await source.fetchRates(unasked, ['EUR', 'XYZ']), []);
  for (const source of liveRateSources) assert.deepEqual(await source.fetchRates(unasked, []), []);
});

test('every source is asked over https', async () => {
  for (const source of liveRateSources) {
    const urls: string[] = [];
    const answer = async (url: string) => {
      urls.push(url);
      return replyOf(source);
    };
    await source.fetchRates(answer, ['BTC', 'LTC', 'EUR']);
    assert.equal(urls.length, 1, source.name);
    assert.equal(new URL(urls[0] ?? '').protocol, 'https:', source.name);
  }
});

const brokenPrices = [
  '0',
  '-60000',
  '0.0',
  '1e30',
  '1e-20',
  'NaN',
  'Infinity',
  '',
  ' 60000',
  '60,000',
  '0x10',
  '9'.repeat(200),
];

test('a price that is zero, negative, absurd or no number is refused, and the others stay', async () => {
  const cases: readonly { source: RateSource; good: string; broken: (price: string) => string }[] = [
    { source: krakenRates, good: '"a":["60010.10000"', broken: (price) => `"a":["${price}"` },
    { source: coinbaseRates, good: '"BTC":"0.0000166638892185"', broken: (price) => `"BTC":"${price}"` },
    { source: bitstampRates, good: '"bid":"60004"', broken: (price) => `"bid":"${price}"` },
    { source: bitfinexRates, good: '60012,', broken: (price) => `"${price}",` },
    { source: coingeckoRates, good: '60008.123456789014', broken: (price) => `"${price}"` },
  ];
  for (const { source, good, broken } of cases)
    for (const price of brokenPrices) {
      const reply = replyOf(source).replace(good, broken(price));
      assert.notEqual(reply, replyOf(source));
      assert.deepEqual(Object.keys(await read(source, reply, ['BTC', 'LTC'])), ['LTC'], `${source.name} ${price}`);
    }
});

test('a fiat rate that is zero, negative, absurd or no number is refused, and the others stay', async () => {
  for (const price of brokenPrices) {
    const ecb = sample('ecb.xml').replace('400.00', price);
    assert.deepEqual(Object.keys(await read(ecbRates, ecb, ['HUF', 'SEK'])), ['SEK'], `ecb ${price}`);
    const openErApi = sample('open-er-api.json').replace('25011.331908', JSON.stringify(price));
    assert.deepEqual(
      Object.keys(await read(openErApiRates, openErApi, ['VND', 'LBP'])),
      ['LBP'],
      `open-er-api ${price}`,
    );
  }
});

test('a price of null, an object or nothing at all is refused', async () => {
  for (const value of ['null', '{}', '[]', 'true', '{"usd":1}']) {
    const reply = sample('coingecko.json').replace('60008.123456789014', value);
    assert.deepEqual(Object.keys(await read(coingeckoRates, reply, ['BTC', 'LTC'])), ['LTC']);
  }
  const shorter = sample('kraken.json').replace('XXBTZUSD', 'SOMETHING');
  assert.deepEqual(Object.keys(await read(krakenRates, shorter, ['BTC', 'LTC'])), ['LTC']);
});

test('a crossed or empty book has no middle', async () => {
  const crossed = sample('bitstamp.json').replace('"bid":"60004"', '"bid":"60007"');
  assert.equal((await read(bitstampRates, crossed, ['BTC'])).BTC, undefined);
  const wide = sample('bitstamp.json').replace('"bid":"60004"', '"bid":"57000"');
  assert.equal((await read(bitstampRates, wide, ['BTC'])).BTC, undefined);
});

test('a reply that is not what was asked for is an error, not an empty answer', async () => {
  const replies: readonly [RateSource, string][] = [
    [krakenRates, '{"error":["EQuery:Unknown asset pair"]}'],
    [coinbaseRates, '{"errors":[{"id":"invalid_request","message":"Invalid currency"}]}'],
    [coinbaseRates, sample('coinbase.json').replace('"currency":"USD"', '"currency":"EUR"')],
    [bitstampRates, '{"status":"error","reason":"Missing key"}'],
    [bitfinexRates, '{"error":10020}'],
    [coingeckoRates, '{"status":{"error_code":429}}'],
    [ecbRates, '<html>maintenance</html>'],
    [ecbRates, sample('ecb.xml').replace("currency='USD' rate='1.0800'", "currency='USD' rate='0'")],
    [ecbRates, sample('ecb.xml').replace('2026-11-13', '2026-99-13')],
    [openErApiRates, '{"result":"error","error-type":"quota-reached"}'],
    [openErApiRates, sample('open-er-api.json').replace('"base_code":"USD"', '"base_code":"EUR"')],
  ];
  for (const [source, reply] of replies)
    await assert.rejects(read(source, reply, ['BTC', 'EUR']), new RegExp(source.name));
  for (const source of atLeastOne(liveRateSources.filter(({ name }) => name !== 'ecb')))
    for (const reply of ['', '<html></html>', '{"data":', 'null'])
      await assert.rejects(read(source, reply, ['BTC', 'EUR']), source.name);
});

test('the sandbox prices every currency that existing clients bill in', async () => {
  const billed =
    'ARS AUD BHD BDT BMD BTC BRL GBP CAD CLP CNY CZK DKK AED ETH EUR HKD HUF INR IDR ILS JPY KRW KWD LTC MYR MXN MMK ' +
    'NZD NGN NOK PKR PHP PLN XRP RUB SAR SGD ZAR LKR XLM SEK CHF TWD THB TRY UAH USD VEF VND USDC USDT';
  const rates = await read(fixedRates, '', billed.split(' '));
  assert.deepEqual(Object.keys(rates), billed.split(' '));
  assert.equal(rates.BTC, '60000');
  assert.equal(rates.EUR, '1.08');
  assert.ok(fixedRateCodes.length > 150);
});
