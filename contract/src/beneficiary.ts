/**
 * Beneficiaries: who receives what an account sends. The address has the parts of a structured postal address of ISO
 * 20022; they may also come inside `address`, and under the names that customers have.
 */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { nextPage, pageQuery } from './page.ts';
import { customObject, here, idInput, idText, named, nullable, textOrNumber, timestamp } from './text.ts';

const text = (maxLength: number, description: string, otherNames: readonly string[] = []) =>
  Type.Optional(Type.String({ maxLength, description, ...named(otherNames) }));

const addressPart = (name: string, maxLength: number, description: string, otherNames: readonly string[] = []) =>
  Type.Optional(
    Type.Unsafe<string>({
      ...textOrNumber(maxLength, description),
      ...named([`address.${name}`, `postalAddress.${name}`, ...otherNames]),
    }),
  );

const beneficiaryType = Type.Enum(['PERSON', 'COMPANY'], {
  title: 'BeneficiaryType',
  description: 'A person or a company.',
});

const fields = {
  type: Type.Optional(here(beneficiaryType, 'Without it, COMPANY when there is a company, otherwise PERSON.')),
  firstname: text(100, 'First name of a person.', ['firstName']),
  lastname: text(100, 'Last name of a person.', ['lastName']),
  company: text(200, 'Name of a company.', ['companyName']),
  email: Type.Optional(Type.String({ format: 'email', maxLength: 254, description: 'E-mail address.' })),
  phonenumber: Type.Optional(textOrNumber(40, 'Phone number.')),
  taxid: Type.Optional(textOrNumber(40, 'Tax id.')),
  streetName: addressPart('streetName', 140, 'Street; with the number, if there is no buildingNumber.', ['adr1']),
  buildingNumber: addressPart('buildingNumber', 16, 'Number of the building.'),
  addressLine: addressPart('addressLine', 140, 'Whatever else the address has.', ['adr2']),
  postCode: addressPart('postCode', 16, 'Postal code.', ['zip']),
  townName: addressPart('townName', 140, 'Town.', ['city']),
  countrySubDivision: addressPart('countrySubDivision', 35, 'State, province or region.', ['state']),
  country: Type.Optional(
    Type.String({
      pattern: '^([A-Za-z]{2})?$',
      description: 'Country, two letters of ISO 3166-1.',
      ...named(['address.country', 'postalAddress.country', 'countrycode', 'countryCode']),
    }),
  ),
  meta: Type.Optional(customObject('Anything; echoed wherever the beneficiary is shown.')),
};

const id = idInput('Id of the beneficiary.', ['beneficiaryId']);

/** With an `id`, POST changes that beneficiary; without, a name is required and a beneficiary is created. */
export const beneficiaryBody = Type.Object(
  {
    beneficiary: Type.Object(
      { id: Type.Optional(id), ...fields },
      {
        title: 'NewBeneficiary',
        description: 'The beneficiary. With an `id` it is changed, without one it is created.',
      },
    ),
  },
  { title: 'CreateBeneficiaryRequest', description: 'A new beneficiary.' },
);

/** A field that is absent or null stays as it is; an empty text empties it. */
export const beneficiaryChangeBody = Type.Object(
  {
    beneficiary: Type.Object(
      { id, ...fields },
      { title: 'BeneficiaryChange', description: 'Which beneficiary, and what is to be different.' },
    ),
  },
  { title: 'ChangeBeneficiaryRequest', description: 'A change of a beneficiary.' },
);

export const beneficiaryDeleteBody = Type.Object(
  { id: Type.String({ ...id, ...named(['beneficiaryId', 'beneficiary.id']) }) },
  { title: 'DeleteBeneficiaryRequest', description: 'Which beneficiary is to be deleted.' },
);

export const beneficiaryIdReply = Type.Object(
  { beneficiaryId: idText('Id of the beneficiary.') },
  { title: 'BeneficiaryIdReply', description: 'Which beneficiary it was.' },
);

const shown = (description: string) => nullable(Type.String({ description }));

export const beneficiaryRecord = Type.Object(
  {
    id: idText('Id of the beneficiary.'),
    type: beneficiaryType,
    firstname: shown('First name.'),
    lastname: shown('Last name.'),
    company: shown('Name of the company.'),
    email: shown('E-mail address.'),
    phonenumber: shown('Phone number.'),
    taxid: shown('Tax id.'),
    streetName: shown('Street.'),
    buildingNumber: shown('Number of the building.'),
    addressLine: shown('Whatever else the address has.'),
    postCode: shown('Postal code.'),
    townName: shown('Town.'),
    countrySubDivision: shown('State, province or region.'),
    country: shown('Country, two letters.'),
    meta: Type.Unsafe<unknown>({ description: 'What was posted as meta, or null.' }),
    timestamp: timestamp('When the beneficiary was created.'),
  },
  { title: 'Beneficiary', description: 'Who receives what the account sends.' },
);

export const beneficiaryQuery = Type.Object({ id: idInput('Id of the beneficiary.', ['beneficiaryId']) });

export const beneficiariesQuery = Type.Object({ ...pageQuery });

export const beneficiaryReply = Type.Object(
  { beneficiary: beneficiaryRecord },
  { title: 'BeneficiaryReply', description: 'A beneficiary.' },
);

export const beneficiariesReply = Type.Object(
  { beneficiaries: Type.Array(beneficiaryRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'BeneficiaryList', description: 'A page of beneficiaries.' },
);

export type BeneficiaryInput = Static<typeof beneficiaryBody>['beneficiary'];
export type BeneficiaryChange = Static<typeof beneficiaryChangeBody>['beneficiary'];
export type BeneficiaryRecord = Static<typeof beneficiaryRecord>;
