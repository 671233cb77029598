/** A billing address as it is written on an envelope. */
import type { Buyer } from '../checkouts/buyer-store.ts';
import { isVatNumber } from '../lib/vat-number.ts';
import type { PageLook } from '../web/page-layout.ts';

/** What is not the same in every language says what it is. */
export type AddressLine = string | { readonly country: string } | { readonly taxId: string };

export function buyerLines({ email, fields }: Pick<Buyer, 'email' | 'fields'>): AddressLine[] {
  const joined = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(' ');
  return [
    fields.company ?? '',
    joined(fields.firstname, fields.lastname),
    fields.adr1 ?? '',
    fields.adr2 ?? '',
    joined(fields.zip, fields.city),
    fields.countrycode ? { country: fields.countrycode.toUpperCase() } : '',
    fields.taxid ? { taxId: fields.taxid } : '',
    email,
  ].filter((line) => line !== '');
}

/** A country by its name, a tax id with what it is called. */
export function addressText({ say, language }: Pick<PageLook, 'say' | 'language'>, line: AddressLine): string {
  if (typeof line === 'string') return line;
  if ('taxId' in line) return say(isVatNumber(line.taxId) ? 'vatId' : 'taxId', { id: line.taxId });
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(line.country) ?? line.country;
}
