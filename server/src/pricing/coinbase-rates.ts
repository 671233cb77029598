import { decimal } from '../money/decimal.ts';
import { member, parseReply, readInverse } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';

/** Coinbase answers with how many units of each currency, crypto or fiat, a dollar buys. */
export const coinbaseRates: RateSource = {
  name: 'coinbase',
  kind: 'both',
  async fetchRates(fetchText, codes) {
    if (codes.length === 0) return [];
    const reply = parseReply(await fetchText('https://api.coinbase.com/v2/exchange-rates?currency=USD'));
    const data = member(reply, 'data');
    if (member(data, 'currency') !== 'USD') throw new Error('coinbase: the reply is not based on USD');
    return codes.flatMap((code) => {
      const usd = readInverse(member(member(data, 'rates'), code), decimal(1));
      return usd ? [{ code, usd }] : [];
    });
  },
};
