/**
 * Somebody of the staff looks at an account. They see what is in it and change nothing, and its people read in their audit
 * log who looked and when. It ends by itself: who looks again is written down again.
 */
import type { Tx } from '../db/database.ts';
import { personActor } from '../http/actor.ts';
import { leavingNoTrail } from '../http/trail.ts';
import { addMs, hours } from '../lib/clock.ts';
import { notFound } from '../lib/errors.ts';
import { findMerchant, insertAudit } from '../merchants/merchant-store.ts';
import type { Session } from './session.ts';
import { saveStaffLook } from './session-store.ts';

const lookMs = hours(1);

export async function lookAtMerchant(tx: Tx, session: Session, merchantId: string, now: Date): Promise<void> {
  if (!(await findMerchant(tx, merchantId))) throw notFound('merchant', merchantId);
  await saveStaffLook(tx, session.id, { merchantId, until: addMs(now, lookMs) });
  const actor = personActor(session.personId);
  const look = { merchantId, at: now, actor, action: 'staff.looked', detail: {} };
  await leavingNoTrail(() => insertAudit(tx, look));
}

export const stopLooking = (tx: Tx, session: Session): Promise<void> => saveStaffLook(tx, session.id, null);

/** The account that is looked at; null: none, or not any more. */
export const lookedAt = ({ looksAt }: Session, now: Date): string | null =>
  looksAt && now < looksAt.until ? looksAt.merchantId : null;
