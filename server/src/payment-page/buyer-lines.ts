/** A billing address as it is written on an envelope. */
import type { Customer } from '../counterparties/customer-store.ts';

export function buyerLines({ email, fields }: Pick<Customer, 'email' | 'fields'>): string[] {
  const joined = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(' ');
  return [
    fields.company ?? '',
    joined(fields.firstname, fields.lastname),
    fields.adr1 ?? '',
    fields.adr2 ?? '',
    joined(fields.zip, fields.city),
    fields.countrycode ?? '',
    fields.taxid ?? '',
    email,
  ].filter((line) => line !== '');
}
