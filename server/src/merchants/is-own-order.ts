/**
 * Nobody approves their own order: neither with the key that asked, nor with a key that they made or gave a secret. So
 * a key is in its own hands and in those of everybody who ever knew its secret; if two keys have a hand in common, one
 * cannot approve what the other ordered. The operator, who makes the keys of all merchants, does not count as a hand.
 */
import type { Query } from '../db/database.ts';
import { type Actor, apiKeyOf, isKeyActor } from '../http/actor.ts';
import { findKnownTo } from './api-key-store.ts';

export async function isOwnOrder(query: Query, merchantId: string, asker: Actor, approver: Actor): Promise<boolean> {
  const [asking, approving] = await Promise.all([
    handsOf(query, merchantId, asker),
    handsOf(query, merchantId, approver),
  ]);
  return asking.some((hand) => approving.includes(hand));
}

/** The actor itself and, if it is a key, whoever knows its secret. */
const handsOf = async (query: Query, merchantId: string, actor: Actor): Promise<Actor[]> =>
  isKeyActor(actor) ? [actor, ...(await findKnownTo(query, merchantId, apiKeyOf(actor)))] : [actor];

/** What is stored with a key that this actor makes or rotates. */
export const handsBehind = async (query: Query, merchantId: string, maker: Actor): Promise<Actor[]> =>
  maker === 'operator' ? [] : handsOf(query, merchantId, maker);
