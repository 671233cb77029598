/**
 * A merchant who is the payer too, and a market with real volatility and jumps, played against the real functions of
 * pricing and settlement. What is drawn comes from a seed. Floats make rates here, never amounts.
 *
 * The market follows Merton: a geometric walk and jumps by chance. Public figures of the last years, in a year: bitcoin
 * 55 %, ether 75 %, litecoin 90 %, lumen 90 %, each with 40 to 60 jumps of 3 to 5 %; the euro 8 %; a dollar coin 1 % with a
 * depeg of 4 % twice a year.
 */
import { addMs, minutes } from '../src/lib/clock.ts';
import { decimal, fromUnits } from '../src/money/decimal.ts';
import type { CombinedRate } from '../src/pricing/combine-rates.ts';
import {
  type HourRate,
  marketBuffer,
  pairVariance,
  supposedVariance,
  type Variance,
} from '../src/pricing/market-buffer.ts';
import { isQuote, quoteMethod } from '../src/pricing/quote.ts';
import { noFees } from '../src/pricing/settlement-fee.ts';
import { type SettlementTerms, settlementParts } from '../src/settlements/settlement-parts.ts';
import { aCommitment, aDossier, aPayment, at, networkOf, USDC } from './sample-checkout.ts';

export type CoinFacts = { readonly code: string; readonly year: number; readonly jumps: number; readonly size: number };

export const coins: readonly CoinFacts[] = [
  { code: 'BTC', year: 0.55, jumps: 40, size: 0.03 },
  { code: 'ETH', year: 0.75, jumps: 50, size: 0.04 },
  { code: 'LTC', year: 0.9, jumps: 60, size: 0.05 },
  { code: 'XLM', year: 0.9, jumps: 60, size: 0.05 },
  { code: 'EURC', year: 0.08, jumps: 2, size: 0.01 },
  { code: 'USDT', year: 0.01, jumps: 2, size: 0.04 },
];

const yearMinutes = 525_960;
export const stepMinutes = 10;
const stepsOfHour = 60 / stepMinutes;

export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Dollars at every tenth minute. */
export function walk({ year, jumps, size }: CoinFacts, hoursLong: number, random: () => number): number[] {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const part = stepMinutes / yearMinutes;
  const rates = [100];
  for (let step = 1; step < hoursLong * stepsOfHour; step += 1) {
    const jump = random() < jumps * part ? size * normal() : 0;
    rates.push((rates.at(-1) ?? 100) * Math.exp(year * Math.sqrt(part) * normal() - (year ** 2 * part) / 2 + jump));
  }
  return rates;
}

const units = (usd: number): CombinedRate => ({
  usd: fromUnits(BigInt(Math.round(usd * 1e9)), 9),
  sources: ['market'],
  at: at(0),
});
const dollar: CombinedRate = { usd: decimal(1), sources: ['market'], at: at(0) };

const policy = { flat: null, least: decimal('0.0025'), most: decimal('0.05') };
const price = 1_000;
const paidAsset = (code: string): string => `${code}:GISSUER`;

export type Quoted = { readonly dueUnits: bigint; readonly grossUnits: bigint; readonly buffer: number };

const ratesAt =
  (code: string, usd: number) =>
  (asked: string): CombinedRate =>
    asked === code ? units(usd) : dollar;

function measured(code: string, history: readonly HourRate[], now: Date): Variance {
  const credited = history.map(({ hour }) => ({ hour, usd: dollar.usd }));
  const kind = code === 'EURC' || code === 'USDT' ? 'money' : 'coin';
  return pairVariance(history, credited, supposedVariance(kind), now);
}

/** What a thousand dollars cost in the coin now, as a shop is quoted it. */
export function quoteAt(code: string, usd: number, variance: Variance): Quoted {
  const quote = quoteMethod({
    total: decimal(price),
    billing: { code: 'USD', decimals: 2 },
    paid: { assetId: paidAsset(code), code, paymentCode: code, ledgerScale: 8, railScale: 8, minimumUnits: 1n },
    settlement: { assetId: USDC, code: 'USDC', ledgerScale: 7 },
    fees: noFees,
    bufferOf: () => marketBuffer(policy, variance, minutes(120)),
    spread: decimal(0),
    rateOf: ratesAt(code, usd),
    isExact: true,
    isAtBooking: false,
  });
  if (!isQuote(quote)) throw new Error('there is no quote');
  const { paymentUnits: dueUnits, settlement, bufferApplied } = quote;
  return { dueUnits, grossUnits: settlement.grossUnits, buffer: Number(bufferApplied) };
}

