/** Taxes, as a report: what was credited less what was refunded, by country, tax and rate. */
import type { Db } from '../../db/database.ts';
import { inOneMoment } from '../../db/one-moment.ts';
import { decimal, formatDecimal, times } from '../../money/decimal.ts';
import { taxReportRecord } from '../../reports/sum-report-records.ts';
import type { TaxSum } from '../../reports/tax-day-store.ts';
import { both, readTaxes, type TaxTotal } from '../../reports/taxes.ts';
import { figureCell } from '../../web/csv.ts';
import { valueCell } from './checkout-ledger-report.ts';
import type { Report, ReportContext } from './report-frame.ts';
import { numberColumn, type ReportTable, reportTable, textColumn } from './report-table.ts';
import { sumReport } from './sum-report.ts';

export const taxReport = (deps: { readonly db: Db }): Report =>
  sumReport({
    name: 'tax',
    title: 'reportTax',
    notes: ['taxMeans', 'taxRounding'],
    read: ({ merchant, covered }) => inOneMoment(deps.db, (db) => readTaxes({ db }, merchant.id, covered)),
    totals: (context, { totals }) => totalsTable(context, totals),
    rows: (context, { rows }) => rowsTable(context, rows),
    record: ({ covered }, taxes) => taxReportRecord(covered, taxes),
  });

function totalsTable({ look: { say }, covered }: ReportContext, totals: readonly TaxTotal[]): ReportTable {
  const own = covered.currency;
  return reportTable<TaxTotal>(
    say('reportTotals'),
    [
      textColumn(say('columnCurrency'), ({ currency }) => currency),
      numberColumn(say('taxBase'), ({ currency, net }) => valueCell(currency, net)),
      numberColumn(say('taxAmount'), ({ currency, tax }) => valueCell(currency, tax)),
      numberColumn(say('taxGross'), ({ currency, net, tax }) => valueCell(currency, net + tax)),
      numberColumn(`${say('taxBase')}, ${own}`, ({ netValue }) => valueCell(own, netValue), 'roomy'),
      numberColumn(`${say('taxAmount')}, ${own}`, ({ taxValue }) => valueCell(own, taxValue), 'roomy'),
      numberColumn(
        `${say('taxGross')}, ${own}`,
        ({ netValue, taxValue }) => valueCell(own, both(netValue, taxValue)),
        'roomy',
      ),
    ],
    totals,
  );
}

function rowsTable({ look: { say }, covered }: ReportContext, rows: readonly TaxSum[]): ReportTable {
  const own = covered.currency;
  const percent = (rate: string): string => formatDecimal(times(decimal(rate), decimal(100)));
  return reportTable<TaxSum>(
    say('reportTax'),
    [
      textColumn(say('columnCountry'), ({ country }) => country || say('countryUnknown')),
      textColumn(say('taxName'), ({ tax }) => tax || say('taxNone'), 'desk'),
      numberColumn(say('taxRate'), ({ rate }) => (rate === '' ? null : figureCell(percent(rate))), 'desk'),
      textColumn(say('columnCurrency'), ({ currency }) => currency, 'desk'),
      numberColumn(say('taxBase'), ({ currency, base }) => valueCell(currency, base)),
      numberColumn(say('taxAmount'), ({ currency, amount }) => valueCell(currency, amount)),
      numberColumn(`${say('taxBase')}, ${own}`, ({ baseValue }) => valueCell(own, baseValue), 'roomy'),
      numberColumn(`${say('taxAmount')}, ${own}`, ({ amountValue }) => valueCell(own, amountValue), 'roomy'),
    ],
    rows,
  );
}
