/**
 * A report that is a list: on its page so many rows at a time and what all of them come to, in its files all rows, each part
 * read where the one before ended.
 */
import { html } from '../../web/html.ts';
import { pagerOf } from '../developers/developer-parts.ts';
import { csvListFile, jsonListFile, type ListRows } from '../exports/list-file.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { askedText } from '../frame/money-words.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';
import { type FileContext, filterQuery, pdfFile, type Report, reportsPath } from './report-frame.ts';
import { type CellOf, listSections, type ReportTable, reportTable } from './report-table.ts';

type Asked = { readonly cursor: string | undefined; readonly limit: number };

export type ListReport<Row, Totals> = {
  readonly name: string;
  /** What it is called among all lists that can be taken along. */
  readonly exportName: string;
  readonly title: AccountTextKey;
  readonly filters?: Report['filters'];
  /** What is said below the list, and on paper. */
  readonly notes: readonly AccountTextKey[];
  readonly read: (
    context: FileContext,
    asked: Asked,
  ) => Promise<{ readonly rows: readonly Row[]; readonly next: string | null }>;
  /** About how many rows, at most `max`. */
  readonly count: (context: FileContext, max: number) => Promise<number>;
  /** On a screen and on paper. */
  readonly columns: (context: FileContext) => CellOf<Row>[];
  /** What only a file has. */
  readonly furtherColumns: (context: FileContext) => CellOf<Row>[];
  readonly sum: (context: FileContext) => Promise<Totals>;
  readonly totalsTable: (context: FileContext, totals: Totals) => ReportTable;
  /** As the API says it: what stands before the rows, and a row. */
  readonly record: {
    readonly head: (context: FileContext, totals: Totals) => object;
    readonly row: (context: FileContext, row: Row) => unknown;
  };
};

const rowsOfPage = 50;
const rowsOfBatch = 500;

export function listReport<Row, Totals>(list: ListReport<Row, Totals>): Report {
  const { name, title, read, sum, totalsTable } = list;
  const rowsOf = (context: FileContext): ListRows<Row> => ({
    read: (position) => read(context, { cursor: position ?? undefined, limit: rowsOfBatch }),
    count: (max) => list.count(context, max),
  });
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
    rows: {
      exportName: list.exportName,
      csv(context) {
        const columns = [...list.columns(context), ...list.furtherColumns(context)];
        return csvListFile(
          columns.map((column) => column.name),
          rowsOf(context),
          (row) => columns.map(({ cell }) => cell(row)),
        );
      },
      json: (context) =>
        jsonListFile(
          async () => list.record.head(context, await sum(context)),
          rowsOf(context),
          (row) => list.record.row(context, row),
        ),
    },
    files: {
      pdf: async (context) => {
        const rows = reportTable(context.look.say(title), list.columns(context), batchesOf(rowsOf(context)));
        const totals = totalsTable(context, await sum(context));
        return pdfFile(context, { title }, { tables: [totals, rows], notes: notesOf(context.look) });
      },
    },
  };
}

async function* batchesOf<Row>({ read }: ListRows<Row>) {
  let position: string | null = null;
  do {
    const { rows, next } = await read(position);
    yield rows;
    position = next;
  } while (position !== null);
}
