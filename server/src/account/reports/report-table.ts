/**
 * A table of a report, as data: what a page shows, a CSV lists and a PDF prints is written from the same cells, so that what is
 * taken along is what was seen.
 */
import { giveWay } from '../../lib/give-way.ts';
import { inParts } from '../../lib/in-parts.ts';
import { tooLongForPdf } from '../../reports/report-errors.ts';
import type { CsvCell } from '../../web/csv.ts';
import { type Html, type HtmlValue, html } from '../../web/html.ts';
import { numberText } from '../../web/number-text.ts';
import type { AccountLook } from '../frame/account-look.ts';
import { momentText } from '../frame/moment-text.ts';
import type { PrintedTable } from './report-pdf.ts';

/** Where a column stands on a screen: from a tablet on, at a desk only, or nowhere. Then it is told below the first one. */
export type Room = 'desk' | 'roomy' | 'below';

export type ReportColumn = {
  readonly name: string;
  readonly isNumber: boolean;
  /** Programs read it with its distance from UTC, people as a date and a clock. */
  readonly isMoment?: true;
  readonly room?: Room;
};

export type ReportTable = {
  readonly title: string;
  readonly columns: readonly ReportColumn[];
  /** Read while they are written: a report of any length needs the memory of a batch. */
  readonly batches: AsyncIterable<readonly (readonly CsvCell[])[]>;
  /** Whether the last row is what the others come to. */
  readonly hasSum?: boolean;
  /** For each row and column where the rows are that make a number up; on a screen only. */
  readonly links?: readonly (readonly (string | null)[])[];
};

export type CellOf<Row> = ReportColumn & { readonly cell: (row: Row) => CsvCell };

export const textColumn = <Row>(name: string, cell: (row: Row) => CsvCell, room?: Room): CellOf<Row> => ({
  name,
  cell,
  isNumber: false,
  ...(room && { room }),
});
export const numberColumn = <Row>(name: string, cell: (row: Row) => CsvCell, room?: Room): CellOf<Row> => ({
  name,
  cell,
  isNumber: true,
  ...(room && { room }),
});

export const momentColumn = <Row>(name: string, cell: (row: Row) => CsvCell): CellOf<Row> => ({
  name,
  cell,
  isNumber: false,
  isMoment: true,
});

/** Of rows that are read batch by batch, or of a few that are there already. */
export function reportTable<Row>(
  title: string,
  columns: readonly CellOf<Row>[],
  rows: AsyncIterable<readonly Row[]> | readonly Row[],
): ReportTable {
  async function* batches() {
    for await (const batch of Symbol.asyncIterator in rows ? rows : [rows])
      yield batch.map((row) => columns.map(({ cell }) => cell(row)));
  }
  return { title, columns, batches: batches() };
}

/** The first rows, and whether there are more. */
export async function firstRows(
  { batches }: ReportTable,
  max: number,
): Promise<{ rows: (readonly CsvCell[])[]; isMore: boolean }> {
  const rows: (readonly CsvCell[])[] = [];
  for await (const batch of batches) {
    rows.push(...batch);
    if (rows.length > max) break;
  }
  return { rows: rows.slice(0, max), isMore: rows.length > max };
}

/** More is for programs: nobody turns so many pages. */
const rowsPrinted = 2_000;

/** What a thread makes a PDF of: texts and no promises. */
export async function printedTable(look: Pick<AccountLook, 'language'>, table: ReportTable): Promise<PrintedTable> {
  const { rows, isMore } = await firstRows(table, rowsPrinted);
  if (isMore) throw tooLongForPdf(rowsPrinted);
  const texts: string[][] = [];
  for (const part of inParts(rows, 200)) {
    texts.push(...part.map((row) => row.map((cell) => cellText(look, cell))));
    await giveWay();
  }
  const columns = table.columns.map(({ name, isNumber }) => ({ name, isNumber }));
  return { title: table.title, columns, texts, hasSum: table.hasSum ?? false };
}

/** As people read it; nothing where there is nothing. */
export function cellText({ language }: Pick<AccountLook, 'language'>, cell: CsvCell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? cell : numberText(language, cell.number);
}

