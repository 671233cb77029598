/**
 * What all reports have in common: the page with its tabs, the choice of a period and of a format, and the files. A report is
 * a value of `Report`, a line in `account-menu` (its tab) and one in `report-routes`.
 */
import { type AssetCatalog, type CatalogAsset, findAsset } from '../catalog/asset-catalog.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { addDays } from '../lib/local-day.ts';
import { type Covered, coveredDays } from '../reports/covered-days.ts';
import { type Period, periodAround, periodKinds } from '../reports/report-period.ts';
import { type StatementLine, statementLines } from '../reports/statement-lines.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { accountPage, accountReply, problemText } from './account-layout.ts';
import type { AccountLook } from './account-look.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes, type MemberContext } from './account-route.ts';
import { begun, csvBody } from './csv-reply.ts';
import { dayText, periodText } from './day-text.ts';
import { type AccountFile, fileReply } from './file-reply.ts';
import { askedText, assetPath, orProblem } from './money-words.ts';
import { reportPdf } from './report-pdf.ts';
import type { ReportTable } from './report-table.ts';
import type { AccountTextKey } from './texts/account-texts.ts';

export const reportsPath = '/account/reports';

/** In the order of their buttons. */
export const reportFormats = ['camt', 'json', 'csv', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Which rows of a report are wanted; null: all. */
export type RowFilter = { readonly asset: CatalogAsset | null; readonly line: StatementLine | null };

export type ReportContext = MemberContext & { readonly covered: Covered; readonly filter: RowFilter };

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
};

export type ReportDeps = AccountDeps & { readonly assets: AssetCatalog };

/** As it stands in an address, behind the period. */
export const filterQuery = (filter: { readonly asset?: string | null; readonly line?: StatementLine | null }): string =>
  [...(filter.asset ? [`&asset=${filter.asset}`] : []), ...(filter.line ? [`&line=${filter.line}`] : [])].join('');

function readFilter({ assets }: ReportDeps, { filters = [] }: Report, { request }: MemberContext): RowFilter {
  const asked = (name: keyof RowFilter): string => (filters.includes(name) ? askedText(request, name) : '');
  const [asset, line] = [findAsset(assets, asked('asset')), statementLines.find((each) => each === asked('line'))];
  if (asked('asset') !== '' && !asset) throw notFound('asset', asked('asset'));
  return { asset: asset ?? null, line: line ?? null };
}

export function reportRoutesOf(deps: ReportDeps, report: Report): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const path = `${reportsPath}/${report.name}`;
  const covering = async (context: MemberContext): Promise<ReportContext> => {
    const covered = await coveredDays(deps.db, context.merchant, askedText(context.request, 'period'));
    return { ...context, covered, filter: readFilter(deps, report, context) };
  };
  return [
    accountRoute({
      method: 'GET',
      path,
      access: { may: 'seeReports' },
      async handle(context) {
        const { look, request } = context;
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
        const format = reportFormats.find((each) => each === askedText(context.request, 'format'));
        const write = format && report.files[format];
        if (!write) throw notFound('format', askedText(context.request, 'format'));
        const asked = await covering(context);
        const { name } = asked.covered.period;
        return fileReply(deps, context, {
          action: 'export.report',
          asked: { report: report.name, period: name, format },
          names: [context.look.say(report.title), name],
          ...(await write(asked)),
        });
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

const formatButtons = ({ say, may }: AccountLook, { files }: Report, path: string): HtmlValue =>
  may('exportReports') &&
  reportFormats
    .filter((format) => files[format])
    .map((format) => {
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
  )}</div>${step(before, 'left')}<b>${periodText(look, period)}</b>${step(after, 'right')}`;
}

/** The whole of a table, row by row. */
export async function csvFile(
  { request, merchant }: ReportContext,
  { columns, batches }: ReportTable,
): Promise<FileBody> {
  const rows = await begun(batches, (error) =>
    request.log.error({ err: error, merchantId: merchant.id }, 'an export broke off'),
  );
  return csvBody(
    columns.map(({ name }) => name),
    rows,
  );
}

export async function pdfFile(
  { look, merchant, covered }: ReportContext,
  { title }: Pick<Report, 'title'>,
  { tables, notes = [] }: { readonly tables: readonly ReportTable[]; readonly notes?: readonly string[] },
): Promise<FileBody> {
  const [first, last] = [dayText(look, covered.from), dayText(look, addDays(covered.to, -1))];
  const body = await reportPdf(look, {
    account: merchant.name,
    title: `${look.say(title)}, ${periodText(look, covered.period)}`,
    facts: [look.say('coveredDays', { first, last, timeZone: covered.timeZone }), ...notes],
    tables,
  });
  return { type: 'application/pdf', extension: 'pdf', body };
}

/** `data`: as the API answers it. */
export const jsonFile = async (data: unknown): Promise<FileBody> => ({
  type: 'application/json; charset=utf-8',
  extension: 'json',
  body: `${JSON.stringify(data, null, 2)}\n`,
});
