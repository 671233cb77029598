/** What an IBAN tells by itself: how it is written, in which country the account is, what a payment to it needs. */
import { getCountrySpecifications } from 'ibantools';
import { countryCodes } from '../../../lib/country-codes.ts';
import type { AccountNumbers } from '../../port/definition.ts';

/** As machines want it: no spaces, capital letters. People paste them with anything between. */
export const plainIban = (text: string): string => text.replaceAll(/[\s\u00ad\u200b-\u200f\ufeff-]/g, '').toUpperCase();

/** In groups of four, as people read it. */
export const printedIban = (iban: string): string => plainIban(iban).replaceAll(/.{4}(?=.)/g, '$& ');

export const countryOfIban = (iban: string): string => plainIban(iban).slice(0, 2);

export const countryOfBic = (bic: string): string => plainIban(bic).slice(4, 6);

/** The union, with Iceland, Liechtenstein and Norway. */
const eea = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
);

/**
 * The other countries of SEPA whose IBANs begin with their own code (EPC409-09). Islands and territories that use another
 * country's IBANs are in it by those. The list is ours because a country joins nearly every year: ibantools has those of 2020.
 */
const sepaBesidesEea = new Set('AD AL CH GB GI MC MD ME MK RS SM VA'.split(' '));

export const isInEea = (country: string): boolean => eea.has(country);

export const isInSepa = (country: string): boolean => eea.has(country) || sepaBesidesEea.has(country);

/** Inside the EEA the IBAN is enough (regulation (EU) 260/2012); elsewhere banks may ask for the BIC and an address. */
export const needsBic = (iban: string): boolean => !isInEea(countryOfIban(iban));

/** Whether accounts in this country have IBANs; elsewhere they have numbers, by which only SWIFT can pay. */
export const hasIbans = (country: string): boolean =>
  getCountrySpecifications()[country]?.IBANRegistry === true || isInSepa(country);

/** A misspelt one too: it must not go out as a number that nobody checks. */
export const looksLikeIban = (text: string): boolean => /^[A-Z]{2}\d{2}[A-Z0-9]{11,}$/.test(plainIban(text));

export const isCountry = (code: string): boolean => countries.has(code);

const countries: ReadonlySet<string> = new Set(countryCodes());

export const accountNumbers: AccountNumbers = {
  plain: plainIban,
  printed: (given) => (looksLikeIban(given) ? printedIban(given) : given),
  isIban: looksLikeIban,
};
