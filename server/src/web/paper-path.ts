/** The path of a paper. */
import type { PageLanguage } from './texts/page-texts.ts';

/** Everybody who has the page of a paid checkout gets the receipt; an invoice is for a customer whom the shop knows. */
export type PaperKind = 'receipt' | 'invoice';

export const paperPath = (
  language: PageLanguage,
  { kind, id }: { readonly kind: PaperKind; readonly id: string },
): string => (kind === 'receipt' ? `/${language}/checkout/${id}/receipt` : `/${language}/invoice/${id}`);
