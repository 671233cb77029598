/** Fees and taxes as the API and the files say them. */
import type { FeeReportRecord, TaxReportRecord } from '@quittance/contract/report-sums';
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { amountRecord, worthText } from './checkout-ledger-record.ts';
import type { Covered } from './covered-days.ts';
import { coveredRecord } from './covered-record.ts';
import type { Fees } from './fees.ts';
import { valueText } from './statement-record.ts';
import { both, type Taxes } from './taxes.ts';

export const feeReportRecord = (assets: AssetCatalog, covered: Covered, { rows, totals }: Fees): FeeReportRecord => ({
  report: coveredRecord(covered),
  totals: totals.map((sum) => ({ ...amountRecord(assets, sum), value: worthText(covered.currency, sum.value) })),
  rows: rows.map((row) => ({
    month: row.month,
    kind: row.kind,
    ...amountRecord(assets, row),
    entries: row.entries,
    value: worthText(covered.currency, row.value),
  })),
});

const orNull = (text: string): string | null => (text === '' ? null : text);

export const taxReportRecord = (covered: Covered, { rows, totals }: Taxes): TaxReportRecord => ({
  report: coveredRecord(covered),
  totals: totals.map(({ currency, net, tax, netValue, taxValue }) => ({
    billingCurrency: currency,
    gross: valueText(currency, net + tax),
    net: valueText(currency, net),
    tax: valueText(currency, tax),
    grossValue: worthText(covered.currency, both(netValue, taxValue)),
    netValue: worthText(covered.currency, netValue),
    taxValue: worthText(covered.currency, taxValue),
  })),
  rows: rows.map((row) => ({
    country: orNull(row.country),
    taxName: orNull(row.tax),
    rate: orNull(row.rate),
    billingCurrency: row.currency,
    base: valueText(row.currency, row.base),
    tax: valueText(row.currency, row.amount),
    baseValue: worthText(covered.currency, row.baseValue),
    taxValue: worthText(covered.currency, row.amountValue),
    entries: row.entries,
  })),
});
