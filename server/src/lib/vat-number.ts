/** Tax ids that begin with the country that gave them. */
import { isCountryCode } from './country-codes.ts';
import { type Problem, told } from './errors.ts';

/** Greece calls itself EL here, and Northern Ireland has XI. */
const union = 'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' ');

const ofNine = /^\d{9}$/;
const ofEight = /^\d{8}$/;
const ofEleven = /^\d{11}$/;
const ofTen = /^\d{10}$/;
const ofBritain = /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/;

/** What comes after the country, as the EU and each of the others publishes it. Check digits are not looked at. */
const forms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CH: /^E\d{9}(?:MWST|TVA|IVA)?$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: ofNine,
  DK: ofEight,
  EE: ofNine,
  EL: ofNine,
  ES: /^[0-9A-Z]\d{7}[0-9A-Z]$/,
  FI: ofEight,
  FR: /^[0-9A-Z]{2}\d{9}$/,
  GB: ofBritain,
  GR: ofNine,
  HR: ofEleven,
  HU: ofEight,
  IE: /^\d[0-9A-Z+*]\d{5}[A-Z]{1,2}$/,
  IT: ofEleven,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: ofEight,
  LV: ofEleven,
  MT: ofEight,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}(?:MVA)?$/,
  PL: ofTen,
  PT: ofNine,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: ofEight,
  SK: ofTen,
  XI: ofBritain,
};

/** Whether its country gives such numbers. Of a country that is not among them, any is. */
export function isPossibleVatId(id: string): boolean {
  const plain = vatIdOf(id);
  return plain !== null && (forms[plain.slice(0, 2)]?.test(plain.slice(2)) ?? true);
}

/** Of one that cannot be. */
export function impossibleVatId(id: string): Problem {
  const country = vatIdOf(id)?.slice(0, 2) ?? '';
  return told('vat_id_form', `The VAT id ${id} cannot be right: those of ${country} have another form.`, {
    id,
    country,
  });
}

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
