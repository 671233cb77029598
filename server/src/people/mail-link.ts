/**
 * A link that goes by e-mail is there from the moment it is asked for: it is listed, can be taken back, and gives way to a
 * newer one. Its token is made when the e-mail is written (`renew-link`), so that it is nowhere but there; until then nobody
 * has one that fits. So whoever opens it has the mailbox, which proves the address.
 */
import type { Tx } from '../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { insertLink, type OneTimeLink } from './one-time-link-store.ts';
import { hashOf, newToken } from './session.ts';

/** `language`: of the e-mail, where whoever gets it has not chosen one. */
export async function mailLink(tx: Tx, link: OneTimeLink, language: string): Promise<void> {
  const mailed = { ...link, isProof: true };
  await mailStandingLink(tx, await insertLink(tx, hashOf(newToken()), mailed), language, link.createdAt);
}

/** What was mailed of it before is worth nothing then. */
export async function mailStandingLink(tx: Tx, linkId: string, language: string, now: Date): Promise<void> {
  await enqueue(tx, [{ name: 'person.email', payload: { kind: 'link', linkId, language }, runAt: now }]);
}
