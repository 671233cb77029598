/** The ledger of checkouts, as a report: who paid what, at which rate, and what was credited for it. */
import { type AssetCatalog, findAsset } from '../../catalog/asset-catalog.ts';
import { zonedMoment } from '../../lib/local-day.ts';
import { formatUnits } from '../../money/amount.ts';
import { formatDecimal } from '../../money/decimal.ts';
import {
  type CheckoutLedgerDeps,
  type CheckoutLedgerRow,
  countCheckoutLedger,
  type LedgerFilter,
  readCheckoutLedger,
  sumCheckoutLedger,
} from '../../reports/checkout-ledger.ts';
import { checkoutLedgerRecord, lineTotalRecord, worthText } from '../../reports/checkout-ledger-record.ts';
import { coveredRecord } from '../../reports/covered-record.ts';
import type { LineSum } from '../../reports/statement-day-store.ts';
import { type CsvCell, figureCell } from '../../web/csv.ts';
import { plainCoinDigits } from '../../web/number-text.ts';
import { checkoutAmount, customerName, orderOf } from '../checkouts/checkout-words.ts';
import { networkName } from '../frame/money-words.ts';
import { entryName } from '../money/entry-words.ts';
import { listReport } from './list-report.ts';
import type { FileContext, Report, RowFilter } from './report-frame.ts';
import { type CellOf, momentColumn, numberColumn, type ReportTable, reportTable, textColumn } from './report-table.ts';

type Row = CheckoutLedgerRow;
type Column = CellOf<Row>;

export const codeOf = (assets: AssetCatalog, asset: string): string => findAsset(assets, asset)?.assetCode ?? asset;

export const unitsCell = (assets: AssetCatalog, asset: string, units: bigint): CsvCell =>
  figureCell(plainCoinDigits(formatUnits(units, findAsset(assets, asset)?.ledgerScale ?? 0), codeOf(assets, asset)));

export function valueCell(currency: string, value: bigint | null): CsvCell {
  const text = worthText(currency, value);
  return text === null ? null : figureCell(text);
}

const filterOf = ({ asset, line }: RowFilter): LedgerFilter => ({ asset: asset?.id ?? null, line });

export function checkoutLedgerReport(deps: CheckoutLedgerDeps): Report {
  const { assets } = deps;

  function columns({ look, covered }: FileContext): Column[] {
    const { say } = look;
    const customers: Column[] = [
      textColumn(say('customer'), ({ customer }) => (customer ? customerName(customer) : ''), 'roomy'),
      textColumn(say('columnCountry'), ({ country }) => country ?? '', 'below'),
    ];
    return [
      momentColumn(say('entryTime'), ({ postedAt }) => zonedMoment(covered.timeZone, postedAt)),
      textColumn(say('entryWhat'), ({ kind }) => entryName(look, kind), 'roomy'),
      textColumn(
        say('order'),
        ({ checkout, checkoutId }) => (checkout ? orderOf(checkout) : (checkoutId ?? '')),
        'desk',
      ),
      ...(look.may('seeCustomers') ? customers : []),
      numberColumn(say('price'), ({ checkout }) => (checkout ? figureCell(checkoutAmount(checkout)) : null), 'below'),
      textColumn(say('columnCurrency'), ({ checkout }) => checkout?.billingCurrency ?? '', 'below'),
      numberColumn(say('paidAmount'), ({ paid }) => paid && unitsCell(assets, paid.asset, paid.units), 'below'),
      textColumn(say('columnPaidAsset'), ({ paid }) => (paid ? codeOf(assets, paid.asset) : ''), 'below'),
      numberColumn(say('credited'), ({ asset, units }) => unitsCell(assets, asset, units), 'desk'),
      numberColumn(say('columnFee'), ({ asset, feeUnits }) => unitsCell(assets, asset, feeUnits), 'below'),
      textColumn(say('columnAsset'), ({ asset }) => codeOf(assets, asset), 'desk'),
      numberColumn(`${say('statementValue')}, ${covered.currency}`, ({ value }) => valueCell(covered.currency, value)),
    ];
  }

  function furtherColumns({ look, covered }: FileContext): Column[] {
    const { say } = look;
    const source = ({ rate }: Row): string =>
      rate ? [say(`rateBasis_${rate.basis}`), ...rate.sources].join(', ') : '';
    const email: Column = textColumn(say('field_email'), ({ customer }) => customer?.email ?? '');
    return [
      numberColumn(say('columnFeeValue'), ({ feeValue }) => valueCell(covered.currency, feeValue)),
      numberColumn(say('columnRate'), ({ rate }) => (rate?.price ? figureCell(formatDecimal(rate.price)) : null)),
      textColumn(say('columnRateSource'), source),
      textColumn(say('network'), ({ paid }) => (paid ? networkName(paid.network) : '')),
      textColumn(say('factTransaction'), ({ foundBy }) => foundBy.join(' ')),
      textColumn(say('columnCheckout'), ({ checkoutId }) => checkoutId ?? ''),
      textColumn(say('columnRefund'), ({ refundId }) => refundId ?? ''),
      textColumn(say('columnReference'), ({ reference }) => reference),
      ...(look.may('seeCustomers') ? [email] : []),
    ];
  }

  function totalsTable({ look: { say }, covered }: FileContext, sums: readonly LineSum[]): ReportTable {
    return reportTable<LineSum>(
      say('reportTotals'),
      [
        textColumn(say('statementRow'), ({ line }) => say(`statementLine_${line}`)),
        textColumn(say('columnAsset'), ({ asset }) => codeOf(assets, asset), 'desk'),
        numberColumn(say('statementAmount'), ({ asset, units }) => unitsCell(assets, asset, units), 'desk'),
        numberColumn(`${say('statementValue')}, ${covered.currency}`, ({ value }) =>
          valueCell(covered.currency, value),
        ),
      ],
      sums,
    );
  }

  return listReport<Row, readonly LineSum[]>({
    name: 'checkouts',
    exportName: 'checkoutLedger',
    title: 'reportCheckouts',
    notes: ['checkoutLedgerMeans', 'reportRowRounding'],
    filters: ['asset', 'line'],
    read: ({ merchant, covered, filter }, asked) =>
      readCheckoutLedger(deps, merchant.id, covered, { ...asked, ...filterOf(filter) }),
    count: ({ merchant, covered, filter }, max) =>
      countCheckoutLedger(deps, merchant.id, covered, { ...filterOf(filter), max }),
    columns,
    furtherColumns,
    sum: ({ merchant, covered, filter }) => sumCheckoutLedger(deps.db, merchant.id, covered, filterOf(filter)),
    totalsTable,
    record: {
      head: ({ covered }, totals) => ({
        report: coveredRecord(covered),
        totals: totals.map((sum) => lineTotalRecord(assets, covered.currency, sum)),
      }),
      row: ({ covered }, row) => checkoutLedgerRecord(assets, covered.currency, row),
    },
  });
}
