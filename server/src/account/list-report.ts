/**
 * A report that is a list: on its page so many rows at a time and what all of them come to, in its files all rows. They are
 * read where the page before ended, and sent while they are read.
 */
import { Readable } from 'node:stream';
import { html } from '../web/html.ts';
import type { AccountLook } from './account-look.ts';
import { begun, pagesOf } from './csv-reply.ts';
import { pagerOf } from './developer-parts.ts';
import { askedText } from './money-words.ts';
import { csvFile, filterQuery, pdfFile, type Report, type ReportContext, reportsPath } from './report-frame.ts';
import { type CellOf, listSections, type ReportTable, reportTable } from './report-table.ts';
import type { AccountTextKey } from './texts/account-texts.ts';

type Asked = { readonly cursor: string | undefined; readonly limit: number };

export type ListReport<Row, Totals> = {
  readonly name: string;
  readonly title: AccountTextKey;
  readonly filters?: Report['filters'];
  /** What is said below the list, and on paper. */
  readonly notes: readonly AccountTextKey[];
  readonly read: (
    context: ReportContext,
    asked: Asked,
  ) => Promise<{ readonly rows: readonly Row[]; readonly next: string | null }>;
  /** On a screen and on paper. */
  readonly columns: (context: ReportContext) => CellOf<Row>[];
  /** What only a file has. */
  readonly furtherColumns: (context: ReportContext) => CellOf<Row>[];
  readonly sum: (context: ReportContext) => Promise<Totals>;
  readonly totalsTable: (context: ReportContext, totals: Totals) => ReportTable;
  /** As the API says it: what stands before the rows, and a row. */
  readonly record: {
    readonly head: (context: ReportContext, totals: Totals) => object;
    readonly row: (context: ReportContext, row: Row) => unknown;
  };
};

const rowsOfPage = 50;
const rowsOfBatch = 500;

export function listReport<Row, Totals>(list: ListReport<Row, Totals>): Report {
  const { name, title, read, sum, totalsTable } = list;
  const batches = (context: ReportContext) => pagesOf((cursor) => read(context, { cursor, limit: rowsOfBatch }));
  const notesOf = ({ say }: AccountLook): string[] => list.notes.map((note) => say(note));
  return {
    name,
    title,
    ...(list.filters && { filters: list.filters }),
    async show(context) {
      const { look, request, covered, filter } = context;
      const { say } = look;
      const cursor = askedText(request, 'cursor') || undefined;
      const isFirst = cursor === undefined;
      const { rows, next } = await read(context, { cursor, limit: rowsOfPage });
      const table = reportTable(say(title), list.columns(context), rows);
      const totals = isFirst && rows.length > 0 ? totalsTable(context, await sum(context)) : null;
      const pager = pagerOf(
        look,
        `${reportsPath}/${name}`,
        {
          next,
          isFirst,
          rest: `period=${covered.period.name}${filterQuery({ asset: filter.asset && encodeURIComponent(filter.asset.id), line: filter.line })}`,
        },
        { first: 'reportFirstPage', next: 'reportNextPage' },
      );
      const notes = notesOf(look).map((note) => html`<p class="small quiet">${note}</p>`);
      return { main: await listSections(look, { totals, rows: table, more: html`${pager}\n${notes}` }) };
    },
    files: {
      json: async (context) => {
        const head = list.record.head(context, await sum(context));
        return jsonListFile(
          context,
          head,
          mapped(batches(context), (row) => list.record.row(context, row)),
        );
      },
      csv: (context) =>
        csvFile(
          context,
          reportTable(
            context.look.say(title),
            [...list.columns(context), ...list.furtherColumns(context)],
            batches(context),
          ),
        ),
      pdf: async (context) => {
        const rows = reportTable(context.look.say(title), list.columns(context), batches(context));
        const totals = totalsTable(context, await sum(context));
        return pdfFile(context, { title }, { tables: [totals, rows], notes: notesOf(context.look) });
      },
    },
  };
}

async function* mapped<From, To>(batches: AsyncIterable<readonly From[]>, to: (from: From) => To) {
  for await (const batch of batches) yield batch.map(to);
}

/** What the API answers on all pages as if they were one. */
async function jsonListFile({ request, merchant }: ReportContext, head: object, batches: AsyncIterable<unknown[]>) {
  const rows = await begun(batches, (error) =>
    request.log.error({ err: error, merchantId: merchant.id }, 'an export broke off'),
  );
  async function* texts() {
    yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
    let between = '\n';
    for await (const batch of rows) {
      if (batch.length === 0) continue;
      yield between + batch.map((row) => JSON.stringify(row)).join(',\n');
      between = ',\n';
    }
    yield '\n],"next":null}\n';
  }
  return {
    type: 'application/json; charset=utf-8',
    extension: 'json',
    body: Readable.from(texts(), { highWaterMark: 1 }),
  };
}
