/** Where a page of a list ended: the last row shown, by time and id, so that pages stay whole while rows come and go. */
import { invalidRequest } from '../lib/errors.ts';
import { isId } from '../lib/ids.ts';

export type PagePosition = { readonly createdAt: Date; readonly id: string };

export const writePageCursor = ({ createdAt, id }: PagePosition): string => `${createdAt.getTime().toString(36)}.${id}`;

/** Nine digits last until the year 5188; more could be no date at all. */
export function readPageCursor(cursor: string | undefined): PagePosition | null {
  if (cursor === undefined) return null;
  const [time = '', id = ''] = cursor.split('.');
  if (!/^[0-9a-z]{1,9}$/.test(time) || !isId(id)) throw invalidRequest('cursor must be `next` of the page before.');
  return { createdAt: new Date(Number.parseInt(time, 36)), id };
}

/** Of one row more than was asked for: the page, and the cursor of the next one if there is one. */
export function pageOf<Item extends PagePosition>(
  found: readonly Item[],
  limit: number,
): { items: Item[]; next: string | null } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && found.length > limit ? writePageCursor(last) : null };
}

/** What a page is cut from: moments, and the row before which it begins. Null: no limit. */
export type PageRange = {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly before: PagePosition | null;
  readonly limit: number;
};

/** One page, newest first, and the cursor of the next one. `select` finds the keys in order, `load` what they stand for. */
export async function listPage<Key extends PagePosition, Item>(
  query: { readonly limit: number; readonly cursor?: string; readonly from?: string; readonly to?: string },
  select: (range: PageRange) => Promise<readonly Key[]>,
  load: (keys: readonly Key[]) => Promise<readonly (Item | undefined)[]>,
): Promise<{ items: Item[]; next: string | null }> {
  const found = await select({
    from: readMoment('from', query.from),
    to: readMoment('to', query.to),
    before: readPageCursor(query.cursor),
    limit: query.limit + 1, // One more than asked for tells whether there is a next page.
  });
  const { items, next } = pageOf(found, query.limit);
  const loaded = await load(items);
  return { items: loaded.filter((item) => item !== undefined), next };
}

/** A moment given in a query. Without an offset it is one of UTC, as our own are, and not of wherever this machine is. */
function readMoment(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(/T[\d:.]+$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(moment.getTime()))
    throw invalidRequest(`${name} must be a time such as 2026-01-31T12:00:00+00:00, but is ${JSON.stringify(text)}.`);
  return moment;
}
