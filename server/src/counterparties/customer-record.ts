import type { CustomerRecord } from '@quittance/contract/customer';
import { formatTimestamp } from '../lib/clock.ts';
import type { Customer } from './customer-store.ts';

export function toCustomerRecord({ id, email, fields, meta, createdAt }: Customer): CustomerRecord {
  return {
    id,
    email,
    firstname: fields.firstname ?? null,
    lastname: fields.lastname ?? null,
    company: fields.company ?? null,
    adr1: fields.adr1 ?? null,
    adr2: fields.adr2 ?? null,
    zip: fields.zip ?? null,
    city: fields.city ?? null,
    countrycode: fields.countrycode ?? null,
    phonenumber: fields.phonenumber ?? null,
    taxid: fields.taxid ?? null,
    meta,
    timestamp: formatTimestamp(createdAt),
  };
}
