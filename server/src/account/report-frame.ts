/**
 * What all reports have in common: the page with its tabs, the choice of a period and of a format, and the files. A report is
 * a value of `Report`, a line in `account-menu` (its tab) and one in `report-routes`.
 */
import { present } from '../lib/assert.ts';
import { GatewayError, notFound } from '../lib/errors.ts';
import { addDays } from '../lib/local-day.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { type Covered, coveredDays } from '../reports/covered-days.ts';
import { type Period, periodAround, periodKinds } from '../reports/report-period.ts';
import { csvHead, csvLine } from '../web/csv.ts';
import { type Html, type HtmlValue, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import { accountPage, accountReply, problemText } from './account-layout.ts';
import type { AccountLook, FileLook } from './account-look.ts';
import { type AccountDeps, type AccountRoute, createAccountRoutes, type MemberContext } from './account-route.ts';
import { dayText } from './day-text.ts';
import { elsewhereOf, elsewherePage } from './elsewhere.ts';
import { type AccountFile, fileReply } from './file-reply.ts';
import type { ListFile } from './list-file.ts';
import { listReply } from './list-reply.ts';
import { askedText, orProblem } from './money-words.ts';
import { reportPdf } from './report-pdf.ts';
import type { ReportTable } from './report-table.ts';
import type { AccountTextKey } from './texts/account-texts.ts';

export const reportsPath = '/account/reports';

/** In the order of their buttons. */
export const reportFormats = ['camt', 'json', 'csv', 'pdf'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export type ReportContext = MemberContext & { readonly covered: Covered };

/** As much of it as a file needs, which may be written when nobody is there. */
export type FileContext = { readonly merchant: Merchant; readonly look: FileLook; readonly covered: Covered };

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

export function reportRoutesOf(deps: AccountDeps, report: Report): AccountRoute[] {
  const accountRoute = createAccountRoutes(deps);
  const path = `${reportsPath}/${report.name}`;
  const covering = async (context: MemberContext): Promise<ReportContext> => {
    const covered = await coveredDays(deps.db, context.merchant, askedText(context.request, 'period'));
    return { ...context, covered };
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
        if (!(found instanceof GatewayError)) return accountReply(200, look, await reportPage(report, path, found));
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
        const about = {
          action: 'export.report' as const,
          asked: { report: report.name, period, format },
          names: [context.look.say(report.title), period],
        };
        const write = report.files[format];
        if (write) return fileReply(deps, context, { ...about, ...(await write(asked)) });
        const { exportName, ...rows } = present(report.rows, 'rows of a report');
        const file = rows[format === 'json' ? 'json' : 'csv'](asked);
        return listReply(deps, context, { ...about, list: exportName, format, query: { period }, file });
      },
    }),
  ];
}

async function reportPage(report: Report, path: string, context: ReportContext): Promise<Html> {
  const { look, covered } = context;
  const { main, mark } = await report.show(context);
  const query = `?period=${covered.period.name}`;
  return accountPage(look, {
    title: look.say('menuReports'),
    documentTitle: `${look.say(report.title)}, ${periodText(look, covered.period)}`,
    tabQuery: query,
    actions: formatButtons(look, report, `${path}/export${query}`),
    main: html`<div class="filters">${periodChooser(look, path, covered)}${mark && html`<span class="push">${mark}</span>`}</div>
${!covered.isWhole && html`<p class="small quiet">${look.say('periodSoFar', { day: dayText(look, addDays(covered.to, -1)) })}</p>`}
${main}`,
  });
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

function periodChooser(look: AccountLook, path: string, { period, to, before, after }: Covered): Html {
  const { say } = look;
  const lastDay = addDays(to, -1);
  const step = (other: Period | null, sign: 'left' | 'right'): Html =>
    other
      ? html`<a class="btn" href="${path}?period=${other.name}" aria-label="${periodText(look, other)}">${icon(sign)}</a>`
      : html`<button class="btn" type="button" disabled aria-label="${say(sign === 'left' ? 'periodBefore' : 'periodAfter')}">${icon(sign)}</button>`;
  return html`<div class="seg" role="group" aria-label="${say('filter_period')}">${periodKinds.map(
    (kind) =>
      html`<a href="${path}?period=${periodAround(kind, lastDay).name}"${kind === period.kind && html` aria-current="true"`}>${say(`period_${kind}`)}</a>`,
  )}</div>${step(before, 'left')}<b>${periodText(look, period)}</b>${step(after, 'right')}`;
}

/** `17 October 2026`, `October 2026`, `Q4 2026`, `2026`. */
export function periodText(look: Pick<AccountLook, 'language' | 'say'>, { kind, name, first }: Period): string {
  const year = first.slice(0, 4);
  if (kind === 'year') return year;
  if (kind === 'quarter') return look.say('quarterOfYear', { quarter: name.slice(-1), year });
  const day = kind === 'day' ? ({ day: 'numeric' } as const) : {};
  const form = { ...day, month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(look.language, form).format(new Date(`${first}T00:00:00Z`));
}

/** The whole of a table that is there already. */
export async function csvFile({ columns, batches }: ReportTable): Promise<FileBody> {
  let body = csvHead(columns.map(({ name }) => name));
  for await (const rows of batches) body += rows.map(csvLine).join('');
  return { type: 'text/csv; charset=utf-8', extension: 'csv', body };
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
