/**
 * The euro reference rates of the European Central Bank, about 30 currencies on every working day. They are units per
 * euro, so the line of the dollar turns all of them into dollars.
 */
import { readInverse, readPrice } from './rate-reply.ts';
import type { RateSource, SourceRate } from './rate-source.ts';

const dayPattern = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]\s*>/;
const ratePattern = /<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"]([^'"<>]{1,40})['"]\s*\/>/g;

export const ecbRates: RateSource = {
  name: 'ecb',
  kind: 'fiat',
  async fetchRates(fetchText, codes) {
    if (codes.length === 0) return [];
    const xml = await fetchText('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml');
    const day = dayPattern.exec(xml)?.[1];
    const perEuro = new Map(Array.from(xml.matchAll(ratePattern), ([, code = '', rate = '']) => [code, rate]));
    const euro = readPrice(perEuro.get('USD'));
    // Published around 16:00 in Frankfurt. We take the earlier hour of summer time, so that a rate never looks newer
    // than it is.
    const publishedAt = new Date(`${day}T14:00:00Z`);
    if (!euro || Number.isNaN(publishedAt.getTime())) throw new Error('ecb: the reply has no day or no dollar');
    return codes.flatMap((code): SourceRate[] => {
      const usd = code === 'EUR' ? euro : readInverse(perEuro.get(code), euro);
      return usd ? [{ code, usd, publishedAt }] : [];
    });
  },
};
