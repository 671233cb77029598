import { decimal } from '../money/decimal.ts';
import { member, parseReply, readInverse } from './rate-reply.ts';
import type { RateSource } from './rate-source.ts';
import { symbolsOf } from './rate-symbols.ts';

/**
 * Coinbase lists tokens with three letters too, and some of these are also the code of a currency (MNT is the tugrik
 * and a token). So besides coins we ask it only for codes that mean one thing.
 */
const unambiguous = new Set(
  (
    'AED ARS AUD BDT BHD BMD BRL CAD CHF CLP CNY CZK DKK EUR GBP HKD HUF IDR ILS INR JPY ' +
    'KRW KWD LKR MMK MXN MYR NGN NOK NZD PHP PKR PLN RUB SAR SEK SGD THB TRY TWD UAH VEF VND ZAR'
  ).split(' '),
);

const symbols = symbolsOf('coinbase');

/** Coinbase answers how many units of each currency, crypto or fiat, a dollar buys. */
export const coinbaseRates: RateSource = {
  name: 'coinbase',
  kind: 'both',
  async fetchRates(fetchText, codes) {
    const wanted = codes.flatMap((code) => {
      const symbol = symbols.get(code) ?? (unambiguous.has(code) ? code : undefined);
      return symbol === undefined ? [] : [{ code, symbol }];
    });
    if (wanted.length === 0) return [];
    const reply = parseReply(await fetchText('https://api.coinbase.com/v2/exchange-rates?currency=USD'));
    const data = member(reply, 'data');
    if (member(data, 'currency') !== 'USD') throw new Error('coinbase: the reply is not based on USD');
    return wanted.flatMap(({ code, symbol }) => {
      const usd = readInverse(member(member(data, 'rates'), symbol), decimal(1));
      return usd ? [{ code, usd }] : [];
    });
  },
};
