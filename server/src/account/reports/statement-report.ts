/** The statement of an account: what it had of each asset, what moved, what it has, and that it adds up. */
import type { CatalogAsset } from '../../catalog/asset-catalog.ts';
import type { Db } from '../../db/database.ts';
import { inOneMoment } from '../../db/one-moment.ts';
import { decimal, formatDecimal, formatFixed } from '../../money/decimal.ts';
import { camtStatements } from '../../reports/camt-statements.ts';
import {
  type DayWorth,
  readStatement,
  readWorth,
  type Statement,
  type StatementDeps,
} from '../../reports/statement.ts';
import { statementRecord, valueText } from '../../reports/statement-record.ts';
import { walletNames } from '../../reports/wallet-names.ts';
import { decimalsOf } from '../../reports/worth.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { lineChart } from '../../web/line-chart.ts';
import { listed, priceHtml, priceText } from '../../web/number-text.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { dayText, shortDay } from '../frame/day-text.ts';
import { assetPath } from '../frame/money-words.ts';
import { balancesPath } from '../money/balances-page.ts';
import {
  csvFile,
  filterQuery,
  jsonFile,
  pdfFile,
  type Report,
  type ReportContext,
  reportsPath,
} from './report-frame.ts';
import { firstRows, type ReportTable, tableHtml } from './report-table.ts';
import { apartTable, flatTable, type RowName, rowNames, unitsTable, valueTable } from './statement-tables.ts';

const title = 'reportStatement';

/** So many columns of assets stand side by side on paper. */
const assetsAcross = 6;

export function statementReport(deps: StatementDeps & { readonly db: Db }): Report {
  const { assets } = deps;
  const read = ({ merchant, covered }: ReportContext): Promise<Statement> =>
    inOneMoment(deps.db, (db) => readStatement({ db, assets }, merchant.id, covered));
  return {
    name: 'statement',
    title,
    async show(context) {
      const { look, merchant, covered } = context;
      const [statement, worth] = await inOneMoment(deps.db, async (db) => [
        await readStatement({ db, assets }, merchant.id, covered),
        await readWorth({ db, assets }, merchant.id, covered),
      ]);
      return { mark: mark(look, statement), main: await main(deps, look, statement, worth) };
    },
    files: {
      camt: async (context) => ({
        type: 'application/xml; charset=utf-8',
        extension: 'xml',
        body: await inOneMoment(deps.db, async (db) => {
          const { merchant, covered, now, look } = context;
          const statement = await readStatement({ db, assets }, merchant.id, covered);
          return camtStatements(db, merchant, statement, { now, withoutRate: (wallets) => withoutRate(look, wallets) });
        }),
      }),
      json: async (context) => jsonFile({ statement: statementRecord(await read(context)) }),
      csv: async (context) => csvFile(flatTable(context.look, await read(context))),
      pdf: async (context) => {
        const statement = await read(context);
        const { look } = context;
        const parts = statement.assets.flatMap((_, at) =>
          at % assetsAcross === 0 ? [statement.assets.slice(at, at + assetsAcross)] : [],
        );
        const apart = apartTable(look, statement);
        const notes = [
          look.say(statement.addsUp ? 'statementAddsUp' : 'statementDoesNotAddUp'),
          ...explanations(look, statement),
        ];
        const tables = [
          ...parts.map((assets) => unitsTable(look, statement, assets)),
          ...parts.map((assets) => valueTable(look, statement, assets)),
          ...(apart ? [apart] : []),
        ];
        return pdfFile(context, { title }, { tables, notes });
      },
    },
  };
}

const mark = ({ say }: AccountLook, { addsUp }: Statement): Html =>
  addsUp
    ? html`<span class="state paid pill">${icon('check')}${say('statementAddsUp')}</span>`
    : html`<span class="state fail pill">${icon('alert')}${say('statementDoesNotAddUp')}</span>`;

const withoutRate = ({ say, language }: AccountLook, wallets: readonly string[]): string =>
  say('statementWithoutRate', { assets: listed(language, wallets) });

/** How values were found, and which could not be. */
function explanations(look: AccountLook, { assets, covered }: Statement): string[] {
  const nameOf = walletNames(assets.map(({ asset }) => asset));
  const without = assets.filter(({ value }) => value === null).map(({ asset }) => nameOf(asset));
  return [
    look.say('statementMeans'),
    look.say('statementRounding', { currency: covered.currency }),
    ...(without.length > 0 ? [withoutRate(look, without)] : []),
  ];
}

