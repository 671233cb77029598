/**
 * What all reports have in common: the page with its tabs, the choice of a period and of a format, and the files. A report is
 * a value of `Report`, a line in `account-menu` (its tab) and one in `report-routes`.
 */
import { type AssetCatalog, type CatalogAsset, findAsset } from '../../catalog/asset-catalog.ts';
import { present } from '../../lib/assert.ts';
import { GatewayError, notFound } from '../../lib/errors.ts';
import { giveWay } from '../../lib/give-way.ts';
import type { HeavyTask, HeavyWork } from '../../lib/heavy-work.ts';
import { inParts } from '../../lib/in-parts.ts';
import { addDays } from '../../lib/local-day.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { type Covered, coveredDays } from '../../reports/covered-days.ts';
import { type Period, periodAround, periodKinds } from '../../reports/report-period.ts';
import { type StatementLine, statementLines } from '../../reports/statement-lines.ts';
import { csvHead, csvLine } from '../../web/csv.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import type { ListFile } from '../exports/list-file.ts';
import { listReply } from '../exports/list-reply.ts';
import { accountPage, accountReply } from '../frame/account-layout.ts';
import type { AccountLook, FileLook } from '../frame/account-look.ts';
import {
  type AccountDeps,
  type AccountRoute,
  createAccountRoutes,
  type MemberContext,
} from '../frame/account-route.ts';
import { dayText, periodText } from '../frame/day-text.ts';
import { elsewhereOf, elsewherePage } from '../frame/elsewhere.ts';
import { type AccountFile, fileReply } from '../frame/file-reply.ts';
import { askedText, assetPath, orProblem } from '../frame/money-words.ts';
import { problemText } from '../frame/problem-text.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';
import type { reportPdf } from './report-pdf.ts';
import { printedTable, type ReportTable } from './report-table.ts';

export const reportsPath = '/account/reports';

