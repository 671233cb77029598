/** What is known about a beneficiary, and how a request becomes that. */
import type { BeneficiaryInput } from '@quittance/contract/beneficiary';
import { isCountryCode } from '../lib/country-codes.ts';
import { type Problem, told } from '../lib/errors.ts';
import { hiddenProblem } from './hidden-problem.ts';

export const beneficiaryFieldNames = [
  'firstname',
  'lastname',
  'company',
  'email',
  'phonenumber',
  'taxid',
  'streetName',
  'buildingNumber',
  'addressLine',
  'postCode',
  'townName',
  'countrySubDivision',
  'country',
] as const;

export type BeneficiaryFields = { readonly [N in (typeof beneficiaryFieldNames)[number]]?: string };

/** A company, or a person. */
export const beneficiaryName = ({ fields }: { readonly fields: BeneficiaryFields }): string =>
  fields.company ?? [fields.firstname, fields.lastname].filter((part) => part !== undefined).join(' ');

/** Fields to set; null empties one, and one that is absent stays as it is. */
export type BeneficiaryFieldChanges = { readonly [N in keyof BeneficiaryFields]: string | null };

export function readBeneficiaryFields(beneficiary: BeneficiaryInput): {
  changes: BeneficiaryFieldChanges;
  problems: Problem[];
} {
  const given = beneficiaryFieldNames.flatMap((name) => {
    const text = beneficiary[name]?.trim();
    if (text === undefined) return [];
    return [[name, text === '' ? null : name === 'country' ? text.toUpperCase() : text] as const];
  });
  const changes: BeneficiaryFieldChanges = Object.fromEntries(given);
  const hidden = beneficiaryFieldNames.flatMap((name) =>
    hiddenProblem(`beneficiary.${name}`, changes[name] ?? '', { inLines: name === 'addressLine' }),
  );
  return { changes, problems: [...countryProblems(changes.country ?? null), ...hidden] };
}

const countryProblems = (country: string | null): Problem[] =>
  country === null || isCountryCode(country)
    ? []
    : [
        told(
          'country_unknown',
          `beneficiary.country must be a country of ISO 3166-1 such as DE or US, but is ${JSON.stringify(country)}.`,
        ),
      ];

/** Without a name nobody can be paid. */
export function nameProblems(type: 'PERSON' | 'COMPANY', fields: BeneficiaryFieldChanges): Problem[] {
  if (type === 'COMPANY')
    return fields.company
      ? []
      : [told('beneficiary_unnamed', 'beneficiary.company is missing: a company needs its name.')];
  return fields.lastname
    ? []
    : [told('beneficiary_unnamed', 'beneficiary.lastname is missing: a person needs a name, or give company instead.')];
}
