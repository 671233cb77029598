/** Reports that are lists, as the API answers them. */
import type { CheckoutLedgerRecord, CoveredRecord, LineTotalRecord } from '@quittance/contract/report-lists';
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
];
