/** Tables and lists for people who read a terminal. */
import { knownAssets } from '@quittance/server/catalog/known-assets';
import { assetOfAccount } from '@quittance/server/ledger/chart-of-accounts';
import { formatTimestamp } from '@quittance/server/lib/clock';
import { formatUnits } from '@quittance/server/money/amount';

export type Cell = string | number | boolean | Date | null | undefined;

export function textTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return 'none';
  const lines = [headings, ...rows.map((row) => row.map(formatCell))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One fact per line. */
export function factList(facts: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  return Object.entries(facts)
    .map(([name, value]) => `${name.padEnd(width)}  ${formatCell(value)}`)
    .join('\n');
}

export const section = (title: string, body: string): string => `\n${title}\n${body.replaceAll(/^/gm, '  ')}`;

/** `{a: 1, b: 'x'}` as `a=1 b=x`, for what comes as free-form detail. */
export const detailText = (detail: Readonly<Record<string, unknown>>): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');

function formatCell(value: Cell): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return formatTimestamp(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}

export const assetCode = (assetId: string): string => assetId.split(':')[0] ?? assetId;

/** Units of an asset's ledger scale as a plain decimal. */
export const amountText = (units: bigint, assetId: string): string => formatUnits(units, ledgerScale(assetId));

/** All issuers of a code use the same scale, so the code is enough. */
export function ledgerScale(assetId: string): number {
  const scale = knownAssets.find(({ code }) => code === assetCode(assetId))?.ledgerScale;
  if (scale === undefined) throw new Error(`no asset ${assetId} in the catalogue`);
  return scale;
}

/** An account's name without the asset, which is shown beside the amount. */
export const accountText = (account: string): string => account.slice(0, -assetOfAccount(account).length - 1);
