import type { Query } from '../db/database.ts';
import { pageOf, readPageCursor } from '../http/page-cursor.ts';
import { isId } from '../lib/ids.ts';
import {
  type Customer,
  customersAfter,
  customersBeginning,
  customersBeginningAfter,
  findCustomer,
  findCustomersInOrder,
} from './customer-store.ts';

/** A page, newest first. `search`: of those whom a search for it finds; all of them, which takes longer. */
export async function listCustomers(
  query: Query,
  merchantId: string,
  page: { limit: number; cursor?: string | undefined; email?: string | undefined; search?: string | undefined },
): Promise<{ customers: Customer[]; next: string | null }> {
  const range = { position: readPageCursor(page.cursor), limit: page.limit + 1 };
  const wanted = wantedBy(page.search ?? '');
  const found =
    wanted === null
      ? await customersAfter(query, merchantId, { ...range, email: page.email ?? null })
      : await customersBeginningAfter(query, merchantId, { ...range, ...wanted });
  const { items, next } = pageOf(found, page.limit);
  const ids = items.map(({ id }) => id);
  const customers = await findCustomersInOrder(query, merchantId, ids);
  return { customers: customers.filter((each) => each !== undefined), next };
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
  const names = wantedBy(wanted);
  if (names === null) return [];
  const named = isId(names.text) ? await findCustomer(query, merchantId, names.text) : null;
  const found = await customersBeginning(query, merchantId, { ...names, limit });
  return named ? [named, ...found.filter(({ id }) => id !== named.id)] : found;
}

/** Null: nothing is looked for. */
function wantedBy(search: string): { text: string; lastname: string } | null {
  const text = search.trim().toLowerCase();
  return text === '' ? null : { text, lastname: text.split(/\s+/).at(-1) ?? text };
}