/** In the order of their buttons. */
export const reportFormats = ['camt', 'json', 'csv', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Which rows of a report are wanted; null: all. */
export type RowFilter = { readonly asset: CatalogAsset | null; readonly line: StatementLine | null };

type AskedRows = { readonly covered: Covered; readonly filter: RowFilter };

export type ReportContext = MemberContext & AskedRows & { readonly heavyWork: HeavyWork };

/** As much of it as a file needs, which may be written when nobody is there. */
export type FileContext = AskedRows & { readonly merchant: Merchant; readonly look: FileLook };

type FileBody = Pick<AccountFile, 'type' | 'extension' | 'body'>;

export type Report = {
  /** In its address, and in the audit log. */
  readonly name: string;
  /** Of the page and its files. */
  readonly title: AccountTextKey;
  readonly show: (context: ReportContext) => Promise<{
    readonly main: Html;
    /** Beside the period: that it adds up. */
    readonly mark?: Html;
  }>;
  /** By what its rows can be chosen: names in its address. */
  readonly filters?: readonly (keyof RowFilter)[];
  /** What it can be taken along as. */
  readonly files: Partial<Record<ReportFormat, (context: ReportContext) => Promise<FileBody>>>;
  /** Of one that is a list of any length: what is written part by part, and may be made to be fetched later. */
  readonly rows?: ReportRows;
};

export type ReportRows = {
  /** What it is called among all lists that can be taken along. */
  readonly exportName: string;
  readonly csv: (context: FileContext) => ListFile;
  readonly json: (context: FileContext) => ListFile;
};

const formatsOf = ({ files, rows }: Report): ReportFormat[] =>
  reportFormats.filter((format) => files[format] || (rows && (format === 'csv' || format === 'json')));

export type ReportDeps = AccountDeps & { readonly assets: AssetCatalog; readonly heavyWork: HeavyWork };

/** As it stands in an address, behind the period. */
export const filterQuery = (filter: { readonly asset?: string | null; readonly line?: StatementLine | null }): string =>
  [...(filter.asset ? [`&asset=${filter.asset}`] : []), ...(filter.line ? [`&line=${filter.line}`] : [])].join('');

/** `asked`: as an address says it. */
export function readRowFilter(
  { assets }: Pick<ReportDeps, 'assets'>,
  { filters = [] }: Pick<Report, 'filters'>,
  asked: Readonly<Record<string, string>>,
): RowFilter {
  const named = (name: keyof RowFilter): string => (filters.includes(name) ? (asked[name] ?? '') : '');
  const [asset, line] = [findAsset(assets, named('asset')), statementLines.find((each) => each === named('line'))];
  if (named('asset') !== '' && !asset) throw notFound('asset', named('asset'));
  return { asset: asset ?? null, line: line ?? null };
}

/** The same again, by which it is kept. */
export const keptFilter = ({ asset, line }: RowFilter): Record<string, string> => ({
  ...(asset && { asset: asset.id }),
  ...(line && { line }),
});

export function reportRoutesOf(deps: ReportDeps, report: Report): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const path = `${reportsPath}/${report.name}`;
  const covering = async (context: MemberContext): Promise<ReportContext> => {
    const covered = await coveredDays(deps.db, context.merchant, askedText(context.request, 'period'));
    const asked = { asset: askedText(context.request, 'asset'), line: askedText(context.request, 'line') };
    return { ...context, covered, filter: readRowFilter(deps, report, asked), heavyWork: deps.heavyWork };
  };
  return [
    accountRoute({
      method: 'GET',
      path,
      access: { may: 'seeReports' },
      async handle(context) {
        const { look, request } = context;
        const elsewhere = elsewhereOf(context);
        if (elsewhere) return accountReply(200, look, elsewherePage(look, 'menuReports', elsewhere));
        const found = await orProblem(() => covering(context));
        if (!(found instanceof GatewayError))
          return accountReply(200, look, await reportPage(deps, report, path, found));
        // Whoever opens the reports of a new account did nothing wrong.
        const status = askedText(request, 'period') === '' ? 200 : found.httpStatus;
        return accountReply(status, look, emptyPage(look, report, found), status === 200 ? {} : found.headers);
      },
    }),
    accountRoute({
      method: 'GET',
      path: `${path}/export`,
      access: { may: 'exportReports' },
      cost: 'document',
      async handle(context) {
        const format = formatsOf(report).find((each) => each === askedText(context.request, 'format'));
        if (!format) throw notFound('format', askedText(context.request, 'format'));
        const asked = await covering(context);
        const period = asked.covered.period.name;
        const query = { period, ...keptFilter(asked.filter) };
        const about = {
          action: 'export.report' as const,
          asked: { report: report.name, ...query, format },
          names: [context.look.say(report.title), period],
        };
        const write = report.files[format];
        if (write) return fileReply(deps, context, { ...about, ...(await write(asked)) });
        const { exportName, ...rows } = present(report.rows, 'rows of a report');
        const file = rows[format === 'json' ? 'json' : 'csv'](asked);
        return listReply(deps, context, { ...about, list: exportName, format, query, file });
      },
    }),
  ];
}

async function reportPage(deps: ReportDeps, report: Report, path: string, context: ReportContext): Promise<Html> {
  const { look, covered, filter } = context;
  const { main, mark } = await report.show(context);
  const names = { asset: filter.asset && assetPath(deps.assets, filter.asset), line: filter.line };
  const query = `?period=${covered.period.name}`;
  return accountPage(look, {
    title: look.say('menuReports'),
    documentTitle: `${look.say(report.title)}, ${periodText(look, covered.period)}`,
    tabQuery: query,
    actions: formatButtons(look, report, `${path}/export${query}${filterQuery(names)}`),
    main: html`<div class="filters">${periodChooser(look, path, covered, filterQuery(names))}${filterChips(look, `${path}${query}`, filter, names)}${mark && html`<span class="push">${mark}</span>`}</div>
${!covered.isWhole && html`<p class="small quiet">${look.say('periodSoFar', { day: dayText(look, addDays(covered.to, -1)) })}</p>`}
${main}`,
  });
}

