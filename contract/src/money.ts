/**
 * Amounts. In requests a JSON number or a numeric string; in replies always a string, so that no client is tempted to
 * read money through a float.
 */
import { Type } from './json-schema.ts';

export const amountPattern = '^-?\\d{1,18}(\\.\\d{1,18})?$';

/** At most 18 digits before and 18 after the point. What the server works with is the exact decimal as plain text. */
export const decimalInput = (options: { description: string; minimum?: string; maximum?: string; default?: string }) =>
  Type.Unsafe<string>({
    type: ['number', 'string'],
    format: 'decimal',
    pattern: amountPattern,
    description: options.description,
    ...(options.default === undefined ? {} : { default: options.default }),
    ...(options.minimum === undefined ? {} : { 'x-minimum': options.minimum }),
    ...(options.maximum === undefined ? {} : { 'x-maximum': options.maximum }),
  });

/** Shops often compute these in floats: `0.30000000000000004` is read as the 0.3 that was meant. */
export const chargeNumber = (options: Parameters<typeof decimalInput>[0]) =>
  Type.Unsafe<string>({ ...decimalInput(options), 'x-withoutNoise': true });

export const decimalText = (description: string) =>
  Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description: `${description} A decimal in plain notation.` });
