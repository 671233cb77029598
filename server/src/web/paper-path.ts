/** The path of a paper. */
import type { PageLanguage } from './texts/page-texts.ts';

/**
 * Everybody who has the page of a paid checkout gets the receipt; an invoice is for a customer whom the shop knows. A credit
 * note is found where the invoice is, by its own id.
 */
export function paperPath(
  language: PageLanguage,
  {
    kind,
    id,
    buyerKey = null,
    paperId = null,
    format,
  }: {
    readonly kind: 'receipt' | 'invoice' | 'creditNote';
    /** Of the checkout. */
    readonly id: string;
    /** With it an invoice names its buyer. */
    readonly buyerKey?: string | null;
    /** Of a credit note, and of what does not stand any more; else that of the settlement that stands. */
    readonly paperId?: string | null;
    readonly format?: 'pdf';
  },
): string {
  const path = kind === 'receipt' ? `/${language}/checkout/${id}/receipt` : `/${language}/invoice/${id}`;
  const query = new URLSearchParams({
    ...(paperId !== null && { [kind === 'creditNote' ? 'note' : 'paper']: paperId }),
    ...(buyerKey !== null && { key: buyerKey }),
    ...(format && { format }),
  });
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
