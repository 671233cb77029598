/** Reports beside the statement, as the API answers them. */
import type {
  CheckoutLedgerRecord,
  CoveredRecord,
  DisposalRecord,
  DisposalTotalRecord,
  LineTotalRecord,
} from '@quittance/contract/report-lists';
import type { FeeReportRecord, TaxReportRecord } from '@quittance/contract/report-sums';
import { createApiClient } from '../api-client.ts';
import { type Command, command } from '../command-line.ts';
import { section, textTable } from '../text-table.ts';

type Page<Row, Total> = {
  readonly report: CoveredRecord;
  readonly totals: readonly Total[] | null;
  readonly rows: readonly Row[];
  readonly next: string | null;
};

const paged = {
  cursor: { value: 'next', meaning: 'The page after the one that ended with this.' },
  limit: { value: 'count', meaning: 'How many entries at most: 100, if nothing else is said.' },
} as const;

type Asked = { readonly cursor: string | undefined; readonly limit: string | undefined };

const askedOf = (period: string | undefined, { cursor, limit = '100' }: Asked): Record<string, string> => ({
  limit,
  ...(period !== undefined && { period }),
  ...(cursor !== undefined && { cursor }),
});

/** The days that are covered, the rows, what all come to, and how to go on. */
const pageText = ({ report, next }: Page<unknown, unknown>, rows: string, totals: string | null): string =>
  [
    `${report.from} to ${report.to}, ${report.timeZone}.`,
    rows,
    ...(totals === null ? [] : [section('TOTALS OF THE PERIOD', totals)]),
    ...(next === null ? [] : [`\nThere is more: --cursor ${next}`]),
  ].join('\n');

const periodOf = (period: string | undefined): Record<string, string> => (period === undefined ? {} : { period });

const sumText = ({ report }: { readonly report: CoveredRecord }, rows: string, totals: string): string =>
  [`${report.from} to ${report.to}, ${report.timeZone}.`, rows, section('TOTALS OF THE PERIOD', totals)].join('\n');

export const reportCommands: readonly Command[] = [
  command({
    name: 'report checkouts',
    summary: 'List credits and refunds of closed days, through the API, with the key in access.json.',
    arguments: ['period?'],
    options: paged,
    examples: ['report checkouts', 'report checkouts 2026-10', 'report checkouts 2026-Q4 --json'],
    async run({ openAccess }, { period }, options) {
      const api = createApiClient(await openAccess());
      const page = await api.get<Page<CheckoutLedgerRecord, LineTotalRecord>>(
        '/reports/checkouts',
        askedOf(period, options),
      );
      const { accountCurrency } = page.report;
      const rows = page.rows.map((row) => [
        ...[row.timestamp, row.kind, row.order ?? row.checkoutId, row.price, row.billingCurrency],
        ...[row.amount, row.fee, row.assetCode, row.value],
      ]);
      const totals = page.totals?.map(({ line, assetCode, amount, value }) => [line, assetCode, amount, value]);
      const text = pageText(
        page,
        textTable(['TIME', 'WHAT', 'ORDER', 'PRICE', '', 'CREDITED', 'FEE', 'ASSET', accountCurrency], rows),
        totals ? textTable(['LINE', 'ASSET', 'AMOUNT', accountCurrency], totals) : null,
      );
      return { data: page, text };
    },
  }),
  command({
    name: 'report disposals',
    summary: 'List what left the account on closed days, through the API, with the key in access.json.',
    arguments: ['period?'],
    options: paged,
    examples: ['report disposals', 'report disposals 2026-10', 'report disposals 2026 --json'],
    async run({ openAccess }, { period }, options) {
      const api = createApiClient(await openAccess());
      const page = await api.get<Page<DisposalRecord, DisposalTotalRecord>>(
        '/reports/disposals',
        askedOf(period, options),
      );
      const { accountCurrency } = page.report;
      const rows = page.rows.map((row) => [
        ...[row.timestamp, row.kind, row.target ?? row.order ?? row.address, row.amount, row.assetCode, row.value],
        ...[row.received?.amount, row.received?.assetCode, row.fee?.amount, row.fee?.assetCode],
      ]);
      const totals = page.totals?.map(({ kind, assetCode, amount, value }) => [kind, assetCode, amount, value]);
      const head = ['TIME', 'WHAT', 'FOR', 'AMOUNT', 'ASSET', accountCurrency, 'RECEIVED', '', 'FEE', ''];
      const text = pageText(
        page,
        textTable(head, rows),
        totals ? textTable(['WHAT', 'ASSET', 'AMOUNT', accountCurrency], totals) : null,
      );
      return { data: page, text };
    },
  }),
  command({
    name: 'report tax',
    summary: 'Show the taxes of closed days, through the API, with the key in access.json.',
    arguments: ['period?'],
    examples: ['report tax', 'report tax 2026-10', 'report tax 2026-Q4 --json'],
    async run({ openAccess }, { period }) {
      const api = createApiClient(await openAccess());
      const taxes = await api.get<TaxReportRecord>('/reports/tax', periodOf(period));
      const { accountCurrency } = taxes.report;
      const rows = taxes.rows.map((row) => [
        ...[row.country, row.taxName, row.rate, row.billingCurrency, row.base, row.tax, row.baseValue, row.taxValue],
      ]);
      const totals = taxes.totals.map((each) => [
        ...[each.billingCurrency, each.net, each.tax, each.gross, each.netValue, each.taxValue, each.grossValue],
      ]);
      const own = ['NET', 'TAX', 'GROSS'].map((name) => `${name}, ${accountCurrency}`);
      const text = sumText(
        taxes,
        textTable(['COUNTRY', 'TAX', 'RATE', '', 'NET', 'TAX', ...own.slice(0, 2)], rows),
        textTable(['CURRENCY', 'NET', 'TAX', 'GROSS', ...own], totals),
      );
      return { data: taxes, text };
    },
  }),
  command({
    name: 'report fees',
    summary: 'Show the fees of closed days, through the API, with the key in access.json.',
    arguments: ['period?'],
    examples: ['report fees', 'report fees 2026-10', 'report fees 2026 --json'],
    async run({ openAccess }, { period }) {
      const api = createApiClient(await openAccess());
      const fees = await api.get<FeeReportRecord>('/reports/fees', periodOf(period));
      const { accountCurrency } = fees.report;
      const text = sumText(
        fees,
        textTable(
          ['MONTH', 'KIND', 'ASSET', 'FEE', accountCurrency],
          fees.rows.map(({ month, kind, assetCode, amount, value }) => [month, kind, assetCode, amount, value]),
        ),
        textTable(
          ['ASSET', 'FEE', accountCurrency],
          fees.totals.map(({ assetCode, amount, value }) => [assetCode, amount, value]),
        ),
      );
      return { data: fees, text };
    },
  }),
];
