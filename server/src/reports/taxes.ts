/** Taxes of some closed days: by country, tax and rate, and what was billed and paid in each currency. */
import type { Query } from '../db/database.ts';
import { type Covered, madeUpTo } from './covered-days.ts';
import { sumTaxDays, type TaxSum } from './tax-day-store.ts';

/** Of one billing currency: net and tax are gross. */
export type TaxTotal = {
  readonly currency: string;
  readonly net: bigint;
  readonly tax: bigint;
  readonly netValue: bigint | null;
  readonly taxValue: bigint | null;
};

export type Taxes = { readonly rows: readonly TaxSum[]; readonly totals: readonly TaxTotal[] };

/** Whoever asks does it in one moment, for days may be made again meanwhile. */
export async function readTaxes({ db }: { readonly db: Query }, merchantId: string, covered: Covered): Promise<Taxes> {
  await madeUpTo(db, merchantId, covered);
  const sums = await sumTaxDays(db, merchantId, covered);
  const totals = new Map<string, TaxTotal>();
  for (const { currency, countedBase, amount, countedBaseValue, amountValue } of sums) {
    const sum = totals.get(currency) ?? { currency, net: 0n, tax: 0n, netValue: 0n, taxValue: 0n };
    totals.set(currency, {
      currency,
      net: sum.net + countedBase,
      tax: sum.tax + amount,
      netValue: both(sum.netValue, countedBaseValue),
      taxValue: both(sum.taxValue, amountValue),
    });
  }
  return {
    // What was given back in full has left nothing behind, and no row.
    rows: sums.filter(({ base, amount, baseValue, amountValue }) =>
      [base, amount, baseValue ?? 0n, amountValue ?? 0n].some((units) => units !== 0n),
    ),
    totals: [...totals.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
  };
}

export const both = (a: bigint | null, b: bigint | null): bigint | null => (a === null || b === null ? null : a + b);
