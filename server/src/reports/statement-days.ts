/**
 * What moved on some days, by the lines of a statement, and what that was worth: each movement at the rate of its hour. What
 * a line brought in an asset on a day is rounded once, to the smallest unit of the account's currency: so days add up to
 * months, and months to years, to the last cent. What rounding left over is part of the revaluation.
 */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import type { SubjectKind } from '../ledger/entry.ts';
import { sumMovements } from '../ledger/ledger-day-store.ts';
import type { DaySpan } from '../lib/local-day.ts';
import { type Decimal, plus, toUnits, zero } from '../money/decimal.ts';
import { everHours, ratesAtHours } from '../pricing/rate-hours.ts';
import type { StatementDay } from './statement-day-store.ts';
import { sharesOf } from './statement-lines.ts';
import { decimalsOf, worthOf } from './worth.ts';

export async function countStatementDays(
  query: Query,
  { assets }: { readonly assets: AssetCatalog },
  { merchantId, currency }: { readonly merchantId: string; readonly currency: string },
  spans: readonly DaySpan[],
  subjects: readonly SubjectKind[] | null = null,
): Promise<StatementDay[]> {
  const movements = await sumMovements(query, merchantId, spans, subjects);
  const codeOf = (asset: string): string => assets.byIdOrCode.get(asset)?.currencyCode ?? '';
  const wanted = movements.flatMap(({ asset, hour }) => [codeOf(asset), currency].map((code) => ({ code, hour })));
  const rates = await ratesAtHours(query, wanted, everHours);
  const sums = new Map<string, Omit<StatementDay, 'value'> & { worth: Decimal | null }>();
  for (const movement of movements) {
    const { day, hour, asset } = movement;
    for (const { line, units, entries } of sharesOf(movement)) {
      const name = `${day} ${line} ${asset}`;
      const sum = sums.get(name) ?? { day, asset, line, units: 0n, entries: 0, worth: zero };
      const worth = worthOf({ assets, rates, currency }, { asset, units }, hour);
      sums.set(name, {
        ...sum,
        units: sum.units + units,
        entries: sum.entries + entries,
        worth: worth && sum.worth && plus(sum.worth, worth),
      });
    }
  }
  return Array.from(sums.values(), ({ worth, ...sum }) => ({
    ...sum,
    value: worth && toUnits(worth, decimalsOf(currency), 'half-up'),
  }));
}
