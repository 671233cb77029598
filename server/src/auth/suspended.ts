/**
 * What is left to the keys and the people of a suspended account: they see everything, webhooks can be sent again, and what
 * would leave can be taken back, which only brings money home. Nothing is charged, sent or changed otherwise, so that who is
 * suspended for being robbed is not robbed further. People may also take away what a thief uses: revoke a key, sign somebody
 * out. A route says itself that it does no more than that.
 */
import type { Permission } from '@quittance/contract/permissions';
import { GatewayError } from '../lib/errors.ts';
import type { Merchant } from '../merchants/merchant.ts';
import type { AccountPermission } from '../people/roles.ts';

const leftToKeys: ReadonlySet<Permission> = new Set<Permission>([
  'useCatalogue',
  'readCheckouts',
  'readCustomers',
  'readBalances',
  'readOrders',
  'cancelOrders',
  'readSettings',
  'readWebhooks',
  'resendWebhooks',
]);

const formsLeftToPeople: ReadonlySet<AccountPermission> = new Set<AccountPermission>(['webhooks']);

type Suspendable = Pick<Merchant, 'suspended'>;

export function demandKeyWorks({ suspended }: Suspendable, permission: Permission): void {
  if (suspended && !leftToKeys.has(permission)) throw accountSuspended(suspended);
}

/** Of a form. Pages are for reading. `isProtective`: it only takes something away from whoever might misuse it. */
export function demandFormWorks(
  { suspended }: Suspendable,
  form: { readonly permission: AccountPermission; readonly isProtective: boolean },
): void {
  if (suspended && !form.isProtective && !formsLeftToPeople.has(form.permission)) throw accountSuspended(suspended);
}

const accountSuspended = ({ why }: NonNullable<Merchant['suspended']>): GatewayError =>
  new GatewayError({
    code: 'account_suspended',
    httpStatus: 403,
    message: `This account is suspended: ${why} It can be read, and nothing can be charged, sent or changed. Ask the operator.`,
  });
