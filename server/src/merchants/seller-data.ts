/**
 * What an electronic invoice must say about the seller in parts, beside the address as the business writes it. Kept among the
 * settings of the page, each by its own name.
 */
import { isCountryCode } from '../lib/country-codes.ts';
import { type Problem, told } from '../lib/errors.ts';
import { impossibleVatId, isPossibleVatId, isVatNumber, vatIdOf } from '../lib/vat-number.ts';
import type { Merchant } from './merchant.ts';

/**
 * What positions without tax are, as EN 16931 names it: zero rated, exempt, reverse charge, export, supply inside the EU, outside
 * the scope of VAT.
 */
export const untaxedKinds = ['Z', 'E', 'AE', 'G', 'K', 'O'] as const;
export type UntaxedKind = (typeof untaxedKinds)[number];

export type SellerData = {
  readonly street: string | null;
  readonly postcode: string | null;
  readonly city: string | null;
  /** Two letters of ISO 3166-1. */
  readonly country: string | null;
  readonly vatId: string | null;
  /** Of the tax office, or where the business is registered. */
  readonly taxNumber: string | null;
  /** Null: it was not said. */
  readonly untaxedAs: UntaxedKind | null;
  /** Why what is exempt is so. */
  readonly exemptBecause: string | null;
};

export const sellerDataNames = [
  'street',
  'postcode',
  'city',
  'country',
  'vatId',
  'taxNumber',
  'untaxedAs',
  'exemptBecause',
] as const satisfies readonly (keyof SellerData)[];

/** The tax id that the payment page has, is what it looks like, where nothing else was said. */
export function sellerDataOf({ pageSettings }: Pick<Merchant, 'pageSettings'>): SellerData {
  const given = (name: string): string | null => {
    const value = pageSettings[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  const taxId = given('taxId');
  const isVat = taxId !== null && isVatNumber(taxId);
  return {
    street: given('street'),
    postcode: given('postcode'),
    city: given('city'),
    country: given('country'),
    vatId: given('vatId') ?? (isVat ? vatIdOf(taxId) : null),
    taxNumber: given('taxNumber') ?? (isVat ? null : taxId),
    untaxedAs: untaxedKinds.find((kind) => kind === given('untaxedAs')) ?? null,
    exemptBecause: given('exemptBecause'),
  };
}

/** Of a change; `after`: all settings with it. */
export function sellerProblems(
  change: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Problem[] {
  const given = (name: string): string | null => (typeof change[name] === 'string' ? change[name] : null);
  const isLine = (name: string): boolean => /^.{0,100}$/u.test(given(name) ?? '');
  const [country, vatId, kind] = [given('country'), given('vatId'), given('untaxedAs')];
  const isKind = untaxedKinds.some((each) => each === kind);
  const isNamed = ['untaxedAs', 'exemptBecause'].some((name) => name in change);
  const { untaxedAs, exemptBecause } = sellerDataOf({ pageSettings: after });
  return [
    ...(sellerDataNames.every(isLine)
      ? []
      : [
          told(
            'setting_seller_line',
            'Each part of the address and of the tax data must be one line of at most 100 characters.',
          ),
        ]),
    ...(country === null || isCountryCode(country)
      ? []
      : [told('setting_country', 'The country must be two letters of ISO 3166-1, such as DE.')]),
    ...(vatId === null || vatIdOf(vatId) === vatId
      ? []
      : [told('setting_vat_id', 'The VAT id must begin with the two letters of its country, such as DE123456789.')]),
    ...(vatId === null || vatIdOf(vatId) !== vatId || isPossibleVatId(vatId) ? [] : [impossibleVatId(vatId)]),
    ...(kind === null || isKind
      ? []
      : [told('setting_untaxed', 'Positions without tax must be one of Z, E, AE, G, K and O.')]),
    ...(isNamed && untaxedAs === 'E' && exemptBecause === null
      ? [told('setting_exempt', 'What is exempt from VAT needs the reason, as the law calls it.')]
      : []),
  ];
}
