/**
 * Whoever moves the operator's money is told at once who else is about to, and who is not any more: a second hand that one
 * of them makes alone is seen by the others before it approves anything. The one it is about is told too.
 */
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobCatalog } from '../jobs/job-catalog.ts';
import { movesMoney } from './staff-approvers.ts';
import { listStaff } from './staff-store.ts';

export type StaffNews = Pick<JobCatalog['staff.news'], 'what' | 'about' | 'role' | 'account'>;

/** `personId`: of the one it is about; null: nobody yet. */
export async function tellHands(
  tx: Tx,
  news: StaffNews,
  { personId, actor, now }: { readonly personId: string | null; readonly actor: Actor; readonly now: Date },
): Promise<void> {
  const hands = (await listStaff(tx)).filter((member) => movesMoney(member.role)).map((member) => member.personId);
  const told = new Set(personId === null ? hands : [...hands, personId]);
  const at = now.toISOString();
  await enqueue(
    tx,
    Array.from(told, (each) => ({
      name: 'staff.news' as const,
      payload: { personId: each, ...news, by: actor, at },
      runAt: now,
    })),
  );
}
