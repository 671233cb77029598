import { member, parseReply, readPrice, readUnixTime } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';

const coinIds: Readonly<Record<string, string>> = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  LTC: 'litecoin',
  XLM: 'stellar',
  XRP: 'ripple',
  USDC: 'usd-coin',
  USDT: 'tether',
};

/** An average over many exchanges. Its own time matters: a coin it no longer follows keeps its last price. */
export const coingeckoRates: RateSource = {
  name: 'coingecko',
  kind: 'crypto',
  async fetchRates(fetchText, codes) {
    const wanted = codes.flatMap((code) => (coinIds[code] ? [{ code, id: coinIds[code] }] : []));
    if (wanted.length === 0) return [];
    const ids = wanted.map(({ id }) => id).join(',');
    const url = `https://api.coingecko.com/api/v3/simple/price?ids=${ids}&vs_currencies=usd&include_last_updated_at=true&precision=full`;
    const reply = parseReply(await fetchText(url));
    if (wanted.every(({ id }) => member(reply, id) === undefined)) throw new Error('coingecko: the reply has no coins');
    return wanted.flatMap(({ code, id }) => {
      const usd = readPrice(member(member(reply, id), 'usd'));
      const publishedAt = readUnixTime(member(member(reply, id), 'last_updated_at'));
      return usd && publishedAt ? [{ code, usd, publishedAt }] : [];
    });
  },
};
