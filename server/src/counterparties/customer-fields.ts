/** What is known about a customer besides the e-mail address, and how a request becomes that. */
import type { CustomerInput } from '@quittance/contract/customer';
import { isCountryCode } from '../lib/country-codes.ts';
import { type Problem, told } from '../lib/errors.ts';
import { impossibleVatId, isPossibleVatId, isVatNumber } from '../lib/vat-number.ts';

export const customerFieldNames = [
  'firstname',
  'lastname',
  'company',
  'adr1',
  'adr2',
  'zip',
  'city',
  'countrycode',
  'phonenumber',
  'taxid',
] as const;

export type CustomerFields = { readonly [N in (typeof customerFieldNames)[number]]?: string };

/** Fields to set; null empties one, and one that is absent stays as it is. */
export type FieldChanges = { readonly [N in keyof CustomerFields]: string | null };

export function readFieldChanges(customer: Omit<CustomerInput, 'id' | 'email'>): {
  changes: FieldChanges;
  problems: Problem[];
} {
  const given = customerFieldNames.flatMap((name) => {
    const text = customer[name]?.trim();
    if (text === undefined) return [];
    return [[name, text === '' ? null : name === 'countrycode' ? text.toUpperCase() : text] as const];
  });
  const changes: FieldChanges = Object.fromEntries(given);
  return { changes, problems: problemsOf(changes) };
}

function problemsOf(changes: FieldChanges): Problem[] {
  const { countrycode: country = null, taxid = null } = changes;
  return [
    ...(country === null || isCountryCode(country)
      ? []
      : [
          told(
            'country_unknown',
            `customer.countrycode must be a country of ISO 3166-1 such as DE or US, but is ${JSON.stringify(country)}.`,
          ),
        ]),
    // Papers call only those of the EU a VAT id; what else somebody has is not for us to judge.
    ...(taxid !== null && isVatNumber(taxid) && !isPossibleVatId(taxid) ? [impossibleVatId(taxid)] : []),
    ...customerFieldNames
      .filter((name) => hasControls(name, changes[name] ?? ''))
      .map((field) => told('input_wrong_form', `customer.${field} must not contain control characters.`, { field })),
  ];
}

/** An address may be written in lines. */
const hasControls = (name: keyof CustomerFields, text: string): boolean =>
  /\p{Cc}/u.test(name === 'adr1' || name === 'adr2' ? text.replaceAll(/\r?\n/g, '') : text);
