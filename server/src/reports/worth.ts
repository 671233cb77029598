/** What units of an asset were worth in the account's currency at some hour. */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { findCurrency } from '../catalog/currency-catalog.ts';
import { type Decimal, divide, fromUnits, one, times, zero } from '../money/decimal.ts';
import type { RatesAtHours } from '../pricing/rate-hours.ts';

/** Enough that what is rounded in an hour is never seen in a year. */
const worthScale = 24;

export const decimalsOf = (currency: string): number => findCurrency(currency)?.decimals ?? 2;

/** Null: no rate is known. Nothing is worth nothing, whether there is a rate or not. */
export function worthOf(
  {
    assets,
    rates,
    currency,
  }: { readonly assets: AssetCatalog; readonly rates: RatesAtHours; readonly currency: string },
  { asset, units }: { readonly asset: string; readonly units: bigint },
  hour: Date,
): Decimal | null {
  if (units === 0n) return zero;
  const known = assets.byIdOrCode.get(asset);
  if (!known) return null;
  const isOwn = known.currencyCode === currency; // Worth itself, whether anybody knew a rate or not.
  const [from, to] = isOwn ? [one, one] : [rates(known.currencyCode, hour), rates(currency, hour)];
  return from && to && divide(times(fromUnits(units, known.ledgerScale), from), to, worthScale, 'down');
}
