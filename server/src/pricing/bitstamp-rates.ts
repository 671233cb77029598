import { member, parseReply, readMiddle, readUnixTime } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';
import { symbolsOf, wantedOf } from './rate-symbols.ts';

const symbols = symbolsOf('bitstamp');

export const bitstampRates: RateSource = {
  name: 'bitstamp',
  kind: 'crypto',
  async fetchRates(fetchText, codes) {
    const wanted = wantedOf(symbols, codes);
    if (wanted.length === 0) return [];
    // One request for all pairs: the number of requests is limited.
    const reply = parseReply(await fetchText('https://www.bitstamp.net/api/v2/ticker/'));
    if (!Array.isArray(reply)) throw new Error('bitstamp: the reply is not a list of tickers');
    const tickers = new Map(reply.map((ticker: unknown) => [member(ticker, 'pair'), ticker]));
    return wanted.flatMap(({ code, symbol }) => {
      const ticker = tickers.get(symbol);
      const usd = readMiddle(member(ticker, 'bid'), member(ticker, 'ask'));
      const publishedAt = readUnixTime(member(ticker, 'timestamp'));
      return usd && publishedAt ? [{ code, usd, publishedAt }] : [];
    });
  },
};
