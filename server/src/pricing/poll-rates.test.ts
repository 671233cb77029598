import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { addMs, minutes } from '../lib/clock.ts';
import { createLog } from '../lib/log.ts';
import { decimal, formatDecimal } from '../money/decimal.ts';
import { isRate } from './combine-rates.ts';
import { fixedRateCodes, fixedRates } from './fixed-rates.ts';
import { liveRateSources } from './live-rate-sources.ts';
import { pollRates } from './poll-rates.ts';
import { createRateBook } from './rate-book.ts';
import type { RateObservation } from './rate-source.ts';
import { loadRates, saveRates } from './rate-store.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.drop());

const now = new Date('2026-11-14T12:00:30Z');
const clock = { now: () => now };
const log = createLog('silent');
const currencies = [
  { code: 'BTC', kind: 'crypto' },
  { code: 'XLM', kind: 'crypto' },
  { code: 'EUR', kind: 'fiat' },
  { code: 'USD', kind: 'fiat' },
] as const;
const names = liveRateSources.map(({ name }) => name);

const hosts: Readonly<Record<string, string>> = {
  'api.kraken.com': 'kraken.json',
  'api.coinbase.com': 'coinbase.json',
  'www.bitstamp.net': 'bitstamp.json',
  'api-pub.bitfinex.com': 'bitfinex.json',
  'api.coingecko.com': 'coingecko.json',
  'www.ecb.europa.eu': 'ecb.xml',
  'open.er-api.com': 'open-er-api.json',
};

const answering =
  (isUp: (host: string) => boolean) =>
  async (url: string): Promise<string> => {
    const { host } = new URL(url);
    if (!isUp(host)) throw new Error(`${host} does not answer`);
    return readFileSync(new URL(`../../test/vectors/rates/${hosts[host]}`, import.meta.url), 'utf8');
  };

test('what the worker polls, another process quotes from', async () => {
  const fetchText = answering(() => true);
  await pollRates({ db: database.db, clock, log, fetchText, sources: liveRateSources, currencies });

  const book = createRateBook({ clock, sources: liveRateSources, currencies });
  book.record(await loadRates(database.db, names));
  const bitcoin = book.rate('BTC');
  assert.ok(isRate(bitcoin));
  assert.equal(bitcoin.sources.length, 5);
  assert.match(formatDecimal(bitcoin.usd), /^60010/);
  const euro = book.rate('EUR');
  assert.ok(isRate(euro));
  assert.deepEqual(euro.sources, ['coinbase', 'ecb', 'open-er-api']);
  assert.deepEqual(euro.at, new Date('2026-11-13T14:00:00Z'));
});

test('sources that fail do not keep the others from being heard', async () => {
  const fetchText = answering((host) => host === 'api.kraken.com' || host === 'www.bitstamp.net');
  const polled = await pollRates({ db: database.db, clock, log, fetchText, sources: liveRateSources, currencies });
  const heard = polled.map(({ source, code }) => `${source} ${code}`).sort();
  assert.deepEqual(heard, ['bitstamp BTC', 'bitstamp XLM', 'kraken BTC', 'kraken XLM']);
});

test('a source whose clock is ahead of ours is dated now', async () => {
  const early = { now: () => new Date('2026-11-14T11:59:00Z') };
  const fetchText = answering((host) => host === 'www.bitstamp.net');
  const polled = await pollRates({
    db: database.db,
    clock: early,
    log,
    fetchText,
    sources: liveRateSources,
    currencies,
  });
  assert.deepEqual(
    polled.map(({ observedAt }) => observedAt),
    [early.now(), early.now()],
  );
});

const said = (usd: string, observedAt: Date): RateObservation => ({
  source: 'kraken',
  code: 'ETH',
  usd: decimal(usd),
  observedAt,
});

test('an older observation does not replace a newer one in the database', async () => {
  await saveRates(database.db, [said('3000.123456789012345678901', now)]);
  await saveRates(database.db, [said('2000', addMs(now, -minutes(1)))]);
  const saved = (await loadRates(database.db, ['kraken'])).filter(({ code }) => code === 'ETH');
  assert.deepEqual(saved, [said('3000.123456789012345678901', now)]);
});

test('workers that save the same rates at the same time do not block each other', async () => {
  const rates = await fixedRates.fetchRates(async () => '', fixedRateCodes);
  const observations = rates.map(({ code, usd }) => ({ source: 'fixed', code, usd, observedAt: now }));
  const saves = Array.from({ length: 8 }, (_, index) =>
    saveRates(database.db, index % 2 === 0 ? observations : observations.toReversed()),
  );
  await Promise.all(saves);
  assert.equal((await loadRates(database.db, ['fixed'])).length, fixedRateCodes.length);
});

test('the rates of a source that was switched off are not loaded', async () => {
  await saveRates(database.db, [{ ...said('1', now), source: 'fixed' }]);
  assert.ok((await loadRates(database.db, names)).every(({ source }) => source !== 'fixed'));
});