/** What the shop is credited for it when the coin costs so much by then, in dollars. */
export function creditedAt(code: string, { dueUnits, grossUnits }: Quoted, usd: number): number {
  const asset = paidAsset(code);
  const terms: SettlementTerms = {
    fees: noFees,
    spread: decimal(0),
    rateOf: ratesAt(code, usd),
    assetFacts: (id) => ({
      ledgerScale: id === USDC ? 7 : 8,
      currencyCode: id.split(':')[0] ?? '',
      networks: [networkOf(id)],
    }),
    dustUnits: () => 0n,
  };
  const commitments = [aCommitment({ id: 'c1', asset, due: dueUnits, minute: 0, credited: USDC, gross: grossUnits })];
  const payments = [aPayment({ id: 'p', asset, units: dueUnits, minute: 5 })];
  const outcome = settlementParts(aDossier({ commitments, payments }), terms, addMs(at(0), minutes(10)));
  if (!('parts' in outcome)) throw new Error('nothing was credited');
  return Number(outcome.parts.reduce((sum, { grossUnits: gross }) => sum + BigInt(gross), 0n)) / 1e7;
}

export type Season = {
  readonly earned: number;
  /** What it would have been if a quote held whatever the market does. */
  readonly ifQuotesHeld: number;
  readonly plays: number;
  readonly bestPlay: number;
  readonly honestCost: number;
  readonly shopLost: number;
};

/**
 * Each hour a quote of every coin. The player knows the future: of the twelve tenths of an hour in which it can be paid, and
 * the six hours within which a payment can be replaced away, it takes the end at which most is to be had above the market,
 * or does not pay. The honest payer pays within the first half an hour.
 */
export function playSeason(seed: number, hoursLong: number): Season {
  const random = chance(seed);
  let [earned, ifQuotesHeld, plays, bestPlay, honest, honestCost, shopLost] = [
    0,
    0,
    0,
    Number.NEGATIVE_INFINITY,
    0,
    0,
    0,
  ];
  for (const coin of coins) {
    const rates = walk(coin, hoursLong + 6 + 24, random);
    const history: HourRate[] = [];
    let variance: Variance = 0n;
    for (let hour = 0; hour < hoursLong + 24; hour += 1) {
      const now = addMs(at(0), minutes(60 * hour));
      const rate = rates[hour * stepsOfHour] ?? 0;
      history.push({ hour: now, usd: units(rate).usd });
      // Once a day is enough here; the service measures anew every hour.
      if (hour % 24 === 0) variance = measured(coin.code, history.slice(-24 * 30), now);
      if (hour < 24) continue;
      const quote = quoteAt(coin.code, rate, variance);
      const ends = rates.slice(hour * stepsOfHour, (hour + 6) * stepsOfHour);
      // Nothing but the lowest rate can be best: credit less worth only falls with the rate.
      const lowest = Math.min(...ends);
      const given = (Number(quote.dueUnits) / 1e8) * lowest;
      const gain = creditedAt(coin.code, quote, lowest) - given;
      ifQuotesHeld += Math.max(0, Number(quote.grossUnits) / 1e7 - given);
      plays += 1;
      earned += Math.max(0, gain);
      bestPlay = Math.max(bestPlay, gain);
      const paidAt = rates[hour * stepsOfHour + 1 + Math.floor(random() * 3)] ?? rate;
      honest += 1;
      honestCost += quote.buffer;
      shopLost += price - creditedAt(coin.code, quote, paidAt);
    }
  }
  return {
    earned,
    ifQuotesHeld,
    plays,
    bestPlay,
    honestCost: honestCost / honest,
    shopLost: shopLost / (honest * price),
  };
}
