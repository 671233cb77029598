import { member, parseReply, readMiddle } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';
import { symbolsOf, wantedOf } from './rate-symbols.ts';

const symbols = symbolsOf('kraken');

export const krakenRates: RateSource = {
  name: 'kraken',
  kind: 'crypto',
  async fetchRates(fetchText, codes) {
    const wanted = wantedOf(symbols, codes);
    if (wanted.length === 0) return [];
    const query = wanted.map(({ symbol }) => symbol.asked).join(',');
    const reply = parseReply(await fetchText(`https://api.kraken.com/0/public/Ticker?pair=${query}`));
    const result = member(reply, 'result');
    if (result === undefined) throw new Error('kraken: the reply has no result');
    return wanted.flatMap(({ code, symbol }) => {
      const ticker = member(result, symbol.answered);
      const usd = readMiddle(member(member(ticker, 'b'), 0), member(member(ticker, 'a'), 0));
      return usd ? [{ code, usd }] : [];
    });
  },
};
