/** A statement as tables: for the screen and the PDF side by side, for the CSV one below the other. */
import { addDays } from '../../lib/local-day.ts';
import { formatUnits } from '../../money/amount.ts';
import { formatFixed, fromUnits } from '../../money/decimal.ts';
import { type AssetStatement, apartPurposes, type Statement, type StatementValue } from '../../reports/statement.ts';
import type { StatementLine } from '../../reports/statement-lines.ts';
import { valueText } from '../../reports/statement-record.ts';
import { walletNames } from '../../reports/wallet-names.ts';
import { type CsvCell, figureCell } from '../../web/csv.ts';
import { leastDecimals } from '../../web/number-text.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { dayText, periodText } from '../frame/day-text.ts';
import { type CellOf, numberColumn, type ReportTable, type Room, reportTable, textColumn } from './report-table.ts';

export type RowName = 'opening' | StatementLine | 'revaluation' | 'closing';

export const rowNames = ({ lines }: Statement): RowName[] => ['opening', ...lines, 'revaluation', 'closing'];

/** With all decimals of the asset, so that a column reads like one. */
const unitsCell = (statement: AssetStatement, units: bigint): CsvCell => {
  const { ledgerScale } = statement.asset;
  return figureCell(formatFixed(fromUnits(units, ledgerScale), Math.min(ledgerScale, decimalsOf(statement, units))));
};

/** Money of a state has its own, and as many more as any row of the column needs. Of a coin, eight are enough for eyes where the rest is zeros. */
function decimalsOf({ asset, opening, closing, lines, apart }: AssetStatement, units: bigint): number {
  const { assetCode, ledgerScale } = asset;
  const least = leastDecimals(assetCode);
  if (least === 0) return Math.max(Math.min(ledgerScale, 8), decimalsNeeded(ledgerScale, units));
  const sums = [...lines.values()].map((sum) => sum.units);
  const beside = Object.values(apart).flatMap((ends) => [ends.opening, ends.closing]);
  const all = [opening, closing, ...sums, ...beside];
  return Math.max(least, ...all.map((each) => decimalsNeeded(ledgerScale, each)));
}

const decimalsNeeded = (scale: number, units: bigint): number => formatUnits(units, scale).split('.')[1]?.length ?? 0;

function unitsIn(statement: AssetStatement, row: RowName): CsvCell {
  if (row === 'opening' || row === 'closing') return unitsCell(statement, statement[row]);
  const sum = row === 'revaluation' ? undefined : statement.lines.get(row);
  return sum ? unitsCell(statement, sum.units) : null;
}

function valueIn(currency: string, value: StatementValue | null, row: RowName): CsvCell {
  if (value === null) return null;
  const units = row === 'opening' || row === 'closing' || row === 'revaluation' ? value[row] : value.lines.get(row);
  return units === undefined ? null : figureCell(valueText(currency, units));
}

function rowText(look: AccountLook, { covered }: Statement, row: RowName): string {
  const { say } = look;
  if (row === 'opening') return say('statementOpeningOn', { day: dayText(look, covered.from) });
  if (row === 'closing') return say('statementClosingOn', { day: dayText(look, addDays(covered.to, -1)) });
  return row === 'revaluation' ? say('statementRevaluation') : say(`statementLine_${row}`);
}

/** Of this statement: two wallets may have one code. */
const namesIn = ({ assets }: Statement) => walletNames(assets.map(({ asset }) => asset));

/** Of several assets side by side not all fit: what has no column on this screen is told below the name of the row. */
function roomFor(assets: readonly AssetStatement[]): Room | undefined {
  if (assets.length < 2) return undefined;
  return assets.length < 4 ? 'desk' : 'roomy';
}

/** Units of each asset, and all of it in the account's currency. */
export function unitsTable(look: AccountLook, statement: Statement, assets = statement.assets): ReportTable {
  const { covered, total } = statement;
  const { currency } = covered;
  const nameOf = namesIn(statement);
  const columns: CellOf<RowName>[] = [
    textColumn(periodText(look, covered.period), (row) => rowText(look, statement, row)),
    ...assets.map((each) => numberColumn(nameOf(each.asset), (row: RowName) => unitsIn(each, row), roomFor(assets))),
    numberColumn(look.say('statementAll', { currency }), (row) => valueIn(currency, total, row)),
  ];
  return { ...reportTable(look.say('reportStatement'), columns, rowNames(statement)), hasSum: true };
}

