import type { CheckoutsQuery } from '@quittance/contract/checkout';
import type { Db } from '../db/database.ts';
import { invalidRequest } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';
import type { Checkout, CheckoutDossier } from './checkout.ts';
import { findDossiers, listCheckouts as selectCheckouts } from './checkout-store.ts';

export type CheckoutPage = { readonly dossiers: readonly CheckoutDossier[]; readonly next: string | null };

/** One page, newest first, and the cursor of the next one. */
export async function listCheckouts(db: Db, merchant: { id: string }, query: CheckoutsQuery): Promise<CheckoutPage> {
  const found = await selectCheckouts(db, merchant.id, {
    state: query.state ?? null,
    customerId: query.customerId ?? null,
    from: query.from === undefined ? null : readTime('from', query.from),
    to: query.to === undefined ? null : readTime('to', query.to),
    before: query.cursor === undefined ? null : readCursor(query.cursor),
    limit: query.limit + 1, // One more than asked for tells whether there is a next page.
  });
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const dossiers = await findDossiers(db, page);
  return {
    dossiers: dossiers.filter((dossier) => dossier !== undefined),
    next: last && found.length > page.length ? writeCursor(last) : null,
  };
}

const writeCursor = (checkout: Checkout): string => `${checkout.createdAt.getTime().toString(36)}.${checkout.id}`;

/** Nine digits last until the year 5188; more could be no date at all. */
function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [time = '', id = ''] = cursor.split('.');
  if (!/^[0-9a-z]{1,9}$/.test(time) || !isId(id)) throw invalidRequest('cursor must be `next` of the page before.');
  return { createdAt: new Date(Number.parseInt(time, 36)), id };
}

function readTime(name: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw invalidRequest(`${name} must be a time such as 2026-01-31T12:00:00+00:00, but is ${JSON.stringify(text)}.`);
  return time;
}
