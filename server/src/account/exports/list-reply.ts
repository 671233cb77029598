/**
 * A list as the answer to who asks for it: a short one comes at once, sent while it is read; of a long one a page says that it is
 * made to be fetched later, if that is wanted. Taking it along is for who may, and the audit log knows who did.
 */
import type { PageReply } from '../../http/route.ts';
import { type Html, html } from '../../web/html.ts';
import { icon } from '../../web/icons.ts';
import { accountReply } from '../frame/account-layout.ts';
import type { AccountLook } from '../frame/account-look.ts';
import type { AccountDeps, MemberContext } from '../frame/account-route.ts';
import { type AccountFile, fileReply } from '../frame/file-reply.ts';
import { longListPage } from './exports-page.ts';
import { type ListFile, listStream } from './list-file.ts';

/** So many rows come at once: seconds, not minutes. */
export const rowsAtOnce = 10_000;

export type AskedList = Pick<AccountFile, 'action' | 'asked' | 'names'> & {
  /** By which it is asked for once more, to be made later: the list, and what its address says. */
  readonly list: string;
  readonly format: string;
  readonly query: Readonly<Record<string, string>>;
  readonly file: ListFile;
};

/** `data-plain`: a file is not fetched before somebody asks for it. */
export const exportButton = ({ say, may }: AccountLook, path: string): Html | false =>
  may('exportReports') && html`<a class="btn" href="${path}" data-plain>${icon('download')}${say('exportList')}</a>`;

export async function listReply(
  deps: Pick<AccountDeps, 'db' | 'clock'>,
  context: MemberContext,
  { list, format, query, file, action, asked, names }: AskedList,
): Promise<PageReply> {
  const { look, merchant, request } = context;
  if ((await file.count(rowsAtOnce + 1)) > rowsAtOnce)
    return accountReply(200, look, longListPage(look, { list, format, query, rowsAtOnce }));
  const body = await listStream(file, (error) =>
    request.log.error({ err: error, merchantId: merchant.id }, 'an export broke off'),
  );
  return fileReply(deps, context, { action, asked, names, type: file.type, extension: file.extension, body });
}
