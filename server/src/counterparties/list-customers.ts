import type { Query } from '../db/database.ts';
import { pageOf, readPageCursor } from '../http/page-cursor.ts';
import { isId } from '../lib/ids.ts';
import { type Customer, customersAfter, customersBeginning, findCustomer } from './customer-store.ts';

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

/**
 * By their id, or by the beginning of an e-mail address, a company or a last name, however it is written. Of a first and
 * a last name the last one counts.
 */
export async function searchCustomers(
  query: Query,
  merchantId: string,
  wanted: string,
  limit: number,
): Promise<Customer[]> {
  const text = wanted.trim().toLowerCase();
  if (text === '') return [];
  const named = isId(text) ? await findCustomer(query, merchantId, text) : null;
  const found = await customersBeginning(query, merchantId, {
    text,
    lastname: text.split(/\s+/).at(-1) ?? text,
    limit,
  });
  return named ? [named, ...found.filter(({ id }) => id !== named.id)] : found;
}
