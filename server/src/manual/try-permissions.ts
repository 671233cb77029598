/**
 * What a person may try out in the manual: an endpoint names what a key must be granted, and here stands what the role of
 * a person must allow for the same. Where the account asks for a second person or has a limit for a role, trying is not
 * for that role: those rules are kept by its pages.
 */
import type { Endpoint } from '@quittance/contract/endpoints';
import type { Permission } from '@quittance/contract/permissions';
import type { AccountPermission, Grant } from '../people/roles.ts';

const asPerson: Readonly<Record<Permission, AccountPermission>> = {
  useCatalogue: 'seeCheckouts',
  charge: 'charge',
  readCheckouts: 'seeCheckouts',
  decideCheckouts: 'decideCheckouts',
  saveCustomers: 'changeCustomers',
  readCustomers: 'seeCustomers',
  readBalances: 'seeBalances',
  readReports: 'exportReports',
  readOrders: 'seeBalances',
  readSettings: 'limits',
  orderMoney: 'moveMoney',
  cancelOrders: 'moveMoney',
  approveOrders: 'approve',
  readWebhooks: 'webhooks',
  resendWebhooks: 'webhooks',
};

export const personPermission = ({ access }: Pick<Endpoint, 'access'>): AccountPermission | null =>
  access === 'public' ? null : asPerson[access];

/** The same for what a handler asks further. */
export const mayAsPerson =
  (grant: (permission: AccountPermission) => Grant) =>
  (permission: Permission): boolean =>
    grant(asPerson[permission]) === 'yes';

/** Reading needs no proof. */
export const isTryable = ({ method }: Pick<Endpoint, 'method'>, grant: Grant): boolean =>
  method === 'GET' ? grant !== 'no' : grant === 'yes' || grant === 'proof';
