/** Lists come in pages: how a page is asked for, and where the next one begins. */
import Type from 'typebox';
import { nullable, timestamp } from './text.ts';

export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many at most.' }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: '`next` of the page before; opaque.' }),
  ),
};

export const createdBetween = (what: string) => ({
  from: Type.Optional(timestamp(`Only ${what} created at or after this moment.`)),
  to: Type.Optional(timestamp(`Only ${what} created before this moment.`)),
});

export const nextPage = nullable(Type.String({ description: 'Cursor of the next page; null on the last one.' }));
