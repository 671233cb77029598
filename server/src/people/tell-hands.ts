/**
 * Whoever moves the operator's money is told at once who else is about to, and who is not any more: a second hand that one
 * of them makes alone is seen by the others before it approves anything. The one it is about is told too. Likewise all are
 * told what leaves, also who asked for it: whoever has a passkey of theirs did not ask them.
 */
import type { Tx } from '../db/database.ts';
import type { Actor } from '../http/actor.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { JobCatalog, OrderNews } from '../jobs/job-catalog.ts';
import { movesMoney } from './staff-approvers.ts';
import { listStaff } from './staff-store.ts';

export type StaffNews = Pick<JobCatalog['staff.news'], 'what' | 'about' | 'role' | 'account'>;

/** `personId`: of the one it is about; null: nobody yet. */
export async function tellHands(
  tx: Tx,
  news: StaffNews,
  { personId, actor, now }: { readonly personId: string | null; readonly actor: Actor; readonly now: Date },
): Promise<void> {
  const hands = await listHands(tx);
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

/** In the transaction that asks for it or lets it go: what is settled a minute later is told all the same. */
export async function tellHandsOfOrder(
  tx: Tx,
  { what, orderId }: { readonly what: OrderNews; readonly orderId: string },
  { actor, now }: { readonly actor: Actor; readonly now: Date },
): Promise<void> {
  const at = now.toISOString();
  const jobs = (await listHands(tx)).map((personId) => ({
    name: 'staff.order' as const,
    payload: { personId, what, orderId, by: actor, at },
    runAt: now,
  }));
  await enqueue(tx, jobs);
}

const listHands = async (tx: Tx): Promise<string[]> =>
  (await listStaff(tx)).filter(({ role }) => movesMoney(role)).map(({ personId }) => personId);
