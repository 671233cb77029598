/**
 * Whoever writes the e-mail of a link gives it a token, and another one with every try: what may have gone out before is worth
 * nothing then. Only while it waits, and whoever made it may still let somebody in.
 */
import type { Tx } from '../db/database.ts';
import { mayInviteFirstOwner, mayInviteStaff } from './change-staff.ts';
import { isOwned, mayLetIn } from './join-account.ts';
import { findOpenLink, type OneTimeLink, replaceToken } from './one-time-link-store.ts';
import { findRecovering, isElsewhere } from './recover-member.ts';
import { hashOf, newToken } from './session.ts';

/** Null: it was taken back, used, replaced or is over. */
export async function renewLink(
  tx: Tx,
  id: string,
  now: Date,
): Promise<{ readonly link: OneTimeLink; readonly token: string } | null> {
  const link = await findOpenLink(tx, id, now);
  if (!link || !(await isStillMeant(tx, link))) return null;
  const token = newToken();
  // Whoever takes it back while we look has deleted it by now.
  return (await replaceToken(tx, id, hashOf(token))) ? { link, token } : null;
}

async function isStillMeant(tx: Tx, { purpose, merchantId, personId, role, madeBy, isFirstOwner }: OneTimeLink) {
  if (purpose === 'prove') return true;
  if (merchantId === null) return mayInviteStaff(tx, madeBy);
  if (purpose === 'join') {
    if (isFirstOwner) return !(await isOwned(tx, merchantId)) && (await mayInviteFirstOwner(tx, madeBy));
    return mayLetIn(tx, merchantId, madeBy, role ?? undefined);
  }
  const lost = personId === null ? undefined : await findRecovering(tx, merchantId, personId);
  // Who belongs elsewhere by now is not for this account to let in.
  if (!lost || !lost.person.isProven || (await isElsewhere(tx, lost))) return false;
  return mayLetIn(tx, merchantId, madeBy, lost.memberships[0]?.role);
}
