/**
 * How much pairs move, in memory: the rates of the last month by the hour, read anew a few times an hour, and what was
 * worked out of them for the pairs that were asked for.
 */

import { findCurrency } from '../catalog/currency-catalog.ts';
import { knownAssets } from '../catalog/known-assets.ts';
import type { Query } from '../db/database.ts';
import { addMs, type Clock, hours, minutes } from '../lib/clock.ts';
import { one } from '../money/decimal.ts';
import { type HourRate, pairVariance, supposedVariance, type Variance } from './market-buffer.ts';
import { findHoursSince } from './rate-hour-store.ts';

export type VolatilityBook = {
  /** Reads what is new, if it is time to. */
  refresh(query: Query): Promise<void>;
  variance(paid: string, credited: string): Variance;
};

const keptMs = hours(31 * 24);
const refreshMs = minutes(10);

/** What is paid and credited; what charges are in besides does not matter here. */
const codes: readonly string[] = [...new Set(knownAssets.map(({ currencyCode }) => currencyCode))];

/** Worth money of a state: such money itself, and the coins that follow it. */
const isMoney = (code: string): boolean => {
  const group = knownAssets.find(({ currencyCode }) => currencyCode === code)?.group ?? code;
  return findCurrency(group)?.type === 'FIAT';
};

export function createVolatilityBook({ clock }: { readonly clock: Clock }): VolatilityBook {
  const series = new Map<string, HourRate[]>();
  const worked = new Map<string, Variance>();
  let last: { readonly readAt: Date; readonly hour: Date } | null = null;

  const hoursOf = (code: string, of: readonly HourRate[]): readonly HourRate[] =>
    code === 'USD' ? of.map(({ hour }) => ({ hour, usd: one })) : (series.get(code) ?? []);

  function work(paid: string, credited: string): Variance {
    const supposed = supposedVariance(isMoney(paid) && isMoney(credited) ? 'money' : 'coin');
    const [ofPaid, ofCredited] = [series.get(paid) ?? [], series.get(credited) ?? []];
    return pairVariance(hoursOf(paid, ofCredited), hoursOf(credited, ofPaid), supposed, clock.now());
  }

  return {
    async refresh(query) {
      const now = clock.now();
      if (last && now < addMs(last.readAt, refreshMs) && now >= last.readAt) return;
      const oldest = addMs(now, -keptMs);
      const found = await findHoursSince(query, codes, last && last.hour > oldest ? last.hour : oldest);
      let newest = last?.hour ?? oldest;
      for (const { code, hour, usd } of found) {
        series.set(code, [...(series.get(code) ?? []).filter((each) => each.hour > oldest), { hour, usd }]);
        if (hour > newest) newest = hour;
      }
      last = { readAt: now, hour: newest };
      worked.clear();
    },
    variance(paid, credited) {
      const pair = `${paid}/${credited}`;
      const known = worked.get(pair) ?? work(paid, credited);
      worked.set(pair, known);
      return known;
    },
  };
}
