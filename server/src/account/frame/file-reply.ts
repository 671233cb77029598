/** A file for who may take it along: named so that it is found again, and known to the audit log. */
import { addAbortSignal, Readable } from 'node:stream';
import type { Db } from '../../db/database.ts';
import type { PageReply } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Export } from '../../reports/export.ts';
import type { MemberContext } from './account-route.ts';
import { audited } from './audited.ts';

export type ExportAction =
  | 'export.days'
  | 'export.checkouts'
  | 'export.customers'
  | 'export.entries'
  | 'export.papers'
  | 'export.transfers'
  | 'export.report'
  | 'export.fetched';

export type AccountFile = {
  /** In the audit log. */
  readonly action: ExportAction;
  /** What was asked for, for the audit log. */
  readonly asked: Readonly<Record<string, string>>;
  /** What the name of the file says after that of the account. */
  readonly names: readonly string[];
  readonly type: string;
  readonly extension: string;
  readonly body: string | Buffer | Readable;
};

export async function fileReply(
  deps: { readonly db: Db; readonly clock: Clock },
  context: MemberContext,
  { action, asked, names, type, extension, body }: AccountFile,
): Promise<PageReply> {
  const { merchant, request } = context;
  await audited(deps, context, action, { ...asked })(async () => undefined);
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': attachment(fileName(merchant, names, extension)),
      'cache-control': 'no-store',
    },
    body: body instanceof Readable ? addAbortSignal(request.closing, body) : body,
  };
}

/** Of a file that was made before. */
export const exportHeaders = ({ format, bytes, fileName: name }: Export): Record<string, string> => ({
  'content-type': format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8',
  'content-length': String(bytes),
  'content-disposition': attachment(name),
  'cache-control': 'no-store',
});

const attachment = (name: string): string => `attachment; filename="${name}"`;

export function fileName(
  { id, name }: { readonly id: string; readonly name: string },
  names: readonly string[],
  extension: string,
): string {
  const words = [name, ...new Set(names)].map(inFileName).filter(Boolean);
  return `${words.join('-') || id}.${extension}`;
}

/** Letters and digits that every file system takes, in a header that every browser reads. */
const inFileName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
