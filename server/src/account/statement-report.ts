/** The statement of an account: what it had of each asset, what came and went, and what it has. */
import type { AssetCatalog } from '../catalog/asset-catalog.ts';
import { merchantAccount } from '../ledger/chart-of-accounts.ts';
import { listLedgerDays, sumLedgerDays } from '../ledger/ledger-day-store.ts';
import { formatUnits } from '../money/amount.ts';
import { type CsvCell, figureCell } from '../web/csv.ts';
import { html } from '../web/html.ts';
import type { AccountDeps } from './account-route.ts';
import { csvFile, pdfFile, type Report, type ReportContext } from './report-frame.ts';
import { firstRows, numberColumn, type ReportTable, reportTable, tableHtml, textColumn } from './report-table.ts';

export type StatementDeps = AccountDeps & { readonly assets: AssetCatalog };

type StatementRow = Readonly<Record<'opening' | 'into' | 'out' | 'closing', CsvCell>> & { readonly assetCode: string };

export function statementReport({ db, assets }: StatementDeps): Report {
  const title = 'reportStatement';

  async function table({ look: { say }, merchant, covered }: ReportContext): Promise<ReportTable> {
    const [opening, closing, days] = await Promise.all([
      sumLedgerDays(db, merchant.id, covered.from),
      sumLedgerDays(db, merchant.id, covered.to),
      listLedgerDays(db, merchant.id, covered),
    ]);
    const rows = assets.assets.flatMap(({ id, assetCode, ledgerScale }) => {
      const account = merchantAccount(merchant.id, 'available', id);
      if (!closing.has(account)) return [];
      const own = days.filter((day) => day.account === account);
      const text = (units: bigint) => figureCell(formatUnits(units, ledgerScale));
      return {
        assetCode,
        opening: text(opening.get(account) ?? 0n),
        into: text(own.reduce((sum, { unitsIn }) => sum + unitsIn, 0n)),
        out: text(own.reduce((sum, { unitsOut }) => sum - unitsOut, 0n)),
        closing: text(closing.get(account) ?? 0n),
      };
    });
    return reportTable<StatementRow>(
      say(title),
      [
        textColumn(say('columnAsset'), ({ assetCode }) => assetCode),
        numberColumn(say('statementOpening'), (row) => row.opening),
        numberColumn(say('statementIn'), ({ into }) => into),
        numberColumn(say('statementOut'), ({ out }) => out),
        numberColumn(say('statementClosing'), (row) => row.closing),
      ],
      rows,
    );
  }

  return {
    name: 'statement',
    title,
    async show(context) {
      const shown = await table(context);
      const { rows } = await firstRows(shown, 500);
      return {
        main: html`<section class="part" aria-labelledby="h-statement"><div class="part-head"><h2 id="h-statement">${shown.title}</h2></div>${tableHtml(context.look, 'h-statement', shown, rows)}</section>`,
      };
    },
    files: {
      csv: async (context) => csvFile(context, await table(context)),
      pdf: async (context) => pdfFile(context, { title }, { tables: [await table(context)] }),
    },
  };
}
