import { decimal } from '../money/decimal.ts';
import { member, parseReply, readInverse, readUnixTime } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';

/** ExchangeRate-API's open endpoint: about 160 currencies, once a day, weekends and holidays included. */
export const openErApiRates: RateSource = {
  name: 'open-er-api',
  kind: 'fiat',
  async fetchRates(fetchText, codes) {
    if (codes.length === 0) return [];
    const reply = parseReply(await fetchText('https://open.er-api.com/v6/latest/USD'));
    const publishedAt = readUnixTime(member(reply, 'time_last_update_unix'));
    if (member(reply, 'result') !== 'success' || member(reply, 'base_code') !== 'USD' || !publishedAt)
      throw new Error('open-er-api: the reply is not a dated table based on USD');
    return codes.flatMap((code) => {
      const usd = readInverse(member(member(reply, 'rates'), code), decimal(1));
      return usd ? [{ code, usd, publishedAt }] : [];
    });
  },
};
