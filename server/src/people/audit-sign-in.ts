/** What somebody changed about the own sign-in is seen by all accounts that the person belongs to, and by the operator's. */
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { insertAudit } from '../merchants/merchant-store.ts';
import { membershipsOf } from './person-store.ts';
import { findStaffRole } from './staff-store.ts';

/** The account of the operator, in the audit log. */
export const operatorId = 'operator';

type SignInChange =
  | 'person.passkey_added'
  | 'person.passkey_removed'
  | 'person.password_changed'
  | 'person.app_set_up'
  | 'person.app_removed'
  | 'person.codes_printed'
  | 'person.recovered';

export const auditSignIn = (tx: Tx, personId: string, action: SignInChange, at: Date): Promise<void> =>
  auditWhereverTheyAre(tx, personId, { at, actor: personActor(personId), action, detail: {} });

/** Also what somebody else did about it. */
export async function auditWhereverTheyAre(
  tx: Tx,
  personId: string,
  entry: Omit<Parameters<typeof insertAudit>[1], 'merchantId'>,
): Promise<void> {
  const accounts = (await membershipsOf(tx, personId)).map(({ merchantId }) => merchantId);
  if ((await findStaffRole(tx, personId)) !== undefined) accounts.push(operatorId);
  for (const merchantId of accounts) await insertAudit(tx, { ...entry, merchantId });
}
