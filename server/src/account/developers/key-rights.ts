/**
 * Who may give a key which rights. A key acts with nobody watching, and whoever makes or rotates one has its secret: so
 * it must not be able to do more than they may give. A key that reads sees customers and balances, which developers do
 * not, so it counts as one for money.
 */
import type { Scope } from '@quittance/contract/permissions';
import { GatewayError } from '../../lib/errors.ts';
import type { AccountPermission } from '../../people/roles.ts';
import type { AccountLook } from '../frame/account-look.ts';

export function permissionToGive(scopes: readonly Scope[]): AccountPermission {
  if (scopes.includes('approve')) return 'approveKeys';
  return scopes.every((scope) => scope === 'charge') ? 'chargeKeys' : 'moneyKeys';
}

export const mayGive = ({ may }: Pick<AccountLook, 'may'>, scopes: readonly Scope[]): boolean =>
  may(permissionToGive(scopes));

const failure = (httpStatus: number, code: string, message: string): GatewayError =>
  new GatewayError({ code, httpStatus, message });

export const scopeNotYours = () => failure(403, 'scope_not_yours', 'Your role cannot give a key this right.');
export const keyNameMissing = () => failure(400, 'key_name_missing', 'The name of the key is missing.');
export const noScope = () => failure(400, 'no_scope', 'Choose what the key may do.');