/** The same in the account's currency, asset by asset. */
export function valueTable(look: AccountLook, statement: Statement, assets = statement.assets): ReportTable {
  const { covered, total } = statement;
  const { currency } = covered;
  const nameOf = namesIn(statement);
  const columns: CellOf<RowName>[] = [
    textColumn(periodText(look, covered.period), (row) => rowText(look, statement, row)),
    ...assets.map(({ asset, value }) =>
      numberColumn(nameOf(asset), (row: RowName) => valueIn(currency, value, row), roomFor(assets)),
    ),
    numberColumn(look.say('statementAll', { currency }), (row) => valueIn(currency, total, row)),
  ];
  return { ...reportTable(look.say('statementValues', { currency }), columns, rowNames(statement)), hasSum: true };
}

/** What is not at hand. */
export function apartTable(look: AccountLook, of: Statement): ReportTable | null {
  const nameOf = namesIn(of);
  const rows = of.assets.flatMap((statement) =>
    apartPurposes
      .map((purpose) => ({ statement, purpose, ends: statement.apart[purpose] }))
      .filter(({ ends }) => ends.opening !== 0n || ends.closing !== 0n),
  );
  if (rows.length === 0) return null;
  type Row = (typeof rows)[number];
  return reportTable<Row>(
    look.say('statementApart'),
    [
      textColumn(look.say('statementBalance'), ({ purpose }) => look.say(`balance_${purpose}`)),
      textColumn(look.say('columnAsset'), ({ statement }) => nameOf(statement.asset)),
      numberColumn(look.say('statementOpening'), ({ statement, ends }) => unitsCell(statement, ends.opening), 'desk'),
      numberColumn(look.say('statementClosing'), ({ statement, ends }) => unitsCell(statement, ends.closing)),
    ],
    rows,
  );
}

/** One below the other, for programs that sort and sum: every number of the screen, once. */
export function flatTable(look: AccountLook, statement: Statement): ReportTable {
  const { say } = look;
  const { covered, assets, total } = statement;
  const { currency, period } = covered;
  const nameOf = namesIn(statement);
  type Row = { readonly name: string; readonly asset: string; readonly amount: CsvCell; readonly value: CsvCell };
  const ofAssets = assets.flatMap((each) =>
    rowNames(statement).map(
      (row): Row => ({
        name: rowText(look, statement, row),
        asset: nameOf(each.asset),
        amount: unitsIn(each, row),
        value: valueIn(currency, each.value, row),
      }),
    ),
  );
  const ofAll = rowNames(statement).map(
    (row): Row => ({
      name: rowText(look, statement, row),
      asset: say('statementAllAssets'),
      amount: null,
      value: valueIn(currency, total, row),
    }),
  );
  const apart = assets.flatMap((each) =>
    apartPurposes.flatMap((purpose) =>
      (['opening', 'closing'] as const)
        .filter(() => each.apart[purpose].opening !== 0n || each.apart[purpose].closing !== 0n)
        .map(
          (end): Row => ({
            name: `${say(`balance_${purpose}`)}, ${rowText(look, statement, end)}`,
            asset: nameOf(each.asset),
            amount: unitsCell(each, each.apart[purpose][end]),
            value: null,
          }),
        ),
    ),
  );
  const filled = [...ofAssets, ...ofAll].filter(({ amount, value }) => amount !== null || value !== null);
  return reportTable<Row>(
    say('reportStatement'),
    [
      textColumn(say('filter_period'), () => period.name),
      textColumn(say('statementRow'), ({ name }) => name),
      textColumn(say('columnAsset'), ({ asset }) => asset),
      numberColumn(say('statementAmount'), ({ amount }) => amount),
      numberColumn(say('statementValue'), ({ value }) => value),
      textColumn(say('columnCurrency'), () => currency),
    ],
    [...filled, ...apart],
  );
}