/** Where the rows are that make a number of the statement up; null: in no one place. */
function rowsBehind(
  { assets }: Pick<StatementDeps, 'assets'>,
  look: AccountLook,
  { covered }: Statement,
  row: RowName,
  asset: CatalogAsset | null,
): string | null {
  const name = asset && assetPath(assets, asset);
  const period = `?period=${covered.period.name}`;
  if (row === 'opening' || row === 'closing' || row === 'revaluation') return null;
  if (row === 'credits' || row === 'refunds')
    return `${reportsPath}/checkouts${period}${filterQuery({ asset: name, line: row })}`;
  if (row === 'fees') return `${reportsPath}/fees${period}${filterQuery({ asset: name })}`;
  if (name !== null) return look.may('seeBalances') ? `${balancesPath}/asset/${name}${period}` : null;
  return row === 'transfers' || row === 'swaps' ? `${reportsPath}/disposals${period}` : null;
}

async function main(
  deps: Pick<StatementDeps, 'assets'>,
  look: AccountLook,
  statement: Statement,
  worth: readonly DayWorth[],
): Promise<Html> {
  const { say } = look;
  const { currency, timeZone } = statement.covered;
  const apart = apartTable(look, statement);
  const [inExplanation, ...notes] = explanations(look, statement);
  const columns = [...statement.assets.map(({ asset }) => asset), null];
  const links = rowNames(statement).map((row) => [
    null,
    ...columns.map((asset) => rowsBehind(deps, look, statement, row, asset)),
  ]);
  const inUnits = { ...unitsTable(look, statement), links };
  const units = await part(look, 'statement', inUnits, say('statementClosedDays', { timeZone }));
  const values = await part(look, 'values', { ...valueTable(look, statement), links }, currency);
  const others = apart && (await part(look, 'apart', apart, ''));
  return html`${figures(look, statement)}
${worthPart(look, statement, worth)}
${units}
<p class="small quiet">${inExplanation}</p>
${values}
${notes.map((note) => html`<p class="small quiet">${note}</p>`)}
${others}`;
}

async function part(look: AccountLook, id: string, table: ReportTable, more: string): Promise<Html> {
  const { rows } = await firstRows(table, 500);
  return html`<section class="part"><div class="part-head"><h2 id="h-${id}">${table.title}</h2>${more !== '' && html`<span class="more quiet">${more}</span>`}</div>
${tableHtml(look, `h-${id}`, table, rows)}</section>`;
}

function figures({ say, language }: AccountLook, { total, covered: { currency } }: Statement): Html {
  const moved = [...total.lines.values()];
  const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);
  const stats = [
    [say('statementOpening'), total.opening],
    [say('statementIn'), sum(moved.filter((value) => value > 0n))],
    [say('statementOut'), -sum(moved.filter((value) => value < 0n))],
    [say('statementRevaluation'), total.revaluation],
    [say('statementClosing'), total.closing],
  ] as const;
  return html`<div class="stats">${stats.map(([name, value]) => html`<div class="stat"><span class="label">${name}</span><span class="amount">${priceHtml(language, valueText(currency, value), currency)}</span></div>`)}</div>`;
}

const labelsMax = 6;

/** What all was worth from day to day; where a rate is missing there is no line, but a sentence. */
function worthPart(look: AccountLook, { covered }: Statement, worth: readonly DayWorth[]): Html {
  const { say, language } = look;
  const { currency } = covered;
  const known = worth.flatMap(({ day, value }) =>
    value === null ? [] : [{ day, value: decimal(valueText(currency, value)) }],
  );
  const text = (value: string): string => priceText(language, value, currency);
  const every = Math.max(1, Math.ceil(known.length / labelsMax));
  const points = known.map(({ day, value }) => ({
    value,
    title: `${shortDay(look, day)}: ${text(formatFixed(value, decimalsOf(currency)))}`,
  }));
  const rows = worth.map(
    ({ day, value }) =>
      html`<tr><th scope="row">${dayText(look, day)}</th><td class="n">${value === null ? say('noValue') : text(valueText(currency, value))}</td></tr>`,
  );
  const chart = lineChart({
    points,
    scaleText: (value) => text(formatDecimal(value)),
    labels: known.filter((_, at) => at % every === 0).map(({ day }) => shortDay(look, day)),
  });
  return html`<section class="part" aria-labelledby="h-worth"><div class="part-head"><h2 id="h-worth">${say('statementWorth', { currency })}</h2><span class="more quiet">${say('statementAtRates')}</span></div>
${known.length > 1 ? chart : false}${known.length < worth.length && html`<p class="small quiet">${say('statementWorthUnknown')}</p>`}
<details class="numbers" id="worth-numbers"><summary>${say('asTable')}</summary><table class="table"><thead><tr><th scope="col">${say('day')}</th><th scope="col" class="n">${say('statementValue')}</th></tr></thead><tbody>${rows}</tbody></table></details></section>`;
}
