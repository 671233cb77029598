/** A report that is a few sums: all of its rows, and what they come to, on the page and in the files. */
import { html } from '../../web/html.ts';
import type { AccountTextKey } from '../texts/account-texts.ts';
import { csvFile, jsonFile, pdfFile, type Report, type ReportContext } from './report-frame.ts';
import { listSections, type ReportTable } from './report-table.ts';

export type SumReport<Data> = {
  readonly name: string;
  readonly title: AccountTextKey;
  readonly filters?: Report['filters'];
  /** What is said below the rows, and on paper. */
  readonly notes: readonly AccountTextKey[];
  readonly read: (context: ReportContext) => Promise<Data>;
  readonly totals: (context: ReportContext, data: Data) => ReportTable;
  readonly rows: (context: ReportContext, data: Data) => ReportTable;
  /** As the API answers it. */
  readonly record: (context: ReportContext, data: Data) => object;
};

export function sumReport<Data>(report: SumReport<Data>): Report {
  const { name, title, read, totals, rows, record } = report;
  const notesOf = ({ look: { say } }: ReportContext): string[] => report.notes.map((note) => say(note));
  return {
    name,
    title,
    ...(report.filters && { filters: report.filters }),
    async show(context) {
      const data = await read(context);
      const main = await listSections(context.look, { totals: totals(context, data), rows: rows(context, data) });
      return { main: html`${main}\n${notesOf(context).map((note) => html`<p class="small quiet">${note}</p>`)}` };
    },
    files: {
      json: async (context) => jsonFile(record(context, await read(context))),
      csv: async (context) => csvFile(rows(context, await read(context))),
      pdf: async (context) => {
        const data = await read(context);
        const tables = [totals(context, data), rows(context, data)];
        return pdfFile(context, { title }, { tables, notes: notesOf(context) });
      },
    },
  };
}
