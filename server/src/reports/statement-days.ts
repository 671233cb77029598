/**
 * What moved on some days, by the lines of a statement, and what that was worth: each movement at the rate of its hour. What
 * a line brought in an asset on a day by one kind of subject is rounded once, to the smallest unit of the account's currency: so
 * days add up to months, months to years, and the totals of lists to a statement, to the last cent. What rounding left over is
 * part of the revaluation.
 */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { type HourMovement, sumMovements } from '../ledger/ledger-day-store.ts';
import type { DaySpan } from '../lib/local-day.ts';
import { type Decimal, plus, toUnits, zero } from '../money/decimal.ts';
import { everHours, ratesAtHours } from '../pricing/rate-hours.ts';
import type { KeptDay } from './statement-day-store.ts';
import { sharesOf } from './statement-lines.ts';
import { decimalsOf, worthOf } from './worth.ts';

/** What moved on some days, hour by hour, with the rates of those hours. */
export type ValuedMovements = {
  readonly movements: readonly HourMovement[];
  /** In the account's currency, exactly; null: no rate is known. */
  readonly worth: (amount: { readonly asset: string; readonly units: bigint }, hour: Date) => Decimal | null;
  readonly currency: string;
};

export async function readValuedMovements(
  query: Query,
  { assets }: { readonly assets: AssetCatalog },
  { merchantId, currency }: { readonly merchantId: string; readonly currency: string },
  spans: readonly DaySpan[],
): Promise<ValuedMovements> {
  const movements = await sumMovements(query, merchantId, spans);
  const codeOf = (asset: string): string => assets.byIdOrCode.get(asset)?.currencyCode ?? '';
  const wanted = movements.flatMap(({ asset, hour }) => [codeOf(asset), currency].map((code) => ({ code, hour })));
  const rates = await ratesAtHours(query, wanted, everHours);
  return { movements, worth: (amount, hour) => worthOf({ assets, rates, currency }, amount, hour), currency };
}

export function statementDaysOf({ movements, worth, currency }: ValuedMovements): KeptDay[] {
  const sums = new Map<string, Omit<KeptDay, 'value'> & { worth: Decimal | null }>();
  for (const movement of movements) {
    const { day, hour, asset, subject } = movement;
    for (const { line, units, entries } of sharesOf(movement)) {
      const name = `${day} ${line} ${asset} ${subject}`;
      const sum = sums.get(name) ?? { day, asset, line, subject, units: 0n, entries: 0, worth: zero };
      const more = worth({ asset, units }, hour);
      sums.set(name, {
        ...sum,
        units: sum.units + units,
        entries: sum.entries + entries,
        worth: more && sum.worth && plus(sum.worth, more),
      });
    }
  }
  return Array.from(sums.values(), ({ worth: all, ...sum }) => ({
    ...sum,
    value: all && toUnits(all, decimalsOf(currency), 'half-up'),
  }));
}
