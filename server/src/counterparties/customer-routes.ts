import { endpoints } from '@quittance/contract/endpoints';
import type { Db } from '../db/database.ts';
import { type Route, route } from '../http/route.ts';
import type { Clock } from '../lib/clock.ts';
import { changeCustomer } from './change-customer.ts';
import { createCustomer } from './create-customer.ts';
import { customerNotFound } from './customer-errors.ts';
import { toCustomerRecord } from './customer-record.ts';
import { findCustomer } from './customer-store.ts';
import { deleteCustomer } from './delete-customer.ts';
import { listCustomers } from './list-customers.ts';

export const customerRoutes = (deps: { db: Db; clock: Clock }): Route[] => [
  route({
    endpoint: endpoints.createCustomer,
    handle({ merchant, body: { customer }, carryOut }) {
      const { id } = customer;
      return id === undefined
        ? carryOut(({ begin }) => createCustomer({ ...deps, begin }, merchant.id, customer), named)
        : carryOut(({ begin }) => changeCustomer({ ...deps, begin }, merchant.id, { ...customer, id }), named);
    },
  }),
  route({
    endpoint: endpoints.changeCustomer,
    handle: ({ merchant, body, carryOut }) =>
      carryOut(({ begin }) => changeCustomer({ ...deps, begin }, merchant.id, body.customer), named),
  }),
  route({
    endpoint: endpoints.deleteCustomer,
    handle: ({ merchant, body, carryOut }) =>
      carryOut(({ begin }) => deleteCustomer({ ...deps, begin }, merchant.id, body.id), named),
  }),
  route({
    endpoint: endpoints.getCustomer,
    async handle({ merchant, query: { id } }) {
      const customer = await findCustomer(deps.db, merchant.id, id);
      if (customer === null) throw customerNotFound(id);
      return { customer: toCustomerRecord(customer) };
    },
  }),
  route({
    endpoint: endpoints.listCustomers,
    async handle({ merchant, query }) {
      const { customers, next } = await listCustomers(deps.db, merchant.id, query);
      return { customers: customers.map(toCustomerRecord), next };
    },
  }),
];

const named = (customerId: string) => ({ customerId });
