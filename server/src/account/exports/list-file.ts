/**
 * A list as a file: what stands before its rows, the rows part by part, and what stands after them. The same value is sent while
 * it is read, and written down in steps to be fetched later; a part needs nothing but where the one before ended.
 */
import { Readable } from 'node:stream';
import { type CsvCell, csvHead, csvLine } from '../../web/csv.ts';

export type ListPart = {
  readonly text: string;
  readonly rows: number;
  /** Where the next part begins; null: there is none. */
  readonly next: string | null;
};

export type ListFile = {
  readonly type: string;
  readonly extension: string;
  /** About how many rows, and at most `max`: not more is counted. */
  count(max: number): Promise<number>;
  head(): Promise<string>;
  /** The head says what all rows come to, as of when somebody asked. */
  readonly hasSums: boolean;
  /** `isFirst`: no row was written before. */
  part(position: string | null, isFirst: boolean): Promise<ListPart>;
  readonly tail: string;
};

export type ListRows<Row> = {
  /** Row by row, from there on; null: from the beginning. */
  read(position: string | null): Promise<{ readonly rows: readonly Row[]; readonly next: string | null }>;
  count(max: number): Promise<number>;
};

export const csvListFile = <Row>(
  header: readonly string[],
  { read, count }: ListRows<Row>,
  cells: (row: Row) => readonly CsvCell[],
): ListFile => ({
  type: 'text/csv; charset=utf-8',
  extension: 'csv',
  count,
  head: async () => csvHead(header),
  hasSums: false,
  async part(position) {
    const { rows, next } = await read(position);
    return { text: rows.map((row) => csvLine(cells(row))).join(''), rows: rows.length, next };
  },
  tail: '',
});

/** What the API answers on all pages as if they were one. */
export const jsonListFile = <Row>(
  head: () => Promise<object>,
  { read, count }: ListRows<Row>,
  record: (row: Row) => unknown,
): ListFile => ({
  type: 'application/json; charset=utf-8',
  extension: 'json',
  count,
  hasSums: true,
  head: async () => `${JSON.stringify(await head()).slice(0, -1)},"rows":[`,
  async part(position, isFirst) {
    const { rows, next } = await read(position);
    const text = rows.map((row) => JSON.stringify(record(row))).join(',\n');
    return { text: text === '' ? '' : `${isFirst ? '\n' : ',\n'}${text}`, rows: rows.length, next };
  },
  tail: '\n],"next":null}\n',
});

/**
 * As fast as somebody reads it: what was not asked for yet is in no memory. The first part is read before anything is sent:
 * what is wrong with a request is wrong with that, and then there is a page that says so, and no broken file.
 */
export async function listStream(file: ListFile, onBreak: (error: unknown) => void): Promise<Readable> {
  const head = await file.head();
  const first = await file.part(null, true);
  async function* texts() {
    try {
      yield head;
      let rows = 0;
      for (let part = first; ; part = await file.part(part.next, rows === 0)) {
        if (part.text !== '') yield part.text;
        rows += part.rows;
        if (part.next === null) break;
      }
      if (file.tail !== '') yield file.tail;
    } catch (error) {
      onBreak(error);
      throw error;
    }
  }
  return Readable.from(texts(), { highWaterMark: 1 });
}
