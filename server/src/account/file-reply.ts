/** A file for who may take it along: named so that it is found again, and known to the audit log. */
import { addAbortSignal, Readable } from 'node:stream';
import type { Db } from '../db/database.ts';
import type { PageReply } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import type { MemberContext } from './account-route.ts';
import { audited } from './audited.ts';

export type ExportAction =
  | 'export.days'
  | 'export.checkouts'
  | 'export.customers'
  | 'export.entries'
  | 'export.transfers'
  | 'export.report';

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
  const name = [merchant.name, ...new Set(names)].map(inFileName).filter(Boolean).join('-') || merchant.id;
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}.${extension}"`,
      'cache-control': 'no-store',
    },
    body: body instanceof Readable ? addAbortSignal(request.closing, body) : body,
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
