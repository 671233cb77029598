/**
 * Where a page of a list ended: the time and id of the last row shown. So no row is lost or shown twice while rows come
 * and go.
 */
import { invalidRequest } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';

export type PagePosition = { readonly createdAt: Date; readonly id: string };

export const writePageCursor = ({ createdAt, id }: PagePosition): string => `${createdAt.getTime().toString(36)}.${id}`;

/** Nine digits are enough until the year 5188; more could be no date at all. */
export function readPageCursor(cursor: string | undefined): PagePosition | null {
  if (cursor === undefined) return null;
  const [time = '', id = ''] = cursor.split('.');
  if (!/^[0-9a-z]{1,9}$/.test(time) || !isId(id)) throw invalidRequest('cursor must be `next` of the page before.');
  return { createdAt: new Date(Number.parseInt(time, 36)), id };
}

/**
 * So much of what others wrote is on one page, whatever number of rows was asked for: reading and writing it takes the
 * process from everybody else. Twice the largest request, so a row more is never far from it.
 */
export const pageBytes = 512 * 1024;

/** `bytes`: how long what others wrote into the row is. Left out: so little that only the number of rows counts. */
export type Weighed = { readonly bytes?: number };

/** What a list is made of before its rows are read. */
export type PageKey = PagePosition & Weighed;

export const idsOf = (keys: readonly { readonly id: string }[]): string[] => keys.map(({ id }) => id);

export const withBytes = <Key extends PagePosition>(
  keys: readonly Key[],
  bytes: ReadonlyMap<string, number>,
): (Key & { readonly bytes: number })[] => keys.map((key) => ({ ...key, bytes: bytes.get(key.id) ?? 0 }));

/** How many of these are a page. One is always, or there would be no next one. */
export function rowsOfPage(found: readonly Weighed[], limit: number): number {
  let rows = 0;
  let bytes = 0;
  for (const { bytes: more = 0 } of found) {
    bytes += more;
    if (rows === limit || (rows > 0 && bytes > pageBytes)) break;
    rows += 1;
  }
  return rows;
}

/** Given one row more than are wanted: the page, and the cursor of the next page if there is one. */
export function pageOf<Item extends PageKey>(
  found: readonly Item[],
  limit: number,
): { items: Item[]; next: string | null } {
  const items = found.slice(0, rowsOfPage(found, limit));
  const last = items.at(-1);
  return { items, next: last && found.length > items.length ? writePageCursor(last) : null };
}

/** What a page is cut from: a time range, and the row before which it begins. Null: no limit. */
export type PageRange = {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly before: PagePosition | null;
  readonly limit: number;
};

/**
 * The same as bounds that an index understands: rows from `from` on, and below the pair of `at` and `id`. One upper bound
 * and not two: of two, PostgreSQL begins at either and reads up to the other.
 */
export function boundsOf({ from, to, before }: Omit<PageRange, 'limit'>): { from: string; at: string; id: string } {
  const isBeforeTo = before !== null && (to === null || before.createdAt < to);
  return {
    from: from?.toISOString() ?? '-infinity',
    at: (isBeforeTo ? before.createdAt : to)?.toISOString() ?? 'infinity',
    id: isBeforeTo ? before.id : '',
  };
}

export const readPageRange = (query: {
  readonly limit: number;
  readonly cursor?: string;
  readonly from?: string;
  readonly to?: string;
}): PageRange => ({
  from: readMoment('from', query.from),
  to: readMoment('to', query.to),
  before: readPageCursor(query.cursor),
  limit: query.limit,
});

/** One page, newest first, and the cursor of the next one. `select` finds the keys in order, `load` reads the items. */
export async function listPage<Key extends PageKey, Item>(
  query: { readonly limit: number; readonly cursor?: string; readonly from?: string; readonly to?: string },
  select: (range: PageRange) => Promise<readonly Key[]>,
  load: (keys: readonly Key[]) => Promise<readonly (Item | undefined)[]>,
): Promise<{ items: Item[]; next: string | null }> {
  // One more than asked for tells whether there is a next page.
  const found = await select({ ...readPageRange(query), limit: query.limit + 1 });
  const { items, next } = pageOf(found, query.limit);
  const loaded = await load(items);
  return { items: loaded.filter((item) => item !== undefined), next };
}

/** A time given in a query. Without an offset it is in UTC, like all our times, not in this machine's time zone. */
function readMoment(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(/T[\d:.]+$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(moment.getTime()))
    throw invalidRequest(`${name} must be a time such as 2026-01-31T12:00:00+00:00, but is ${JSON.stringify(text)}.`);
  return moment;
}

/** Several words in one value of a query, with commas between them. */
export function readWords(name: string, text: string, allowed: readonly string[]): string[] {
  const words = [...new Set(text.split(','))];
  if (words.every((word) => allowed.includes(word))) return words;
  throw invalidRequest(
    `${name} must be one of ${allowed.join(', ')}, or several with commas between them, but is ${JSON.stringify(text)}.`,
  );
}
