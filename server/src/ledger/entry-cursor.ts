/** Where a page of entries ended. */
import { invalidRequest } from '../lib/errors.ts';
import type { EntryPosition } from './entry-list-store.ts';

export const writeEntryCursor = ({ postedAt, reference }: EntryPosition): string =>
  `${postedAt.getTime().toString(36)}.${Buffer.from(reference).toString('base64url')}`;

export function readEntryCursor(cursor: string | undefined): EntryPosition | null {
  if (cursor === undefined) return null;
  const [, time, reference] = /^([0-9a-z]{1,9})\.([\w-]{1,150})$/.exec(cursor) ?? [];
  if (time === undefined || reference === undefined) throw invalidRequest('cursor must be `next` of the page before.');
  const text = Buffer.from(reference, 'base64url').toString('utf8');
  if (text.includes('\0')) throw invalidRequest('cursor must be `next` of the page before.');
  return { postedAt: new Date(Number.parseInt(time, 36)), reference: text };
}
