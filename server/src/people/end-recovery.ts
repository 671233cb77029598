/**
 * A link that waits for who has lost every way to sign in is worth nothing once this person signs in by one of them: then
 * somebody else asked for it.
 */
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { auditWhereverTheyAre } from './audit-sign-in.ts';
import { deleteRecovery } from './one-time-link-store.ts';

export async function endRecovery(tx: Tx, personId: string, at: Date): Promise<void> {
  if (!(await deleteRecovery(tx, personId))) return;
  const entry = {
    at,
    actor: personActor(personId),
    action: 'person.recovery_taken_back',
    detail: { person: personId },
  };
  await auditWhereverTheyAre(tx, personId, entry);
}
