/** Transfers and disposals, as a report: what left the account, where it went or what it was given for, and what it was worth. */
import { beneficiaryName } from '../../counterparties/beneficiary-fields.ts';
import { zonedMoment } from '../../lib/local-day.ts';
import { coveredRecord } from '../../reports/covered-record.ts';
import type { DisposalSum } from '../../reports/disposal-day-store.ts';
import { disposalRecord, disposalTotalRecord } from '../../reports/disposal-record.ts';
import {
  countDisposals,
  type Disposal,
  type DisposalDeps,
  readDisposals,
  sumDisposals,
} from '../../reports/disposals.ts';
import { networkName } from '../frame/money-words.ts';
import { codeOf, unitsCell, valueCell } from './checkout-ledger-report.ts';
import { listReport } from './list-report.ts';
import type { FileContext, Report } from './report-frame.ts';
import { type CellOf, momentColumn, numberColumn, type ReportTable, reportTable, textColumn } from './report-table.ts';

type Column = CellOf<Disposal>;

export function disposalsReport(deps: DisposalDeps): Report {
  const { assets } = deps;

  function columns({ look: { say }, covered }: FileContext): Column[] {
    return [
      momentColumn(say('entryTime'), ({ postedAt }) => zonedMoment(covered.timeZone, postedAt)),
      textColumn(say('entryWhat'), ({ kind }) => say(`disposal_${kind}`), 'desk'),
      textColumn(say('columnFor'), ({ target, order, address }) => target ?? order ?? address ?? '', 'desk'),
      numberColumn(say('statementAmount'), ({ asset, units }) => unitsCell(assets, asset, units), 'desk'),
      textColumn(say('columnAsset'), ({ asset }) => codeOf(assets, asset), 'desk'),
      numberColumn(`${say('statementValue')}, ${covered.currency}`, ({ value }) => valueCell(covered.currency, value)),
      numberColumn(
        say('columnReceived'),
        ({ received }) => received && unitsCell(assets, received.asset, received.units),
        'roomy',
      ),
      textColumn(
        say('columnReceivedAsset'),
        ({ received }) => (received ? codeOf(assets, received.asset) : ''),
        'roomy',
      ),
      numberColumn(say('columnFee'), ({ fee }) => fee && unitsCell(assets, fee.asset, fee.units), 'roomy'),
      textColumn(say('columnFeeAsset'), ({ fee }) => (fee ? codeOf(assets, fee.asset) : ''), 'roomy'),
      textColumn(say('network'), ({ network }) => (network === null ? '' : networkName(network)), 'below'),
    ];
  }

  function furtherColumns({ look: { say }, covered }: FileContext): Column[] {
    return [
      numberColumn(say('columnFeeValue'), ({ feeValue }) => valueCell(covered.currency, feeValue)),
      textColumn(say('factTransaction'), ({ foundBy }) => foundBy.join(' ')),
      textColumn(say('factAddress'), ({ address }) => address ?? ''),
      textColumn(say('factMemo'), ({ memo }) => memo ?? ''),
      textColumn(say('factTo'), ({ target }) => target ?? ''),
      textColumn(say('found_beneficiary'), ({ beneficiary }) => (beneficiary ? beneficiaryName(beneficiary) : '')),
      textColumn(say('order'), ({ order }) => order ?? ''),
      textColumn(say('columnCheckout'), ({ checkoutId }) => checkoutId ?? ''),
      textColumn(say('columnAbout'), ({ subjectId }) => subjectId),
      textColumn(say('columnReference'), ({ reference }) => reference),
    ];
  }

  const totalsTable = ({ look: { say }, covered }: FileContext, sums: readonly DisposalSum[]): ReportTable =>
    reportTable<DisposalSum>(
      say('reportTotals'),
      [
        textColumn(say('entryWhat'), ({ kind }) => say(`disposal_${kind}`)),
        textColumn(say('columnAsset'), ({ asset }) => codeOf(assets, asset), 'desk'),
        numberColumn(say('statementAmount'), ({ asset, units }) => unitsCell(assets, asset, units), 'desk'),
        numberColumn(`${say('statementValue')}, ${covered.currency}`, ({ value }) =>
          valueCell(covered.currency, value),
        ),
      ],
      sums,
    );

  return listReport<Disposal, readonly DisposalSum[]>({
    name: 'disposals',
    exportName: 'disposals',
    title: 'reportDisposals',
    notes: ['disposalsMean', 'reportRowRounding'],
    read: ({ merchant, covered }, asked) => readDisposals(deps, merchant.id, covered, asked),
    count: ({ merchant, covered }, max) => countDisposals(deps, merchant.id, covered, max),
    columns,
    furtherColumns,
    sum: ({ merchant, covered }) => sumDisposals(deps, merchant.id, covered),
    totalsTable,
    record: {
      head: ({ covered }, totals) => ({
        report: coveredRecord(covered),
        totals: totals.map((sum) => disposalTotalRecord(assets, covered.currency, sum)),
      }),
      row: ({ covered }, row) => disposalRecord(assets, covered.currency, row),
    },
  });
}
