/** The path of a paper. */
import type { PageLanguage } from './texts/page-texts.ts';

/** Everybody who has the page of a paid checkout gets the receipt; an invoice is for a customer whom the shop knows. */
export type PaperKind = 'receipt' | 'invoice';

export function paperPath(
  language: PageLanguage,
  {
    kind,
    id,
    buyerKey = null,
    format,
  }: {
    readonly kind: PaperKind;
    readonly id: string;
    /** With it an invoice names its buyer. */
    readonly buyerKey?: string | null;
    readonly format?: 'pdf';
  },
): string {
  const path = kind === 'receipt' ? `/${language}/checkout/${id}/receipt` : `/${language}/invoice/${id}`;
  const query = new URLSearchParams({ ...(buyerKey !== null && { key: buyerKey }), ...(format && { format }) });
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
