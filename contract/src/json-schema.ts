/**
 * Schemas in the words and with the types of TypeBox. Only the types come from TypeBox itself: its 370 modules took a
 * quarter of the time in which a process starts, and what they make is plain JSON Schema, as here. A test compares
 * every word with the library's.
 */
import type { Type as TypeBox } from 'typebox';

type Words =
  | ('Array' | 'Boolean' | 'Enum' | 'Integer' | 'Null' | 'Object')
  | ('Optional' | 'Record' | 'String' | 'Union' | 'Unsafe');

type Schema = Readonly<Record<string, unknown>>;

/** Schemas marked as optional. In JSON Schema it is the object that says which of its properties are required. */
const optional = new WeakSet<Schema>();

const ofType =
  (type: string) =>
  (options?: Schema): Schema => ({ type, ...options });

function object(properties: Readonly<Record<string, Schema>>, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !optional.has(properties[name] as Schema));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

function leftOut(schema: Schema): Schema {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

const anyText = '^.*$';

const words: Record<Words, (...given: never[]) => Schema> = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly string[], options?: Schema) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Null: ofType('null'),
  Object: object,
  Optional: leftOut,
  Record: (key: Schema, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { [typeof key['pattern'] === 'string' ? key['pattern'] : anyText]: value },
    ...options,
  }),
  String: ofType('string'),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unsafe: (schema: Schema) => ({ ...schema }),
};

export const Type = words as unknown as Pick<typeof TypeBox, Words>;