/** What is chosen, each with a way back to all. */
function filterChips(
  { say }: AccountLook,
  path: string,
  filter: RowFilter,
  { asset, line }: Parameters<typeof filterQuery>[0],
): HtmlValue {
  const chip = (name: string, text: string, rest: string): Html =>
    html`<a class="chip on" href="${path}${rest}"><span class="unseen">${name}: </span>${text}<span class="unseen">, ${say('removeFilter')}</span>${icon('x')}</a>`;
  return [
    filter.asset && chip(say('columnAsset'), filter.asset.assetCode, filterQuery({ line: line ?? null })),
    filter.line &&
      chip(say('statementRow'), say(`statementLine_${filter.line}`), filterQuery({ asset: asset ?? null })),
  ];
}

const emptyPage = (look: AccountLook, { title }: Report, problem: GatewayError): Html =>
  accountPage(look, {
    title: look.say('menuReports'),
    documentTitle: look.say(title),
    main: html`<div class="empty">${icon('chart')}<p>${problemText(look, problem)}</p></div>`,
  });

const formatButtons = ({ say, may }: AccountLook, report: Report, path: string): HtmlValue =>
  may('exportReports') &&
  formatsOf(report).map((format) => {
    const isCommon = format === 'csv' || format === 'pdf';
    return html`<a class="btn${!isCommon && ' quiet'}" href="${path}&format=${format}" data-plain>${isCommon && icon('download')}${say(`format_${format}`)}</a>`;
  });

function periodChooser(look: AccountLook, path: string, { period, to, before, after }: Covered, rest: string): Html {
  const { say } = look;
  const lastDay = addDays(to, -1);
  const step = (other: Period | null, sign: 'left' | 'right'): Html =>
    other
      ? html`<a class="btn" href="${path}?period=${other.name}${rest}" aria-label="${periodText(look, other)}">${icon(sign)}</a>`
      : html`<button class="btn" type="button" disabled aria-label="${say(sign === 'left' ? 'periodBefore' : 'periodAfter')}">${icon(sign)}</button>`;
  return html`<div class="seg" role="group" aria-label="${say('filter_period')}">${periodKinds.map(
    (kind) =>
      html`<a href="${path}?period=${periodAround(kind, lastDay).name}${rest}"${kind === period.kind && html` aria-current="true"`}>${say(`period_${kind}`)}</a>`,
  )}</div><span class="bar tight">${step(before, 'left')}<b>${periodText(look, period)}</b>${step(after, 'right')}</span>`;
}

/** The whole of a table that is there already. */
export async function csvFile({ columns, batches }: ReportTable): Promise<FileBody> {
  let body = csvHead(columns.map(({ name }) => name));
  for await (const rows of batches)
    for (const part of inParts(rows, 500)) {
      body += part.map(csvLine).join('');
      await giveWay();
    }
  return { type: 'text/csv; charset=utf-8', extension: 'csv', body };
}

const printing: HeavyTask<typeof reportPdf> = {
  name: 'report',
  module: import.meta.resolve('./report-pdf.ts'),
  run: 'reportPdf',
  seconds: 60,
};

export async function pdfFile(
  { look, merchant, covered, heavyWork }: ReportContext,
  { title }: Pick<Report, 'title'>,
  { tables, notes = [] }: { readonly tables: readonly ReportTable[]; readonly notes?: readonly string[] },
): Promise<FileBody> {
  const [first, last] = [dayText(look, covered.from), dayText(look, addDays(covered.to, -1))];
  const printed = [];
  for (const table of tables) printed.push(await printedTable(look, table));
  const body = await heavyWork.run(printing, merchant.id, look.language, {
    account: merchant.name,
    title: `${look.say(title)}, ${periodText(look, covered.period)}`,
    facts: [look.say('coveredDays', { first, last, timeZone: covered.timeZone }), ...notes],
    tables: printed,
  });
  return { type: 'application/pdf', extension: 'pdf', body };
}

/** `data`: as the API answers it. */
export const jsonFile = async (data: unknown): Promise<FileBody> => ({
  type: 'application/json; charset=utf-8',
  extension: 'json',
  body: `${JSON.stringify(data, null, 2)}\n`,
});
