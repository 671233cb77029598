/** By which name a shop finds a checkout again. */

import { isRawJson } from '../http/parse-json.ts';
import type { Checkout } from './checkout.ts';

/**
 * The shop's own order number. Only what the shop gave for the page: `meta` may have one too, but that is between the
 * shop and us.
 */
export function orderReference({ payload: { pageSettings } }: Pick<Checkout, 'payload'>): string | null {
  const given = pageSettings?.['orderReference'];
  if (typeof given !== 'string' && typeof given !== 'number') return null;
  return (
    String(given)
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim() || null
  );
}

/** What the shop calls it: its reference, or what stands in `meta` as one; otherwise our id. */
export function orderOf(checkout: Pick<Checkout, 'id' | 'payload'>): string {
  const named = metaPairs(checkout).find(([key]) => /order|reference|invoice/i.test(key));
  return orderReference(checkout) ?? named?.[1] ?? checkout.id;
}

/** The top level of `meta`, as far as it is texts and numbers; the rest as JSON. */
export function metaPairs({ payload: { meta } }: Pick<Checkout, 'payload'>): [string, string][] {
  if (typeof meta !== 'object' || meta === null || isRawJson(meta)) return [];
  return Object.entries(meta).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    const text = typeof value === 'string' ? value : isRawJson(value) ? value.rawJSON : JSON.stringify(value);
    return text === undefined || text === '' ? [] : [[key, text]];
  });
}
