/** What a checkout can be found by besides its id: words that the shop gave with the charge. Pure. */
import { isRawJson } from '../http/parse-json.ts';
import type { CheckoutPayload } from './checkout.ts';

const termsMax = 8;
const charactersMax = 64;

/**
 * A term as it is stored and as it is looked for: lower case, one space between words, without what stands before the
 * first letter or digit, so that 10045 finds #10045. Empty: nothing to look for.
 */
export const termOf = (text: string): string =>
  Array.from(
    text
      .normalize('NFKC')
      .replace(/[\s\p{C}]+/gu, ' ')
      .toLowerCase()
      .replace(/^[^\p{L}\p{N}]+/u, ''),
  )
    .slice(0, charactersMax)
    .join('')
    .trimEnd();

/**
 * At most eight, the most telling first: the order's number, what is in `meta`, numbers within descriptions ("Order
 * #10045" is how some shops write one), products, descriptions.
 */
export function checkoutTerms({ payload }: { readonly payload: CheckoutPayload }): string[] {
  const items = lineItemsOf(payload);
  const labels = items.flatMap(({ description }) => textsOf(description));
  const given = [
    ...textsOf(payload.pageSettings?.['orderReference']),
    ...Object.values(recordOf(payload.meta)).flatMap(textsOf),
    ...labels.flatMap(wordsWithDigits),
    ...items.flatMap(({ productId }) => textsOf(productId)),
    ...labels,
  ];
  return [...new Set(given.map(termOf))].filter((term) => term !== '').slice(0, termsMax);
}

const wordsWithDigits = (label: string): string[] =>
  (label.match(/[\p{L}\p{N}_./-]+/gu) ?? []).filter((word) => /\p{N}{3}/u.test(word));

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return isRawJson(value) ? [value.rawJSON] : [];
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !isRawJson(value) ? (value as Record<string, unknown>) : {};

function lineItemsOf({ charge }: CheckoutPayload): Readonly<Record<string, unknown>>[] {
  const { lineItems } = recordOf(charge);
  return Array.isArray(lineItems) ? lineItems.map(recordOf) : [];
}
