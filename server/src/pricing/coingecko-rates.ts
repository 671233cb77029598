import { member, parseReply, readPrice, readUnixTime } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';
import { symbolsOf, wantedOf } from './rate-symbols.ts';

const symbols = symbolsOf('coingecko');

/**
 * An average over many exchanges. The time in its answer matters: a coin that it no longer follows keeps its last
 * price.
 */
export const coingeckoRates: RateSource = {
  name: 'coingecko',
  kind: 'crypto',
  async fetchRates(fetchText, codes) {
    const wanted = wantedOf(symbols, codes);
    if (wanted.length === 0) return [];
    const ids = wanted.map(({ symbol }) => symbol).join(',');
    const url = `https://api.coingecko.com/api/v3/simple/price?ids=${ids}&vs_currencies=usd&include_last_updated_at=true&precision=full`;
    const reply = parseReply(await fetchText(url));
    if (wanted.every(({ symbol }) => member(reply, symbol) === undefined))
      throw new Error('coingecko: the reply has no coins');
    return wanted.flatMap(({ code, symbol }) => {
      const usd = readPrice(member(member(reply, symbol), 'usd'));
      const publishedAt = readUnixTime(member(member(reply, symbol), 'last_updated_at'));
      return usd && publishedAt ? [{ code, usd, publishedAt }] : [];
    });
  },
};
