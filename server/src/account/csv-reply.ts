/**
 * A list as a file: what is on the screen, all of its pages, for who may take it along; the audit log knows who did. It is
 * sent while it is read, batch by batch, so a list of any length needs the memory of a batch.
 */
import { addAbortSignal } from 'node:stream';
import type { Db } from '../db/database.ts';
import type { PageReply } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { type CsvCell, csvStream } from '../web/csv.ts';
import { type Html, html } from '../web/html.ts';
import { icon } from '../web/icons.ts';
import type { AccountLook } from './account-look.ts';
import type { MemberContext } from './account-route.ts';
import { audited } from './audited.ts';
import type { AccountTextKey } from './texts/account-texts.ts';

/** What a column is called, and what stands in it. */
export type Column<Row> = readonly [name: AccountTextKey, cell: (row: Row) => CsvCell];

export type ExportAction =
  | 'export.days'
  | 'export.checkouts'
  | 'export.customers'
  | 'export.entries'
  | 'export.transfers';

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
  const batches = list.batches[Symbol.asyncIterator]();
  // What is wrong with the request is wrong with its first batch: then there is a page that says so, and no broken file.
  const first = await batches.next();
  await audited(deps, context, list.action, { ...list.asked })(async () => undefined);
  const cells = (rows: readonly Row[]): CsvCell[][] => rows.map((row) => list.columns.map(([, cell]) => cell(row)));
  async function* rest() {
    try {
      for (let batch = first; batch.done !== true; batch = await batches.next()) yield cells(batch.value);
    } catch (error) {
      request.log.error({ err: error, merchantId: merchant.id }, 'an export broke off');
      throw error;
    }
  }
  const header = list.columns.map(([name]) => look.say(name));
  const names = [merchant.name, look.say(list.name), ...new Set(list.days)].map(inFileName).filter(Boolean);
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${names.join('-') || merchant.id}.csv"`,
      'cache-control': 'no-store',
    },
    body: addAbortSignal(request.closing, csvStream(header, rest())),
  };
}

/** Letters and digits that every file system takes, in a header that every browser reads. */
const inFileName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);

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
