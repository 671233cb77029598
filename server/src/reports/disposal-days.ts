/** What left an account on some days, by kind and asset, valued and rounded as in the statement: once for a day. */
import { type AssetCatalog, findAsset } from '../catalog/asset-catalog.ts';
import type { Query } from '../db/database.ts';
import { sumLeaving } from '../ledger/leaving-store.ts';
import type { DaySpan } from '../lib/local-day.ts';
import { type Decimal, plus, toUnits, zero } from '../money/decimal.ts';
import { everHours, ratesAtHours } from '../pricing/rate-hours.ts';
import type { DisposalDay } from './disposal-day-store.ts';
import { disposalKindOf, leavingKinds } from './disposal-kinds.ts';
import { decimalsOf, worthOf } from './worth.ts';

export async function countDisposalDays(
  query: Query,
  { assets }: { readonly assets: AssetCatalog },
  { merchantId, currency }: { readonly merchantId: string; readonly currency: string },
  spans: readonly DaySpan[],
): Promise<DisposalDay[]> {
  const hours = await sumLeaving(query, merchantId, leavingKinds, spans);
  const codeOf = (asset: string): string => findAsset(assets, asset)?.currencyCode ?? '';
  const wanted = hours.flatMap(({ asset, hour }) => [codeOf(asset), currency].map((code) => ({ code, hour })));
  const rates = await ratesAtHours(query, wanted, everHours);
  const sums = new Map<string, Omit<DisposalDay, 'value'> & { worth: Decimal | null }>();
  for (const each of hours) {
    const { day, asset } = each;
    const kind = disposalKindOf(each);
    const name = `${day} ${kind} ${asset}`;
    const sum = sums.get(name) ?? { day, asset, kind, units: 0n, entries: 0, worth: zero };
    const more = worthOf({ assets, rates, currency }, each, each.hour);
    sums.set(name, {
      ...sum,
      units: sum.units + each.units,
      entries: sum.entries + each.entries,
      worth: more && sum.worth && plus(sum.worth, more),
    });
  }
  return Array.from(sums.values(), ({ worth, ...sum }) => ({
    ...sum,
    value: worth && toUnits(worth, decimalsOf(currency), 'half-up'),
  }));
}
