import { member, parseReply, readMiddle } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';
import { symbolsOf, wantedOf } from './rate-symbols.ts';

const symbols = symbolsOf('bitfinex');

/** A ticker is a list without names: symbol, bid, bid size, ask, ask size, and more that we do not use. */
const bidAt = 1;
const askAt = 3;

export const bitfinexRates: RateSource = {
  name: 'bitfinex',
  kind: 'crypto',
  async fetchRates(fetchText, codes) {
    const wanted = wantedOf(symbols, codes);
    if (wanted.length === 0) return [];
    const query = wanted.map(({ symbol }) => symbol).join(',');
    const reply = parseReply(await fetchText(`https://api-pub.bitfinex.com/v2/tickers?symbols=${query}`));
    if (!Array.isArray(reply)) throw new Error('bitfinex: the reply is not a list of tickers');
    const tickers = new Map(reply.map((ticker: unknown) => [member(ticker, 0), ticker]));
    return wanted.flatMap(({ code, symbol }) => {
      const ticker = tickers.get(symbol);
      const usd = readMiddle(member(ticker, bidAt), member(ticker, askAt));
      return usd ? [{ code, usd }] : [];
    });
  },
};
