import type { Query } from '../db/database.ts';
import { invalidRequest } from '../lib/errors.ts';
import { type Customer, type CustomerPosition, customersAfter } from './customer-store.ts';

/** A page, newest first. The cursor names the last customer shown, so pages stay whole while customers come and go. */
export async function listCustomers(
  query: Query,
  merchantId: string,
  page: { limit: number; cursor?: string | undefined; email?: string | undefined },
): Promise<{ customers: Customer[]; next: string | null }> {
  const position = page.cursor === undefined ? null : readCursor(page.cursor);
  const found = await customersAfter(query, merchantId, { position, email: page.email ?? null, limit: page.limit + 1 });
  const customers = found.slice(0, page.limit);
  const last = customers.at(-1);
  return { customers, next: found.length > page.limit && last ? writeCursor(last) : null };
}

const writeCursor = ({ createdAt, id }: CustomerPosition): string =>
  Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');

function readCursor(cursor: string): CustomerPosition {
  const [, time, id] = /^(\d{1,15})\.([a-z0-9]{12})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (time === undefined || id === undefined) throw invalidRequest('cursor must be the `next` of a page before.');
  return { createdAt: new Date(Number(time)), id };
}
