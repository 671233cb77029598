/**
 * Whether an invoice may say that its buyer owes the VAT. The law asks for a business in another country, and its VAT id is how it
 * shows that it is one. What else is untaxed in a shop that charges so (a consumer abroad, a business at home) is not by that rule.
 */
import { vatCountryOf } from '../lib/vat-number.ts';
import type { PaperFacts } from './paper-facts.ts';

export function isReverseCharge({ seller: { data }, buyer }: Pick<PaperFacts, 'seller' | 'buyer'>): boolean {
  const from = data?.country ?? vatCountryOf(data?.vatId ?? '');
  const to = vatCountryOf(buyer?.fields.taxid ?? '');
  return from !== null && to !== null && from !== to;
}
