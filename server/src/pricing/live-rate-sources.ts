import { bitfinexRates } from './bitfinex-rates.ts';
import { bitstampRates } from './bitstamp-rates.ts';
import { coinbaseRates } from './coinbase-rates.ts';
import { coingeckoRates } from './coingecko-rates.ts';
import { ecbRates } from './ecb-rates.ts';
import { krakenRates } from './kraken-rates.ts';
import { openErApiRates } from './open-er-api-rates.ts';
import type { RateSource } from './rate-source.ts';

/** None needs an account or a key. */
export const liveRateSources: readonly RateSource[] = [
  krakenRates,
  coinbaseRates,
  bitstampRates,
  bitfinexRates,
  coingeckoRates,
  ecbRates,
  openErApiRates,
];
