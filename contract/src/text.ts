/** The kinds of text that requests and replies are made of. */
import type { TSchema } from 'typebox';
import { Type } from './json-schema.ts';

/** An id in a request. One in a wrong form is answered as an unknown one, so only its length is checked. */
export const idInput = (description: string, otherNames: readonly string[] = []) =>
  Type.String({ minLength: 1, maxLength: 100, description, ...named(otherNames) });

export const idText = (description: string) => Type.String({ pattern: '^[a-z0-9]{12}$', description });

export const url = (description: string) => Type.String({ format: 'uri', minLength: 1, maxLength: 2048, description });

export const timestamp = (description: string) => Type.String({ format: 'date-time', description });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Text that some shops send as a number, such as a product id. */
export const textOrNumber = (maxLength: number, description: string) =>
  Type.Unsafe<string>({ type: ['string', 'number'], maxLength, description });

export const memoType = Type.Enum(['text', 'id', 'hash', 'return'], {
  title: 'MemoType',
  description: 'Kind of a memo.',
});

/** Any JSON object, kept as it came. `[]`, which is how PHP writes an empty one, is `{}`. */
export const customObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: `${description} At most 16 KiB of JSON.`,
    'x-maxBytes': 16_384,
  });

/** A schema with a name, where more can be said about it than everywhere. */
export const here = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, 'x-here': description });

/** A word that shop plugins send for a setting in which nothing was chosen: as if the field were left out. */
export const absentWord = (word: string) => ({ 'x-absentWord': word });

/** Names that older clients use for a field, read if the field itself is absent. `a.b` is the field `b` inside `a`. */
export const named = (otherNames: readonly string[]) =>
  otherNames.length === 0 ? {} : { 'x-otherNames': [...otherNames] };
