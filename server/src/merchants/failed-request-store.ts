/** All SQL about requests that failed. Decides nothing. */
import type { Query } from '../db/database.ts';
import type { PagePosition } from '../http/page-cursor.ts';

export type FailedRequest = {
  readonly id: string;
  readonly createdAt: Date;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly sentence: string;
  readonly apiKey: string;
  readonly requestId: string;
};

/** The key says whose they are. What names a key that nobody has is not kept. */
export async function insertFailedRequests(query: Query, requests: readonly FailedRequest[]): Promise<void> {
  await query`
    insert into failed_request (merchant_id, id, created_at, method, path, status, sentence, key, request_id)
    select api_key.merchant_id, given.*
      from unnest(
        ${requests.map(({ id }) => id)}::text[], ${requests.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[],
        ${requests.map(({ method }) => method)}::text[], ${requests.map(({ path }) => path)}::text[],
        ${requests.map(({ status }) => status)}::integer[], ${requests.map(({ sentence }) => sentence)}::text[],
        ${requests.map(({ apiKey }) => apiKey)}::text[], ${requests.map(({ requestId }) => requestId)}::text[])
        as given (id, created_at, method, path, status, sentence, key, request_id)
      join api_key on api_key.key = given.key
        on conflict do nothing`;
}

/** The newest first. */
export async function listFailedRequests(
  query: Query,
  merchantId: string,
  { before, limit }: { readonly before: PagePosition | null; readonly limit: number },
): Promise<FailedRequest[]> {
  const rows = await query<{
    id: string;
    created_at: Date;
    method: string;
    path: string;
    status: number;
    sentence: string;
    key: string;
    request_id: string;
  }>`
    select id, created_at, method, path, status, sentence, key, request_id from failed_request
     where merchant_id = ${merchantId}
       and (created_at, id) < (coalesce(${before?.createdAt ?? null}::timestamptz, 'infinity'), coalesce(${before?.id ?? null}::text, ''))
     order by created_at desc, id desc limit ${limit}`;
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at,
    method: row.method,
    path: row.path,
    status: row.status,
    sentence: row.sentence,
    apiKey: row.key,
    requestId: row.request_id,
  }));
}

export async function deleteFailedRequests(query: Query, before: Date): Promise<void> {
  await query`delete from failed_request where created_at < ${before}`;
}
