/**
 * Lists of checkouts, filtered, newest first. Of several filters one leads into the list, the one that leaves the fewest,
 * and the others are held against what it finds; so far and no further, so that no combination reads a whole account.
 */
import type { Db, Query } from '../db/database.ts';
import {
  idsOf,
  type PagePosition,
  readPageRange,
  rowsOfPage,
  withBytes,
  writePageCursor,
} from '../http/page-cursor.ts';
import { decimal } from '../money/decimal.ts';
import type { CheckoutDossier } from './checkout.ts';
import {
  bytesOfCheckouts,
  type Fits,
  fitting,
  type ListCut,
  listAll,
  listOdd,
  listOfCustomer,
  listOfIds,
  listOfPrice,
  listOfRails,
  listOfStates,
} from './checkout-list-store.ts';
import { findDossiers } from './checkout-store.ts';

/** `ids`: what a search has found. `among`: what is left out is in no list, such as what was not credited on a day. */
export type CheckoutFilter = Fits & {
  readonly ids: readonly string[] | null;
  readonly among: ReadonlySet<string> | null;
};

export const anyCheckout: CheckoutFilter = {
  ids: null,
  among: null,
  states: null,
  exceptions: null,
  customerId: null,
  price: null,
  currency: null,
  rails: null,
};

export type PageQuery = {
  readonly limit: number;
  readonly cursor?: string;
  readonly from?: string;
  readonly to?: string;
};

/**
 * So many are looked at for one page where more is asked than one index can answer: first a few, which is mostly enough.
 */
const lookedAt: readonly number[] = [200, 1_000];

/** So many ids must be there where there are so many: with fewer, a list would take its part for its end. */
export const lookedAtMost = 1_001;

type Positions = readonly PagePosition[];
type Lead = { readonly answers: readonly (keyof CheckoutFilter)[]; list(cut: ListCut): Promise<Positions> };

/** The way into the list, and the filters that need no further look. */
function leadOf(query: Query, merchantId: string, filter: CheckoutFilter): Lead {
  const { ids, among, customerId, price, rails, exceptions, states } = filter;
  if (ids) return { answers: ['ids'], list: (cut) => listOfIds(query, merchantId, ids, cut) };
  if (among) return { answers: ['among'], list: (cut) => listOfIds(query, merchantId, [...among], cut) };
  if (customerId !== null)
    return { answers: ['customerId'], list: (cut) => listOfCustomer(query, merchantId, customerId, cut) };
  const isToTheCent = price !== null && decimal(price).scale <= 2;
  if (price !== null)
    return { answers: isToTheCent ? ['price'] : [], list: (cut) => listOfPrice(query, merchantId, price, cut) };
  if (rails) return { answers: ['rails'], list: (cut) => listOfRails(query, merchantId, rails, cut) };
  if (exceptions) {
    const isAny = exceptions.length === 0;
    return { answers: isAny ? ['exceptions'] : [], list: (cut) => listOdd(query, merchantId, cut) };
  }
  if (states) return { answers: ['states'], list: (cut) => listOfStates(query, merchantId, states, cut) };
  return { answers: [], list: (cut) => listAll(query, merchantId, cut) };
}

export type ListedKey = PagePosition & { readonly merchantId: string };
export type CheckoutPage = { readonly keys: readonly ListedKey[]; readonly next: PagePosition | null };

/** The checkouts of one page, and where the next one begins; null: nowhere. */
export async function findPage(
  query: Query,
  merchantId: string,
  filter: CheckoutFilter,
  cut: ListCut,
  steps: readonly number[] = lookedAt,
): Promise<CheckoutPage> {
  const lead = leadOf(query, merchantId, filter);
  const isLeadEnough = Object.entries(filter).every(
    ([name, value]) => value === null || lead.answers.includes(name as keyof CheckoutFilter),
  );
  const [most = 0, ...further] = isLeadEnough ? [cut.limit + 1] : steps.map((step) => Math.max(step, cut.limit + 1));
  const looked = await lead.list({ ...cut, limit: most });
  const ids = looked.map(({ id }) => id);
  const fits = isLeadEnough ? new Set(ids) : await fitting(query, merchantId, ids, filter);
  const found = looked.filter(({ id }) => fits.has(id) && (filter.among?.has(id) ?? true));
  const page = found.slice(0, cut.limit);
  const isMore = found.length > cut.limit;
  const isUnknown = !isMore && looked.length === most;
  if (isUnknown && further.length > 0) return findPage(query, merchantId, filter, cut, further);
  // Either there is another one that fits, or it is not known: then the next page goes on where this one stopped looking.
  const stoppedAt = isUnknown ? (looked.at(-1) ?? null) : null;
  return {
    keys: page.map(({ id, createdAt }) => ({ merchantId, id, createdAt })),
    next: isMore ? (page.at(-1) ?? null) : stoppedAt,
  };
}

/** With how long what was posted with each is. */
export async function weighCheckouts<Key extends PagePosition>(
  query: Query,
  merchantId: string,
  keys: readonly Key[],
): Promise<(Key & { readonly bytes: number })[]> {
  return withBytes(keys, await bytesOfCheckouts(query, merchantId, idsOf(keys)));
}

/** For whoever reads the checkouts as a whole: a page that ends where it has enough of what was posted with them. */
export async function findReadablePage(
  query: Query,
  merchantId: string,
  filter: CheckoutFilter,
  cut: ListCut,
): Promise<CheckoutPage> {
  const { keys, next } = await findPage(query, merchantId, filter, cut);
  const rows = rowsOfPage(await weighCheckouts(query, merchantId, keys), keys.length);
  return rows === keys.length ? { keys, next } : { keys: keys.slice(0, rows), next: keys[rows - 1] ?? null };
}

export async function listCheckouts(
  db: Db,
  merchant: { readonly id: string },
  filter: CheckoutFilter,
  query: PageQuery,
): Promise<{ items: CheckoutDossier[]; next: string | null }> {
  const { keys, next } = await findReadablePage(db, merchant.id, filter, readPageRange(query));
  const items = await findDossiers(db, keys);
  return { items: items.filter((item) => item !== undefined), next: next && writePageCursor(next) };
}
