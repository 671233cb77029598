/** Fees, as a report: what the service took, by month and for what. */
import type { Db } from '../../db/database.ts';
import { inOneMoment } from '../../db/one-moment.ts';
import type { FeeMonth } from '../../reports/fee-day-store.ts';
import { type FeeTotal, readFees } from '../../reports/fees.ts';
import type { StatementDeps } from '../../reports/statement.ts';
import { feeReportRecord } from '../../reports/sum-report-records.ts';
import { codeOf, unitsCell, valueCell } from './checkout-ledger-report.ts';
import type { Report, ReportContext } from './report-frame.ts';
import { type CellOf, numberColumn, type Room, reportTable, textColumn } from './report-table.ts';
import { sumReport } from './sum-report.ts';

export function feesReport(deps: StatementDeps & { readonly db: Db }): Report {
  const { assets } = deps;
  const amounts = ({ look: { say }, covered }: ReportContext, room?: Room): CellOf<FeeTotal>[] => [
    textColumn(say('columnAsset'), ({ asset }) => codeOf(assets, asset), room),
    numberColumn(say('columnFee'), ({ asset, units }) => unitsCell(assets, asset, units), room),
    numberColumn(`${say('statementValue')}, ${covered.currency}`, ({ value }) => valueCell(covered.currency, value)),
  ];
  return sumReport({
    name: 'fees',
    title: 'reportFees',
    notes: ['feesMean'],
    filters: ['asset'],
    read: ({ merchant, covered, filter }) =>
      inOneMoment(deps.db, (db) => readFees({ db, assets }, merchant.id, covered, filter.asset)),
    totals: (context, { totals }) => reportTable(context.look.say('reportTotals'), amounts(context), totals),
    rows: (context, { rows }) =>
      reportTable<FeeMonth>(
        context.look.say('reportFees'),
        [
          textColumn(context.look.say('period_month'), ({ month }) => month),
          textColumn(context.look.say('columnFeeKind'), ({ kind }) => context.look.say(`feeKind_${kind}`), 'desk'),
          ...amounts(context, 'desk'),
        ],
        rows,
      ),
    record: ({ covered }, fees) => feeReportRecord(assets, covered, fees),
  });
}
