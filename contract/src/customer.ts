/** Customers: the people a merchant sells to. Only the e-mail address is required. */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { nextPage, pageQuery } from './page.ts';
import { customObject, idInput, idText, named, nullable, textOrNumber, timestamp } from './text.ts';

const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));

const fields = {
  firstname: text(100, 'First name.'),
  lastname: text(100, 'Last name.'),
  company: text(200, 'Company.'),
  adr1: text(200, 'Address, first line.'),
  adr2: text(200, 'Address, second line.'),
  zip: Type.Optional(textOrNumber(20, 'Postal code.')),
  city: text(100, 'City.'),
  countrycode: Type.Optional(
    Type.String({ pattern: '^([A-Za-z]{2})?$', description: 'Country, two letters of ISO 3166-1.' }),
  ),
  phonenumber: Type.Optional(textOrNumber(40, 'Phone number.')),
  taxid: Type.Optional(textOrNumber(40, 'Tax id.')),
  meta: Type.Optional(customObject('Anything; echoed wherever the customer is shown.')),
};

const email = Type.String({ format: 'email', minLength: 3, maxLength: 254, description: 'E-mail address.' });

const id = idInput('Id of the customer.', ['customerId']);

/** With an `id`, POST changes that customer; without, `email` is required and a customer is created or found again. */
export const customerBody = Type.Object(
  {
    customer: Type.Object(
      { id: Type.Optional(id), email: Type.Optional(email), ...fields },
      {
        title: 'NewCustomer',
        description: 'The customer. With an `id` it is changed; without one, `email` is needed.',
      },
    ),
  },
  { title: 'CreateCustomerRequest', description: 'A new customer.' },
);

/** A field that is absent or null stays as it is; an empty text empties it. */
export const customerChangeBody = Type.Object(
  {
    customer: Type.Object(
      { id, email: Type.Optional(email), ...fields },
      { title: 'CustomerChange', description: 'Which customer, and what is to be different.' },
    ),
  },
  { title: 'ChangeCustomerRequest', description: 'A change of a customer.' },
);

export const customerDeleteBody = Type.Object(
  { id: Type.String({ ...id, ...named(['customerId', 'customer.id']) }) },
  { title: 'DeleteCustomerRequest', description: 'Which customer is to be deleted.' },
);

export const customerIdReply = Type.Object(
  { customerId: idText('Id of the customer.') },
  { title: 'CustomerIdReply', description: 'Which customer it was.' },
);

const shown = (description: string) => nullable(Type.String({ description }));

export const customerRecord = Type.Object(
  {
    id: idText('Id of the customer.'),
    email: Type.String({ description: 'E-mail address.' }),
    firstname: shown('First name.'),
    lastname: shown('Last name.'),
    company: shown('Company.'),
    adr1: shown('Address, first line.'),
    adr2: shown('Address, second line.'),
    zip: shown('Postal code.'),
    city: shown('City.'),
    countrycode: shown('Country, two letters.'),
    phonenumber: shown('Phone number.'),
    taxid: shown('Tax id.'),
    meta: Type.Unsafe<unknown>({ description: 'What was posted as meta, or null.' }),
    timestamp: timestamp('When the customer was created.'),
  },
  { title: 'Customer', description: 'Somebody the merchant sells to.' },
);

export const customerQuery = Type.Object({ id: idInput('Id of the customer.', ['customerId']) });

export const customersQuery = Type.Object({
  ...pageQuery,
  email: Type.Optional(
    Type.String({ minLength: 1, maxLength: 254, description: 'Only the customer with this e-mail.' }),
  ),
});

export const customerReply = Type.Object(
  { customer: customerRecord },
  { title: 'CustomerReply', description: 'A customer.' },
);

export const customersReply = Type.Object(
  { customers: Type.Array(customerRecord, { description: 'Newest first.' }), next: nextPage },
  { title: 'CustomerList', description: 'A page of customers.' },
);

export type CustomerInput = Static<typeof customerBody>['customer'];
export type CustomerChange = Static<typeof customerChangeBody>['customer'];
export type CustomerRecord = Static<typeof customerRecord>;
