/** Tax ids that begin with the country that gave them. */
import { isCountryCode } from './country-codes.ts';

/** Greece calls itself EL here, and Northern Ireland has XI. */
const union = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ');

/** Whether a tax id is a VAT number of the EU, which has a name of its own. */
export function isVatNumber(id: string): boolean {
  const plain = vatIdOf(id);
  return plain !== null && plain.length <= 14 && union.includes(plain.slice(0, 2));
}

/** The country that gave it, as ISO 3166-1 has it. Null: it is no VAT id. */
export function vatCountryOf(id: string): string | null {
  const given = vatIdOf(id)?.slice(0, 2) ?? null;
  return given === 'EL' ? 'GR' : given;
}

/** As e-invoices have it: without blanks, dots and dashes. Null: it does not begin with a country, or holds no number. */
export function vatIdOf(id: string): string | null {
  const plain = id.replaceAll(/[\s.-]/gu, '').toUpperCase();
  const country = plain.slice(0, 2);
  const isKnown = union.includes(country) || isCountryCode(country);
  return isKnown && /^(?=.*\d)[A-Z]{2}[0-9A-Z+*]{2,18}$/u.test(plain) ? plain : null;
}
