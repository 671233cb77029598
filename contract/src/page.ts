/** Lists come in pages: how a page is asked for, and where the next one begins. */
import { Type } from './json-schema.ts';
import { nullable, timestamp } from './text.ts';

const itemsMax = 100;

/** Existing clients ask for 250 and take what they get: so more than our maximum is no error, it means our maximum. */
const pageLimit = Type.Unsafe<number>({
  type: 'integer',
  minimum: 1,
  'x-atMost': itemsMax,
  default: 20,
  description: `How many at most. More than ${itemsMax} means ${itemsMax}.`,
});

export const pageQuery = {
  limit: pageLimit,
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: '`next` of the page before; opaque.' }),
  ),
};

export const createdBetween = (what: string) => ({
  from: Type.Optional(timestamp(`Only ${what} created at or after this moment.`)),
  to: Type.Optional(timestamp(`Only ${what} created before this moment.`)),
});

export const nextPage = nullable(Type.String({ description: 'Cursor of the next page; null on the last one.' }));