const roomClass: Readonly<Record<Room, string>> = { desk: 'desk', roomy: 'desk roomy', below: '' };
const belowClass: Readonly<Record<Room, string>> = { desk: 'sub', roomy: 'sub cramped', below: 'sub below' };

/** `id`: of the heading that names the table. */
export function tableHtml(
  look: AccountLook,
  id: string,
  { columns, hasSum = false, links = [] }: ReportTable,
  rows: readonly (readonly CsvCell[])[],
): Html {
  const classOf = ({ isNumber, room }: ReportColumn): string =>
    [isNumber ? 'n' : 'wrap', room ? roomClass[room] : ''].filter((name) => name !== '').join(' ');
  const cellHtml = (cell: CsvCell, at: number, link: string | null): Html | false => {
    const [text, column] = [cellText(look, cell), columns[at]];
    if (!column || column.room === 'below') return false;
    const shown = text === '' && column.isNumber ? html`<span class="quiet">–</span>` : breakable(text);
    return html`<td class="${classOf(column)}">${link === null ? shown : html`<a href="${link}">${shown}</a>`}</td>`;
  };
  /** What has no column of its own on this screen. */
  const below = (row: readonly CsvCell[]): HtmlValue =>
    columns.map(({ name, room }, at) => {
      const text = cellText(look, row[at] ?? null);
      return room && text !== '' && html`<span class="${belowClass[room]}">${name}: ${text}</span>`;
    });
  const rowsHtml = rows.map((row, place) => {
    const [first = null, ...others] = row;
    const cells = others.map((cell, at) => cellHtml(cell, at + 1, links[place]?.[at + 1] ?? null));
    const named =
      columns[0]?.isMoment && typeof first === 'string' ? momentText(look, new Date(first)) : cellText(look, first);
    return html`<tr><th scope="row" class="wrap">${named}${columns.some(({ room }) => room) && html`<span class="subs">${below(row)}</span>`}</th>${cells}</tr>`;
  });
  const [body, foot] = hasSum ? [rowsHtml.slice(0, -1), rowsHtml.slice(-1)] : [rowsHtml, []];
  return html`<div class="scroll bleed" tabindex="0" role="region" aria-labelledby="${id}"><table class="table calm"><thead><tr>${columns.map((column) => column.room !== 'below' && html`<th scope="col" class="${classOf(column)}">${column.name}</th>`)}</tr></thead><tbody>${body}</tbody>${foot.length > 0 && html`<tfoot>${foot}</tfoot>`}</table></div>`;
}

/** An address may break anywhere; a word need not, and its column is as wide as that. */
const breakable = (text: string): HtmlValue => (/\S{25}/.test(text) ? html`<span class="breaks">${text}</span>` : text);

/** More than a page of a list has, and than a report of sums usually has: where that has more, its page says so. */
const rowsShown = 2_000;

/** What all rows come to, and the rows; where there are none, that. `more`: below them. */
export async function listSections(
  look: AccountLook,
  {
    totals,
    rows,
    more,
  }: { readonly totals: ReportTable | null; readonly rows: ReportTable; readonly more?: HtmlValue },
): Promise<Html> {
  const { rows: listed, isMore } = await firstRows(rows, rowsShown);
  const sums = totals && listed.length > 0 ? (await firstRows(totals, rowsShown)).rows : [];
  return html`${
    totals &&
    sums.length > 0 &&
    html`<section class="part"><div class="part-head"><h2 id="h-totals">${totals.title}</h2></div>
${tableHtml(look, 'h-totals', totals, sums)}</section>`
  }
<section class="part"><div class="part-head"><h2 id="h-rows">${rows.title}</h2></div>
${listed.length === 0 ? html`<p class="lead">${look.say('reportEmpty')}</p>` : tableHtml(look, 'h-rows', rows, listed)}${isMore && html`<p class="small">${look.say('reportFirstRows', { count: numberText(look.language, String(rowsShown)) })}</p>`}${more}</section>`;
}
