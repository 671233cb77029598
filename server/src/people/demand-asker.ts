/** What waits for approval is done only while whoever asked for it may still ask for it. */
import type { Query } from '../db/database.ts';
import { type Actor, apiKeyOf, isKeyActor, personIdOf } from '../http/actor.ts';
import { GatewayError } from '../lib/errors.ts';
import { findOwnerOfKey } from '../merchants/api-key-store.ts';
import { findRole } from './person-store.ts';
import { type AccountPermission, grantOf } from './roles.ts';

export async function demandAsker(
  query: Query,
  merchantId: string,
  asker: Actor,
  permission: AccountPermission,
): Promise<void> {
  if (asker === 'operator' || asker === 'payer') return; // Neither is a member, so neither was put out.
  const may = isKeyActor(asker)
    ? (await findOwnerOfKey(query, apiKeyOf(asker))) === merchantId
    : await mayStill(query, merchantId, personIdOf(asker), permission);
  if (!may) throw askerGone();
}

export async function mayStill(
  query: Query,
  merchantId: string,
  personId: string,
  permission: AccountPermission,
): Promise<boolean> {
  const role = await findRole(query, merchantId, personId);
  return role !== undefined && grantOf(permission, role) !== 'no';
}

const askerGone = (): GatewayError =>
  new GatewayError({
    code: 'order_asker_gone',
    httpStatus: 409,
    message: 'Whoever asked for this may not ask for it any more, or the key was revoked. Refuse it, and ask anew.',
  });
