import { member, parseReply, readMiddle, readUnixTime } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';

const listed = new Set(['BTC', 'ETH', 'LTC', 'XLM', 'XRP', 'USDC', 'USDT']);

export const bitstampRates: RateSource = {
  name: 'bitstamp',
  kind: 'crypto',
  async fetchRates(fetchText, codes) {
    const wanted = codes.filter((code) => listed.has(code));
    if (wanted.length === 0) return [];
    // One request for all pairs: asking pair by pair would cost seven of a limited number of requests.
    const reply = parseReply(await fetchText('https://www.bitstamp.net/api/v2/ticker/'));
    if (!Array.isArray(reply)) throw new Error('bitstamp: the reply is not a list of tickers');
    const tickers = new Map(reply.map((ticker: unknown) => [member(ticker, 'pair'), ticker]));
    return wanted.flatMap((code) => {
      const ticker = tickers.get(`${code}/USD`);
      const usd = readMiddle(member(ticker, 'bid'), member(ticker, 'ask'));
      const publishedAt = readUnixTime(member(ticker, 'timestamp'));
      return usd && publishedAt ? [{ code, usd, publishedAt }] : [];
    });
  },
};
