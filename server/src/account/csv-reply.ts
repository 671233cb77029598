/**
 * A list as a file: what is on the screen, all of its pages, for who may take it along; the audit log knows who did. It is
 * sent while it is read, batch by batch, so a list of any length needs the memory of a batch.
 */
import type { Db } from '../db/database.ts';
import type { PageReply } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { type CsvCell, csvStream } from '../web/csv.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { AccountLook } from './account-look.ts';
import type { MemberContext } from './account-route.ts';
import { type ExportAction, fileReply } from './file-reply.ts';
import type { AccountTextKey } from './texts/account-texts.ts';

/** What a column is called, and what stands in it. */
export type Column<Row> = readonly [name: AccountTextKey, cell: (row: Row) => CsvCell];

export type ExportedList<Row> = {
  /** In the audit log. */
  readonly action: ExportAction;
  /** What was asked for, for the audit log. */
  readonly asked: Readonly<Record<string, string>>;
  /** In the name of the file. */
  readonly name: AccountTextKey;
  /** The days that it is about, or the one on which it was made. */
  readonly days: readonly string[];
  readonly columns: readonly Column<Row>[];
  readonly batches: AsyncIterable<readonly Row[]>;
};

/** `data-plain`: a file is not fetched before somebody asks for it. */
export const exportButton = ({ say, may }: AccountLook, path: string): Html | false =>
  may('exportReports') && html`<a class="btn" href="${path}" data-plain>${icon('download')}${say('exportList')}</a>`;

export async function csvReply<Row>(
  deps: { readonly db: Db; readonly clock: Clock },
  context: MemberContext,
  list: ExportedList<Row>,
): Promise<PageReply> {
  const { look, merchant, request } = context;
  const rows = await begun(list.batches, (error) =>
    request.log.error({ err: error, merchantId: merchant.id }, 'an export broke off'),
  );
  const cells = async function* () {
    for await (const batch of rows) yield batch.map((row) => list.columns.map(([, cell]) => cell(row)));
  };
  return fileReply(deps, context, {
    action: list.action,
    asked: list.asked,
    names: [look.say(list.name), ...list.days],
    ...csvBody(
      list.columns.map(([name]) => look.say(name)),
      cells(),
    ),
  });
}

export const csvBody = (header: readonly string[], batches: AsyncIterable<readonly (readonly CsvCell[])[]>) => ({
  type: 'text/csv; charset=utf-8',
  extension: 'csv',
  body: csvStream(header, batches),
});

/**
 * The same batches, the first one of which is read: what is wrong with a request is wrong with that, and then there is a page
 * that says so, and no broken file.
 */
export async function begun<Row>(
  batches: AsyncIterable<readonly Row[]>,
  onBreak: (error: unknown) => void,
): Promise<AsyncIterable<readonly Row[]>> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let batch = first; batch.done !== true; batch = await iterator.next()) yield batch.value;
    } catch (error) {
      onBreak(error);
      throw error;
    }
  })();
}

type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null };

/** Page after page, each where the one before ended. */
export async function* pagesOf<Row>(read: (cursor: string | undefined) => Promise<Page<Row>>) {
  let cursor: string | undefined;
  do {
    const { rows, next } = await read(cursor);
    yield rows;
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}
