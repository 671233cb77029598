import type { Query } from '../db/database.ts';
import { pageOf, readPageCursor } from '../http/page-cursor.ts';
import { type Customer, customersAfter } from './customer-store.ts';

/** A page, newest first. */
export async function listCustomers(
  query: Query,
  merchantId: string,
  page: { limit: number; cursor?: string | undefined; email?: string | undefined },
): Promise<{ customers: Customer[]; next: string | null }> {
  const position = readPageCursor(page.cursor);
  const found = await customersAfter(query, merchantId, { position, email: page.email ?? null, limit: page.limit + 1 });
  const { items, next } = pageOf(found, page.limit);
  return { customers: items, next };
}
