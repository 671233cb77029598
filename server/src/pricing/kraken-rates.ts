import { member, parseReply, readMiddle } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';

/** Kraken asks by one name and answers by another: XBTUSD is answered as XXBTZUSD. */
const pairs: Readonly<Record<string, { readonly asked: string; readonly answered: string }>> = {
  BTC: { asked: 'XBTUSD', answered: 'XXBTZUSD' },
  ETH: { asked: 'ETHUSD', answered: 'XETHZUSD' },
  LTC: { asked: 'LTCUSD', answered: 'XLTCZUSD' },
  XLM: { asked: 'XLMUSD', answered: 'XXLMZUSD' },
  XRP: { asked: 'XRPUSD', answered: 'XXRPZUSD' },
  USDC: { asked: 'USDCUSD', answered: 'USDCUSD' },
  USDT: { asked: 'USDTUSD', answered: 'USDTZUSD' },
};

export const krakenRates: RateSource = {
  name: 'kraken',
  kind: 'crypto',
  async fetchRates(fetchText, codes) {
    const wanted = codes.flatMap((code) => (pairs[code] ? [{ code, ...pairs[code] }] : []));
    if (wanted.length === 0) return [];
    const query = wanted.map(({ asked }) => asked).join(',');
    const reply = parseReply(await fetchText(`https://api.kraken.com/0/public/Ticker?pair=${query}`));
    const result = member(reply, 'result');
    if (result === undefined) throw new Error('kraken: the reply has no result');
    return wanted.flatMap(({ code, answered }) => {
      const ticker = member(result, answered);
      const usd = readMiddle(member(member(ticker, 'b'), 0), member(member(ticker, 'a'), 0));
      return usd ? [{ code, usd }] : [];
    });
  },
};
